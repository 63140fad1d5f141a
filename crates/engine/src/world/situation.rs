//! Situations for planners and tables: the known positions at the time of the next move.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::hash::{hash_robber, key_of, mix, mix_mover};
use super::moves;
use super::pursuit::PursuitRecord;
use super::pursuit_positions::{CopPosition, PursuitPositions, ready};
use super::settings::PursuitClock;
use crate::game::{self, Side, State};
use crate::graph::Vertex;
use crate::map::{Cell, Walker};
use crate::search::{Runner, TimedState};
use serde::{Deserialize, Serialize};

/// A situation to plan for.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about a situation"
)]
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Situation {
    pub(super) robber: Option<game::Agent>,
    pub(super) cops: Vec<game::Agent>,
    /// The ground that the robber walks on, and those of the cops.
    pub(super) ground: Walker,
    pub(super) grounds: Vec<Walker>,
    /// The greatest reach of a cop.
    pub(super) reach: u8,
    /// The ids of the cops. A cop in a wall is listed once for each of its exits.
    pub(super) ids: Vec<AgentId>,
    /// The same agents for the free-running clock.
    pub(super) robber_runner: Option<Runner>,
    pub(super) runners: Vec<Runner>,
    /// The first and the last vertex of a walk, if a walk is planned.
    pub(super) walk: Option<(Vertex, Vertex)>,
    /// Whether the planning side sees its opponents.
    pub(super) is_seen: bool,
    /// Whether the robber stays where it is, so that all cops take the shortest path.
    pub(super) is_at_rest: bool,
    pub(super) missing: Missing,
    /// Whether there are exits for the robber.
    pub(super) has_exits: bool,
    /// Whether there are hazards, which tables and proofs do not know.
    pub(super) has_hazards: bool,
    /// A hash of all other fields.
    pub(super) key: u64,
}

/// The cops of which the situation of a robber says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum Missing {
    #[default]
    None,
    /// A cop that is shut in. It may come out when the map changes.
    ShutIn,
    /// Distant cops that are [left out](Situation::leave_out_distant_cops), and perhaps cops that are shut in.
    Distant,
}

/// Up to this number of cops, a robber plans for all of them.
const CROWD: usize = 16;

