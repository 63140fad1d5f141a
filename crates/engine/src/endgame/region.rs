//! A region of a map, and its place in the table of its shape.

use super::approach::{Approach, NearbyPaths};
use super::network::EndgameNetwork;
use super::shape::{MayLeave, Shape};
use super::waits;
use crate::game::Rules;
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// A region of a map: its vertices, its guards, and the rules of the game inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Region {
    /// The vertices, in order.
    vertices: Vec<Vertex>,
    /// The posts of the guards, in order. A guard may stand outside the region.
    guards: Vec<Vertex>,
    /// The vertices of the region that the guards close, in order.
    #[serde(skip)]
    closed: Vec<Vertex>,
    /// What each guard reaches from its post with a capture.
    #[serde(skip)]
    reaches: Vec<NearbyPaths>,
    /// The paths to each guard's post.
    #[serde(skip)]
    approaches: Vec<Approach>,
    /// The number of the players, and the speeds.
    rules: Rules,
    outside: MayLeave,
}

impl Region {
    /// A region of these vertices. Guards that close nothing in it are dropped.
    pub(super) fn new(
        graph: &impl EndgameNetwork,
        mut vertices: Vec<Vertex>,
        guards: Vec<Vertex>,
        rules: Rules,
    ) -> Self {
        vertices.sort_unstable();
        vertices.dedup();
        let mut region = Self {
            vertices,
            guards,
            closed: Vec::new(),
            reaches: Vec::new(),
            approaches: Vec::new(),
            rules,
            outside: MayLeave::ForRobber,
        };
        region.guards.sort_unstable();
        region.guards.dedup();
        let mut guards = std::mem::take(&mut region.guards);
        guards.retain(|&guard| {
            let reach = reach(graph, guard, rules);
            reach.vertices().any(|vertex| region.contains(vertex))
        });
        region.guards = guards;
        region.complete(graph);
        region
    }

    /// Finds the parts that follow from the others and are not saved: the vertices that the guards close, and the paths
    /// from and to the posts.
    fn complete(&mut self, graph: &impl EndgameNetwork) {
        let guards = self.guards.iter();
        self.reaches = guards
            .map(|&guard| reach(graph, guard, self.rules))
            .collect();
        let closed = self.reaches.iter().flat_map(NearbyPaths::vertices);
        let mut closed: Vec<Vertex> = closed.filter(|&vertex| self.contains(vertex)).collect();
        closed.sort_unstable();
        closed.dedup();
        self.closed = closed;
        // One place more is the outside.
        let turns = waits::turns(self.vertices.len() + 1, self.rules.cops.get());
        let steps = turns.max(1) * u16::from(self.rules.cop_speed.steps());
        let guards = self.guards.iter();
        self.approaches = guards
            .map(|&guard| Approach::new(graph, guard, steps))
            .collect();
    }

    /// A saved region, with the parts that follow from it.
    pub(super) fn completed(&self, graph: &impl EndgameNetwork) -> Self {
        let mut region = self.clone();
        region.complete(graph);
        region
    }

    /// A region in which a robber may be safe from cops that enter and leave it.
    pub(super) fn of_refuge(
        graph: &impl EndgameNetwork,
        vertices: Vec<Vertex>,
        rules: Rules,
    ) -> Self {
        Self {
            outside: MayLeave::ForCops,
            ..Self::new(graph, vertices, Vec::new(), rules)
        }
    }

    /// Which side may leave the region.
    pub(super) const fn outside(&self) -> MayLeave {
        self.outside
    }

    /// The vertices, in order.
    pub(super) fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The vertices on which guards stand, in order.
    pub(super) fn guards(&self) -> &[Vertex] {
        &self.guards
    }

    /// Returns whether a robber on a vertex is within reach of the guards.
    pub(super) fn is_closed(&self, vertex: Vertex) -> bool {
        self.closed.binary_search(&vertex).is_ok()
    }

    /// What each of the [`guards`](Self::guards) reaches from its post with a capture.
    pub(super) fn reaches(&self) -> &[NearbyPaths] {
        &self.reaches
    }

