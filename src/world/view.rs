//! Positions as planners want them: where everybody will be when the next move is made, as far as
//! those who plan know.

use super::agent::{Agent, Control};
use super::hash::{mix, mix_vertex};
use super::settings::Clock;
use super::{AgentId, Pursuit, PursuitWorld};
use crate::game::{self, Side, Speed, State};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::{Runner, TimedState};
use serde::{Deserialize, Serialize};

/// A position to plan for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) robber: Option<game::Agent>,
    pub(super) cops: Vec<game::Agent>,
    /// Who the cops are; one in a wall stands at all of its exits at once.
    pub(super) ids: Vec<AgentId>,
    /// The same for the free running clock.
    pub(super) robber_runner: Option<Runner>,
    pub(super) runners: Vec<Runner>,
    /// From where to where somebody walks, if that is what is planned.
    pub(super) walk: Option<(Vertex, Vertex)>,
    /// Do those who plan see where everybody is?
    pub(super) is_seen: bool,
    /// Is a cop shut in, so that it may come out when the map changes?
    pub(super) is_shut_in: bool,
    /// A number for all of this.
    pub(super) key: u64,
}

impl Position {
    pub(super) fn state(&self, to_move: Side) -> Option<State<'_>> {
        Some(State {
            robber: self.robber?,
            cops: &self.cops,
            to_move,
        })
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
        self.ids.clear();
        self.robber_runner = None;
        self.runners.clear();
        self.walk = None;
        self.is_seen = true;
        self.is_shut_in = false;
        self.key = 0;
    }

    /// Computes the key.
    fn close(&mut self) {
        let robber = self.robber.map_or(0, |robber| mix_vertex(1, robber.at));
        let seen = u64::from(self.is_seen);
        let cops = self.cops.iter();
        self.key = cops.fold(mix(robber, seen), |key, cop| mix_vertex(key, cop.at));
    }
}

impl Agent {
    /// The vertex where it will be when it moves next; `None` for a wall and beside the map.
    pub(super) fn next_vertex(&self, graph: &Graph) -> Option<Vertex> {
        let cell = self.way.last().map(|&end| graph.cell(end));
        graph.vertex(cell.unwrap_or(self.setup.cell))
    }
}

impl PursuitWorld {
    /// The cell where an agent will be when it moves next.
    pub(super) fn next_cell(&self, agent: &Agent) -> Cell {
        let end = agent.way.last();
        end.map_or(agent.setup.cell, |&end| self.graph.cell(end))
    }

    /// The vertex where an agent will be when it moves next; `None` for a wall and beside the map.
    pub(super) fn next_vertex(&self, agent: &Agent) -> Option<Vertex> {
        agent.next_vertex(&self.graph)
    }

    /// Where a cop will be after its next move if it keeps to its plan.
    fn vertex_after(&self, cop: &Agent, clock: Clock) -> Option<Vertex> {
        let at = self.next_vertex(cop)?;
        if cop.setup.control != Control::Policy {
            return Some(at);
        }
        let rest = cop.plan.rest(at).unwrap_or_default();
        let steps = match clock {
            Clock::Turns => usize::from(cop.setup.speed.steps()),
            Clock::FreeRunning => 1,
        };
        let end = rest.get(..steps.min(rest.len()))?.last();
        Some(end.copied().unwrap_or(at))
    }

    /// The ticks that a step of an agent takes on the free running clock.
    pub(super) fn ticks_per_step(&self, agent: &Agent) -> u32 {
        let turn = self.settings.ticks_per_turn.max(1);
        match agent.setup.ticks_per_step {
            0 => (turn / u32::from(agent.setup.speed.steps())).max(1),
            ticks => ticks,
        }
    }

    /// How fast an agent is among the members of a pursuit, in whole numbers.
    pub(super) fn speed(&self, pursuit: &Pursuit, agent: &Agent) -> Speed {
        if self.clock(pursuit) == Clock::Turns {
            return agent.setup.speed;
        }
        let members = pursuit.cops.iter().chain(&pursuit.robbers);
        let slowest = members
            .filter_map(|&id| self.roster.get(id))
            .map(|member| self.ticks_per_step(member))
            .max();
        let own = self.ticks_per_step(agent);
        let ratio = (slowest.unwrap_or(own) + own / 2) / own;
        Speed::new(ratio.clamp(1, 4) as u8).unwrap_or_default()
    }

