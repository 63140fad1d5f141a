//! The grounds of a world: the map as agents of different kinds walk on it.

use super::agent::{AgentRecord, AgentSetup};
use super::facts::Facts;
use super::pursuit::PursuitRecord;
use crate::abstraction::{Hierarchy, Maintenance};
use crate::belief::PossibleCells;
use crate::graph::{Graph, GraphDelta};
use crate::map::{Kinds, MapEdit};
use crate::search::Maps;
use serde::{Deserialize, Serialize};

/// The map as agents of some kinds walk on it: its steps, and the abstraction of these.
///
/// Vertices have the same numbers on all grounds of a world.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroundRecord {
    pub(super) graph: Graph,
    pub(super) maintenance: Maintenance,
    /// The changes made by the edits of this tick.
    #[serde(skip)]
    pub(super) delta: GraphDelta,
}

/// The grounds besides that of agents of no kind, one for each combination of kinds that an agent of the world has and
/// that some tile asks for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grounds {
    /// The kinds that some tile asks for.
    in_use: Kinds,
    list: Vec<GroundRecord>,
}

impl GroundRecord {
    fn of(map: &Graph, kinds: Kinds) -> Self {
        let graph = map.for_kinds(kinds);
        Self {
            maintenance: Maintenance::begin(&graph),
            graph,
            delta: GraphDelta::default(),
        }
    }

    fn apply(&mut self, edits: &[MapEdit]) {
        let slots = self.graph.slots();
        self.graph.apply_edits(edits, &mut self.delta);
        // Edits without effect leave the abstraction as it is.
        if self.graph.slots() != slots || !self.delta.is_empty() {
            self.maintenance.push_edits(edits);
        }
    }

    /// The abstraction; `None` while edits are still to be worked into it.
    fn hierarchy(&self) -> Option<&Hierarchy> {
        self.maintenance.up_to_date(&self.graph)
    }
}

impl Grounds {
    /// No ground but the map's own.
    pub(super) fn of_map(graph: &Graph) -> Self {
        Self {
            in_use: graph.kinds_in_use(),
            list: Vec::new(),
        }
    }

    /// The ground on which agents of some kinds walk: its kinds, which are none for the map's own ground. That one is
    /// legal for everybody.
    pub(super) fn of_kinds(&self, kinds: Kinds) -> Kinds {
        let kinds = kinds & self.in_use;
        match self.get(kinds) {
            Some(_) => kinds,
            None => Kinds::NONE,
        }
    }

    /// The kinds that some tile asks for.
    pub(super) const fn in_use(&self) -> Kinds {
        self.in_use
    }

    /// A ground by its kinds; `None` for the map's own.
    fn get(&self, kinds: Kinds) -> Option<&GroundRecord> {
        self.list
            .iter()
            .find(|ground| ground.graph.kinds() == kinds)
    }

    /// The graph of a ground. `own`: that of the map's own ground.
    pub(super) fn graph<'a>(&'a self, own: &'a Graph, kinds: Kinds) -> &'a Graph {
        self.get(kinds).map_or(own, |ground| &ground.graph)
    }

    /// The graph of the ground of an agent. `own`: that of the map's own ground.
    pub(super) fn graph_of<'a>(&'a self, own: &'a Graph, agent: &AgentRecord) -> &'a Graph {
        if self.list.is_empty() {
            return own;
        }
        self.graph(own, self.of_kinds(agent.setup.kinds))
    }

    /// All grounds but the map's own.
    pub(super) const fn list(&self) -> &[GroundRecord] {
        self.list.as_slice()
    }

    pub(super) fn list_mut(&mut self) -> &mut [GroundRecord] {
        &mut self.list
    }

    /// Applies edits that the map's own graph has just got.
    pub(super) fn apply(&mut self, edits: &[MapEdit]) {
        for ground in &mut self.list {
            ground.apply(edits);
        }
    }

    /// Returns whether an edit of this tick has changed a step on one of these grounds.
    pub(super) fn have_changed(&self) -> bool {
        self.list.iter().any(|ground| !ground.delta.is_empty())
    }

    /// Returns whether every abstraction is up to date.
    pub(super) fn are_current(&self) -> bool {
        self.list
            .iter()
            .all(|ground| ground.maintenance.is_current(&ground.graph))
    }

    /// Checks saved grounds against the map's own graph.
    pub(super) fn are_sound(&self, own: &Graph) -> bool {
        let is_sound = |ground: &GroundRecord| {
            let graph = &ground.graph;
            graph.is_numbered_like(own) && ground.maintenance.check(graph).is_ok()
        };
        self.list.iter().all(is_sound)
    }
}

