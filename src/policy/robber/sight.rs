use serde::{Deserialize, Serialize};

/// How far a robber sees and what it makes of the rest: what [`SightedRobber`](super::SightedRobber)
/// goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitedSight {
    /// It sees the cells that are at most so many columns and rows away, walls or not in between; 0
    /// counts as 1, so that it always sees where it can step.
    pub radius: u16,
    /// What it takes the cells for that it does not see.
    pub beyond: Beyond,
    /// For how many turns it takes a cop that it has lost sight of to be where it saw it last, from 0.
    /// It knows better as soon as it sees that place.
    pub memory: u16,
}

impl Default for LimitedSight {
    /// Eight cells far, with a memory of places and one of eight turns of cops.
    fn default() -> Self {
        Self {
            radius: 8,
            beyond: Beyond::Remembered,
            memory: 8,
        }
    }
}

/// What a robber takes the cells for that it does not see now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Beyond {
    /// For what they were when it saw them last, and free where it has never been: the thesis'
    /// assumption, and a memory.
    #[default]
    Remembered,
    /// For free: the thesis' assumption alone.
    Free,
    /// For walls: plans stay within the window, as the thesis proposes. The cheapest: searches end
    /// where the window does.
    Closed,
}
