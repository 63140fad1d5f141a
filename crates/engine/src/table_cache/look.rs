//! The grounds of the current map on which tables were looked for, and what was found there.

use super::{Answer, NoTable, SolveFailure, TableCache, TableKey};
use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::map::Walker;
use crate::table::{Arena, GroundStamp, TableGround};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of grounds of the current map that are remembered.
pub(super) const MOST_LOOKS: usize = 16;

/// Which ground of a map a table is for, in any state of the map. The default is the map's own ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GroundName {
    cops: Walker,
    robber: Walker,
    exits: bool,
    reach: u8,
}

/// A ground of the current map.
#[derive(Debug, Clone)]
pub(super) struct Look {
    name: GroundName,
    /// The state of the graphs.
    stamp: GroundStamp,
    /// The number of vertex numbers that the map has assigned.
    slots: usize,
    /// The fingerprint of its tables; `None` if there can be none.
    pub(super) fingerprint: Option<Fingerprint>,
    /// Whether no arena can be built.
    is_impossible: bool,
    /// The arena. That of a single graph is created on first use.
    pub(super) arena: Option<Arc<Arena>>,
    /// The result of the look-up for each set of rules.
    pub(super) answers: Vec<(Rules, Answer)>,
}

/// A ground of the current map in a saved game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedLook {
    ground: GroundName,
    stamp: GroundStamp,
    fingerprint: Fingerprint,
}

impl GroundName {
    pub(super) const fn of(ground: &TableGround<'_>) -> Self {
        Self {
            cops: ground.cops.walker(),
            robber: ground.robber.walker(),
            exits: ground.exits,
            reach: ground.reach,
        }
    }

    /// Returns whether it is the map's own ground.
    pub(super) fn is_own(&self) -> bool {
        *self == Self::default()
    }

    /// The ground of this name on a map, given by its graphs for any agents.
    pub(super) fn on<'a>(&self, graph_of: impl Fn(Walker) -> &'a Graph) -> TableGround<'a> {
        TableGround {
            cops: graph_of(self.cops),
            robber: graph_of(self.robber),
            exits: self.exits,
            reach: self.reach,
        }
    }

    /// Who walks on the ground of the cops, and on that of the robber.
    pub(super) const fn walkers(&self) -> [Walker; 2] {
        [self.cops, self.robber]
    }
}

impl Look {
    fn new(ground: &TableGround<'_>) -> Self {
        let plain = ground.is_plain().then(|| ground.robber.fingerprint());
        Self {
            name: GroundName::of(ground),
            stamp: ground.stamp(),
            slots: ground.robber.slots(),
            fingerprint: plain,
            is_impossible: false,
            arena: None,
            answers: Vec::new(),
        }
    }

    /// Returns whether the map is still as it was. A new vertex does not change the numbers of the others, but the arena
    /// has to include it.
    pub(super) fn is_of(&self, ground: &TableGround<'_>) -> bool {
        self.slots == ground.robber.slots()
            && self.stamp == ground.stamp()
            && self.name == GroundName::of(ground)
    }

    /// Returns whether it is the map's own ground.
    pub(super) fn is_own(&self) -> bool {
        self.name.is_own()
    }

    /// The ground in a saved game; `None` if it has no tables.
    pub(super) fn save(&self) -> Option<SavedLook> {
        Some(SavedLook {
            ground: self.name,
            stamp: self.stamp,
            fingerprint: self.fingerprint?,
        })
    }

    pub(super) const fn restored(saved: &SavedLook) -> Self {
        Self {
            name: saved.ground,
            stamp: saved.stamp,
            // Vertices may have other numbers.
            slots: usize::MAX,
            fingerprint: Some(saved.fingerprint),
            is_impossible: false,
            arena: None,
            answers: Vec::new(),
        }
    }

    /// Vertices may have other numbers.
    pub(super) fn renumber(&mut self) {
        self.arena = None;
        self.slots = usize::MAX;
    }
}

impl TableCache {
    /// Records the current state of a ground for which tables are wanted. Returns its index.
    ///
    /// Cost: linear in the grounds in use; after a change of the map that of the arena, if sides walk on different grounds
    /// or there are other rules, and if the settings allow such a table.
    pub(super) fn look(&mut self, ground: &TableGround<'_>, rules: Rules) -> usize {
        // A ground that is as it was is found by its state, which is quick to compare.
        if let Some(at) = self.looks.iter().position(|look| look.is_of(ground))
            && self.looks[at].fingerprint.is_some()
        {
            return at;
        }
        let name = GroundName::of(ground);
        let known = self.looks.iter().position(|look| look.name == name);
        let at = match known {
            Some(at) if self.looks[at].is_of(ground) => at,
            Some(at) => {
                // The list keeps its memory.
                let mut answers = std::mem::take(&mut self.looks[at].answers);
                answers.clear();
                self.looks[at] = Look {
                    answers,
                    ..Look::new(ground)
                };
                at
            }
            None => self.add_look(Look::new(ground)),
        };
        let look = &self.looks[at];
        if look.fingerprint.is_none() && !look.is_impossible && self.may_have(ground, rules) {
            let arena = Arena::of_ground(*ground).ok().map(Arc::new);
            let look = &mut self.looks[at];
            look.fingerprint = arena.as_ref().map(|arena| arena.fingerprint());
            look.is_impossible = arena.is_none();
            look.arena = arena;
        }
        at
    }

    fn add_look(&mut self, look: Look) -> usize {
        if self.looks.len() >= MOST_LOOKS {
            let oldest = self.looks.iter().position(|look| !look.is_own());
            self.looks.remove(oldest.unwrap_or(0));
        }
        self.looks.push(look);
        self.looks.len() - 1
    }

    /// Returns whether there may be a table for a ground, before its arena is built.
    fn may_have(&self, ground: &TableGround<'_>, rules: Rules) -> bool {
        let name = GroundName::of(ground);
        let [least, _] = ground.range_of_places();
        let mut entries = self.entries.iter();
        self.assets.may_be_for(ground, rules)
            || entries.any(|entry| entry.job.ground == name)
            || self.allowed(least, rules).is_ok()
    }

    /// The key of a table for a ground; `None` if it has no tables.
    pub(super) fn key_at(&self, at: usize, rules: Rules) -> Option<TableKey> {
        let fingerprint = self.looks[at].fingerprint?;
        Some(TableKey { fingerprint, rules })
    }

    /// Why a ground has no tables.
    pub(super) fn why_none_at(&self, at: usize, ground: &TableGround<'_>, rules: Rules) -> NoTable {
        if self.looks[at].is_impossible {
            return NoTable::Failed(SolveFailure::Impossible);
        }
        let [least, _] = ground.range_of_places();
        let allowed = self.allowed(least, rules);
        allowed.err().unwrap_or(NoTable::NotAsked)
    }

    /// Returns whether tables of this fingerprint are for the current map, as far as it was looked at.
    pub(super) fn is_current(&self, fingerprint: Fingerprint) -> bool {
        let mut looks = self.looks.iter();
        looks.any(|look| look.fingerprint == Some(fingerprint))
    }

    /// Forgets what was found on the current map, because tables have come or gone.
    pub(super) fn forget_answers(&mut self) {
        for look in &mut self.looks {
            look.answers.clear();
        }
    }

    /// Forgets the grounds that an edit of the map has changed, apart from the map's own.
    pub(crate) fn forget_changed_grounds<'a>(&mut self, graph_of: impl Fn(Walker) -> &'a Graph) {
        self.looks
            .retain(|look| look.is_own() || look.stamp == look.name.on(&graph_of).stamp());
    }
}
