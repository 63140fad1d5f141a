//! The ground of a game: where the two sides walk on a map, whether robbers win on exits, and how far cops reach.

use super::arena::Arena;
use super::arena_builder::ArenaError;
use crate::game::Variant;
use crate::graph::{Fingerprint, Graph, Network, Vertex};
use crate::map::Walker;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The ground of a game on a map: where each side walks, whether the robber wins on exits, and how far cops reach.
///
/// Both graphs are of one map in one state, for agents of some [kinds](crate::map::Kinds), such as [`Graph::for_walker`]
/// gives them. A `&Graph` is the ground of cops and robber as they are by themselves: both sides walk on it, nobody
/// leaves by an exit, and a cop captures on its own cell.
#[derive(Debug, Clone, Copy)]
pub struct TableGround<'a> {
    /// The map as the cops walk on it.
    pub cops: &'a Graph,
    /// The map as the robber walks on it.
    pub robber: &'a Graph,
    /// Whether the robber wins on the [exits](Graph::is_exit) of its graph.
    pub exits: bool,
    /// A cop captures a robber that is at most this number of its steps away. 0 stands for the same cell.
    pub reach: u8,
}

/// What tells the ground of an arena from all others: the state of both graphs, and the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroundStamp {
    /// The fingerprints of the cops' graph and of the robber's.
    sides: [Fingerprint; 2],
    exits: bool,
    reach: u8,
}

impl GroundStamp {
    /// The stamp of cops and robber on one graph.
    pub(super) const fn of_one(fingerprint: Fingerprint) -> Self {
        Self {
            sides: [fingerprint; 2],
            exits: false,
            reach: 0,
        }
    }
}

impl<'a> From<&'a Graph> for TableGround<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self {
            cops: graph,
            robber: graph,
            exits: false,
            reach: 0,
        }
    }
}

impl<'a> TableGround<'a> {
    /// Returns whether a robber can win on an exit.
    #[must_use]
    pub fn has_exits(&self) -> bool {
        self.exits && self.robber.has_exits()
    }

    /// Returns whether the game is cops and robber on one graph.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.cops.fingerprint() == self.robber.fingerprint() && self.reach == 0 && !self.has_exits()
    }

    pub(crate) fn stamp(&self) -> GroundStamp {
        GroundStamp {
            sides: [self.cops.fingerprint(), self.robber.fingerprint()],
            exits: self.has_exits(),
            reach: self.reach,
        }
    }

    /// The map as agents of the kinds of both sides walk on it, with every cell that anybody enters. Cost: nothing if that
    /// is the ground of a side, otherwise a copy.
    pub(crate) fn base(&self) -> Cow<'a, Graph> {
        let both = Walker::from(self.cops.walker().kinds | self.robber.walker().kinds);
        let sides = [self.robber, self.cops];
        match sides.into_iter().find(|side| side.walker() == both) {
            Some(side) => Cow::Borrowed(side),
            None => Cow::Owned(self.robber.for_walker(both)),
        }
    }

    /// The least and the greatest number of places that the arena of this ground may have: each is on the ground of a side.
    pub(crate) fn range_of_places(&self) -> [usize; 2] {
        let [cops, robber] = [self.cops.vertices(), self.robber.vertices()];
        [cops.max(robber), cops + robber]
    }

    /// Where steps of the robber lead.
    pub(crate) fn robber_steps(&self) -> RobberSteps<'a> {
        RobberSteps {
            graph: self.robber,
            has_exits: self.has_exits(),
        }
    }
}

/// The steps of a robber, whose move ends on an exit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RobberSteps<'a> {
    graph: &'a Graph,
    has_exits: bool,
}

impl Network for RobberSteps<'_> {
    fn slots(&self) -> usize {
        self.graph.slots()
    }

    fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        if self.has_exits && self.graph.is_exit(self.graph.cell(vertex)) {
            return &[];
        }
        self.graph.neighbours(vertex)
    }
}

impl Arena {
    /// Creates the arena of a game on a map: with the exits of the robber's ground, and captures within the cops' reach,
    /// which are [examined](crate::game::Judged) after each move. Equal games have equal fingerprints, and on one graph
    /// without exits and reach this is [`of_map`](Self::of_map).
    ///
    /// Time: that of [`of_map`](Self::of_map), and on different grounds that of a copy of the graph and of
    /// [`ArenaBuilder::build`](super::ArenaBuilder::build).
    ///
    /// # Errors
    /// If a side has no place to stand on, or if the two graphs are not of one map.
    pub fn of_ground<'a>(ground: impl Into<TableGround<'a>>) -> Result<Self, ArenaError> {
        let ground = ground.into();
        if ground.is_plain() {
            return Ok(Self::of_map(ground.robber));
        }
        let base = ground.base();
        let mut exits = Vec::new();
        if ground.exits {
            let own = ground.robber.exit_vertices();
            exits.extend(own.filter_map(|exit| base.vertex(ground.robber.cell(exit))));
        }
        let variant = Variant {
            reach: ground.reach,
            ..Variant::default()
        };
        let arena = Self::builder(&*base)
            .cops(ground.cops)
            .robber(ground.robber)
            .exits(&exits)
            .variant(variant)
            .build()?;
        Ok(arena.stamped(ground.stamp()))
    }
}
