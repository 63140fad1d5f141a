//! Which ground each agent of a world walks on.

use super::agent::{AgentRecord, AgentSetup};
use super::facts::Facts;
use super::pursuit::PursuitRecord;
use crate::abstraction::Hierarchy;
use crate::belief::PossibleCells;
use crate::graph::{Graph, GraphDelta};
use crate::map::Walker;
use crate::search::Maps;

impl Facts {
    /// The ground of an agent, by those who walk on it.
    pub(super) fn ground_of(&self, agent: &AgentRecord) -> Walker {
        if self.grounds.list().is_empty() {
            return Walker::PLAIN;
        }
        self.grounds.of_walker(agent.setup.walker())
    }

    /// The ground on which all members of a pursuit walk; `None` if they walk on different ones, or if they are larger than
    /// one cell.
    ///
    /// Cost: constant if there is only one ground, otherwise linear in the number of members.
    pub(super) fn common_ground(&self, pursuit: &PursuitRecord) -> Option<Walker> {
        if self.grounds.list().is_empty() {
            return Some(Walker::PLAIN);
        }
        let members = pursuit.members().filter_map(|id| self.agent(id));
        let mut grounds = members.map(|agent| self.ground_of(agent));
        let first = grounds.next().unwrap_or_default();
        let is_common = first.size.is_one() && grounds.all(|ground| ground == first);
        is_common.then_some(first)
    }

    /// The ground on which all cops of a pursuit walk; the map's own if they walk on different ones.
    pub(super) fn ground_of_cops(&self, pursuit: &PursuitRecord) -> Walker {
        if self.grounds.list().is_empty() {
            return Walker::PLAIN;
        }
        let mut grounds = self
            .agents(&pursuit.cops)
            .map(|(_, cop)| self.ground_of(cop));
        let first = grounds.next().unwrap_or_default();
        if grounds.all(|ground| ground == first) {
            first
        } else {
            Walker::PLAIN
        }
    }

    /// The graph of the ground of an agent.
    pub(super) fn graph_of(&self, agent: &AgentRecord) -> &Graph {
        self.grounds.graph_of(&self.graph, agent)
    }

    /// The graph of a ground.
    pub(super) fn graph_on(&self, ground: Walker) -> &Graph {
        if ground.is_plain() {
            return &self.graph;
        }
        self.grounds.graph(&self.graph, ground)
    }

    /// The abstraction of a ground; `None` while edits are still to be worked into it.
    pub(super) fn hierarchy_on(&self, ground: Walker) -> Option<&Hierarchy> {
        match self.grounds.get(ground) {
            Some(ground) => ground.hierarchy(),
            None => self.maintenance.up_to_date(&self.graph),
        }
    }

    /// The graph and the abstraction for searches on a ground. There is no abstraction for a ground with one-way edges,
    /// which searches read on the graph itself.
    pub(super) fn maps_on(&self, ground: Walker) -> Maps<'_> {
        let graph = self.graph_on(ground);
        let hierarchy = self.hierarchy_on(ground);
        Maps::new(graph, hierarchy.filter(|all| all.serves(graph)))
    }

    /// Returns whether there is an exit for any robber.
    pub(super) fn has_exits(&self) -> bool {
        let grounds = self.grounds.list().iter().map(|ground| &ground.graph);
        grounds.chain([&self.graph]).any(Graph::has_exits)
    }

    /// The graph of a ground, and what the edits of this tick have changed on it.
    fn changes_on(&self, ground: Walker) -> (&Graph, &GraphDelta) {
        match self.grounds.get(ground) {
            Some(ground) => (&ground.graph, &ground.delta),
            None => (&self.graph, &self.delta),
        }
    }

    /// Notes edits of the map in what the members of pursuits believe about each other.
    pub(super) fn note_edits_in_beliefs(&mut self) {
        for at in self.members.indices() {
            let mut pursuit = std::mem::take(&mut self.members[at].beliefs);
            for (id, tracked) in &mut pursuit {
                let robber = self.agent(*id);
                let ground = robber.map_or(Walker::PLAIN, |robber| self.ground_of(robber));
                let (graph, delta) = self.changes_on(ground);
                if let Some(places) = &mut tracked.places {
                    places.follow_edits(graph, delta);
                }
            }
            self.members[at].beliefs = pursuit;
            let ground = self.ground_of_cops(&self.members[at]);
            let mut lookouts = std::mem::take(&mut self.members[at].robbers_know);
            let (graph, delta) = self.changes_on(ground);
            for (_, lookout) in &mut lookouts {
                lookout.places.follow_edits(graph, delta);
            }
            self.members[at].robbers_know = lookouts;
        }
    }

    /// Forgets where robbers can be that walk on another ground than the map's own, because that ground may be new.
    fn forget_places(&mut self) {
        for at in self.members.indices() {
            let mut beliefs = std::mem::take(&mut self.members[at].beliefs);
            for (id, tracked) in &mut beliefs {
                let robber = self.agent(*id);
                if robber.is_some_and(|robber| !self.ground_of(robber).is_plain()) {
                    tracked.places = tracked.places.as_ref().map(|_| PossibleCells::default());
                }
            }
            self.members[at].beliefs = beliefs;
        }
    }

    /// Makes the grounds that agents need and that do not exist yet. Their abstractions are built within the budget of the
    /// next ticks.
    ///
    /// Cost: linear in the agents and in the tiles that ask for kinds, and for each new ground a copy of the graph.
    pub(super) fn prepare_grounds(&mut self) {
        let Self {
            grounds,
            graph,
            members,
            ..
        } = self;
        // Which tiles there are for whom decides on which ground an agent of several kinds walks.
        let before: Vec<Walker> = members
            .iter()
            .map(|(_, agent)| grounds.of_walker(agent.setup.walker()))
            .collect();
        grounds.prepare(graph, members.iter().map(|(_, agent)| agent.setup.walker()));
        for ((_, agent), before) in members.iter_mut().zip(before) {
            if grounds.of_walker(agent.setup.walker()) != before {
                agent.changed_ground = true;
                agent.plan.drop();
            }
        }
        self.forget_places();
    }

    /// The same for an agent that joins, or gets other kinds or another size.
    pub(super) fn prepare_ground(&mut self, agent: &AgentSetup) {
        let walker = self.grounds.distinguish(agent.walker());
        if walker.is_plain() {
            return;
        }
        if self.grounds.get(walker).is_none() {
            self.prepare_grounds();
        } else {
            self.forget_places();
        }
    }
}
