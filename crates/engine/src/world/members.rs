//! The members of a world: its agents, and the pursuits they take part in.

use super::agent::{AgentRecord, AgentSetup};
use super::agent_id::AgentId;
use super::pursuit::{PursuitIndex, PursuitNumber, PursuitRecord, PursuitSetup};
use super::roster::Roster;
use crate::game::Side;
use crate::graph::GOLDEN_RATIO;
use crate::map::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::{Index, IndexMut};

/// All agents, and the pursuits they take part in.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Members {
    roster: Roster,
    /// Sorted by number.
    pursuits: Vec<PursuitRecord>,
    /// The number of pursuits created so far, from which their phases follow.
    founded: u64,
    /// The numbers of pursuits whose lists name agents that have left, or are out of order.
    untidy: BTreeSet<PursuitNumber>,
    /// The agents that the game has moved by a step for the next arrivals, and where they stood before: sorted by id.
    pub(super) steps: Vec<(AgentId, Cell)>,
    /// Whether tactics have changed, or agents to which they apply.
    pub(super) has_new_tactics: bool,
    /// Robbers that have left pursuits whose cops saw them last, and of which the game has not been notified.
    lost: Vec<AgentId>,
    /// The number of solid agents.
    #[serde(skip)]
    solid: usize,
    /// The number of agents that keep their direction.
    #[serde(skip)]
    directed: usize,
    /// Whether something has happened since the last arrivals by which solid agents may be in each other's way.
    has_moved_bodies: bool,
}

impl Index<PursuitIndex> for Members {
    type Output = PursuitRecord;

    fn index(&self, at: PursuitIndex) -> &PursuitRecord {
        &self.pursuits[at.0]
    }
}

impl IndexMut<PursuitIndex> for Members {
    fn index_mut(&mut self, at: PursuitIndex) -> &mut PursuitRecord {
        &mut self.pursuits[at.0]
    }
}

impl Members {
    pub(super) fn get(&self, id: AgentId) -> Option<&AgentRecord> {
        self.roster.get(id)
    }

