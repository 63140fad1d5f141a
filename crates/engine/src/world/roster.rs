//! The store of all agents, in slots that are reused with a new generation.

use super::agent::{AgentRecord, AgentSetup};
use super::agent_id::AgentId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// All agents of a world. A slot is reused with a new generation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Roster {
    slots: Vec<Slot>,
    /// The lowest free slot is reused first, so that the order in which agents leave makes no
    /// difference.
    free: BTreeSet<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Slot {
    generation: u32,
    agent: Option<AgentRecord>,
}

impl Roster {
    pub(super) fn insert(&mut self, setup: AgentSetup) -> AgentId {
        self.insert_record(AgentRecord::new(setup))
    }

    pub(super) fn insert_record(&mut self, agent: AgentRecord) -> AgentId {
        let slot = self.free.pop_first().unwrap_or_else(|| {
            self.slots.push(Slot {
                generation: 0,
                agent: None,
            });
            self.slots.len() as u32 - 1
        });
        let place = &mut self.slots[slot as usize];
        place.agent = Some(agent);
        AgentId {
            slot,
            generation: place.generation,
        }
    }

    pub(super) fn remove(&mut self, id: AgentId) -> Option<AgentRecord> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        let agent = slot.agent.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.insert(id.slot);
        Some(agent)
    }

    pub(super) fn get(&self, id: AgentId) -> Option<&AgentRecord> {
        let slot = self.slots.get(id.slot as usize)?;
        let agent = slot.agent.as_ref();
        agent.filter(|_| slot.generation == id.generation)
    }

    pub(super) fn get_mut(&mut self, id: AgentId) -> Option<&mut AgentRecord> {
        let slot = self.slots.get_mut(id.slot as usize)?;
        let agent = slot.agent.as_mut();
        agent.filter(|_| slot.generation == id.generation)
    }

    /// All agents, in the order of their slots.
    pub(super) fn iter(&self) -> impl Iterator<Item = (AgentId, &AgentRecord)> {
        self.slots.iter().zip(0..).filter_map(|(slot, index)| {
            let generation = slot.generation;
            let id = AgentId {
                slot: index,
                generation,
            };
            Some((id, slot.agent.as_ref()?))
        })
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (AgentId, &mut AgentRecord)> {
        self.slots.iter_mut().zip(0..).filter_map(|(slot, index)| {
            let generation = slot.generation;
            let id = AgentId {
                slot: index,
                generation,
            };
            Some((id, slot.agent.as_mut()?))
        })
    }

    /// Checks that the free list names exactly the empty slots.
    pub(super) fn is_sound(&self) -> bool {
        let empty =
            (0..self.slots.len() as u32).filter(|&slot| self.slots[slot as usize].agent.is_none());
        empty.eq(self.free.iter().copied())
    }
}
