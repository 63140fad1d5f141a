//! The ground of agents of some kinds: the cells of a map that admit them.

use super::{Graph, GraphBuilder, GraphDelta, TileEdit, Vertex};
use crate::map::{Cell, Kinds, MapEdit, Moves, TileMap};

impl Graph {
    /// The graph of a map for agents of some kinds. They enter the passable cells that [admit](Kinds::admits) them;
    /// [`new`](Self::new) is for agents of no kind. Cost: as of `new`.
    ///
    /// Vertices have the same numbers whatever the kinds: a cell that does not admit the agents is a closed cell.
    #[must_use]
    pub fn of_kinds(map: &TileMap, moves: Moves, kinds: Kinds) -> Self {
        GraphBuilder::of_kinds(map, moves, kinds).finish(map)
    }

    /// The kinds of the agents that walk on this graph.
    #[must_use]
    pub const fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// The graph of the same map for agents of other kinds, with the same vertex numbers.
    ///
    /// Cost: a copy, and some 200 ns for each cell that not everybody may enter.
    #[must_use]
    pub fn for_kinds(&self, kinds: Kinds) -> Self {
        let mut graph = self.clone();
        graph.kinds = kinds;
        let Some(rules) = &self.rules else {
            return graph;
        };
        let delta = &mut GraphDelta::default();
        for (cell, _) in rules.map.restricted() {
            if let Some(vertex) = graph.readmit(cell) {
                graph.relink_around(vertex, delta);
            }
        }
        for (at, kinds) in rules.map.exits() {
            let edit = MapEdit::Exit { at, kinds };
            graph.set_exit(edit, graph.cell_index(at), kinds.admits(graph.kinds));
        }
        graph
    }

    /// Returns whether both graphs are of one map, with the same vertex numbers, whoever walks on them.
    pub(crate) fn is_numbered_like(&self, other: &Self) -> bool {
        (self.moves, self.width, self.height) == (other.moves, other.width, other.height)
            && self.cell_of == other.cell_of
    }

    /// Every kind that some cell of the map asks for. Agents that differ in no other kinds walk on the same ground.
    ///
    /// Cost: linear in the cells that not everybody may enter.
    #[must_use]
    pub fn kinds_in_use(&self) -> Kinds {
        let Some(rules) = &self.rules else {
            return Kinds::NONE;
        };
        let exits = rules.map.exits().filter(|&(_, kinds)| kinds != Kinds::ALL);
        let all = rules.map.restricted().chain(exits);
        all.fold(Kinds::NONE, |all, (_, kinds)| all | kinds)
    }

    /// Returns whether a cell is an exit for robbers of the kinds of this graph.
    #[must_use]
    pub fn is_exit(&self, cell: Cell) -> bool {
        let rules = self.rules.as_ref().filter(|_| self.is_on_map(cell));
        rules.is_some_and(|rules| {
            let exit = rules.exits.get(self.cell_index(cell));
            exit.copied().unwrap_or(false)
        })
    }

    /// Returns whether there is an exit for robbers of the kinds of this graph.
    #[must_use]
    pub fn has_exits(&self) -> bool {
        self.rules
            .as_ref()
            .is_some_and(|rules| rules.exit_count > 0)
    }

    /// The exits for robbers of the kinds of this graph that are passable. Cost: linear in the exits of the map.
    pub(crate) fn exit_vertices(&self) -> impl Iterator<Item = Vertex> + '_ {
        let rules = self.rules.iter();
        let cells = rules.flat_map(|rules| rules.map.exits());
        let own = cells.filter(|&(cell, _)| self.is_exit(cell));
        own.filter_map(|(cell, _)| self.vertex(cell))
    }

    /// Makes a cell an exit for the agents of this graph, or not.
    pub(super) fn set_exit(&mut self, edit: MapEdit, cell: usize, is_exit: bool) {
        let cells = self.cells();
        let Some(rules) = &mut self.rules else {
            return;
        };
        rules.exits.resize(cells, false);
        if std::mem::replace(&mut rules.exits[cell], is_exit) == is_exit {
            return;
        }
        rules.exit_count = if is_exit {
            rules.exit_count + 1
        } else {
            rules.exit_count.saturating_sub(1)
        };
        self.fingerprint.toggle_edit(edit);
    }

    /// Returns whether a cell is passable for agents of some kinds, though perhaps not for those of this graph.
    #[must_use]
    pub fn is_floor(&self, cell: Cell) -> bool {
        self.is_passable(cell) || self.is_off_limits(cell)
    }

    fn is_off_limits(&self, cell: Cell) -> bool {
        let rules = self.rules.as_ref().filter(|_| self.is_on_map(cell));
        rules.is_some_and(|rules| rules.is_off_limits(self.cell_index(cell)))
    }

    /// Returns whether the agents of this graph may not enter a cell even while it is passable.
    pub(super) fn is_restricted(&self, cell: Cell) -> bool {
        let rules = self.rules.as_ref();
        rules.is_some_and(|rules| !rules.map.kinds(cell).admits(self.kinds))
    }

    /// Opens or closes a cell that the agents of this graph may not enter. They only see across it, or no longer.
    pub(super) fn flip_off_limits(&mut self, edit: TileEdit, delta: &mut GraphDelta) {
        if self.is_floor(edit.cell) == edit.passable {
            return;
        }
        if self.numbered(edit.cell).is_none() {
            // On every ground, cells are numbered in the order in which they become passable.
            self.number(edit.cell);
        }
        self.set_off_limits(edit.cell, edit.passable);
        delta.sight_changes = true;
    }

    fn set_off_limits(&mut self, cell: Cell, is_so: bool) {
        let (index, cells) = (self.cell_index(cell), self.cells());
        if let Some(rules) = &mut self.rules {
            rules.set_off_limits(index, cells, is_so);
        }
    }

    /// Opens or closes a passable cell for the agents of this graph, as its kinds say now, without repairing the edges.
    /// Returns the vertex if that is a change.
    pub(super) fn readmit(&mut self, cell: Cell) -> Option<Vertex> {
        let passable = !self.is_restricted(cell);
        if !self.is_floor(cell) || self.is_passable(cell) == passable {
            return None;
        }
        self.set_off_limits(cell, !passable);
        self.flip(TileEdit { cell, passable })
    }

    /// Repairs the edges around a cell whose kinds have changed.
    pub(super) fn note_readmitted(
        &mut self,
        cell: Cell,
        was_passable: bool,
        delta: &mut GraphDelta,
    ) {
        if self.is_passable(cell) != was_passable
            && let Some(vertex) = self.numbered(cell)
        {
            self.relink_around(vertex, delta);
        }
    }
}
