//! Searches over a graph that the caller owns. Each call borrows the graph and never changes it.
//!
//! Searches that plan for agents of a world run in slices, behind [`SlicedSearch`]: [`TrailMax`],
//! [`DaTrailMax`] and [`TimedTrailMax`] for robbers, [`Interception`] for teams of cops, [`Refiner`] for
//! walks. [`Race`] and [`TimedRace`] are the wavefronts of the first three over any graph.

mod a_star;
mod apart_flight;
mod apart_team;
mod best_moves;
mod changed_blocks;
mod covered_vertices;
mod da_trail_max;
mod descent;
mod dice;
mod distances;
mod footprint;
mod frontier;
mod interception;
mod joint_race;
mod level_costs;
mod level_path;
mod maps;
mod move_cover;
mod move_ends;
mod octile;
mod octile_race;
mod origin;
mod path;
mod plan;
mod race;
mod refine;
mod right_of_way;
mod runner;
mod sliced;
mod straight;
mod surround;
mod team_search;
mod timed_race;
mod timed_trail_max;
mod timetable;
mod trail_max;
mod walking_distance;

pub use changed_blocks::ChangedBlocks;
pub use da_trail_max::DaTrailMax;
pub use descent::Descent;
pub use dice::{Dice, seed_of};
pub use distances::Distances;
pub use footprint::Footprint;
pub use interception::Interception;
pub(crate) use interception::KnownRoutes;
pub use level_path::LevelPath;
pub use path::shortest_path;
pub use plan::Plan;
pub use race::Race;
pub use refine::Refiner;
pub use runner::{Runner, TimedState};
pub use sliced::{FOUND, STALE, SearchStep, SlicedSearch, StaleSearch};
pub(crate) use team_search::Compared;
pub use team_search::{Pressure, TeamSearch};
pub use timed_race::{TimedPlan, TimedRace};
pub use timed_trail_max::TimedTrailMax;
pub use trail_max::TrailMax;

pub(crate) use a_star::AStar;
pub(crate) use apart_flight::{ApartAgents, ApartFlight, ApartMaps};
pub(crate) use apart_team::ApartTeam;
pub(crate) use best_moves::BestMoves;
pub(crate) use covered_vertices::{CoveredVertices, Reaching};
#[doc(hidden)]
pub use frontier::{VisitedSet, Wave, Waves};
pub(crate) use joint_race::{JointRace, MOST_MOVES, MoveSet};
pub(crate) use level_costs::least_steps;
pub(crate) use maps::Maps;
pub(crate) use move_cover::MoveCover;
#[doc(hidden)]
pub use move_ends::MoveEnds;
pub(crate) use origin::SearchOrigin;
pub(crate) use right_of_way::{Moment, MovePreferences, Party, PlaceNumber, RightOfWay, Stop};
pub(crate) use surround::{Surround, TeamParameters, closing};
pub(crate) use timetable::{BEATS, Survival, TimedWalk, Timetable, is_free_along, is_free_in};
pub(crate) use walking_distance::{WalkingDistances, WalkingMaps, WalkingPlace};
