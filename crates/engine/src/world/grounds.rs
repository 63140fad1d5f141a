//! The grounds of a world: the map as agents of different kinds and sizes walk on it.

use super::agent::AgentRecord;
use crate::abstraction::{Hierarchy, Maintenance};
use crate::graph::{Graph, GraphDelta};
use crate::map::{Kinds, MapEdit, Walker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The map as agents of some kinds and size walk on it: its steps, and the abstraction of these.
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

/// The grounds besides the map's own, which is that of agents of no kind and one cell: one for each combination of a size and
/// of kinds that some tile asks for, if an agent of the world has them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grounds {
    /// The kinds that some tile asks for.
    in_use: Kinds,
    list: Vec<GroundRecord>,
}

impl GroundRecord {
    fn of(map: &Graph, walker: Walker) -> Self {
        let graph = map.for_walker(walker);
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
    pub(super) fn hierarchy(&self) -> Option<&Hierarchy> {
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

    /// Makes the grounds for agents of these kinds, and drops the others. `own`: the map's own graph.
    pub(super) fn prepare(&mut self, own: &Graph, agents: impl Iterator<Item = Walker>) {
        self.in_use = own.kinds_in_use();
        let wanted: BTreeSet<Walker> = agents.map(|walker| self.distinguish(walker)).collect();
        self.list
            .retain(|ground| wanted.contains(&ground.graph.walker()));
        for walker in wanted {
            if !walker.is_plain() && self.get(walker).is_none() {
                self.list.push(GroundRecord::of(own, walker));
            }
        }
    }

    /// The ground on which agents walk, by those for whom it is made; the map's own if there is no other for them.
    pub(super) fn of_walker(&self, walker: Walker) -> Walker {
        let walker = self.distinguish(walker);
        match self.get(walker) {
            Some(_) => walker,
            None => Walker::PLAIN,
        }
    }

    /// What distinguishes agents from others on this map: their size, and the kinds that some tile asks for.
    pub(super) fn distinguish(&self, walker: Walker) -> Walker {
        Walker {
            kinds: walker.kinds & self.in_use,
            ..walker
        }
    }

    /// A ground by those who walk on it; `None` for the map's own.
    pub(super) fn get(&self, walker: Walker) -> Option<&GroundRecord> {
        self.list
            .iter()
            .find(|ground| ground.graph.walker() == walker)
    }

    /// The graph of a ground. `own`: that of the map's own ground.
    pub(super) fn graph<'a>(&'a self, own: &'a Graph, walker: Walker) -> &'a Graph {
        self.get(walker).map_or(own, |ground| &ground.graph)
    }

    /// The graph of the ground of an agent. `own`: that of the map's own ground.
    pub(super) fn graph_of<'a>(&'a self, own: &'a Graph, agent: &AgentRecord) -> &'a Graph {
        if self.list.is_empty() {
            return own;
        }
        self.graph(own, self.of_walker(agent.setup.walker()))
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
