//! Agents larger than one cell: where they touch each other.

use super::agent::AgentRecord;
use super::facts::Facts;
use crate::map::{BodySize, Cell};

impl AgentRecord {
    /// Returns whether it would cover a common cell with another agent if it stood on a cell.
    pub(super) const fn overlaps_from(&self, at: Cell, other: &Self) -> bool {
        let setup = &other.setup;
        self.setup.size.overlaps(at, setup.cell, setup.size)
    }

    /// The cells on which it would cover a common cell with another agent that stands on a cell: for two agents of one cell
    /// that cell.
    pub(super) fn places_touching(
        &self,
        other: &Self,
        cell: Cell,
    ) -> impl Iterator<Item = Cell> + use<> {
        self.setup.size.places_touching(cell, other.setup.size)
    }
}

impl Facts {
    /// The cell on which an agent touches another one that stands on a cell: that cell for two agents of one cell, otherwise
    /// the nearest cell as the crow flies on which there is room for the agent.
    pub(super) fn place_to_touch(
        &self,
        agent: &AgentRecord,
        other: &AgentRecord,
        cell: Cell,
    ) -> Cell {
        let (own, size) = (agent.setup.size, other.setup.size);
        if own.is_one() && size.is_one() {
            return cell;
        }
        let graph = self.graph_of(agent);
        let places = graph.vertices_touching(cell, size);
        let places = places.map(|at| graph.cell(at));
        let nearest = places.min_by_key(|at| (at.squared_distance(agent.setup.cell), *at));
        nearest.unwrap_or(cell)
    }
}

/// The columns or rows by which a body of this size reaches beyond its own cell.
pub(super) const fn extent(size: BodySize) -> u32 {
    size.side() as u32 - 1
}
