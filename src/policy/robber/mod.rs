//! Algorithms for the robber.

mod trail_max;

pub use trail_max::TrailMaxRobber;
