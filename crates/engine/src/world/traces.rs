//! Traces: robbers that have left the world, as the cops that have seen them know them.

use super::agent::{AgentRecord, AgentSetup};
use super::agent_id::AgentId;
use super::facts::Facts;
use super::members::Members;
use super::pursuit::{PursuitIndex, PursuitNumber};
use super::pursuit_world::PursuitWorld;
use crate::game::Side;

/// Cops give up the search for a robber that has left this number of turns after they saw it last.
const TRACE_TURNS: u64 = 256;

impl Members {
    /// Goes on with what the cops of a pursuit know about a robber under another id.
    fn rename_robber(&mut self, number: PursuitNumber, old: AgentId, new: AgentId) {
        let Ok(at) = self.find(number) else {
            return;
        };
        let (pursuit, agents) = self.pursuit_and_agents(at);
        pursuit.rename_robber(old, new);
        for &cop in &pursuit.cops {
            if let Some(cop) = agents.get_mut(cop)
                && cop.target == Some(old)
            {
                cop.target = Some(new);
            }
        }
    }
}

impl Facts {
    /// Cops that have seen a free robber do not know that it has left the world. Its trace stays in the list of the pursuit
    /// under a new id, and they search for it.
    pub(super) fn keep_trace(&mut self, id: AgentId, robber: AgentRecord) {
        let setup = robber.setup;
        // Only a robber that is nothing else is searched for.
        let is_plain = setup.faction.is_none();
        let is_free = is_plain && setup.side == Side::Robber && robber.caught.is_none();
        let pursuit = self
            .members
            .pursuit(setup.pursuit_number())
            .filter(|_| is_free);
        let pursuit = pursuit.filter(|pursuit| self.cops_have_limited_sight(pursuit));
        let Some(last) = pursuit.and_then(|pursuit| pursuit.cops_know.get(id.key())) else {
            return;
        };
        if last.sees_now {
            self.members.lose(id);
        }
        let trace = self.members.insert_trace(robber.into_trace());
        self.members
            .rename_robber(setup.pursuit_number(), id, trace);
    }

    /// If an agent is one that has left the pursuit before, by the game's number for it, cops that search for that one look
    /// for this one.
    pub(super) fn recognise(&mut self, id: AgentId, setup: AgentSetup) {
        let pursuit = self.members.pursuit(setup.pursuit_number());
        let is_plain = setup.faction.is_none();
        let Some(pursuit) =
            pursuit.filter(|p| is_plain && setup.user != 0 && !p.cops_know.is_empty())
        else {
            return;
        };
        let is_trace = |robber: &AgentRecord| robber.has_left && robber.setup.user == setup.user;
        let trace = self
            .agents(&pursuit.robbers)
            .find(|(_, robber)| is_trace(robber));
        if let Some(trace) = trace.map(|(trace, _)| trace) {
            if setup.side == Side::Robber {
                self.members
                    .rename_robber(setup.pursuit_number(), trace, id);
            }
            self.members.drop_trace(setup.pursuit_number(), trace);
        }
    }

    /// Drops traces that are too old, and all of them if a cop of the pursuit sees everything. Cops also forget robbers that
    /// the game has placed off the map so long ago: nobody who leaves is searched for ever.
    pub(super) fn drop_old_traces(&mut self, at: PursuitIndex, is_limited: bool) {
        let oldest = self.tick.saturating_sub(TRACE_TURNS * self.turn_length());
        let number = self.members[at].number;
        for index in 0..self.members[at].robbers.len() {
            let pursuit = &self.members[at];
            let id = pursuit.robbers[index];
            let last = pursuit.cops_know.get(id.key());
            let is_old = last.is_none_or(|last| last.tick < oldest);
            let Some(robber) = self.agent(id) else {
                continue;
            };
            if robber.has_left {
                if is_old || !is_limited {
                    self.members.drop_trace(number, id);
                }
            } else if is_old && !self.graph.is_on_map(robber.setup.cell) {
                self.members[at].cops_know.forget(id.key());
            }
        }
    }
}

impl PursuitWorld {
    /// Replaces the game's numbers for robbers that have left. Without one, a robber is not recognised when it returns.
    #[doc(hidden)]
    pub fn rename_traces(&mut self, mut name: impl FnMut(u64) -> Option<u64>) {
        for (_, robber) in self.facts.members.iter_mut() {
            if robber.has_left {
                robber.setup.user = name(robber.setup.user).unwrap_or(0);
            }
        }
    }
}
