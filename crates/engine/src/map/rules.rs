//! What a map says about steps and sight besides the terrain of its cells.

use super::{Cell, Kinds, Moves};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Which diagonal steps a map allows beside walls. A diagonal step crosses the corner between four cells: its start, its
/// end and two others.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Corners {
    /// Both other cells must be passable: no agent cuts a corner.
    #[default]
    Never,
    /// One of the other cells must be passable: agents cut corners, but do not squeeze between two walls.
    OneFree,
    /// The other cells do not matter. A thin wall on both ways around the corner still bars the step.
    Always,
}

/// Whether agents can see across a cell.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Opacity {
    /// Walls are opaque and passable cells are transparent. Follows the cell when it opens or closes.
    #[default]
    LikeWalls,
    /// Nobody sees across the cell, though agents may walk through it: bushes, smoke, curtains.
    Opaque,
    /// Everybody sees across the cell, though nobody may walk through it: water, glass, bars.
    Transparent,
}

/// A change of one place of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum MapEdit {
    /// A cell becomes passable or a wall.
    Cell {
        /// The cell.
        at: Cell,
        /// Whether agents can stand on it after the edit.
        passable: bool,
    },
    /// The edge between two cells that share a side opens or closes, in one direction. Closed in both directions it is a
    /// thin wall, which also blocks sight; closed in one direction it is a one-way edge.
    Edge {
        /// The cell that the step leaves.
        from: Cell,
        /// The cell that the step enters.
        to: Cell,
        /// Whether agents can step across after the edit.
        open: bool,
    },
    /// A link opens or closes: a step between any two cells, in one direction. Stairs and teleporters are a link in each
    /// direction; a ledge that agents jump down is one link.
    Link {
        /// The cell that the step leaves.
        from: Cell,
        /// The cell that the step enters.
        to: Cell,
        /// Whether agents can take the step after the edit.
        open: bool,
    },
    /// Diagonal steps that start or end on a cell, or cut its corner, become possible or not. Doors are usually crossed
    /// in straight steps only.
    Diagonals {
        /// The cell.
        at: Cell,
        /// Whether the map's [`Corners`] decide about these steps. Otherwise nobody takes them.
        allowed: bool,
    },
    /// Agents can see across a cell from now on, or no longer.
    Sight {
        /// The cell.
        at: Cell,
        /// Whether they can.
        opacity: Opacity,
    },
    /// A cell becomes an exit, or is none any more: a robber that ends a step there has won.
    Exit {
        /// The cell.
        at: Cell,
        /// The kinds of robbers that leave there; [`Kinds::ALL`] for every robber, [`Kinds::NONE`] for no exit.
        kinds: Kinds,
    },
    /// Steps onto a cell take longer from now on, or no longer do: mud, stairs, shallow water. Only on the
    /// free-running clock.
    Slow {
        /// The cell.
        at: Cell,
        /// How many times as long as elsewhere a step onto it takes; 1, or 0, for a cell like others.
        times: u8,
    },
    /// Another set of kinds may enter a cell from now on: a guards' door, a ghosts' house, water, a vent.
    Kinds {
        /// The cell.
        at: Cell,
        /// The kinds of agents that may enter it while it is passable; [`Kinds::ALL`] for everybody.
        kinds: Kinds,
    },
}

impl MapEdit {
    /// The cell where the change is: for edges and links, the one that the step leaves.
    #[must_use]
    pub const fn cell(&self) -> Cell {
        match *self {
            Self::Cell { at, .. }
            | Self::Diagonals { at, .. }
            | Self::Sight { at, .. }
            | Self::Slow { at, .. }
            | Self::Exit { at, .. }
            | Self::Kinds { at, .. } => at,
            Self::Edge { from, .. } | Self::Link { from, .. } => from,
        }
    }

    /// The cell that the step of an edge or a link enters.
    #[must_use]
    pub const fn end(&self) -> Option<Cell> {
        match *self {
            Self::Edge { to, .. } | Self::Link { to, .. } => Some(to),
            Self::Cell { .. }
            | Self::Diagonals { .. }
            | Self::Sight { .. }
            | Self::Slow { .. }
            | Self::Exit { .. }
            | Self::Kinds { .. } => None,
        }
    }

    /// The same edit of a part of the map that begins in another column and row; `None` if it is not in that part.
    #[must_use]
    pub fn within(mut self, left: u16, top: u16) -> Option<Self> {
        let move_cell = |cell: &mut Cell| {
            let (x, y) = (cell.x.checked_sub(left)?, cell.y.checked_sub(top)?);
            *cell = Cell::new(x, y);
            Some(())
        };
        match &mut self {
            Self::Cell { at, .. }
            | Self::Diagonals { at, .. }
            | Self::Sight { at, .. }
            | Self::Slow { at, .. }
            | Self::Exit { at, .. }
            | Self::Kinds { at, .. } => {
                move_cell(at)?;
            }
            Self::Edge { from, to, .. } | Self::Link { from, to, .. } => {
                move_cell(from)?;
                move_cell(to)?;
            }
        }
        Some(self)
    }

