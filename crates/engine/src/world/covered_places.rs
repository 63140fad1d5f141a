//! The places within the reach of cops that capture from a distance.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::overlap::extent;
use super::pursuit::PursuitRecord;
use crate::map::{BodySize, Cell, Walker};
use crate::search::{CoveredVertices, Reaching};

/// The places within the reach of some cops, on the ground of each. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct CoveredPlaces {
    cops: Vec<(Walker, Reaching)>,
    ids: Vec<AgentId>,
    /// One for each ground in use, then those of earlier calls.
    grounds: Vec<(Walker, CoveredVertices)>,
    /// The number of grounds in use.
    used: usize,
}

impl CoveredPlaces {
    pub(super) fn clear(&mut self) {
        self.cops.clear();
        self.ids.clear();
        self.used = 0;
    }

    /// Adds a cop that stands on a cell, if it captures from a distance and its reach may matter to a free robber of the
    /// pursuit. `moves`: the most steps that robbers may take meanwhile.
    ///
    /// Cost: linear in the robbers for a cop with a reach.
    pub(super) fn add(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        cop: (AgentId, &AgentRecord, Cell),
        moves: u32,
    ) {
        let (id, record, cell) = cop;
        let steps = record.setup.reach;
        if steps == 0 || record.caught.is_some() {
            return;
        }
        let ground = facts.ground_of(record);
        let graph = facts.graph_on(ground);
        let Some(at) = graph.vertex(cell) else {
            return;
        };
        // A step leads at most to the next column and row, but a link leads anywhere.
        let may_reach = |robber: &AgentRecord| {
            let sizes = extent(record.setup.size).max(extent(robber.setup.size));
            let most = u32::from(steps) + moves + sizes;
            robber.caught.is_none() && cell.max_norm(robber.setup.cell) <= most
        };
        let mut robbers = facts.agents(&pursuit.robbers);
        if graph.has_links() || robbers.any(|(_, robber)| may_reach(robber)) {
            let number = self.ids.len() as u32;
            self.ids.push(id);
            self.cops.push((ground, Reaching { at, steps, number }));
        }
    }

    /// Finds the places that the cops cover that were added.
    ///
    /// Cost: for each ground of these cops one wave over the vertices that are covered there, however many cops there are.
    pub(super) fn find(&mut self, facts: &Facts) {
        self.cops.sort_by_key(|&(ground, _)| ground);
        let mut cops = Vec::new();
        for of_ground in self.cops.chunk_by(|(one, _), (other, _)| one == other) {
            let ground = of_ground[0].0;
            cops.clear();
            cops.extend(of_ground.iter().map(|&(_, cop)| cop));
            if self.grounds.len() == self.used {
                self.grounds.push((ground, CoveredVertices::default()));
            }
            let (walker, covered) = &mut self.grounds[self.used];
            *walker = ground;
            covered.find(facts.graph_on(ground), &mut cops);
            self.used += 1;
        }
    }

    /// A cop that captures a body of some size on a cell from a distance; `None` if it is in no cop's reach.
    pub(super) fn covered_by(&self, facts: &Facts, cell: Cell, size: BodySize) -> Option<AgentId> {
        let mut grounds = self.grounds[..self.used].iter();
        let number = grounds.find_map(|(ground, covered)| {
            let mut touching = facts.graph_on(*ground).vertices_touching(cell, size);
            touching.find_map(|at| covered.covered_by(at))
        })?;
        self.ids.get(number as usize).copied()
    }
}
