//! Records the game's own changes since the last check, which excuse differences.

use crate::ops::Tile;
use std::collections::{BTreeMap, BTreeSet};

/// A kind of change of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    Born,
    Gone,
    Enabled,
    Role,
    Map,
    Pursuit,
    Speed,
    Pace,
    Sight,
    Trait,
    Steering,
    Ordered,
    Released,
    Restored,
    Reparented,
    Placed,
}

/// A move of an agent to another tile by the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub at: Tile,
    /// The tile before the first move since the last check.
    pub before: Tile,
    /// Whether an observer of a capture has moved it.
    pub in_observer: bool,
}

/// The changes between two checks.
#[derive(Debug, Clone, Default)]
pub struct Window {
    marks: BTreeMap<usize, BTreeSet<Mark>>,
    placed: BTreeMap<usize, Placed>,
    /// Maps that were spawned, despawned, resized or restored.
    pub maps: BTreeSet<usize>,
    pub rules: bool,
    pub tiles: bool,
}

impl Window {
    pub fn has(&self, agent: usize, mark: Mark) -> bool {
        self.marks
            .get(&agent)
            .is_some_and(|marks| marks.contains(&mark))
    }

    pub fn has_any(&self, agent: usize, some: &[Mark]) -> bool {
        some.iter().any(|&mark| self.has(agent, mark))
    }

    pub fn touches(&self, agent: usize) -> bool {
        self.marks.contains_key(&agent)
    }

    pub fn placed(&self, agent: usize) -> Option<Placed> {
        self.placed.get(&agent).copied()
    }

    fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.maps.is_empty() && !self.rules && !self.tiles
    }
}

/// The changes before and after the plugin has read the components in this tick.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    pub early: Window,
    pub late: Window,
    pub is_late: bool,
    /// The number of frames in which settings from a file may still take effect.
    pub rules_due: u32,
}

impl Ledger {
    pub const fn window(&mut self) -> &mut Window {
        if self.is_late {
            &mut self.late
        } else {
            &mut self.early
        }
    }

    pub fn mark(&mut self, agent: usize, mark: Mark) {
        self.window().marks.entry(agent).or_default().insert(mark);
    }

    pub fn place(&mut self, agent: usize, at: Tile, before: Tile, in_observer: bool) {
        self.mark(agent, Mark::Placed);
        let window = self.window();
        let before = window.placed.get(&agent).map_or(before, |it| it.before);
        let placed = Placed {
            at,
            before,
            in_observer,
        };
        window.placed.insert(agent, placed);
    }

    /// Records that an agent was restored, which overrides earlier moves.
    pub fn restore(&mut self, agent: usize) {
        self.early.placed.remove(&agent);
        self.mark(agent, Mark::Restored);
    }

    /// Returns whether the agent has changed, before or after the plugin has read it.
    pub fn touches(&self, agent: usize) -> bool {
        self.early.touches(agent) || self.late.touches(agent)
    }

    pub fn has_any(&self, agent: usize, some: &[Mark]) -> bool {
        self.early.has_any(agent, some) || self.late.has_any(agent, some)
    }

    pub fn map(&self, map: usize) -> bool {
        self.early.maps.contains(&map) || self.late.maps.contains(&map)
    }

    pub fn has_new_maps(&self) -> bool {
        !self.early.maps.is_empty() || !self.late.maps.is_empty()
    }

    pub const fn rules(&self) -> bool {
        self.early.rules || self.late.rules || self.rules_due > 0
    }

    /// Records that the plugin has noticed the changes of agents, but not those of maps.
    pub fn settle_agents(&mut self) {
        for (agent, marks) in std::mem::take(&mut self.late.marks) {
            self.early.marks.entry(agent).or_default().extend(marks);
        }
        for (agent, late) in std::mem::take(&mut self.late.placed) {
            let before = self.early.placed.get(&agent).map(|early| early.before);
            let before = before.unwrap_or(late.before);
            self.early.placed.insert(agent, Placed { before, ..late });
        }
    }

    /// Ends a tick: its late changes are the early changes of the next one.
    pub fn turn_over(&mut self) {
        self.early = std::mem::take(&mut self.late);
        self.is_late = false;
    }

    /// Returns whether the plugin has noticed all changes.
    pub fn is_settled(&self) -> bool {
        self.early.is_empty() && self.late.is_empty()
    }
}

impl Ledger {
    /// The changes of an agent as text, for a report.
    pub fn marks_of(&self, agent: usize) -> String {
        format!(
            "{:?} {:?} then {:?} {:?}",
            self.early.marks.get(&agent),
            self.early.placed(agent),
            self.late.marks.get(&agent),
            self.late.placed(agent)
        )
    }
}
