//! Maps and graphs with their vertices renumbered for tables.

use super::SolveError;
use super::arena_builder::{ArenaBuilder, ArenaGround};
use super::arena_rules::ArenaRules;
use super::ground::{GroundStamp, TableGround};
use crate::game::{Side, Variant};
use crate::graph::{Csr, Digraph, Fingerprint, Graph, Vertex};
use crate::map::{Cell, Moves};

const NO_PLACE: u32 = u32::MAX;

/// A map or graph that a table is solved on, with its vertices renumbered as *places*.
///
/// Places are numbered from 0 without gaps, in an order that keeps neighbours together: along a
/// Hilbert curve on a map, and in the order of the vertices in other graphs. So 64 consecutive
/// places form one word of a set of positions, and most steps stay inside that word. The order
/// depends only on the map, not on the edits that a [`Graph`] has gone through.
#[derive(Debug, Clone)]
pub struct Arena {
    vertex_of: Vec<Vertex>,
    place_of: Vec<u32>,
    /// The cell of each place; empty if the arena is not a map.
    cells: Vec<Cell>,
    /// Closed neighbourhoods: for each place, the place itself and all places one step away.
    steps: Csr<u32>,
    fingerprint: Fingerprint,
    moves: Option<Moves>,
    /// Whether every step has its reverse. `false` if nobody has looked.
    is_two_way: bool,
    /// Whether steps may lead anywhere, although there are cells.
    has_links: bool,
    /// The rules beyond those of cops and robber on one graph; `None` if there are none.
    rules: Option<Box<ArenaRules>>,
    /// The ground of a map that it was made of; `None` if it was made otherwise.
    stamp: Option<GroundStamp>,
}

