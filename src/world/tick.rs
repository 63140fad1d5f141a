//! The first two parts of a tick: edits and arrivals.

use super::agent::Catch;
use super::settings::Clock;
use super::{AgentId, PursuitWorld, TickReport, WorldEvent};
use crate::graph::TileEdit;

impl PursuitWorld {
    /// Begins a tick: cells become passable or walls, in order. Plans that depend on them do not count any
    /// more, and nobody goes on into a new wall.
    ///
    /// Cost: constant for each edit, and some nanoseconds for each agent and edit.
    pub fn begin_tick(&mut self, edits: &[TileEdit]) {
        self.tick += 1;
        self.report = TickReport::default();
        self.events.clear();
        self.touched.clear();
        self.graph.apply_into(edits, &mut self.delta);
        self.follower.push(edits);
        if !self.delta.is_empty() {
            self.want_tables();
            for pursuit in &mut self.pursuits {
                pursuit.forget_table();
                pursuit.is_settled = false;
            }
            self.drop_touched_plans();
            self.stop_at_walls();
        }
    }

    fn drop_touched_plans(&mut self) {
        let Self {
            graph,
            delta,
            roster,
            events,
            report,
            ..
        } = self;
        let opens = !delta.opened().is_empty();
        for (id, agent) in roster.iter_mut() {
            let plan = &mut agent.plan;
            if !plan.is_made || !plan.is_intact {
                continue;
            }
            let changed = delta.opened().iter().chain(delta.closed());
            let is_touched = opens && plan.falls_short
                || changed
                    .into_iter()
                    .any(|&vertex| plan.footprint.is_touched_by(graph.cell(vertex)));
            if is_touched {
                plan.is_intact = false;
                report.dropped += 1;
                events.push(WorldEvent::PlanInvalidated(id));
            }
        }
    }

    /// Cuts ways that lead through walls. What lies behind an agent does not matter any more.
    fn stop_at_walls(&mut self) {
        let mut roster = std::mem::take(&mut self.roster);
        for (id, agent) in roster.iter_mut() {
            if agent.way.is_empty() {
                continue;
            }
            // Those who arrive in this tick find the wall before they do.
            let walked = agent.walked(self.tick - 1).min(agent.way.len());
            let from = match walked.checked_sub(1) {
                None => agent.setup.cell,
                Some(last) => self.graph.cell(agent.way[last]),
            };
            let open = walked + self.open_steps(from, &agent.way[walked..]);
            if open < agent.way.len() {
                agent.way.truncate(open);
                self.touched.push(id);
                agent.plan.drop();
            }
        }
        self.roster = roster;
    }

    /// Who is due arrives where it was going, and captures are found. Agents may be put elsewhere
    /// before.
    pub fn arrive(&mut self) {
        for at in 0..self.pursuits.len() {
            let (is_turn, clock) = {
                let pursuit = &self.pursuits[at];
                (self.tick >= pursuit.ends, self.clock(pursuit))
            };
            let moves = is_turn || clock == Clock::FreeRunning;
            if moves {
                self.move_members(at, is_turn, clock);
            }
            if moves || std::mem::take(&mut self.pursuits[at].is_stirred) {
                self.find_captures(at);
            }
        }
    }

    fn move_members(&mut self, at: usize, is_turn: bool, clock: Clock) {
        let Self {
            pursuits,
            roster,
            graph,
            tick,
            touched,
            ..
        } = self;
        let pursuit = &pursuits[at];
        for &id in pursuit.cops.iter().chain(&pursuit.robbers) {
            let Some(agent) = roster.get_mut(id) else {
                continue;
            };
            let is_there = match clock {
                Clock::Turns => is_turn,
                Clock::FreeRunning => *tick >= agent.arrives,
            };
            if let (Some(&end), true) = (agent.way.last(), is_there) {
                agent.setup.cell = graph.cell(end);
                agent.halt();
                touched.push(id);
            }
        }
    }

    fn find_captures(&mut self, at: usize) {
        let Self {
            pursuits,
            roster,
            graph,
            tick,
            events,
            touched,
            ..
        } = self;
        let pursuit = &pursuits[at];
        for &robber in &pursuit.robbers {
            let Some(cell) = roster
                .get(robber)
                .filter(|agent| agent.caught.is_none())
                .map(|agent| agent.setup.cell)
            else {
                continue;
            };
            let is_there =
                |&&cop: &&AgentId| roster.get(cop).is_some_and(|cop| cop.setup.cell == cell);
            let Some(&cop) = pursuit.cops.iter().find(is_there) else {
                continue;
            };
            if cell.x >= graph.width() || cell.y >= graph.height() {
                continue; // beside the map there is no game
            }
            let turn = pursuit.turn;
            if let Some(agent) = roster.get_mut(robber) {
                agent.caught = Some(Catch {
                    by: cop,
                    turn,
                    tick: *tick,
                });
                agent.halt();
                agent.plan.drop();
                touched.push(robber);
                events.push(WorldEvent::Captured { robber, cop, turn });
            }
        }
    }
}