impl Situation {
    pub(super) fn state(&self, to_move: Side) -> Option<State<'_>> {
        Some(State {
            robber: self.robber?,
            cops: &self.cops,
            to_move,
        })
    }

    /// The ground on which all agents of the situation walk; `None` if they walk on different ones, or if there are exits
    /// or cops that capture at a distance, or large agents, which only the searches on several grounds know.
    pub(super) fn common_ground(&self) -> Option<Walker> {
        if self.has_exits || self.reach > 0 {
            return None;
        }
        let is_common = self.grounds.iter().all(|&ground| ground == self.ground);
        (is_common && self.ground.size.is_one()).then_some(self.ground)
    }

    /// Returns whether all agents of the situation walk on the map's own ground, for which tables and proofs are made.
    pub(super) fn is_on_own_ground(&self) -> bool {
        self.common_ground() == Some(Walker::PLAIN) && !self.has_hazards
    }

    /// Returns whether the cops see the robber, and it may run away.
    pub(super) const fn may_flee(&self) -> bool {
        self.is_seen && !self.is_at_rest
    }

    pub(super) fn timed(&self) -> Option<TimedState<'_>> {
        Some(TimedState {
            robber: self.robber_runner?,
            cops: &self.runners,
        })
    }

    pub(super) fn clear(&mut self) {
        self.robber = None;
        self.cops.clear();
        self.ground = Walker::PLAIN;
        self.grounds.clear();
        self.reach = 0;
        self.ids.clear();
        self.robber_runner = None;
        self.runners.clear();
        self.walk = None;
        self.is_seen = true;
        self.is_at_rest = false;
        self.missing = Missing::None;
        self.has_exits = false;
        self.has_hazards = false;
        self.key = 0;
    }

    /// Sets the key from the clock and the agents. Agents without runners count as runners of 0 ticks per step.
    fn compute_key(&mut self, clock: PursuitClock) {
        let step = |runner: Option<&Runner>| runner.map_or(0, |runner| runner.step);
        let cops = self.cops.iter().enumerate();
        let cops = cops.fold(0, |key, (index, cop)| {
            mix_mover(key, cop.at, cop.speed, step(self.runners.get(index)))
        });
        let steps = step(self.robber_runner.as_ref());
        let robber = self
            .robber
            .map_or(0, |robber| hash_robber(robber.at, robber.speed, steps));
        self.key = key_of(clock, robber, self.is_seen, cops);
    }

    /// Becomes the situation of the next move of a robber's cops. Leaves out cops whose moves the world does not choose:
    /// a plan would wait for them in vain. `false` if the robber has gone or stands in a wall, or if its position is
    /// unknown.
    pub(super) fn of_team(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        pursuit_positions: &PursuitPositions,
        robber: AgentId,
    ) -> bool {
        self.clear();
        let record = facts.agent(robber).filter(|r| r.caught.is_none());
        let known = record.and_then(|record| {
            let (cell, seen) =
                facts.known_robber(pursuit, pursuit_positions.sees_all, robber, record)?;
            Some((record, facts.graph_of(record).vertex(cell)?, seen))
        });
        let Some((record, at, seen)) = known else {
            return false;
        };
        self.is_seen = seen;
        let speed = facts.speed(pursuit_positions.clock, pursuit_positions.slowest, record);
        self.robber = Some(game::Agent { at, speed });
        self.ground = facts.ground_of(record);
        self.has_exits = facts.graph_on(self.ground).has_exits();
        self.has_hazards = !facts.hazards.is_empty();
        for cop in pursuit_positions.team_of(robber) {
            if let Some(at) = cop.next.filter(|_| cop.chooses) {
                let speed = cop.speed;
                self.cops.push(game::Agent { at, speed });
                self.grounds.push(cop.ground);
                self.reach = self.reach.max(cop.reach);
                self.ids.push(cop.id);
            }
        }
        self.compute_key(pursuit_positions.clock);
        self.is_at_rest =
            seen && facts.is_at_rest(record) && self.is_stuck(facts, pursuit_positions, record);
        if self.is_at_rest {
            // Plans by which cops wait for the robber to move are for another situation.
            self.key = mix(self.key, 1);
        }
        true
    }

    /// Returns whether cops that expect a robber to move do not come nearer to it although it stays where it is: their
    /// positions repeat themselves, or nobody moves. Who waits for the choice of the cops may go on at any time.
    fn is_stuck(
        &self,
        facts: &Facts,
        pursuit_positions: &PursuitPositions,
        robber: &AgentRecord,
    ) -> bool {
        let stands = |&id: &AgentId| {
            let cop = facts.agent(id);
            cop.is_none_or(|cop| facts.tick.saturating_sub(cop.stands_since) > facts.turn_length())
        };
        pursuit_positions.clock != PursuitClock::Turns
            || robber.setup.is_immobile
            || robber.pressure.hundredths() > 0
            || self.ids.iter().all(stands)
    }

    /// Becomes the situation of a robber's next move. `cops_moved`: the cops already have their orders
    /// for this turn; otherwise they are assumed to follow their plans. `false` if the robber stands in
    /// a wall.
    pub(super) fn of_robber(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        pursuit_positions: &PursuitPositions,
        id: AgentId,
        cops_moved: bool,
    ) -> bool {
        self.clear();
        let robber = facts.agent(id);
        let stands = robber.and_then(|robber| {
            let graph = facts.graph_of(robber);
            Some((robber, robber.next_vertex(graph)?))
        });
        let Some((robber, at)) = stands else {
            return false;
        };
        self.robber = Some(game::Agent {
            at,
            speed: facts.speed(pursuit_positions.clock, pursuit_positions.slowest, robber),
        });
        self.ground = facts.ground_of(robber);
        self.has_exits = facts.graph_on(self.ground).has_exits();
        self.has_hazards = !facts.hazards.is_empty();
        self.robber_runner = Some(Runner {
            at,
            ready: ready(facts, robber),
            step: facts.ticks_per_step(robber),
        });
        if robber.setup.sight.is_none() {
            for cop in &pursuit_positions.cops {
                let stands = pursuit_positions.vertex_of(cop, cops_moved);
                self.add_cop(facts, cop, cop.cell, stands, at);
            }
        } else {
            let mut known = 0;
            for (id, sighting) in pursuit.cops_known_by(id) {
                let Some(cop) = pursuit_positions.cop(id) else {
                    continue;
                };
                known += 1;
                self.is_seen &= sighting.sees_now;
                let (cell, stands) = if sighting.sees_now {
                    (cop.cell, pursuit_positions.vertex_of(cop, cops_moved))
                } else {
                    let graph = facts.graph_on(cop.ground);
                    (sighting.cell, graph.vertex(sighting.cell))
                };
                self.add_cop(facts, cop, cell, stands, at);
            }
            self.is_seen &= known == pursuit_positions.cops.len();
        }
        self.compute_key(pursuit_positions.clock);
        true
    }

    /// Adds a cop that is expected on a cell, and at a vertex unless it stands in a wall, to the situation of a robber at
    /// `robber`.
    fn add_cop(
        &mut self,
        facts: &Facts,
        cop: &CopPosition,
        cell: Cell,
        stands: Option<Vertex>,
        robber: Vertex,
    ) {
        let speed = cop.speed;
        let before = self.cops.len();
        if let Some(at) = stands {
            self.cops.push(game::Agent { at, speed });
            self.runners.push(cop.runner(at));
        } else {
            // The cop is assumed to be at all of its exits at once: it will be at one of them.
            let exits = moves::exits(facts.graph_on(cop.ground), cell);
            for exit in exits.filter(|&exit| exit != robber) {
                self.cops.push(game::Agent { at: exit, speed });
                self.runners.push(cop.runner(exit));
            }
        }
        self.ids.resize(self.cops.len(), cop.id);
        self.grounds.resize(self.cops.len(), cop.ground);
        self.reach = self.reach.max(cop.reach);
        if self.cops.len() == before {
            self.missing = Missing::ShutIn;
        }
    }

    /// If there are many cops, leaves out those that cannot meet the robber within some turns, unless all are that far
    /// away. So the search for a robber in a crowd takes as long as that for a robber with some cops around.
    pub(super) fn leave_out_distant_cops(&mut self, facts: &Facts, turns: u32) {
        // A link may bring the most distant cop near.
        let is_crowd = self.cops.len() > CROWD && !facts.graph.has_links();
        let Some(robber) = self.robber.filter(|_| is_crowd) else {
            return;
        };
        let here = facts.graph.cell(robber.at);
        let apart = |cop: &game::Agent| facts.graph.cell(cop.at).max_norm(here);
        let speeds = self.cops.iter().map(|cop| u32::from(cop.speed.steps()));
        let fastest = u32::from(robber.speed.steps()) + speeds.max().unwrap_or(0);
        let nearest = self.cops.iter().map(apart).min().unwrap_or(0);
        let reach = (turns * fastest).max(2 * nearest);
        let before = self.cops.len();
        self.retain(|_, cop| apart(cop) <= reach);
        if self.cops.len() < before {
            self.missing = Missing::Distant;
        }
    }

    /// Leaves out the cops for which `keeps` is false. The key stays.
    pub(super) fn retain(&mut self, keeps: impl Fn(AgentId, &game::Agent) -> bool) {
        let mut kept = 0;
        for index in 0..self.cops.len() {
            if keeps(self.ids[index], &self.cops[index]) {
                self.cops[kept] = self.cops[index];
                self.ids[kept] = self.ids[index];
                self.grounds[kept] = self.grounds[index];
                if !self.runners.is_empty() {
                    self.runners[kept] = self.runners[index];
                }
                kept += 1;
            }
        }
        self.cops.truncate(kept);
        self.runners.truncate(kept);
        self.ids.truncate(kept);
        self.grounds.truncate(kept);
    }

    /// The number of turns in which the nearest cop would reach the robber if there were no walls.
    pub(super) fn turns_apart(&self, facts: &Facts) -> u32 {
        let Some(robber) = self.robber else {
            return u32::MAX;
        };
        let here = facts.graph.cell(robber.at);
        let turns = self.cops.iter().map(|cop| {
            let steps = facts.graph.cell(cop.at).max_norm(here);
            steps.div_ceil(u32::from(cop.speed.steps()))
        });
        turns.min().unwrap_or(u32::MAX)
    }

    /// Returns whether every vertex in it is below `slots`.
    pub(super) fn is_within(&self, slots: usize) -> bool {
        let agents = self.robber.iter().chain(&self.cops).map(|agent| agent.at);
        let runners = self.robber_runner.iter().chain(&self.runners);
        let walk = self.walk.iter().flat_map(|&(from, to)| [from, to]);
        let mut all = agents.chain(runners.map(|runner| runner.at)).chain(walk);
        let are_listed = self.grounds.len() == self.cops.len() && self.ids.len() <= self.cops.len();
        all.all(|at| at.index() < slots) && are_listed
    }
}

#[cfg(test)]
mod tests;