    /// Returns whether the edit can have an effect on a map of this size: its cells are on the map, an edge joins two cells
    /// that share a side, and a link does not lead to where it begins.
    #[must_use]
    pub fn fits(&self, width: u16, height: u16) -> bool {
        self.fits_with(width, height, Moves::Octile)
    }

    /// The same with these moves: a hexagon has six sides.
    #[must_use]
    pub fn fits_with(&self, width: u16, height: u16, moves: Moves) -> bool {
        let is_on_map = |cell: Cell| cell.x < width && cell.y < height;
        is_on_map(self.cell())
            && match *self {
                Self::Edge { from, to, .. } => is_on_map(to) && moves.share_a_side(from, to),
                Self::Link { from, to, .. } => is_on_map(to) && from != to,
                Self::Cell { .. }
                | Self::Diagonals { .. }
                | Self::Sight { .. }
                | Self::Slow { .. }
                | Self::Exit { .. }
                | Self::Kinds { .. } => true,
            }
    }
}

/// What a map says about steps and sight besides the terrain of its cells. The default says nothing: every edge between
/// passable cells is open, there are no links, and walls are opaque.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "SavedRules", into = "SavedRules")]
pub struct MapRules {
    corners: Corners,
    /// The closed edges, each as the step that is barred.
    closed: BTreeSet<(Cell, Cell)>,
    /// The open links.
    links: BTreeSet<(Cell, Cell)>,
    /// The cells without diagonal steps.
    straight: BTreeSet<Cell>,
    /// The cells whose opacity is not that of their terrain.
    sight: BTreeMap<Cell, Opacity>,
    /// The cells onto which steps take longer, and how many times as long.
    slow: BTreeMap<Cell, u8>,
    /// The cells that not everybody may enter, and who may.
    kinds: BTreeMap<Cell, Kinds>,
    /// The exits, and the robbers that leave there.
    exits: BTreeMap<Cell, Kinds>,
}

/// The rules in their saved form: lists, because not every format has maps whose keys are cells.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SavedRules {
    corners: Corners,
    closed: Vec<(Cell, Cell)>,
    links: Vec<(Cell, Cell)>,
    straight: Vec<Cell>,
    sight: Vec<(Cell, Opacity)>,
    slow: Vec<(Cell, u8)>,
    kinds: Vec<(Cell, Kinds)>,
    exits: Vec<(Cell, Kinds)>,
}

impl From<SavedRules> for MapRules {
    fn from(saved: SavedRules) -> Self {
        Self {
            corners: saved.corners,
            closed: saved.closed.into_iter().collect(),
            links: saved.links.into_iter().collect(),
            straight: saved.straight.into_iter().collect(),
            sight: saved.sight.into_iter().collect(),
            slow: saved.slow.into_iter().collect(),
            kinds: saved.kinds.into_iter().collect(),
            exits: saved.exits.into_iter().collect(),
        }
    }
}

impl From<MapRules> for SavedRules {
    fn from(rules: MapRules) -> Self {
        Self {
            corners: rules.corners,
            closed: rules.closed.into_iter().collect(),
            links: rules.links.into_iter().collect(),
            straight: rules.straight.into_iter().collect(),
            sight: rules.sight.into_iter().collect(),
            slow: rules.slow.into_iter().collect(),
            kinds: rules.kinds.into_iter().collect(),
            exits: rules.exits.into_iter().collect(),
        }
    }
}

impl MapRules {
    /// Returns whether the map says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether steps are those of the terrain alone.
    pub(crate) fn has_plain_steps(&self) -> bool {
        self.corners == Corners::Never
            && self.closed.is_empty()
            && self.links.is_empty()
            && self.straight.is_empty()
    }

    /// Which diagonal steps are allowed.
    #[must_use]
    pub const fn corners(&self) -> Corners {
        self.corners
    }

    /// Sets which diagonal steps are allowed.
    pub const fn set_corners(&mut self, corners: Corners) {
        self.corners = corners;
    }

    /// The closed edges, each as the step that is barred.
    pub fn closed_edges(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.closed.iter().copied()
    }

    /// The open links.
    pub fn links(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.links.iter().copied()
    }