    pub(super) fn get_mut(&mut self, id: AgentId) -> Option<&mut AgentRecord> {
        self.roster.get_mut(id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (AgentId, &AgentRecord)> {
        self.roster.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (AgentId, &mut AgentRecord)> {
        self.roster.iter_mut()
    }

    /// All pursuits, sorted by number.
    pub(super) fn pursuits(&self) -> &[PursuitRecord] {
        &self.pursuits
    }

    /// The indices of all pursuits, in the order of their numbers.
    pub(super) fn indices(&self) -> impl Iterator<Item = PursuitIndex> + use<> {
        (0..self.pursuits.len()).map(PursuitIndex)
    }

    /// The same, beginning with the one at `first`, or at its rest if there are fewer.
    pub(super) fn indices_from(&self, first: usize) -> impl Iterator<Item = PursuitIndex> + use<> {
        let all = self.pursuits.len();
        (0..all).map(move |index| PursuitIndex((first % all + index) % all))
    }

    pub(super) fn pursuits_mut(&mut self) -> &mut [PursuitRecord] {
        &mut self.pursuits
    }

    /// A mutable pursuit, and the agents.
    pub(super) fn pursuit_and_agents(
        &mut self,
        at: PursuitIndex,
    ) -> (&mut PursuitRecord, &mut Roster) {
        (&mut self.pursuits[at.0], &mut self.roster)
    }

    /// The index of a pursuit, or the index at which to insert it.
    pub(super) fn find(&self, number: PursuitNumber) -> Result<PursuitIndex, PursuitIndex> {
        let found = self.pursuits.binary_search_by_key(&number, |p| p.number);
        found.map(PursuitIndex).map_err(PursuitIndex)
    }

    /// A pursuit by its number.
    pub(super) fn pursuit(&self, number: PursuitNumber) -> Option<&PursuitRecord> {
        self.find(number).ok().map(|at| &self[at])
    }

    pub(super) fn pursuit_of(&mut self, id: AgentId) -> Option<&mut PursuitRecord> {
        let number = self.roster.get(id)?.pursuit_number();
        let at = self.find(number).ok()?;
        self.pursuits.get_mut(at.0)
    }

    /// Changes each pursuit in which an agent takes part.
    fn for_each_pursuit_of(&mut self, id: AgentId, mut change: impl FnMut(&mut PursuitRecord)) {
        let Some(setup) = self.roster.get(id).map(|agent| agent.setup) else {
            return;
        };
        for (number, _) in setup.memberships() {
            if let Ok(at) = self.find(number) {
                change(&mut self[at]);
            }
        }
    }

    /// Notes that a member of the agent's pursuit may want a plan, or may be captured on its cell without moving.
    pub(super) fn ask_for_plans(&mut self, id: AgentId) {
        self.for_each_pursuit_of(id, PursuitRecord::ask_for_plans);
    }

    /// Makes a standing agent decide at this tick, and not earlier.
    pub(super) fn choose_at(&mut self, id: AgentId, tick: u64) {
        if let Some(agent) = self.roster.get_mut(id) {
            agent.wait_until(tick);
        }
        self.for_each_pursuit_of(id, |pursuit| pursuit.wake_at(tick));
    }

    /// Returns whether any agent may have a faction.
    pub(super) fn has_factions(&self) -> bool {
        self.pursuits
            .last()
            .is_some_and(|last| last.number.whole().is_some())
    }

    /// Adds an agent to the roster, but not yet to a pursuit.
    pub(super) fn insert(&mut self, setup: AgentSetup) -> AgentId {
        self.solid += usize::from(setup.is_solid);
        self.directed += usize::from(setup.keeps_direction);
        self.note_moved_body();
        self.roster.insert(setup)
    }

    /// Returns whether there is any solid agent.
    pub(super) const fn has_solid(&self) -> bool {
        self.solid > 0
    }

    /// Returns whether there is any agent that keeps its direction.
    pub(super) const fn has_directed(&self) -> bool {
        self.directed > 0
    }

    /// Counts the solid agents anew, and those that keep their direction.
    pub(super) fn count_moved_by_room(&mut self) {
        let count = |is: fn(&AgentSetup) -> bool| {
            let all = self.roster.iter();
            all.filter(|(_, agent)| is(&agent.setup)).count()
        };
        self.solid = count(|setup| setup.is_solid);
        self.directed = count(|setup| setup.keeps_direction);
    }

    /// Notes that something has happened by which solid agents may be in each other's way.
    pub(super) const fn note_moved_body(&mut self) {
        self.has_moved_bodies |= self.solid > 0;
    }

    /// Returns whether something has happened since the last call by which solid agents may be in each other's way.
    pub(super) const fn take_moved_bodies(&mut self) -> bool {
        std::mem::replace(&mut self.has_moved_bodies, false)
    }

    /// Adds an agent to the list of a pursuit, by the index of the pursuit.
    pub(super) fn enlist(&mut self, id: AgentId, side: Side, at: PursuitIndex) {
        self.has_new_tactics = true;
        let pursuit = &mut self[at];
        pursuit.members_mut(side).push(id);
        let number = pursuit.number;
        self.mark_untidy(number);
    }

    /// Removes an agent; `None` if it does not exist.
    pub(super) fn remove(&mut self, id: AgentId) -> Option<AgentRecord> {
        let agent = self.roster.remove(id)?;
        self.solid -= usize::from(agent.setup.is_solid);
        self.directed -= usize::from(agent.setup.keeps_direction);
        self.mark_parts_untidy(&agent.setup);
        Some(agent)
    }

    /// Adds a pursuit at the index that [`find`](Self::find) tells.
    pub(super) fn insert_pursuit(&mut self, at: PursuitIndex, pursuit: PursuitRecord) {
        self.pursuits.insert(at.0, pursuit);
    }

    /// Changes the settings of a pursuit. A pursuit whose settings return to the default goes with its last member.
    pub(super) fn set_up_pursuit(&mut self, at: PursuitIndex, setup: PursuitSetup) {
        self.has_new_tactics = true;
        let pursuit = &mut self.pursuits[at.0];
        pursuit.changes.is_other_game |= pursuit.setup != setup;
        pursuit.setup = setup;
        pursuit.is_settled = false;
        self.untidy.insert(pursuit.number);
    }

    /// The phase of the next pursuit to be created, as a share of a turn in 2^32ths. Counts the pursuits.
    pub(super) const fn next_phase(&mut self) -> u64 {
        let phase = self.founded.wrapping_mul(GOLDEN_RATIO) >> 32;
        self.founded += 1;
        phase
    }

    /// The robbers that have left pursuits whose cops saw them last, once for each notification of the game.
    pub(super) fn take_lost(&mut self) -> impl Iterator<Item = AgentId> {
        self.lost.drain(..)
    }

    /// Notes that the lists of a pursuit have to be tidied, because a member joins or leaves.
    pub(super) fn mark_untidy(&mut self, number: PursuitNumber) {
        if let Ok(at) = self.find(number) {
            let pursuit = &mut self[at];
            pursuit.changes.is_other_game = true;
            pursuit.forget_table();
            pursuit.ask_for_plans();
            self.untidy.insert(number);
        }
    }

    /// Notes that an agent has left or joined its pursuits.
    pub(super) fn mark_parts_untidy(&mut self, setup: &AgentSetup) {
        for (number, _) in setup.memberships() {
            self.mark_untidy(number);
        }
    }

    /// Removes agents that have left from the lists of pursuits, and pursuits that are empty unless the
    /// game has set them up. Cost: linear in the number of members of the pursuits that an agent has
    /// left.
    pub(super) fn tidy(&mut self) {
        let Self {
            roster,
            pursuits,
            lost,
            untidy,
            ..
        } = self;
        if untidy.is_empty() {
            return;
        }
        for pursuit in pursuits.iter_mut() {
            let number = pursuit.number;
            if !untidy.remove(&number) {
                continue;
            }
            for side in [Side::Cops, Side::Robber] {
                let list = pursuit.members_mut(side);
                list.retain(|&id| {
                    let agent = roster.get(id);
                    agent.is_some_and(|agent| agent.takes_part(number, side))
                });
                // Sorted by id and not by order of arrival, so that a run is repeatable.
                list.sort_unstable();
                list.dedup();
            }
            if pursuit.cops.is_empty() {
                pursuit.robbers.retain(|&id| {
                    let is_trace = roster.get(id).is_some_and(|agent| agent.has_left);
                    !(is_trace && roster.remove(id).is_some())
                });
            }
            pursuit.forget_non_members(lost);
        }
        pursuits.retain(|pursuit| {
            pursuit.members().next().is_some() || pursuit.setup != PursuitSetup::default()
        });
    }

    /// Notes that the cops of a pursuit have lost a robber that has left it.
    pub(super) fn lose(&mut self, robber: AgentId) {
        self.lost.push(robber);
    }

    /// Adds the trace of a robber that has left to its pursuit.
    pub(super) fn insert_trace(&mut self, trace: AgentRecord) -> AgentId {
        let number = trace.pursuit_number();
        let id = self.roster.insert_record(trace);
        if let Ok(at) = self.find(number) {
            self[at].robbers.push(id);
        }
        self.mark_untidy(number);
        id
    }

    pub(super) fn drop_trace(&mut self, number: PursuitNumber, trace: AgentId) {
        self.roster.remove(trace);
        self.mark_untidy(number);
    }

    /// Checks that the parts could come from a real game in which no tick is later than `last_tick`.
    pub(super) fn check(&self, last_tick: u64) -> Result<(), &'static str> {
        let expect = |is_so: bool, what| is_so.then_some(()).ok_or(what);
        expect(self.founded < last_tick, "number of pursuits")?;
        expect(self.roster.is_sound(), "agents")?;
        let mut pairs = self.pursuits.array_windows();
        expect(pairs.all(|[a, b]| a.number < b.number), "order of pursuits")?;
        let in_time =
            |p: &PursuitRecord| p.ends < last_tick && p.began < last_tick && p.turn < last_tick;
        expect(self.pursuits.iter().all(in_time), "time of a pursuit")
    }
}