    fn runner(&self, agent: &Agent, at: Vertex) -> Runner {
        Runner {
            at,
            ready: agent
                .arrives
                .saturating_sub(self.tick)
                .min(u64::from(u32::MAX)) as u32,
            step: self.ticks_per_step(agent),
        }
    }

    /// The position in which the cops of a robber move next. `None` if the robber has gone or stands
    /// in a wall, or if nobody knows where it is.
    pub(super) fn view_for_cops(
        &self,
        pursuit: &Pursuit,
        robber: AgentId,
        position: &mut Position,
    ) -> Option<()> {
        position.clear();
        let hunted = self.roster.get(robber).filter(|r| r.caught.is_none())?;
        let (cell, seen) = self.known_robber(pursuit, robber, hunted)?;
        let at = self.graph.vertex(cell)?;
        position.is_seen = seen;
        position.robber = Some(game::Agent {
            at,
            speed: self.speed(pursuit, hunted),
        });
        for &id in &pursuit.cops {
            let Some(cop) = self.roster.get(id).filter(|cop| cop.target == Some(robber)) else {
                continue;
            };
            if let Some(at) = self.next_vertex(cop) {
                let speed = self.speed(pursuit, cop);
                position.cops.push(game::Agent { at, speed });
                position.ids.push(id);
            }
        }
        position.close();
        Some(())
    }

    /// The position in which a robber moves next. `cops_moved`: those cops whose move it answers
    /// have been told where to go; otherwise they are taken to keep to their plans. `None` if it stands in a wall.
    pub(super) fn view_for_robber(
        &self,
        pursuit: &Pursuit,
        id: AgentId,
        cops_moved: bool,
        position: &mut Position,
    ) -> Option<()> {
        position.clear();
        let clock = self.clock(pursuit);
        let robber = self.roster.get(id)?;
        let at = self.next_vertex(robber)?;
        position.robber = Some(game::Agent {
            at,
            speed: self.speed(pursuit, robber),
        });
        position.robber_runner = Some(self.runner(robber, at));
        for &cop_id in &pursuit.cops {
            let Some(cop) = self.roster.get(cop_id) else {
                continue;
            };
            let Some((cell, seen)) = Self::known_cop(pursuit, id, robber, cop_id, cop) else {
                position.is_seen = false;
                continue;
            };
            position.is_seen &= seen;
            let stands = if !seen {
                self.graph.vertex(cell)
            } else if cops_moved || clock == Clock::FreeRunning {
                self.next_vertex(cop)
            } else {
                self.vertex_after(cop, clock)
            };
            let speed = self.speed(pursuit, cop);
            let before = position.cops.len();
            match stands {
                Some(at) => {
                    position.cops.push(game::Agent { at, speed });
                    position.runners.push(self.runner(cop, at));
                }
                // It is taken to be at all of its exits at once: it will be at one of them.
                None => {
                    for exit in self.exits(cell).filter(|&exit| exit != at) {
                        position.cops.push(game::Agent { at: exit, speed });
                        position.runners.push(self.runner(cop, exit));
                    }
                }
            }
            position.ids.resize(position.cops.len(), cop_id);
            position.is_shut_in |= position.cops.len() == before;
        }
        position.close();
        Some(())
    }

    /// In how many turns of the nearest cop it would be with the robber if there were no walls.
    pub(super) fn turns_apart(&self, position: &Position) -> u32 {
        let Some(robber) = position.robber else {
            return u32::MAX;
        };
        let here = self.graph.cell(robber.at);
        let turns = position.cops.iter().map(|cop| {
            let steps = self.graph.cell(cop.at).max_norm(here);
            steps.div_ceil(u32::from(cop.speed.steps()))
        });
        turns.min().unwrap_or(u32::MAX)
    }
}
