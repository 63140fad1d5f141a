//! Evaluation of levels, of graphs and of policies. Exact tables tell how many cops a level or a graph needs, how long
//! a chase lasts and where the robber is safest, also for lists of graphs. Games tell how good a policy is against the
//! optimum, against other policies, and against opponents that know it.

mod announcements;
mod ask;
mod cop_exploitability;
mod cop_kind;
mod cop_number;
mod draw;
mod experiment;
mod exploitability;
mod games;
mod level;
mod level_changes;
mod live;
mod network_announcements;
mod performance;
mod response_from_starts;
mod small;
mod stage;
mod statistics;
mod survey;
mod tournament;
mod world_cops;

pub use announcements::{Announced, Announcements, RegionCost};
pub use ask::IllegalMove;
pub use cop_exploitability::{CopExploitability, cop_exploitability};
pub use cop_kind::CopKind;
pub use cop_number::{CopNumber, Undecided, cop_number, cop_number_of_arena, cop_number_of_map};
pub use draw::Draw;
pub use experiment::Experiment;
pub use exploitability::{ExploitError, Exploitability, exploitability};
pub use games::{ExperimentError, Played, Players, Start, Taken};
pub use level::{AnalysisError, analyze, analyze_graph};
pub use level_changes::{LevelChange, level_changes};
pub use live::{LivePursuit, LiveSettings};
pub use network_announcements::NetworkAnnouncements;
pub use performance::Performance;
pub use statistics::{SearchStatistics, Statistics};
pub use survey::{Survey, SurveyError, SurveyRow, Wins, survey};
pub use tournament::{Contest, Interval, Score, Tournament};
pub use world_cops::WorldCops;

use pursuit_engine::table;

/// The most bytes per vertex that an analysis takes in addition to the map and the tables: the edges of
/// the graph, of its core and of the components of the core, and lists of their vertices. An open map
/// with orthogonal moves takes the most, because its core is the whole map. One with octile moves takes
/// a quarter of that.
const BYTES_OF_A_VERTEX: u64 = 220;

/// The bytes that a graph takes in an analysis, if they exceed `limit`.
fn graph_bytes_over(limit: u64, vertices: usize) -> Option<u64> {
    let needed = BYTES_OF_A_VERTEX * vertices as u64;
    // A graph of less than a megabyte is never refused.
    (needed > limit.max(1 << 20)).then_some(needed)
}

/// The progress of an analysis, which solves one table after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalysisProgress {
    /// The number of the current table, from 0. There is one for each component and number of cops.
    pub table: usize,
    /// The number of cops of this table.
    pub cops: u8,
    /// The number of vertices of this table.
    pub vertices: usize,
    /// The progress of this table.
    pub solver: table::Progress,
}
