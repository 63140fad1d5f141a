//! Tables and endgames: files that a map gets, settings and progress of tables that are solved while the game runs, and who
//! solves them. See the chapter "Exact play" of the guide.

pub use super::messages::{TableStatus, TableStatusChanged};
pub use super::table_files::{PursuitMixedTable, PursuitShapes, PursuitTable, TableFileError};
pub use super::table_list::{PursuitTables, TableHandle};
pub use super::table_worker::{TableJob, TableJobs, TableWorker};
pub use pursuit_engine::table_cache::{TableSchedule, TableSettings, TableTiming};
