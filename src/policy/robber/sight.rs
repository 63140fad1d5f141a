//! The sight of a robber, and its assumptions about the unseen part of the map.

use super::window::Window;
use crate::graph::Graph;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// How far a [`SightedRobber`](super::SightedRobber) sees, and what it assumes about the rest of the
/// map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitedSight {
    /// The number of columns and rows that the robber sees in each direction; 0 counts as 1, so that it always sees the
    /// cells that it can step on.
    pub radius: u16,
    /// What it assumes about cells that it does not see.
    pub beyond: Beyond,
    /// The number of turns, from 0, for which it assumes a cop out of sight to be where it last saw that
    /// cop. If it sees that cell without the cop, it assumes the cop on the nearest cell that the cop can have reached
    /// without being seen, and forgets it earlier only if there is none.
    pub memory: u16,
    /// Whether it sees all cells of its window, as in C. Moldenhauer's thesis (end of section 5.4).
    /// Otherwise walls block its sight as defined by [`Graph::sees`], which the plugin's component
    /// `Sight` uses too.
    ///
    /// The default is `false`. A file that leaves the field out means `true`, because it was written
    /// before sight could be blocked by walls.
    #[serde(default = "as_in_old_files")]
    pub through_walls: bool,
}

const fn as_in_old_files() -> bool {
    true
}

impl Default for LimitedSight {
    /// Sees eight cells in each direction up to the walls, remembers the map, and remembers cops for
    /// eight turns.
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
    /// Cells are as it last saw them, and free if it never saw them: the assumption of C. Moldenhauer's
    /// thesis, with a memory.
    #[default]
    Remembered,
    /// Cells are free: the assumption of the thesis.
    Free,
    /// Cells are walls: plans stay within the window, as Moldenhauer proposes. This is the cheapest
    /// assumption, since searches end at the edge of the window.
    Closed,
}

/// The field of view of a robber from its current cell.
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

    /// Where the robber is.
    pub(super) const fn here(self) -> Cell {
        self.here
    }

    /// Returns whether the robber sees a cell. Cost: with walls, linear in the distance.
    pub(super) fn contains(self, real: &Graph, cell: Cell) -> bool {
        self.window.contains(cell) && (self.through_walls || real.sees(self.here, cell, None))
    }
}
