//! Orders to agents. Only [`Orders::issue`] writes chosen moves into agents. The game places agents and edits cut paths
//! elsewhere.

use super::agent::{AgentRecord, Control, Errand};
use super::agent_id::AgentId;
use super::board::{Board, open_steps};
use super::event::WorldEvent;
use super::pursuit::PursuitRecord;
use super::settings::PursuitClock;
use super::state::{DecidedBy, IdleReason, PursuitState, Reason};
use crate::game::{Speed, Value};
use crate::graph::{Graph, Vertex};
use crate::policy::Source;
use std::ops::Range;

/// The length of an agent's move in steps, and the tick at which it ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stint {
    pub(super) speed: Speed,
    pub(super) arrives: u64,
}

/// The order to an agent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub(super) id: AgentId,
    pub(super) by: DecidedBy,
    pub(super) value: Option<Value>,
    pub(super) why: Reason,
    /// The number of steps of its plan that it takes.
    pub(super) planned: usize,
    /// The tick at which it arrives.
    pub(super) arrives: u64,
    /// The state of its errand.
    pub(super) errand: Option<Errand>,
}

impl Order {
    /// An order to stay, for an agent that nothing controls, with the reason.
    pub(super) const fn idle(id: AgentId, reason: IdleReason, until: u64) -> Self {
        Self {
            id,
            by: DecidedBy::Nobody(reason),
            value: None,
            why: Reason::None,
            planned: 0,
            arrives: until,
            errand: None,
        }
    }
}

/// Orders that have been chosen and not yet issued. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct Orders {
    list: Vec<(Order, Range<usize>)>,
    ways: Vec<Vertex>,
}

impl Orders {
    /// Adds an order to follow a path. An empty path is an order to stay.
    pub(super) fn add(&mut self, order: Order, way: &[Vertex]) {
        let start = self.ways.len();
        self.ways.extend_from_slice(way);
        self.list.push((order, start..self.ways.len()));
    }

    /// Writes all orders into the agents and clears the list.
    pub(super) fn issue(&mut self, board: &mut Board) {
        for (order, way) in self.list.drain(..) {
            let way = self.ways.get(way).unwrap_or_default();
            match order.by {
                DecidedBy::Nobody(_) => halt(board, &order),
                DecidedBy::Game | DecidedBy::Policy(_) => send(board, &order, way),
            }
        }
        self.ways.clear();
    }
}

/// Stops an agent.
fn halt(board: &mut Board, order: &Order) {
    let state = PursuitState::of(order.by);
    let Board {
        members,
        events,
        graph,
        ..
    } = board;
    let Some(agent) = members.get_mut(order.id) else {
        return;
    };
    events.list.extend(cut_of_order(graph, order.id, agent));
    if agent.state != state || !agent.way.is_empty() {
        events.mark_changed(order.id);
    }
    agent.halt();
    agent.plan.drop();
    agent.origin = agent.setup.cell;
    agent.arrives = order.arrives;
    agent.state = state;
}

/// Sends an agent along a path.
fn send(board: &mut Board, order: &Order, way: &[Vertex]) {
    let Board {
        members,
        events,
        graph,
        tick,
        ..
    } = board;
    let Some(agent) = members.get_mut(order.id) else {
        return;
    };
    events.mark_changed(order.id);
    let age = age_of_plan(agent, order, way, *tick);
    if let DecidedBy::Policy(source) = order.by {
        let report = &mut events.report;
        report.decisions.note(source);
        report.oldest = report.oldest.max(age);
    }
    agent.origin = agent.setup.cell;
    agent.way.clear();
    agent.way.extend_from_slice(way);
    agent.is_ordered = !way.is_empty() && agent.ordered.starts_with(way);
    if agent.is_ordered {
        agent.ordered.drain(..way.len());
    } else {
        events.list.extend(cut_of_order(graph, order.id, agent));
        agent.ordered.clear();
    }
    agent.turned_at = None;
    agent.pace = way.len() as u32;
    (agent.departs, agent.arrives) = (*tick, order.arrives);
    if order.planned > 0 {
        agent.plan.at += way.len();
    } else if !way.is_empty() {
        agent.plan.drop();
    }
    agent.state = PursuitState {
        decided_by: order.by,
        value: order.value,
        age,
        reason: order.why,
    };
    if let Some(errand) = order.errand {
        let before = std::mem::replace(&mut agent.errand, errand);
        if before != errand {
            match errand {
                Errand::Walking => {}
                Errand::Arrived => events.send(WorldEvent::Arrived(order.id)),
                Errand::NoWay => events.send(WorldEvent::NoWay(order.id)),
            }
        }
    }
}

/// What to tell the game if a wall ends the walk of an agent along a path that it has ordered.
fn cut_of_order(graph: &Graph, id: AgentId, agent: &AgentRecord) -> Option<WorldEvent> {
    let next = agent.ordered.first()?;
    let is_open = open_steps(graph, agent.setup.cell, std::slice::from_ref(next)) > 0;
    let cut = WorldEvent::OrderCut {
        id,
        taken: 0,
        refused: graph.cell(*next),
    };
    (!is_open).then_some(cut)
}

/// The age in ticks of the plan that an order follows; 0 if it follows none.
fn age_of_plan(agent: &AgentRecord, order: &Order, way: &[Vertex], tick: u64) -> u32 {
    let waits_by_plan =
        matches!(order.by, DecidedBy::Policy(Source::Search | Source::Stale)) && way.is_empty();
    if order.planned == 0 && !waits_by_plan || !agent.plan.is_made() {
        return 0;
    }
    let age = tick.saturating_sub(agent.plan.made);
    age.min(u64::from(u32::MAX)) as u32
}

impl Board {
    /// The length and the end of a move that an agent of a pursuit begins now.
    ///
    /// On clocks with turns all moves begin together and end with the turn. An agent that joins in the middle of a
    /// turn, or comes from another pursuit, takes as many steps as fit into the rest of the turn. If not
    /// even one fits, it takes one faster step if at least half of the turn is left, and otherwise keeps
    /// walking until the end of the next turn, so that it never stands idle. The moves of players and
    /// errands always end with the turn.
    pub(super) fn stint(&self, pursuit: &PursuitRecord, agent: &AgentRecord) -> Stint {
        let speed = agent.setup.speed;
        if self.clock(pursuit) == PursuitClock::FreeRunning {
            return Stint {
                speed: Speed::ONE,
                arrives: self.tick + u64::from(self.ticks_per_step(agent)),
            };
        }
        let ends = pursuit.ends;
        if self.tick == pursuit.began || agent.setup.control != Control::Policy {
            return Stint {
                speed,
                arrives: ends,
            };
        }
        let (left, length) = (ends.saturating_sub(self.tick), self.turn_length());
        let fitting = left.saturating_mul(speed.steps().into()) / length;
        match Speed::new(fitting.min(u64::from(speed.steps())) as u8) {
            Some(fewer) => Stint {
                speed: fewer,
                arrives: ends,
            },
            None if left.saturating_mul(2) >= length => Stint {
                speed: Speed::ONE,
                arrives: ends,
            },
            None => Stint {
                speed,
                arrives: ends + length,
            },
        }
    }

    /// The tick until which an agent with nothing to do rests. It decides again when a turn begins, or
    /// when something happens in its pursuit.
    pub(super) fn rest_until(&self, pursuit: &PursuitRecord) -> u64 {
        if pursuit.ends > self.tick {
            pursuit.ends
        } else {
            self.tick + 1
        }
    }
}