impl Facts {
    /// The ground of an agent, by its kinds.
    pub(super) fn ground_of(&self, agent: &AgentRecord) -> Kinds {
        if self.grounds.list.is_empty() {
            return Kinds::NONE;
        }
        self.grounds.of_kinds(agent.setup.kinds)
    }

    /// The ground on which all members of a pursuit walk; `None` if they walk on different ones.
    ///
    /// Cost: constant if there is only one ground, otherwise linear in the number of members.
    pub(super) fn common_ground(&self, pursuit: &PursuitRecord) -> Option<Kinds> {
        if self.grounds.list.is_empty() {
            return Some(Kinds::NONE);
        }
        let members = pursuit.members().filter_map(|id| self.agent(id));
        let mut grounds = members.map(|agent| self.ground_of(agent));
        let first = grounds.next().unwrap_or_default();
        grounds.all(|ground| ground == first).then_some(first)
    }

    /// The ground on which all cops of a pursuit walk; the map's own if they walk on different ones.
    pub(super) fn ground_of_cops(&self, pursuit: &PursuitRecord) -> Kinds {
        if self.grounds.list.is_empty() {
            return Kinds::NONE;
        }
        let mut grounds = self
            .agents(&pursuit.cops)
            .map(|(_, cop)| self.ground_of(cop));
        let first = grounds.next().unwrap_or_default();
        if grounds.all(|ground| ground == first) {
            first
        } else {
            Kinds::NONE
        }
    }

    /// The graph of the ground of an agent.
    pub(super) fn graph_of(&self, agent: &AgentRecord) -> &Graph {
        self.grounds.graph_of(&self.graph, agent)
    }

    /// The graph of a ground.
    pub(super) fn graph_on(&self, ground: Kinds) -> &Graph {
        if ground.is_empty() {
            return &self.graph;
        }
        self.grounds.graph(&self.graph, ground)
    }

    /// The abstraction of a ground; `None` while edits are still to be worked into it.
    pub(super) fn hierarchy_on(&self, ground: Kinds) -> Option<&Hierarchy> {
        match self.grounds.get(ground) {
            Some(ground) => ground.hierarchy(),
            None => self.maintenance.up_to_date(&self.graph),
        }
    }

    /// The graph and the abstraction for searches on a ground. There is no abstraction for a ground with one-way edges,
    /// which searches read on the graph itself.
    pub(super) fn maps_on(&self, ground: Kinds) -> Maps<'_> {
        let graph = self.graph_on(ground);
        let hierarchy = self.hierarchy_on(ground);
        Maps::new(graph, hierarchy.filter(|all| all.serves(graph)))
    }

    /// Returns whether there is an exit for any robber.
    pub(super) fn has_exits(&self) -> bool {
        let grounds = self.grounds.list.iter().map(|ground| &ground.graph);
        grounds.chain([&self.graph]).any(Graph::has_exits)
    }

    /// The graph of a ground, and what the edits of this tick have changed on it.
    fn changes_on(&self, ground: Kinds) -> (&Graph, &GraphDelta) {
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
                let ground = robber.map_or(Kinds::NONE, |robber| self.ground_of(robber));
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
                if robber.is_some_and(|robber| !self.ground_of(robber).is_empty()) {
                    tracked.places = tracked.places.as_ref().map(|_| PossibleCells::default());
                }
            }
            self.members[at].beliefs = beliefs;
        }
    }

    /// Makes the grounds that agents need and that do not exist yet. Their abstractions are built within the budget of the
    /// next ticks.
    ///
    /// Cost: for each new ground, a copy of the graph. Without any tile that asks for kinds, nothing.
    pub(super) fn prepare_grounds(&mut self) {
        self.grounds.in_use = self.graph.kinds_in_use();
        if self.grounds.in_use.is_empty() {
            self.grounds.list.clear();
            return;
        }
        let in_use = self.grounds.in_use;
        let is_walked = |ground: &GroundRecord| {
            let agents = &mut self.members.iter();
            agents.any(|(_, agent)| agent.setup.kinds & in_use == ground.graph.kinds())
        };
        self.grounds.list.retain(is_walked);
        for (_, agent) in self.members.iter() {
            let kinds = agent.setup.kinds & in_use;
            if !kinds.is_empty() && self.grounds.get(kinds).is_none() {
                self.grounds.list.push(GroundRecord::of(&self.graph, kinds));
            }
        }
        self.forget_places();
    }

    /// The same for an agent that joins, or gets other kinds.
    pub(super) fn prepare_ground(&mut self, agent: &AgentSetup) {
        let kinds = agent.kinds & self.grounds.in_use;
        if kinds.is_empty() {
            return;
        }
        if self.grounds.get(kinds).is_none() {
            self.prepare_grounds();
        } else {
            self.forget_places();
        }
    }
}