impl Arena {
    /// Starts to build an arena with different grounds, exits and other rules of capture.
    pub fn builder<'a>(base: impl Into<ArenaGround<'a>>) -> ArenaBuilder<'a> {
        ArenaBuilder::new(base.into())
    }

    /// Creates the arena of a map in its present state. Time: n log n for n vertices.
    #[must_use]
    pub fn of_map(graph: &Graph) -> Self {
        let mut vertex_of: Vec<Vertex> = graph.iter().collect();
        vertex_of.sort_by_cached_key(|&vertex| hilbert_index(graph.cell(vertex)));
        let cells = vertex_of.iter().map(|&vertex| graph.cell(vertex)).collect();
        let steps = |vertex| graph.neighbours(vertex);
        let mut arena = Self::new(vertex_of, graph.slots(), steps, graph.fingerprint());
        arena.cells = cells;
        arena.moves = Some(graph.moves());
        arena.is_two_way = graph.is_two_way();
        arena.has_links = graph.has_links();
        arena.stamped(GroundStamp::of_one(graph.fingerprint()))
    }

    /// Creates the arena of a graph given by its edges. Time: linear in vertices and edges.
    #[must_use]
    pub fn of_digraph(graph: &Digraph) -> Self {
        let vertex_of = graph.iter().collect();
        let steps = |vertex| graph.successors(vertex);
        Self::new(vertex_of, graph.vertices(), steps, graph.fingerprint())
    }

    /// The arena of a part of a map or of a graph, which has no `moves`: for each place itself and where a robber's step
    /// leads. Its vertices are the numbers of the places.
    pub(crate) fn of_steps(steps: Csr<u32>, moves: Option<Moves>) -> Self {
        let places = steps.rows();
        Self {
            vertex_of: (0..places).map(Vertex::from_index).collect(),
            place_of: (0..places as u32).collect(),
            cells: Vec::new(),
            steps,
            fingerprint: Fingerprint::from_bits(0),
            // The steps are those between places of a map.
            is_two_way: moves.is_some(),
            has_links: false,
            moves,
            rules: None,
            stamp: None,
        }
    }

    fn new<'a>(
        vertex_of: Vec<Vertex>,
        slots: usize,
        steps: impl Fn(Vertex) -> &'a [Vertex],
        fingerprint: Fingerprint,
    ) -> Self {
        let mut place_of = vec![NO_PLACE; slots];
        for (place, vertex) in vertex_of.iter().enumerate() {
            place_of[vertex.index()] = place as u32;
        }
        let rows = vertex_of.iter().enumerate().map(|(place, &vertex)| {
            let neighbours = steps(vertex).iter().map(|next| place_of[next.index()]);
            std::iter::once(place as u32).chain(neighbours)
        });
        Self {
            steps: Csr::from_rows(rows),
            vertex_of,
            place_of,
            cells: Vec::new(),
            fingerprint,
            moves: None,
            is_two_way: false,
            has_links: false,
            rules: None,
            stamp: None,
        }
    }

    /// Replaces the steps of the robber, and adds rules.
    pub(super) fn set_rules(
        &mut self,
        rules: ArenaRules,
        steps: Csr<u32>,
        is_two_way: bool,
        fingerprint: Fingerprint,
    ) {
        self.rules = Some(rules.into());
        self.steps = steps;
        self.is_two_way = is_two_way;
        self.fingerprint = fingerprint;
        self.stamp = None;
    }

    /// The same arena, as that of a ground of a map.
    pub(super) fn stamped(self, stamp: GroundStamp) -> Self {
        let stamp = Some(stamp);
        Self { stamp, ..self }
    }

    /// Returns whether it is the arena of a ground in its present state. The vertices may have other numbers.
    #[must_use]
    pub(crate) fn is_of_ground(&self, ground: &TableGround<'_>) -> bool {
        self.stamp == Some(ground.stamp())
    }

    /// The number of places, which is the number of vertices.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.vertex_of.len()
    }

    /// The place of a vertex, or `None` if the vertex is a wall or belongs to another graph.
    #[must_use]
    pub fn place(&self, vertex: Vertex) -> Option<usize> {
        let place = *self.place_of.get(vertex.index())?;
        (place != NO_PLACE).then_some(place as usize)
    }

    /// The vertex of a place.
    ///
    /// # Panics
    /// If `place` is not below [`Self::places`].
    #[must_use]
    pub fn vertex(&self, place: usize) -> Vertex {
        self.vertex_of[place]
    }

    /// The cells of all places, in the order of the places; empty if the arena is not a map.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The kind of steps on the map, or `None` if the arena is not a map.
    #[must_use]
    pub const fn moves(&self) -> Option<Moves> {
        self.moves
    }

    /// Returns whether it is a whole map, and not a graph or a part of a map.
    pub(super) fn is_map(&self) -> bool {
        self.moves.is_some() && self.cells.len() == self.places()
    }

    /// The rules beyond those of cops and robber on one graph.
    pub(super) fn rules(&self) -> Option<&ArenaRules> {
        self.rules.as_deref()
    }

    /// Returns whether the game is cops and robber on one graph: both sides have the same ground,
    /// there are no exits, and capture follows the default [`Variant`].
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.rules.is_none()
    }

    /// Returns whether each step leads to a cell beside the former one, for both sides.
    pub(super) fn has_local_steps(&self) -> bool {
        self.moves.is_some() && self.is_plain() && !self.has_links
    }

    /// For `work` that knows only cops and robber on one graph.
    ///
    /// # Errors
    /// [`SolveError::Rule`] with the rule that differs.
    pub(crate) fn expect_plain(&self, work: &'static str) -> Result<(), SolveError> {
        match self.rules() {
            None => Ok(()),
            Some(rules) => Err(SolveError::Rule {
                work,
                rule: rules.name(),
            }),
        }
    }

    /// What counts as a capture, and where cops may stand. If the pairs of captures were given one
    /// by one, its reach says nothing.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.rules()
            .map_or_else(Variant::default, |rules| rules.variant)
    }

    /// Returns whether an agent of a side may stand on a vertex.
    #[must_use]
    pub fn may_stand(&self, side: Side, vertex: Vertex) -> bool {
        let place = self.place(vertex);
        place.is_some_and(|place| {
            let rules = self.rules();
            rules.is_none_or(|rules| rules.ground(side).contains(place))
        })
    }

    /// Returns whether a cop on the first vertex captures a robber on the second one, when positions
    /// are examined.
    #[must_use]
    pub fn captures(&self, cop: Vertex, robber: Vertex) -> bool {
        let places = self.place(cop).zip(self.place(robber));
        places.is_some_and(|(cop, robber)| self.captures_at(cop, robber))
    }

    /// The same by places.
    pub(crate) fn captures_at(&self, cop: usize, robber: usize) -> bool {
        match self.rules() {
            None => cop == robber,
            Some(rules) => rules.captures(cop, robber),
        }
    }

    /// The exits, in the order of their places.
    pub fn exits(&self) -> impl Iterator<Item = Vertex> + '_ {
        let exits = self
            .rules()
            .into_iter()
            .flat_map(|rules| rules.exits.iter());
        exits.map(|exit| self.vertex(exit))
    }

    /// Returns whether a position can occur: everybody is on their ground, and cops that have to be
    /// on distinct places are.
    pub(super) fn is_legal(&self, robber: usize, cops: &[usize]) -> bool {
        self.rules()
            .is_none_or(|rules| rules.is_legal(robber, cops))
    }

    /// The fingerprint of the map or graph, and of the rules beyond those of cops and robber on it.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Returns whether this is the arena of `graph` with the same vertex numbers. The places of a
    /// map do not depend on its history, but its vertices are numbered in the order in which they
    /// appeared. Time: linear in the vertices.
    #[must_use]
    pub fn is_of(&self, graph: &Graph) -> bool {
        let mut vertices = self.cells.iter().zip(&self.vertex_of);
        self.is_of_ground(&graph.into())
            && self.cells.len() == graph.vertices()
            && vertices.all(|(&cell, &vertex)| graph.vertex(cell) == Some(vertex))
    }

    /// The place itself and all places one step of the robber away.
    pub(crate) fn steps(&self, place: usize) -> &[u32] {
        self.steps.row(place)
    }

    /// The closed neighbourhoods of the robber's steps.
    pub(crate) const fn all_steps(&self) -> &Csr<u32> {
        &self.steps
    }

    /// The closed neighbourhoods of the cops' steps, if they differ from those of the robber.
    pub(super) fn own_cop_steps(&self) -> Option<&Csr<u32>> {
        self.rules().and_then(|rules| rules.cop_steps.as_ref())
    }

    /// The closed neighbourhoods of the steps of a side.
    pub(super) fn steps_of(&self, side: Side) -> &Csr<u32> {
        match side {
            Side::Cops => self.own_cop_steps().unwrap_or(&self.steps),
            Side::Robber => &self.steps,
        }
    }

    /// Returns whether every step of a side is known to have its reverse.
    pub(super) fn is_two_way(&self, side: Side) -> bool {
        match (side, self.rules()) {
            (Side::Cops, Some(rules)) => rules.is_two_way_for_cops,
            _ => self.is_two_way,
        }
    }

    /// The closed neighbourhoods, padded to a common length. On a map, each row repeats the place
    /// itself until the row is as long as that of a place without walls around it.
    pub(super) fn padded_steps(&self) -> Csr<u16> {
        let length = self.moves.map_or(0, |moves| moves.steps().len() + 1);
        Csr::from_rows((0..self.places()).map(|place| {
            let steps = self.steps(place);
            let padding = length.saturating_sub(steps.len());
            let all = steps.iter().chain(std::iter::repeat_n(&steps[0], padding));
            all.map(|&step| step as u16)
        }))
    }
}

/// The position of a cell along the Hilbert curve through a square of 2^16 x 2^16 cells.
#[must_use]
pub fn hilbert_index(cell: Cell) -> u32 {
    let (mut x, mut y) = (u32::from(cell.x), u32::from(cell.y));
    let mut index = 0;
    for bit in (0..16).rev() {
        let (right, below) = (x >> bit & 1, y >> bit & 1);
        index = index << 2 | ((3 * right) ^ below);
        // Turn the quadrant so that its curve begins where the curve of the last quadrant ended.
        if below == 0 {
            if right == 1 {
                (x, y) = (!x & 0xffff, !y & 0xffff);
            }
            (x, y) = (y, x);
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_visits_each_cell_of_a_square_once_and_steps_to_neighbours() {
        let side = 32;
        let mut cells: Vec<Cell> = (0..side)
            .flat_map(|y| (0..side).map(move |x| Cell::new(x, y)))
            .collect();
        cells.sort_by_key(|&cell| hilbert_index(cell));
        for pair in cells.windows(2) {
            assert_eq!(pair[0].squared_distance(pair[1]), 1, "{pair:?}");
        }
    }
}
