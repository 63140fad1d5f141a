//! Captures, and robbers that get away.

use super::agent::{AgentRecord, Catch};
use super::agent_id::AgentId;
use super::covered_places::CoveredPlaces;
use super::event::WorldEvent;
use super::facts::Facts;
use super::meetings::Meetings;
use super::pursuit::PursuitIndex;
use crate::map::Cell;

/// Memory for finding captures.
#[derive(Debug, Default)]
pub(super) struct CaptureMemory {
    /// The cells that the cops of a pursuit cover, sorted.
    cells: Vec<(Cell, AgentId)>,
    /// What its cops reach that capture from a distance.
    covered: CoveredPlaces,
}

impl Facts {
    /// Captures the robbers that cover a common cell with a cop, or have met one. `of_steps`: only where
    /// the game has moved one of the two by a [step](Self::step).
    pub(super) fn find_captures(
        &mut self,
        at: PursuitIndex,
        meetings: &Meetings,
        memory: &mut CaptureMemory,
        of_steps: bool,
    ) {
        let CaptureMemory { cells, covered } = memory;
        let within_reach = self.robbers_within_reach(at, of_steps, covered);
        let steps = std::mem::take(&mut self.members.steps);
        let counts =
            |id: AgentId| !of_steps || steps.binary_search_by_key(&id, |&(who, _)| who).is_ok();
        let Self {
            members,
            graph,
            tick,
            events,
            ..
        } = self;
        let (pursuit, agents) = members.pursuit_and_agents(at);
        pursuit.needs_capture_check = false;
        cells.clear();
        let cops = pursuit.cops.iter();
        let free = |id: AgentId| agents.get(id).filter(|cop| cop.caught.is_none());
        let stands = |id: AgentId| {
            let setup = &free(id)?.setup;
            Some(setup.size.cells(setup.cell).map(move |cell| (cell, id)))
        };
        cells.extend(cops.filter_map(|&id| stands(id)).flatten());
        cells.sort_unstable();
        let mut hunters = Vec::new();
        for &robber in &pursuit.robbers {
            let Some(agent) = agents.get_mut(robber) else {
                continue;
            };
            let cell = agent.setup.cell;
            // Off the map there is no game.
            if agent.caught.is_some() || !graph.is_on_map(cell) {
                continue;
            }
            let cops_on = |cell: Cell| {
                let first = cells.partition_point(|&(at, _)| at < cell);
                let here = cells[first..].iter();
                here.take_while(move |&&(at, _)| at == cell)
            };
            let here = agent.setup.size.cells(cell).flat_map(cops_on);
            let mut here = here.map(|&(_, cop)| cop);
            let here = here.find(|&cop| counts(robber) || counts(cop));
            let near = within_reach.iter().find(|&&(id, _)| id == robber);
            let near = near.map(|&(_, cop)| cop);
            let Some(cop) = here.or_else(|| meetings.of(robber)).or(near) else {
                continue;
            };
            let turn = pursuit.turn;
            agent.caught = Some(Catch {
                by: cop,
                turn,
                tick: *tick,
            });
            agent.halt();
            agent.pressure.forget();
            agent.plan.drop();
            agent.wait_until(*tick);
            pursuit.next_due = pursuit.next_due.min(*tick);
            events.mark_changed(robber);
            events.send(WorldEvent::Captured { robber, cop, turn });
            hunters.extend(agent.setup.faction.map(|_| agent.setup));
        }
        members.steps = steps;
        for setup in hunters {
            members.mark_parts_untidy(&setup);
        }
    }

    /// The free robbers of a pursuit that a cop captures from some steps away, each with such a cop. `of_steps`: see
    /// [`find_captures`](Self::find_captures).
    ///
    /// Cost: at most a wave over each ground of cops with a reach, or two. Nothing without such a cop.
    fn robbers_within_reach(
        &self,
        at: PursuitIndex,
        of_steps: bool,
        covered: &mut CoveredPlaces,
    ) -> Vec<(AgentId, AgentId)> {
        let mut found = Vec::new();
        let pursuit = &self.members[at];
        let has_stepped = |id| self.members.stood(id).is_some();
        // A robber that has been moved is in the reach of all cops, another one of those that have been moved.
        let passes: &[bool] = match (of_steps, self.members.steps.is_empty()) {
            (false, _) => &[true],
            (true, true) => &[],
            (true, false) => &[true, false],
        };
        for &of_all_cops in passes {
            covered.clear();
            for (id, cop) in self.agents(&pursuit.cops) {
                if of_all_cops || has_stepped(id) {
                    covered.add(self, pursuit, (id, cop, cop.setup.cell), 0);
                }
            }
            covered.find(self);
            for (robber, record) in self.agents(&pursuit.robbers) {
                let counts = !of_steps || has_stepped(robber) == of_all_cops;
                let setup = &record.setup;
                if record.caught.is_none() && counts {
                    let cop = covered.covered_by(self, setup.cell, setup.size);
                    found.extend(cop.map(|cop| (robber, cop)));
                }
            }
        }
        found
    }

    /// Lets the robbers that stand on an exit get away. Call it after the captures.
    ///
    /// Cost: linear in the robbers; nothing on a map without exits.
    pub(super) fn find_robbers_away(&mut self, at: PursuitIndex) {
        if !self.has_exits() {
            return;
        }
        for index in 0..self.members[at].robbers.len() {
            let id = self.members[at].robbers[index];
            let is_free =
                |robber: &&AgentRecord| robber.caught.is_none() && !robber.is_under_way(self.tick);
            let robber = self.agent(id).filter(is_free);
            let is_away =
                robber.is_some_and(|robber| self.graph_of(robber).is_exit(robber.setup.cell));
            if is_away {
                self.hold(id);
                let turn = self.members[at].turn;
                self.events.send(WorldEvent::Away { robber: id, turn });
                let tick = self.tick;
                if let Some(robber) = self.members.get_mut(id) {
                    robber.is_away = true;
                    robber.wait_until(tick);
                }
                let pursuit = &mut self.members[at];
                pursuit.next_due = pursuit.next_due.min(tick);
            }
        }
    }
}
