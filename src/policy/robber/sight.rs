//! What a robber of limited sight sees, and what it assumes about the rest.

use super::window::Window;
use crate::graph::Graph;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// How far a [`SightedRobber`](super::SightedRobber) sees and what it assumes about the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitedSight {
    /// The columns and rows that it sees in each direction; 0 counts as 1, so that it always sees where it
    /// can step.
    pub radius: u16,
    /// What it assumes about cells that it does not see.
    pub beyond: Beyond,
    /// For how many turns it assumes that a cop out of sight is where it saw it last, from 0. It forgets
    /// that earlier if it sees that cell without the cop.
    pub memory: u16,
    /// Whether it sees all cells of its window, as in Moldenhauer's thesis (end of section 5.4). Otherwise
    /// walls block its sight by [`Graph::sees`], as they do for the plugin's component `Sight`.
    ///
    /// `false` by default, but `true` in a file that leaves it out: such files were written when there was
    /// no other sight.
    #[serde(default = "as_in_old_files")]
    pub through_walls: bool,
}

const fn as_in_old_files() -> bool {
    true
}

impl Default for LimitedSight {
    /// Eight cells in each direction up to the walls, a memory of the map, and one of eight turns for cops.
    fn default() -> Self {
        Self {
            radius: 8,
            beyond: Beyond::Remembered,
            memory: 8,
            through_walls: false,
        }
    }
}

/// What a robber assumes about cells that it does not see now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Beyond {
    /// They are as it saw them last, and free if it never saw them: the assumption of Moldenhauer's thesis, with a memory.
    #[default]
    Remembered,
    /// They are free: the assumption of Moldenhauer's thesis.
    Free,
    /// They are walls: plans stay within the window, as Moldenhauer proposes. The cheapest, since searches
    /// end where the window does.
    Closed,
}

/// What a robber sees from where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) window: Window,
    here: Cell,
    through_walls: bool,
}

impl View {
    pub(super) fn new(real: &Graph, here: Cell, sight: LimitedSight) -> Self {
        Self {
            window: Window::around(real, here, sight.radius.max(1)),
            here,
            through_walls: sight.through_walls,
        }
    }

    /// Returns whether the robber sees a cell. Cost: with walls, linear in the distance.
    pub(super) fn contains(self, real: &Graph, cell: Cell) -> bool {
        self.window.contains(cell) && (self.through_walls || real.sees(self.here, cell, None))
    }
}