    /// The paths to each of the [`guards`](Self::guards).
    pub(super) fn approaches(&self) -> &[Approach] {
        &self.approaches
    }

    /// Returns whether the guards close the same vertices and come on the same paths on the current map.
    pub(super) fn is_guarded_as(&self, graph: &impl EndgameNetwork) -> bool {
        self.guards.is_empty() || {
            let mut guards = self.guards.iter();
            guards.all(|&guard| graph.is_live(guard)) && self.completed(graph) == *self
        }
    }

    /// The number of the players, and the speeds.
    pub(super) const fn rules(&self) -> Rules {
        self.rules
    }

    /// The index of a vertex; `None` outside of the region.
    pub(super) fn index(&self, vertex: Vertex) -> Option<usize> {
        self.vertices.binary_search(&vertex).ok()
    }

    /// Returns whether a vertex belongs to the region.
    pub(super) fn contains(&self, vertex: Vertex) -> bool {
        self.index(vertex).is_some()
    }

    /// Returns whether one of these vertices, passable or not, belongs to the region or is beside one of its vertices.
    pub(super) fn is_beside(&self, graph: &Graph, vertices: &[Vertex]) -> bool {
        let cells = || self.vertices.iter().map(|&vertex| graph.cell(vertex));
        let (Some(left), Some(right)) = (
            cells().map(|cell| cell.x).min(),
            cells().map(|cell| cell.x).max(),
        ) else {
            return false;
        };
        let top = cells().map(|cell| cell.y).min().unwrap_or(0);
        let bottom = cells().map(|cell| cell.y).max().unwrap_or(u16::MAX);
        let is_in_rectangle = |cell: Cell| {
            let [x, y] = [cell.x, cell.y].map(|side| side.saturating_add(1));
            x >= left
                && cell.x <= right.saturating_add(1)
                && y >= top
                && cell.y <= bottom.saturating_add(1)
        };
        let offsets = || (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let is_beside = |&vertex: &Vertex| {
            let cell = graph.cell(vertex);
            // A vertex that has closed is not found by its cell.
            is_in_rectangle(cell)
                && (self.contains(vertex)
                    || offsets().any(|(dx, dy)| {
                        let beside = cell.offset(dx, dy).and_then(|cell| graph.vertex(cell));
                        beside.is_some_and(|beside| self.contains(beside))
                    }))
        };
        vertices.iter().any(is_beside) || self.is_on_approach(graph, vertices)
    }

    /// Returns whether one of these vertices is on or beside the path of a guard.
    fn is_on_approach(&self, graph: &Graph, vertices: &[Vertex]) -> bool {
        let mut approaches = self.approaches.iter();
        approaches.any(|approach| {
            vertices.iter().any(|&vertex| {
                let cell = graph.cell(vertex);
                let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
                let mut beside = offsets.filter_map(|(dx, dy)| graph.vertex(cell.offset(dx, dy)?));
                approach.contains(vertex) || beside.any(|beside| approach.contains(beside))
            })
        })
    }

    /// Its shape, and the place of each vertex. Cost: on a map, sorts the vertices eight times.
    pub(super) fn shape(&self, graph: &impl EndgameNetwork) -> (Shape, Vec<u16>) {
        graph.shape(&self.vertices, &self.closed)
    }

    /// Returns whether the vertices exist on a map of `slots` vertices and are in order.
    pub(super) fn is_sound(&self, slots: usize) -> bool {
        self.vertices.is_sorted_by(|a, b| a < b)
            && self.vertices.last().is_none_or(|last| last.index() < slots)
            && self.guards.len() <= self.vertices.len()
            && self.guards.last().is_none_or(|last| last.index() < slots)
            && self.guards.is_sorted_by(|a, b| a < b)
    }
}

/// Where a guard captures a robber at once. A robber of more than one step passes over all of these vertices but the
/// guard's own.
pub(super) fn reach(graph: &impl EndgameNetwork, guard: Vertex, rules: Rules) -> NearbyPaths {
    let steps = match rules.robber_speed.steps() {
        1 => rules.cop_speed.steps(),
        _ => 0,
    };
    NearbyPaths::new(graph, guard, steps.into())
}
