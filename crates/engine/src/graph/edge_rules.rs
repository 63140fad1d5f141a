//! Steps that a map allows or forbids besides those of its passable cells: thin walls, one-way edges, links and corners.

use super::{Graph, GraphDelta, Vertex};
use crate::map::{Cell, Corners, MapEdit, MapRules, Moves, Opacity};
use std::collections::BTreeSet;

/// The maximum number of open links from a cell, and to a cell.
pub const MAX_LINKS: usize = 64;

/// The rules of a map in the form in which its graph asks for them. A graph without any has none of this memory.
#[derive(Debug, Clone, Default)]
pub(super) struct EdgeRules {
    pub(super) map: MapRules,
    /// The open links by their ends: where each leads to, and where it begins.
    links_to: BTreeSet<(Cell, Cell)>,
    /// For each cell the straight steps that a closed edge bars, one bit each; empty if no edge was ever closed.
    barred: Vec<u8>,
    /// For each cell whether it has no diagonal steps; empty if each had them always.
    straight: Vec<bool>,
    /// The opacity of each cell; empty if each was always that of its terrain.
    opacity: Vec<Opacity>,
    /// For each cell how many times as long as elsewhere a step onto it takes; empty if there never was a slow cell.
    slow: Vec<u8>,
    /// For each cell whether it is passable, but not for the agents of this graph; empty if there never was such a cell.
    off_limits: Vec<bool>,
    /// For each cell whether it is an exit for the agents of this graph; empty if there never was one.
    pub(super) exits: Vec<bool>,
    /// The number of these exits.
    pub(super) exit_count: usize,
    /// For each vertex what its row of neighbours holds besides steps that have their reverse.
    rows: Vec<OneWaySteps>,
    /// The number of vertices to which a step leads that has no reverse.
    one_way: usize,
    /// Whether steps are those of the passable cells alone.
    has_plain_steps: bool,
    /// Memory for the row of a vertex.
    row: Vec<Vertex>,
}

/// The row of a vertex: first the vertices that a step without reverse leads to, then those with steps both ways, then those
/// from which a step without reverse leads here.
#[derive(Debug, Clone, Copy, Default)]
struct OneWaySteps {
    /// The number of the first ones.
    leaving: u8,
    /// The length of the row.
    all: u8,
}

impl EdgeRules {
    /// No rules, for a graph on which every step has its reverse. `degree`: the number of neighbours of each vertex.
    pub(super) fn of_two_way(degree: &[u8]) -> Self {
        let two_way = |&all: &u8| OneWaySteps { leaving: 0, all };
        Self {
            rows: degree.iter().map(two_way).collect(),
            has_plain_steps: true,
            ..Self::default()
        }
    }

    /// Makes room for new vertices.
    pub(super) fn note_vertices(&mut self, slots: usize) {
        self.rows.resize(slots, OneWaySteps::default());
    }

    fn set_barred(&mut self, cell: usize, cells: usize, step: usize, barred: bool) {
        if self.barred.is_empty() {
            self.barred = vec![0; cells];
        }
        if barred {
            self.barred[cell] |= 1 << step;
        } else {
            self.barred[cell] &= !(1 << step);
        }
    }

    /// The cells from which open links lead to a cell.
    fn links_to(&self, to: Cell) -> impl Iterator<Item = Cell> + '_ {
        let [first, last] = [(to, Cell::new(0, 0)), (to, Cell::new(u16::MAX, u16::MAX))];
        self.links_to.range(first..=last).map(|&(_, from)| from)
    }

    pub(super) fn is_off_limits(&self, cell: usize) -> bool {
        self.off_limits.get(cell).copied().unwrap_or(false)
    }

    pub(super) fn set_off_limits(&mut self, cell: usize, cells: usize, is_so: bool) {
        self.off_limits.resize(cells, false);
        self.off_limits[cell] = is_so;
    }

    fn opacity(&self, cell: usize) -> Opacity {
        self.opacity.get(cell).copied().unwrap_or_default()
    }
}

