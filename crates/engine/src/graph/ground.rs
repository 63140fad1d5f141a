//! The ground of agents of some kinds and size: the cells of a map on which there is room for them.

use super::edge_rules::EdgeRules;
use super::{Graph, GraphBuilder, GraphDelta, TileEdit, Vertex};
use crate::map::{BodySize, Cell, Kinds, MapEdit, Moves, TileMap, Walker};

impl Graph {
    /// The graph of a map for agents of some kinds and [size](BodySize). They stand on the cells where all cells that they
    /// cover are passable, [admit](Kinds::admits) them and have no thin walls between them; [`new`](Self::new) is for
    /// agents of no kind and one cell. Links lead from the own cell of a large agent to its own cell. Cost: as of `new`.
    ///
    /// Vertices have the same numbers whoever walks: a cell on which there is no room for the agents is a closed cell.
    #[must_use]
    pub fn of_walker(map: &TileMap, moves: Moves, walker: impl Into<Walker>) -> Self {
        GraphBuilder::of_walker(map, moves, walker).finish(map)
    }

    /// The agents that walk on this graph.
    #[must_use]
    pub const fn walker(&self) -> Walker {
        self.walker
    }

    /// The graph of the same map for other agents, with the same vertex numbers.
    ///
    /// Cost: a copy, and some 200 ns for each cell that not everybody may enter; for agents of another size, as
    /// [`new`](Self::new).
    #[must_use]
    pub fn for_walker(&self, walker: impl Into<Walker>) -> Self {
        let mut graph = self.clone();
        let walker = walker.into();
        graph.set_walker(walker);
        let is_of_one_cell = self.walker.size.is_one() && walker.size.is_one();
        if !is_of_one_cell {
            graph.readmit_all();
            graph.relink_all();
        }
        let Some(rules) = &self.rules else {
            return graph;
        };
        if is_of_one_cell {
            let delta = &mut GraphDelta::default();
            for (cell, _) in rules.map.restricted() {
                if let Some(vertex) = graph.readmit(cell) {
                    graph.relink_around(vertex, delta);
                }
            }
        }
        for (at, kinds) in rules.map.exits() {
            let edit = MapEdit::Exit { at, kinds };
            graph.set_exit(edit, graph.cell_index(at), kinds.admits(walker.kinds));
        }
        graph
    }

    /// Sets for whom the graph is, before its cells are [opened or closed](Self::readmit_all) for them.
    pub(super) fn set_walker(&mut self, walker: Walker) {
        self.fingerprint.toggle_size(self.walker.size);
        self.fingerprint.toggle_size(walker.size);
        self.walker = walker;
        if !walker.size.is_one() && self.rules.is_none() {
            // Where there is no room for them is a rule, too.
            self.rules = Some(Box::new(EdgeRules::of_two_way(&self.degree)));
        }
    }

    /// Opens and closes cells for the agents of this graph, without repairing the edges.
    pub(super) fn readmit_all(&mut self) {
        for index in 0..self.slots() {
            self.readmit(self.cell_of[index]);
        }
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

    /// Returns whether a robber of the kinds and size of this graph that stands on a cell covers an exit for it.
    #[must_use]
    pub fn is_exit(&self, cell: Cell) -> bool {
        let rules = self.rules.as_ref().filter(|_| self.is_on_map(cell));
        rules.is_some_and(|rules| {
            let is_exit = |cell| {
                let exit = rules.exits.get(self.cell_index(cell));
                exit.copied().unwrap_or(false)
            };
            let mut covered = self.walker.size.cells(cell);
            covered.any(|cell| self.is_on_map(cell) && is_exit(cell))
        })
    }

    /// Returns whether there is an exit for robbers of the kinds of this graph.
    #[must_use]
    pub fn has_exits(&self) -> bool {
        self.rules
            .as_ref()
            .is_some_and(|rules| rules.exit_count > 0)
    }

    /// The vertices on which robbers of this graph leave by an exit; for large robbers some of them more than once. Cost:
    /// linear in the exits of the map.
    pub(crate) fn exit_vertices(&self) -> impl Iterator<Item = Vertex> + '_ {
        let rules = self.rules.iter();
        let cells = rules.flat_map(|rules| rules.map.exits());
        let own = cells.filter(|&(_, kinds)| kinds.admits(self.walker.kinds));
        let places = own.flat_map(|(cell, _)| self.walker.size.places_over(cell));
        places.filter_map(|cell| self.vertex(cell))
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

    /// The vertices on which agents of this graph touch a body on another cell.
    pub(crate) fn vertices_touching(
        &self,
        other: Cell,
        size: BodySize,
    ) -> impl Iterator<Item = Vertex> + '_ {
        let places = self.walker.size.places_touching(other, size);
        places.filter_map(|cell| self.vertex(cell))
    }

