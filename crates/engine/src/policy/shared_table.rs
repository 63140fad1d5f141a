//! A table that several policies play by.

use crate::table::{Arena, CaptureTimes, Solution};
use std::fmt;
use std::sync::Arc;

/// A table of any kind and the places that it numbers, shared by the policies that play by it.
#[derive(Clone)]
pub struct SharedTable {
    /// The values.
    pub times: Arc<dyn CaptureTimes + Send + Sync>,
    /// The places of `times`.
    pub arena: Arc<Arena>,
}

impl fmt::Debug for SharedTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedTable")
            .field("rules", &self.times.rules())
            .field("fingerprint", &self.times.fingerprint())
            .finish_non_exhaustive()
    }
}

impl From<Arc<Solution>> for SharedTable {
    fn from(solution: Arc<Solution>) -> Self {
        let arena = Arc::clone(solution.arena());
        Self {
            times: solution,
            arena,
        }
    }
}
