//! Shared code of the tests of the plugin.

pub mod app;
pub mod bustle;
pub mod folder;

pub use pursuit_testkit::*;
