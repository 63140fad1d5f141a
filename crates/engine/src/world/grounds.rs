//! The grounds of a world: the map as agents of different kinds walk on it.

use super::agent::AgentRecord;
use crate::abstraction::{Hierarchy, Maintenance};
use crate::graph::{Graph, GraphDelta};
use crate::map::{Kinds, MapEdit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    pub(super) fn prepare(&mut self, own: &Graph, agents: impl Iterator<Item = Kinds>) {
        self.in_use = own.kinds_in_use();
        let wanted: BTreeSet<Kinds> = agents.map(|kinds| kinds & self.in_use).collect();
        self.list
            .retain(|ground| wanted.contains(&ground.graph.kinds()));
        for kinds in wanted {
            if !kinds.is_empty() && self.get(kinds).is_none() {
                self.list.push(GroundRecord::of(own, kinds));
            }
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
    pub(super) fn get(&self, kinds: Kinds) -> Option<&GroundRecord> {
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
