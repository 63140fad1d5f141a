//! Which role an agent with a faction plays: it flees while it is in danger, and hunts otherwise.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::event::WorldEvent;
use super::faction::Faction;
use super::facts::Facts;
use super::pursuit::{PursuitIndex, PursuitNumber, PursuitRecord};
use crate::game::{Side, Speed};
use crate::map::Cell;
use crate::search::MoveEnds;

/// An agent that flees goes on until the nearest hunter is so many steps farther away than where it began to fear.
const RELIEF: u8 = 2;

/// The weights of distances to the prey that an agent hunts, and to other prey.
const KEPT: u32 = 2;
const OTHER: u32 = 3;

impl Facts {
    /// Lets each agent with a faction that may move now choose its role.
    ///
    /// Cost: nothing without factions; for such an agent, a distance for each agent that it hunts or that hunts it, and with a
    /// hunter near, an expansion for each cell within the steps where it fears.
    pub(super) fn choose_roles(&mut self) {
        if !self.members.has_factions() {
            return;
        }
        let mut ends = std::mem::take(&mut self.ends);
        let mut changed = Vec::new();
        for (id, agent) in self.members.iter() {
            let is_due = self.tick >= agent.arrives() && agent.caught.is_none();
            if let Some(faction) = agent.setup.faction_now().filter(|_| is_due) {
                let role = self.role_now(id, agent, faction, &mut ends);
                changed.extend((role != agent.role).then_some((id, role)));
            }
        }
        self.ends = ends;
        for (id, role) in changed {
            self.take_role(id, role);
        }
    }

    /// Gives agents that have swapped their faction their own one again, when it is time.
    ///
    /// Cost: nothing without factions, and otherwise a look at each agent.
    pub(super) fn end_swaps(&mut self) {
        if !self.members.has_factions() {
            return;
        }
        let tick = self.tick;
        let is_over = |agent: &AgentRecord| agent.setup.swap.is_some_and(|swap| swap.until <= tick);
        let over = self.members.iter().filter(|(_, agent)| is_over(agent));
        let over: Vec<AgentId> = over.map(|(id, _)| id).collect();
        for id in over {
            self.change(id, |setup| setup.swap = None);
            self.events.send(WorldEvent::SwapEnded(id));
        }
    }

    fn take_role(&mut self, id: AgentId, role: (PursuitNumber, Side)) {
        self.members.note_other_game(id);
        self.members.ask_for_plans(id);
        if let Some(agent) = self.members.get_mut(id) {
            agent.role = role;
            let ordered = agent.ordered().to_vec();
            agent.forget_intentions();
            agent.take_order_on(&ordered);
            agent.state.value = None;
        }
        self.members.has_new_tactics = true;
        self.members.note_other_game(id);
        self.events.mark_changed(id);
    }

    fn role_now(
        &self,
        id: AgentId,
        agent: &AgentRecord,
        faction: Faction,
        ends: &mut MoveEnds,
    ) -> (PursuitNumber, Side) {
        let mut best: Option<(u32, PursuitNumber)> = None;
        for (number, side) in agent.setup.memberships() {
            let Some(pursuit) = self.members.pursuit(number) else {
                continue;
            };
            if side == Side::Robber {
                let flees = agent.role == (number, side);
                let has_hunters = self.has_cops(pursuit);
                let is_in_danger = self.is_in_danger(pursuit, id, agent, faction, flees, ends);
                if is_in_danger || has_hunters && best.is_none() {
                    return (number, side);
                }
                continue;
            }
            let Some(apart) = self.apart_from_prey(pursuit, agent) else {
                continue;
            };
            let keeps = agent.role == (number, side);
            let rank = (
                apart.saturating_mul(if keeps { KEPT } else { OTHER }),
                number,
            );
            best = Some(best.map_or(rank, |best| best.min(rank)));
        }
        best.map_or(agent.role, |(_, number)| (number, Side::Cops))
    }

    /// The distance of a hunter to the nearest prey of a pursuit that it knows of, as the crow flies.
    fn apart_from_prey(&self, pursuit: &PursuitRecord, agent: &AgentRecord) -> Option<u32> {
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let free = self.agents(&pursuit.robbers);
        let free = free.filter(|(_, robber)| {
            robber.caught.is_none() && self.graph.is_on_map(robber.setup.cell)
        });
        let known =
            free.filter_map(|(id, robber)| self.known_robber(pursuit, sees_all, id, robber));
        known.map(|(cell, _)| cell.max_norm(agent.setup.cell)).min()
    }

    /// Returns whether a hunter that an agent knows of is within the steps where it fears.
    fn is_in_danger(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        agent: &AgentRecord,
        faction: Faction,
        flees: bool,
        ends: &mut MoveEnds,
    ) -> bool {
        let relief = if flees { RELIEF } else { 0 };
        let Some(fears) = Speed::new(faction.fears.saturating_add(relief)) else {
            return false;
        };
        let here = agent.setup.cell;
        let hunters = self.agents(&pursuit.cops).filter_map(|(cop_id, cop)| {
            let cell = self.next_cell(cop);
            let known = Self::known_cop(pursuit, id, agent, cop_id, cell)?;
            Some(known.0)
        });
        let near = hunters.filter(|cell| cell.max_norm(here) <= fears.steps().into());
        let mut near: Vec<Cell> = near.collect();
        if near.is_empty() {
            return false;
        }
        near.sort_unstable();
        let graph = self.graph_of(agent);
        let Some(from) = graph.vertex(here) else {
            return true;
        };
        let is_hunter = |cell: Cell| near.binary_search(&cell).is_ok();
        is_hunter(here)
            || ends
                .find(graph, from, fears, |_| false)
                .iter()
                .any(|&at| is_hunter(graph.cell(at)))
    }

    /// Returns whether an agent chooses its moves in a pursuit, and not in another one.
    pub(super) fn is_active_in(&self, at: PursuitIndex, id: AgentId) -> bool {
        let number = self.members[at].number;
        self.agent(id)
            .is_some_and(|agent| agent.pursuit_number() == number)
    }
}