impl Graph {
    /// Returns whether every step follows from the passable cells alone: no edge is closed, there are no links, and no
    /// agent cuts corners.
    #[must_use]
    pub fn has_plain_steps(&self) -> bool {
        self.rules
            .as_ref()
            .is_none_or(|rules| rules.has_plain_steps)
    }

    /// Returns whether there are open links. Distances in cells are no lower bounds of distances in steps then.
    #[must_use]
    pub fn has_links(&self) -> bool {
        let rules = self.rules.as_ref();
        rules.is_some_and(|rules| !rules.links_to.is_empty())
    }

    /// Returns whether steps onto some cell take longer than others.
    #[must_use]
    pub fn has_slow_cells(&self) -> bool {
        let rules = self.rules.as_ref();
        rules.is_some_and(|rules| rules.map.slow().next().is_some())
    }

    /// How many times as long as elsewhere a step onto a vertex takes on the free-running clock; at least 1. For a large agent
    /// the slowest of the cells that it covers counts.
    #[must_use]
    pub fn step_time(&self, to: Vertex) -> u8 {
        let rules = self.rules.as_ref();
        let Some(rules) = rules.filter(|rules| !rules.slow.is_empty()) else {
            return 1;
        };
        if self.walker.size.is_one() {
            return rules.slow[self.cell_index(self.cell(to))];
        }
        let covered = self.walker.size.cells(self.cell(to));
        let covered = covered.filter(|&cell| self.is_on_map(cell));
        let times = covered.map(|cell| rules.slow[self.cell_index(cell)]);
        times.max().unwrap_or(1)
    }

    /// Returns whether every step has its reverse.
    #[must_use]
    pub fn is_two_way(&self) -> bool {
        self.rules.as_ref().is_none_or(|rules| rules.one_way == 0)
    }

    /// What the map says besides its passable cells.
    #[must_use]
    pub fn rules(&self) -> MapRules {
        let rules = self.rules.as_ref();
        rules.map_or_else(MapRules::default, |rules| rules.map.clone())
    }

    /// The vertices that a step leads to or from, without repetition: first the [`neighbours`](Self::neighbours), then
    /// those that are only the start of a step.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    #[must_use]
    pub fn joined(&self, vertex: Vertex) -> &[Vertex] {
        let Some(rules) = &self.rules else {
            return self.neighbours(vertex);
        };
        let first = vertex.index() * self.stride;
        &self.neighbours[first..first + usize::from(rules.rows[vertex.index()].all)]
    }

    /// The vertices from which a step leads to a vertex.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    #[must_use]
    pub fn predecessors(&self, vertex: Vertex) -> &[Vertex] {
        let rules = self.rules.as_ref();
        let leaving = rules.map_or(0, |rules| rules.rows[vertex.index()].leaving);
        &self.joined(vertex)[leaving.into()..]
    }

    /// Returns whether a closed cell or the map's opacity blocks the view across a cell.
    pub(super) fn is_opaque(&self, cell: Cell) -> bool {
        let index = || self.cell_index(cell);
        let own = self.rules.as_ref().filter(|_| self.is_on_map(cell));
        match own.map(|rules| rules.opacity(index())).unwrap_or_default() {
            Opacity::LikeWalls => !self.is_floor(cell),
            Opacity::Opaque => true,
            Opacity::Transparent => false,
        }
    }

    /// Returns whether a thin wall stands between two cells that share a side.
    pub(super) fn has_thin_wall(&self, a: Cell, b: Cell) -> bool {
        self.is_barred(a, b) && self.is_barred(b, a)
    }

    /// Returns whether a closed edge bars the step between two cells that share a side.
    pub(super) fn is_barred(&self, from: Cell, to: Cell) -> bool {
        let rules = self.rules.as_ref().filter(|rules| !rules.barred.is_empty());
        rules.is_some_and(|rules| {
            let barred = rules.barred[self.cell_index(from)];
            barred != 0
                && self
                    .step_number(from, to)
                    .is_some_and(|step| barred & (1 << step) != 0)
        })
    }