    fn is_off_limits(&self, cell: Cell) -> bool {
        let rules = self.rules.as_ref().filter(|_| self.is_on_map(cell));
        rules.is_some_and(|rules| rules.is_off_limits(self.cell_index(cell)))
    }

    /// Returns whether the agents of this graph may not enter a cell even while it is passable.
    pub(super) fn is_restricted(&self, cell: Cell) -> bool {
        let rules = self.rules.as_ref();
        rules.is_some_and(|rules| {
            !rules.map.kinds(cell).admits(self.walker.kinds)
                || !self.walker.size.is_one() && !self.is_room_beside(cell, rules)
        })
    }

    /// Returns whether the cells that a large agent covers besides its own one admit it, without thin walls.
    fn is_room_beside(&self, at: Cell, rules: &EdgeRules) -> bool {
        let size = self.walker.size;
        let last = i32::from(size.side()) - 1;
        let is_inside = at
            .offset(last, last)
            .is_some_and(|last| self.is_on_map(last));
        if !is_inside || matches!(self.moves, Moves::Hexagonal(_)) {
            return false;
        }
        let is_covered = |cell: Cell| size.overlaps(at, cell, BodySize::ONE);
        size.cells(at).all(|cell| {
            let admits = rules.map.kinds(cell).admits(self.walker.kinds);
            let is_free = cell == at || self.is_floor(cell) && admits;
            let beside = [(1, 0), (0, 1)].map(|(dx, dy)| cell.offset(dx, dy));
            let mut beside = beside
                .into_iter()
                .flatten()
                .filter(|&next| is_covered(next));
            is_free && beside.all(|next| !self.has_thin_wall(cell, next))
        })
    }

    /// Opens or closes a cell on a graph of large agents: this changes where there is room for them around it, too.
    pub(super) fn flip_under_bodies(&mut self, edit: TileEdit, delta: &mut GraphDelta) {
        let TileEdit { cell, passable } = edit;
        if self.is_floor(cell) == passable {
            return;
        }
        let before = self.open_places([cell]);
        if self.numbered(cell).is_none() {
            self.number(cell);
        }
        if self
            .flip(TileEdit {
                passable: false,
                ..edit
            })
            .is_none()
        {
            self.set_off_limits(cell, passable);
        }
        delta.sight_changes = true;
        self.readmit_places(&before, delta);
    }

    /// The cells on which large agents cover one of some cells, and whether there is room for them there. Empty for agents
    /// of one cell.
    pub(super) fn open_places(&self, cells: impl IntoIterator<Item = Cell>) -> Vec<(Cell, bool)> {
        let size = self.walker.size;
        let cells = cells.into_iter().filter(|_| !size.is_one());
        let places = cells.flat_map(|cell| size.places_over(cell));
        let places = places.filter(|&at| self.is_on_map(at));
        places.map(|at| (at, self.is_passable(at))).collect()
    }

    /// Opens and closes places for large agents, and repairs the edges around those that have changed. `before`: whether
    /// they were open.
    pub(super) fn readmit_places(&mut self, before: &[(Cell, bool)], delta: &mut GraphDelta) {
        for &(at, _) in before {
            self.readmit(at);
        }
        for (index, &(at, was_open)) in before.iter().enumerate() {
            let is_first = before[..index].iter().all(|&(other, _)| other != at);
            if is_first
                && self.is_passable(at) != was_open
                && let Some(vertex) = self.numbered(at)
            {
                self.relink_around(vertex, delta);
            }
        }
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
