//! What the trials share: apps without a window, and charts.
//!
//! The trials play long games in the plugin. They measure it, compare it with what the documents promise, and look for
//! faults.
#![allow(
    missing_docs,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "code of instruments: never published, and a panic is a failure"
)]

pub mod chart;
pub mod headless;
