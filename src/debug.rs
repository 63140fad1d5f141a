//! Why agents do what they do, what that costs, and overlays that draw it.

pub use super::diagnostics::{PursuitDiagnostics, PursuitFigures};
#[cfg(feature = "gizmos")]
pub use super::gizmos::{PursuitFill, PursuitGizmos, PursuitGizmosPlugin};
#[cfg(feature = "tilemap")]
pub use super::layer_tiles::LayerTiles;
pub use super::messages::PlanInvalidated;
pub use super::stopwatch::Stopwatch;
pub use pursuit_engine::policy::Source;
pub use pursuit_engine::world::{DecidedBy, Decisions, FreeFor, IdleReason, Reason};