    /// Returns whether closed edges bar the straight step between two cells for the agents of this graph: each cell that an
    /// agent covers takes the step.
    fn bars_body(&self, from: Cell, to: Cell) -> bool {
        let size = self.walker.size;
        if size.is_one() {
            return self.is_barred(from, to);
        }
        let mut steps = size.cells(from).zip(size.cells(to));
        steps.any(|(from, to)| {
            self.is_on_map(from) && self.is_on_map(to) && self.is_barred(from, to)
        })
    }

    /// The number of the step between two cells in [`Moves::steps`](crate::map::Moves::steps).
    fn step_number(&self, from: Cell, to: Cell) -> Option<usize> {
        let offset = (
            i32::from(to.x) - i32::from(from.x),
            i32::from(to.y) - i32::from(from.y),
        );
        self.moves.steps().iter().position(|&step| step == offset)
    }

    /// The vertex that a step leads to under the rules of the map.
    pub(super) fn stepped_by_rules(&self, cell: Cell, dx: i32, dy: i32) -> Option<Vertex> {
        let to = cell.offset(dx, dy)?;
        let end = self.vertex(to)?;
        let mut crosses_a_side = dx == 0 || dy == 0;
        if let Moves::Hexagonal(layout) = self.moves {
            crosses_a_side |= layout.has_diagonal(cell, dx, dy);
            if !crosses_a_side {
                return None;
            }
        }
        if crosses_a_side {
            return (!self.bars_body(cell, to)).then_some(end);
        }
        let [beside, below] = [cell.offset(dx, 0)?, cell.offset(0, dy)?];
        let rules = self.rules.as_ref()?;
        if !rules.straight.is_empty() {
            let all = [cell, to, beside, below].into_iter();
            let covered = all.flat_map(|cell| self.walker.size.cells(cell));
            let mut covered = covered.filter(|&cell| self.is_on_map(cell));
            if covered.any(|cell| rules.straight[self.cell_index(cell)]) {
                return None;
            }
        }
        let is_unbarred = |by: Cell| !self.bars_body(cell, by) && !self.bars_body(by, to);
        let is_free = |by: Cell| self.is_passable(by) && is_unbarred(by);
        let is_allowed = match rules.map.corners() {
            Corners::Never => is_free(beside) && is_free(below),
            Corners::OneFree => is_free(beside) || is_free(below),
            Corners::Always => is_unbarred(beside) || is_unbarred(below),
        };
        is_allowed.then_some(end)
    }

    /// Recomputes the neighbours of a vertex under the rules of the map.
    pub(super) fn relink_by_rules(&mut self, vertex: Vertex) {
        let Some(rules) = &mut self.rules else { return };
        let mut row = std::mem::take(&mut rules.row);
        row.clear();
        let cell = self.cell(vertex);
        let mut exits = 0;
        let is_live = self.is_live(vertex);
        if is_live {
            for (bit, &(dx, dy)) in self.moves.steps().iter().enumerate() {
                if let Some(next) = self.stepped(cell, dx, dy) {
                    row.push(next);
                    exits |= 1 << bit;
                }
            }
            self.list_links(cell, true, &mut row);
        }
        let degree = row.len();
        // In the order of the steps: first those without a step back.
        let leads_back = |next: &Vertex| self.leads_to(*next, cell);
        let leaving = row.iter().filter(|next| !leads_back(next)).count();
        if leaving > 0 {
            row.sort_by_key(leads_back);
        }
        if is_live {
            for &(dx, dy) in self.moves.steps() {
                let before = cell.offset(dx, dy).and_then(|cell| self.vertex(cell));
                let before = before.filter(|before| !row.contains(before));
                row.extend(before.filter(|&before| self.leads_to(before, cell)));
            }
            self.list_links(cell, false, &mut row);
        }
        self.widen(row.len());
        let first = vertex.index() * self.stride;
        self.neighbours[first..first + row.len()].copy_from_slice(&row);
        let old = std::mem::replace(&mut self.degree[vertex.index()], degree as u8);
        let now = OneWaySteps {
            leaving: leaving as u8,
            all: row.len() as u8,
        };
        let index = self.cell_index(cell);
        self.exits[index] = exits;
        let slots = self.slots();
        if let Some(rules) = &mut self.rules {
            // Before a rule came into force, nothing but neighbours led to a vertex.
            rules.rows.resize(slots, OneWaySteps::default());
            let before = std::mem::replace(&mut rules.rows[vertex.index()], now);
            rules.one_way += usize::from(now.all > degree as u8);
            rules.one_way -= usize::from(before.all > old);
            rules.row = row;
        }
    }

