//! Checks whether a hierarchy read from a file is consistent and belongs to a graph.

use super::hierarchy::Hierarchy;
use super::level::{AbstractLevel, Below, NONE};
use crate::graph::{Csr, Graph, Network as _, Vertex, VisitedSet};
use thiserror::Error;

/// Why saved data is not a valid [`Hierarchy`], or not the hierarchy of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("level {level}, vertex {vertex}: {flaw}")]
pub struct InvalidHierarchy {
    /// The level, 0 for the map.
    pub level: usize,
    /// The number of the vertex, or the index of the first wrong list item.
    pub vertex: usize,
    /// The violated condition.
    pub flaw: Flaw,
}

/// The conditions that an invalid hierarchy can violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Flaw {
    /// The hierarchy belongs to another graph, or to this one before or after an edit.
    #[error("the hierarchy belongs to another graph")]
    Graph,
    /// Lists have inconsistent lengths or are too long for any map.
    #[error("lists have inconsistent lengths")]
    Lengths,
    /// A vertex has no parent or two parents, or a wall has a parent.
    #[error("expected one parent for a vertex and none for a wall")]
    Parent,
    /// The free numbers are not the numbers without children.
    #[error("the free numbers are not the numbers without children")]
    Free,
    /// The children are not a valid group.
    #[error("the children are not a clique of one to four vertices with pendants")]
    Group,
    /// The edges do not match the edges of the children.
    #[error("the edges do not match the edges of the children")]
    Edges,
    /// The position does not match the positions of the children.
    #[error("the position is not the mean of the children's positions")]
    Place,
    /// The top has edges, or another level has none.
    #[error("expected no edges at the top and edges at all other levels")]
    Top,
}

impl Flaw {
    pub(super) const fn at(self, level: usize, vertex: usize) -> InvalidHierarchy {
        InvalidHierarchy {
            level,
            vertex,
            flaw: self,
        }
    }
}

impl Hierarchy {
    /// Checks that this is a valid hierarchy of exactly this graph, including its vertex numbers. Call
    /// it for a hierarchy read from a file; one that was built and repaired is always valid. Time:
    /// linear.
    ///
    /// # Errors
    /// The first violated condition.
    pub fn check(&self, graph: &Graph) -> Result<(), InvalidHierarchy> {
        if !self.is_of(graph) || self.parent.len() > graph.slots() {
            return Err(Flaw::Graph.at(0, 0));
        }
        let has_edges = graph.iter().any(|vertex| graph.degree(vertex) > 0);
        if has_edges == self.levels.is_empty() {
            return Err(Flaw::Top.at(0, 0));
        }
        let Some(first) = self.levels.first() else {
            return Ok(());
        };
        for vertex in (0..graph.slots()).map(Vertex::from_index) {
            if graph.is_live(vertex) != self.parent(0, vertex).is_some() {
                return Err(Flaw::Parent.at(0, vertex.index()));
            }
        }
        for vertex in first.iter() {
            if first.places[vertex.index()] != graph.place_of_all(first.children.row(vertex)) {
                return Err(Flaw::Place.at(1, vertex.index()));
            }
        }
        check_level(graph, &self.parent, first).map_err(|(vertex, flaw)| flaw.at(1, vertex))?;
        self.check_levels()
    }

    /// Checks all conditions that do not involve the graph. Every vertex must have a parent.
    pub(super) fn check_levels(&self) -> Result<(), InvalidHierarchy> {
        let Some(first) = self.levels.first() else {
            return Ok(());
        };
        check_symmetry(first).map_err(|vertex| Flaw::Edges.at(1, vertex))?;
        for (index, pair) in self.levels.windows(2).enumerate() {
            let level = index + 2;
            check_level(&pair[0], &pair[0].parent, &pair[1])
                .map_err(|(vertex, flaw)| flaw.at(level, vertex))?;
        }
        let flat = self.levels.iter().position(|level| level.edges() == 0);
        if flat.map(|index| index + 1) == Some(self.levels.len()) {
            Ok(())
        } else {
            Err(Flaw::Top.at(flat.map_or(self.levels.len(), |index| index + 1), 0))
        }
    }
}

/// Checks that every edge has its reverse.
fn check_symmetry(level: &AbstractLevel) -> Result<(), usize> {
    let row = |vertex| level.neighbours(vertex).iter();
    let numbers = || (0..level.slots()).map(Vertex::from_index);
    let rows = numbers().map(|vertex| row(vertex).map(|other| other.index() as u32));
    let back = Csr::from_rows(rows).transposed(level.slots());
    let mut seen = VisitedSet::default();
    for vertex in numbers() {
        seen.clear(level.slots());
        for &other in back.row(vertex.index()) {
            seen.insert(Vertex::from_index(other as usize));
        }
        let is_same = back.row(vertex.index()).len() == row(vertex).len();
        if !is_same || row(vertex).any(|&other| !seen.contains(other)) {
            return Err(vertex.index());
        }
    }
    Ok(())
}

/// Checks the groups and edges of a level. Every vertex below must have a parent.
fn check_level<B: Below>(
    below: &B,
    parent: &[Vertex],
    upper: &AbstractLevel,
) -> Result<(), (usize, Flaw)> {
    let (mut lifted, mut seen) = (VisitedSet::default(), VisitedSet::default());
    for vertex in upper.iter() {
        let flawed = |flaw| (vertex.index(), flaw);
        if !is_group(below, parent, upper, vertex) {
            return Err(flawed(Flaw::Group));
        }
        lifted.clear(upper.slots());
        lifted.insert(vertex);
        let mut expected = 0;
        for &child in upper.children.row(vertex) {
            for other in below.joined(child) {
                let other = parent[other.index()];
                expected += usize::from(lifted.insert(other));
            }
        }
        seen.clear(upper.slots());
        seen.insert(vertex);
        let row = upper.neighbours.row(vertex);
        let is_right = |&other: &Vertex| lifted.contains(other) && seen.insert(other);
        if row.len() != expected || !row.iter().all(is_right) {
            return Err(flawed(Flaw::Edges));
        }
    }
    Ok(())
}

/// Returns whether the children of a vertex are a clique of one to four vertices with pendants, and
/// a single child could not have joined another group.
fn is_group<B: Below>(below: &B, parent: &[Vertex], upper: &AbstractLevel, vertex: Vertex) -> bool {
    let children = upper.children.row(vertex);
    let (mut clique, mut members) = ([NONE; 4], 0);
    for &child in children.iter().filter(|&&child| below.degree(child) != 1) {
        let is_adjacent = |&other| below.are_adjacent(child, other);
        if members == clique.len() || !clique[..members].iter().all(is_adjacent) {
            return false;
        }
        clique[members] = child;
        members += 1;
    }
    if members == 0 {
        // At most two pendants, adjacent to each other.
        clique[0] = children[0];
        members = 1;
    }
    let clique = &clique[..members];
    let is_attached = |child: &Vertex| match below.joined(*child) {
        [only] => clique.contains(child) || clique.contains(only),
        _ => true,
    };
    if let &[alone] = children {
        let beside = below.joined(alone);
        let size = |other: &Vertex| upper.children.row(parent[other.index()]).len();
        return beside.len() != 1 && beside.iter().all(|other| size(other) > 1);
    }
    children.iter().all(is_attached)
}
