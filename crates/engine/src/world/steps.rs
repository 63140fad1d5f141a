//! Steps of agents that the game moves, in the order of the game.
//!
//! The game reports such a step by placing the agent. A placement within the agent's speed is a step, and not a teleport:
//! like each step of a robber, it comes after the moves of the cops that end at the same tick, and it takes back nothing
//! that was announced for moves in that order. On clocks with turns, the moves of a turn end with it, so this holds for a
//! step in the middle of a turn, too.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::members::Members;
use super::pursuit::{PursuitIndex, PursuitRecord};
use crate::game::Speed;
use crate::map::{Cell, Walker};
use crate::search::least_steps;

/// A path to a cell may be this much longer than the straight line to it and still count as a step of that length.
const DETOUR: u32 = 4;

impl Members {
    fn find_step(&self, id: AgentId) -> Result<usize, usize> {
        self.steps.binary_search_by_key(&id, |&(who, _)| who)
    }

    /// Where an agent stood before the game moved it by a step for the next arrivals; `None` if it did not.
    pub(super) fn stood(&self, id: AgentId) -> Option<Cell> {
        self.find_step(id).ok().map(|index| self.steps[index].1)
    }

    /// Notes that the game has moved an agent by a step, and where it stood before.
    fn note_step(&mut self, id: AgentId, stood: Cell) {
        if let Err(index) = self.find_step(id) {
            self.steps.insert(index, (id, stood));
        }
    }

    pub(super) fn forget_step(&mut self, id: AgentId) {
        if let Ok(index) = self.find_step(id) {
            self.steps.remove(index);
        }
    }

    /// Forgets all steps: the arrivals are over.
    pub(super) fn forget_steps(&mut self) {
        self.steps.clear();
    }
}

impl Facts {
    /// Places an agent that the game moves on a cell within its speed; `false` if that would not be a step.
    pub(super) fn step(&mut self, id: AgentId, cell: Cell) -> bool {
        let stood = self.members.stood(id);
        let Some(agent) = self.members.get(id) else {
            return false;
        };
        let from = stood.unwrap_or(agent.setup.cell);
        let (origin, arrives) = (agent.origin(), agent.arrives());
        let steps = self.steps_of_move_time(agent);
        let ground = self.ground_of(agent);
        let is_moved = agent.is_moved_by_game() && agent.caught.is_none();
        let is_moved = is_moved && !agent.setup.is_immobile;
        if !is_moved || !agent.way().is_empty() || !self.is_within(ground, from, cell, steps) {
            self.members.forget_step(id);
            return false;
        }
        let is_in_order = self.is_within(ground, origin, cell, steps);
        let tick = self.tick;
        self.members.note_step(id, from);
        let Some(agent) = self.members.get_mut(id) else {
            return false;
        };
        if agent.setup.cell != cell {
            agent.stands_since = tick;
        }
        agent.setup.cell = cell;
        if !is_in_order {
            // It has made more steps than its speed allows: only the last one is in order.
            agent.set_origin(from);
        }
        self.members.note_moved_body();
        self.members.ask_for_plans(id);
        if !is_in_order {
            self.members.note_new_cop(id);
            self.members.note_other_game(id);
        }
        self.members.choose_at(id, arrives);
        self.events.mark_changed(id);
        true
    }

    /// The steps that an agent may take with one move.
    pub(super) fn steps_of_move_time(&self, agent: &AgentRecord) -> Speed {
        let pursuit = self.members.pursuit(agent.pursuit_number());
        pursuit.map_or(agent.setup.speed, |pursuit| {
            self.steps_of_move(pursuit, agent)
        })
    }

    /// Returns whether a cell is within some steps of another one on a ground. Cost: the cells about as near as that one.
    fn is_within(&mut self, ground: Walker, from: Cell, to: Cell, speed: Speed) -> bool {
        if from == to {
            return true;
        }
        let graph = self.grounds.graph(&self.graph, ground);
        let apart = least_steps(graph, from, to);
        let speed = u32::from(speed.steps());
        let ends = graph.vertex(from).zip(graph.vertex(to));
        let Some((from, to)) = ends.filter(|_| apart <= speed) else {
            return false;
        };
        if graph.are_adjacent(from, to) {
            return true;
        }
        let most = speed.min(apart + DETOUR);
        let Some(speed) = u8::try_from(most).ok().and_then(Speed::new) else {
            return false;
        };
        let found = self.ends.find(graph, from, speed, |_| false);
        found.contains(&to)
    }

    /// Where an agent stood when its turn began, if the game has moved it by a step since.
    pub(super) fn origin_of_step(
        &self,
        pursuit: &PursuitRecord,
        agent: &AgentRecord,
    ) -> Option<Cell> {
        let is_step = self.clock(pursuit).is_in_turns()
            && agent.is_moved_by_game()
            && agent.way().is_empty()
            && agent.origin() != agent.setup.cell;
        is_step.then_some(agent.origin())
    }

    /// On the clock of turns, notes the steps of robbers that the game has moved since the turn began, if cops arrive now
    /// where such a robber stood then. Call it before the cops arrive.
    ///
    /// Cost: linear in the cops for each of these robbers.
    pub(super) fn note_steps_of_turn(&mut self, at: PursuitIndex) {
        for index in 0..self.members[at].robbers.len() {
            let pursuit = &self.members[at];
            let id = pursuit.robbers[index];
            let robber = self.agent(id).filter(|robber| robber.caught.is_none());
            let Some(stood) = robber.and_then(|robber| self.origin_of_step(pursuit, robber)) else {
                continue;
            };
            let end = robber.and_then(|robber| self.graph_of(robber).vertex(stood));
            let comes = |(_, cop): (AgentId, &AgentRecord)| {
                cop.arrives() <= self.tick && cop.way().last().copied() == end
            };
            if end.is_some() && self.agents(&pursuit.cops).any(comes) {
                self.members.forget_step(id);
                self.members.note_step(id, stood);
            }
        }
    }

    /// Exchanges the cells of the free robbers of a pursuit that the game has moved for this tick with those where they
    /// stood before. Call it before and after the search for robbers that the cops capture on their arrival.
    pub(super) fn exchange_steps(&mut self, at: PursuitIndex) {
        let mut steps = std::mem::take(&mut self.members.steps);
        let (pursuit, agents) = self.members.pursuit_and_agents(at);
        for &id in &pursuit.robbers {
            if steps.is_empty() {
                break;
            }
            let step = steps.binary_search_by_key(&id, |&(who, _)| who);
            let robber = agents.get_mut(id).filter(|robber| robber.caught.is_none());
            if let (Ok(step), Some(robber)) = (step, robber) {
                std::mem::swap(&mut steps[step].1, &mut robber.setup.cell);
            }
        }
        self.members.steps = steps;
    }
}