    /// Notes that every step from a vertex has its reverse. `old`: the number of its neighbours before.
    pub(super) fn note_two_way(&mut self, vertex: Vertex, old: u8) {
        let (slots, all) = (self.slots(), self.degree[vertex.index()]);
        if let Some(rules) = &mut self.rules {
            rules.rows.resize(slots, OneWaySteps::default());
            let now = OneWaySteps { leaving: 0, all };
            let before = std::mem::replace(&mut rules.rows[vertex.index()], now);
            rules.one_way -= usize::from(before.all > old);
        }
    }

    /// Returns whether a step leads from a vertex to a cell.
    fn leads_to(&self, from: Vertex, to: Cell) -> bool {
        let from = self.cell(from);
        let by_step = self.step_number(from, to).is_some_and(|step| {
            let (dx, dy) = self.moves.steps()[step];
            self.stepped(from, dx, dy).is_some()
        });
        let rules = self.rules.as_ref();
        by_step || rules.is_some_and(|rules| rules.map.has_link(from, to))
    }

    /// Adds the vertices that links lead to from a cell, or those from which links lead to the cell.
    fn list_links(&self, cell: Cell, from_here: bool, row: &mut Vec<Vertex>) {
        let Some(rules) = &self.rules else { return };
        let mut add = |other: Cell| {
            if let Some(other) = self.vertex(other).filter(|other| !row.contains(other)) {
                row.push(other);
            }
        };
        if from_here {
            rules.map.links_from(cell).for_each(&mut add);
        } else {
            rules.links_to(cell).for_each(&mut add);
        }
    }

    /// Makes room for `length` neighbours of each vertex. Cost: linear in the vertices if there is too little.
    fn widen(&mut self, length: usize) {
        if length <= self.stride {
            return;
        }
        let none = Vertex(super::NO_VERTEX);
        let mut wide = vec![none; self.slots() * length];
        for (row, old) in wide
            .chunks_mut(length)
            .zip(self.neighbours.chunks(self.stride))
        {
            row[..old.len()].copy_from_slice(old);
        }
        (self.neighbours, self.stride) = (wide, length);
    }

    /// Takes over the rules of a map, before the neighbours of vertices are computed. Rules that do not fit the map are
    /// left out.
    pub(super) fn install_rules(&mut self, map: &MapRules) {
        if map.is_empty() && self.walker.size.is_one() {
            return;
        }
        let rules = self.rules.get_or_insert_default();
        if map.corners() != Corners::Never {
            rules.map.set_corners(map.corners());
            self.fingerprint.toggle_corners(map.corners());
        }
        for edit in map.edits() {
            self.change_rule(edit);
        }
        self.note_plain_steps();
        if !self.walker.size.is_one() {
            self.readmit_all();
        }
    }

    fn note_plain_steps(&mut self) {
        if let Some(rules) = &mut self.rules {
            rules.has_plain_steps = rules.map.has_plain_steps();
        }
    }