    /// The open links from a cell.
    pub(crate) fn links_from(&self, from: Cell) -> impl Iterator<Item = Cell> + '_ {
        let [first, last] = [
            (from, Cell::new(0, 0)),
            (from, Cell::new(u16::MAX, u16::MAX)),
        ];
        self.links.range(first..=last).map(|&(_, to)| to)
    }

    pub(crate) fn has_link(&self, from: Cell, to: Cell) -> bool {
        self.links.contains(&(from, to))
    }

    /// The cells without diagonal steps.
    pub fn straight_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.straight.iter().copied()
    }

    /// The cells whose opacity is not that of their terrain.
    pub fn sight(&self) -> impl Iterator<Item = (Cell, Opacity)> + '_ {
        self.sight.iter().map(|(&cell, &opacity)| (cell, opacity))
    }

    /// The cells onto which steps take longer, and how many times as long.
    pub fn slow(&self) -> impl Iterator<Item = (Cell, u8)> + '_ {
        self.slow.iter().map(|(&cell, &times)| (cell, times))
    }

    /// The cells that not everybody may enter, and the kinds of agents that may.
    pub fn restricted(&self) -> impl Iterator<Item = (Cell, Kinds)> + '_ {
        self.kinds.iter().map(|(&cell, &kinds)| (cell, kinds))
    }

    /// The exits, and the kinds of robbers that leave there.
    pub fn exits(&self) -> impl Iterator<Item = (Cell, Kinds)> + '_ {
        self.exits.iter().map(|(&cell, &kinds)| (cell, kinds))
    }

    /// The kinds of agents that may enter a cell while it is passable.
    #[must_use]
    pub fn kinds(&self, cell: Cell) -> Kinds {
        self.kinds.get(&cell).copied().unwrap_or(Kinds::ALL)
    }

    /// The edits that give a map without rules these rules, except for its [`corners`](Self::corners).
    pub fn edits(&self) -> impl Iterator<Item = MapEdit> + '_ {
        let open = false;
        let closed = self.closed_edges();
        let closed = closed.map(move |(from, to)| MapEdit::Edge { from, to, open });
        let open = true;
        let links = self
            .links()
            .map(move |(from, to)| MapEdit::Link { from, to, open });
        let allowed = false;
        let straight = self
            .straight_cells()
            .map(move |at| MapEdit::Diagonals { at, allowed });
        let sight = self
            .sight()
            .map(|(at, opacity)| MapEdit::Sight { at, opacity });
        let slow = self.slow();
        let slow = slow.map(|(at, times)| MapEdit::Slow { at, times });
        let kinds = self.restricted();
        let kinds = kinds.map(|(at, kinds)| MapEdit::Kinds { at, kinds });
        let exits = self.exits();
        let exits = exits.map(|(at, kinds)| MapEdit::Exit { at, kinds });
        closed
            .chain(links)
            .chain(straight)
            .chain(sight)
            .chain(slow)
            .chain(kinds)
            .chain(exits)
    }

    /// Makes a change. Returns whether it had an effect; a change of a cell has none here.
    pub fn apply(&mut self, edit: MapEdit) -> bool {
        match edit {
            MapEdit::Cell { .. } => false,
            MapEdit::Edge { from, to, open } => set(&mut self.closed, (from, to), !open),
            MapEdit::Link { from, to, open } => set(&mut self.links, (from, to), open),
            MapEdit::Diagonals { at, allowed } => set(&mut self.straight, at, !allowed),
            MapEdit::Sight { at, opacity } => {
                let old = match opacity {
                    Opacity::LikeWalls => self.sight.remove(&at),
                    opacity => self.sight.insert(at, opacity),
                };
                old.unwrap_or_default() != opacity
            }
            MapEdit::Slow { at, times } => {
                let old = match times {
                    0 | 1 => self.slow.remove(&at),
                    times => self.slow.insert(at, times),
                };
                old.unwrap_or(1) != times.max(1)
            }
            MapEdit::Exit { at, kinds } => {
                let old = match kinds {
                    Kinds::NONE => self.exits.remove(&at),
                    kinds => self.exits.insert(at, kinds),
                };
                old.unwrap_or(Kinds::NONE) != kinds
            }
            MapEdit::Kinds { at, kinds } => {
                let old = match kinds {
                    Kinds::ALL => self.kinds.remove(&at),
                    kinds => self.kinds.insert(at, kinds),
                };
                old.unwrap_or(Kinds::ALL) != kinds
            }
        }
    }
}

/// Adds an element to a set or removes it. Returns whether the set has changed.
fn set<T: Ord>(elements: &mut BTreeSet<T>, element: T, is_in: bool) -> bool {
    if is_in {
        elements.insert(element)
    } else {
        elements.remove(&element)
    }
}