    /// Changes a rule and the fingerprint, but no neighbours. Returns whether that had an effect.
    fn change_rule(&mut self, edit: MapEdit) -> bool {
        if !edit.fits_with(self.width, self.height, self.moves) {
            return false;
        }
        let (index, cells) = (self.cell_index(edit.cell()), self.cells());
        let step = edit
            .end()
            .and_then(|end| self.step_number(edit.cell(), end));
        let own = self.walker;
        let rules = self.rules.get_or_insert_default();
        if let MapEdit::Link {
            from,
            to,
            open: true,
        } = edit
        {
            let is_full = rules.map.links_from(from).count() >= MAX_LINKS
                || rules.links_to(to).count() >= MAX_LINKS;
            if is_full {
                return false;
            }
        }
        if !rules.map.apply(edit) {
            return false;
        }
        match edit {
            MapEdit::Cell { .. } => {}
            MapEdit::Edge { open, .. } => {
                if let Some(step) = step {
                    rules.set_barred(index, cells, step, !open);
                }
            }
            MapEdit::Link {
                from,
                to,
                open: true,
            } => {
                rules.links_to.insert((to, from));
            }
            MapEdit::Link {
                from,
                to,
                open: false,
            } => {
                rules.links_to.remove(&(to, from));
            }
            MapEdit::Diagonals { allowed, .. } => {
                rules.straight.resize(cells, false);
                rules.straight[index] = !allowed;
            }
            MapEdit::Slow { times, .. } => {
                rules.slow.resize(cells, 1);
                rules.slow[index] = times.max(1);
            }
            MapEdit::Kinds { at, .. } => {
                if own.size.is_one() {
                    self.readmit(at);
                }
            }
            MapEdit::Exit { kinds, .. } => {
                let is_exit = kinds.admits(own.kinds);
                self.set_exit(edit, index, is_exit);
                return true;
            }
            MapEdit::Sight { opacity, .. } => {
                rules.opacity.resize(cells, Opacity::LikeWalls);
                rules.opacity[index] = opacity;
            }
        }
        self.fingerprint.toggle_edit(edit);
        true
    }

    /// Changes a rule and repairs the edges that depend on it.
    pub(super) fn apply_rule(&mut self, edit: MapEdit, delta: &mut GraphDelta) {
        if self.rules.is_none() && !edit.fits_with(self.width, self.height, self.moves) {
            return;
        }
        let before = self.fingerprint;
        let is_first = self.rules.is_none();
        let was_passable = self.is_passable(edit.cell());
        // On a graph of large agents, closed edges take room, too.
        let places = match edit {
            MapEdit::Kinds { at, .. } => self.open_places([at]),
            MapEdit::Edge { from, to, .. } => self.open_places([from, to]),
            _ => Vec::new(),
        };
        if !self.change_rule(edit) {
            if is_first {
                self.rules = None;
            }
            return;
        }
        if is_first && let Some(rules) = &mut self.rules {
            // Until now every neighbour led back.
            rules.rows = EdgeRules::of_two_way(&self.degree).rows;
        }
        self.note_plain_steps();
        let after = self.fingerprint;
        self.readmit_places(&places, delta);
        match edit {
            MapEdit::Sight { .. } => {
                delta.sight_changes = true;
                return;
            }
            // The steps are the same.
            MapEdit::Slow { .. } => return,
            MapEdit::Kinds { at, .. } => {
                if self.walker.size.is_one() {
                    self.note_readmitted(at, was_passable, delta);
                }
                return;
            }
            MapEdit::Exit { .. } => {
                delta.note_rule(before, after);
                return;
            }
            _ => {}
        }
        delta.note_rule(before, after);
        let is_link = matches!(edit, MapEdit::Link { .. });
        for at in std::iter::once(edit.cell()).chain(edit.end()) {
            if is_link {
                self.relink_at(at, delta);
                continue;
            }
            for place in self.walker.size.places_over(at) {
                self.relink_at(place, delta);
                for (dx, dy) in AROUND {
                    if let Some(cell) = place.offset(dx, dy) {
                        self.relink_at(cell, delta);
                    }
                }
            }
        }
    }

    /// Recomputes the neighbours of the vertices that links join to a cell that has become passable or a wall.
    pub(super) fn relink_linked(&mut self, cell: Cell, delta: &mut GraphDelta) {
        let Some(rules) = &self.rules else { return };
        if rules.links_to.is_empty() {
            return;
        }
        let others: Vec<Cell> = rules
            .map
            .links_from(cell)
            .chain(rules.links_to(cell))
            .collect();
        for other in others {
            self.relink_at(other, delta);
        }
    }

    fn relink_at(&mut self, cell: Cell, delta: &mut GraphDelta) {
        if let Some(vertex) = self.vertex(cell) {
            self.relink(vertex);
            delta.relink(vertex);
        }
    }
}

/// The offsets of the eight cells around a cell.
const AROUND: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];
