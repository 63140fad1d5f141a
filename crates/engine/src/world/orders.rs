//! Orders to agents, by themselves and by the game: the only file in which agents set out along a path.

use super::agent::{AgentRecord, Control, Errand};
use super::agent_id::AgentId;
use super::duty::GiveUp;
use super::event::WorldEvent;
use super::facts::{Facts, open_steps};
use super::pursuit::{PursuitNumber, PursuitRecord};
use super::settings::PursuitClock;
use super::state::{Activity, DecidedBy, IdleReason, PursuitState, Reason};
use crate::game::{Side, Speed, Value};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::policy::Source;
use std::ops::Range;

/// The length of an agent's move in steps, and the tick at which it ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveTime {
    pub(super) speed: Speed,
    pub(super) arrives: u64,
}

/// The order to an agent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub(super) id: AgentId,
    pub(super) by: DecidedBy,
    pub(super) activity: Activity,
    pub(super) value: Option<Value>,
    pub(super) why: Reason,
    /// The number of steps of its plan that it takes.
    pub(super) planned: usize,
    /// The tick at which it arrives.
    pub(super) arrives: u64,
    /// The state of its errand.
    pub(super) errand: Option<Errand>,
    /// Whether it gives up its robber because its leash ends here.
    pub(super) gives_up: bool,
}

/// An order that has been chosen and not yet issued.
#[derive(Debug, Clone)]
pub(super) struct ChosenOrder {
    pub(super) order: Order,
    way: Range<usize>,
    enemies: Range<usize>,
    /// What became of it where agents take room, or the game says no.
    pub(super) room: GivenRoom,
}

/// What became of an order where agents take room, or the game says no.
#[derive(Debug, Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about an order"
)]
pub(super) struct GivenRoom {
    /// Whether it was replaced by another move.
    pub(super) is_replaced: bool,
    /// Whether the agent goes on later with the path that the game has ordered.
    pub(super) pauses: bool,
    /// Whether the agent makes way, and had not been asked for a move.
    pub(super) is_asked: bool,
    /// Whether it is where it wants to be, or lets others go first from now on.
    pub(super) gives_way: bool,
}

/// Orders that have been chosen and not yet issued. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct Orders {
    list: Vec<ChosenOrder>,
    ways: Vec<Vertex>,
    /// The enemies on which the moves depend, where other moves may have to be found.
    enemies: Vec<Cell>,
    /// The pursuits with cops that do not move as they have announced.
    hindered: Vec<PursuitNumber>,
    /// Whether other moves may have to be found in this tick.
    pub(super) may_be_replaced: bool,
}

impl Orders {
    /// Adds an order to follow a path. An empty path is an order to stay.
    pub(super) fn add(&mut self, order: Order, way: &[Vertex]) {
        let start = self.ways.len();
        self.ways.extend_from_slice(way);
        self.list.push(ChosenOrder {
            order,
            way: start..self.ways.len(),
            enemies: 0..0,
            room: GivenRoom::default(),
        });
    }

    /// Notes the enemies on which the order added last depends.
    pub(super) fn note_enemies(&mut self, enemies: &[Cell]) {
        if self.may_be_replaced
            && let Some(last) = self.list.last_mut()
        {
            let start = self.enemies.len();
            self.enemies.extend_from_slice(enemies);
            last.enemies = start..self.enemies.len();
        }
    }

    /// The orders that have been chosen and not yet issued.
    pub(super) fn list(&self) -> &[ChosenOrder] {
        &self.list
    }

    /// The path of an order.
    pub(super) fn way(&self, index: usize) -> &[Vertex] {
        let way = self.list.get(index).map(|chosen| chosen.way.clone());
        way.and_then(|way| self.ways.get(way)).unwrap_or_default()
    }

    /// The enemies on which an order depends.
    pub(super) fn enemies(&self, index: usize) -> &[Cell] {
        let enemies = self.list.get(index).map(|chosen| chosen.enemies.clone());
        enemies
            .and_then(|enemies| self.enemies.get(enemies))
            .unwrap_or_default()
    }

    /// Notes what became of an order.
    pub(super) fn room_mut(&mut self, index: usize) -> Option<&mut GivenRoom> {
        self.list.get_mut(index).map(|chosen| &mut chosen.room)
    }

    /// Replaces an order by the first steps of its move.
    pub(super) fn shorten(&mut self, index: usize, order: Order, steps: usize) {
        if let Some(chosen) = self.list.get_mut(index) {
            chosen.order = order;
            chosen.way.end = chosen.way.end.min(chosen.way.start + steps);
            chosen.room.is_replaced = true;
        }
    }

    /// Replaces an order by another move of the same agent.
    pub(super) fn replace(&mut self, index: usize, order: Order, way: &[Vertex]) {
        let start = self.ways.len();
        self.ways.extend_from_slice(way);
        if let Some(chosen) = self.list.get_mut(index) {
            chosen.order = order;
            chosen.way = start..self.ways.len();
            chosen.room.is_replaced = true;
        }
    }

    /// Adds an order to stay, for an agent that nothing controls, with the reason.
    pub(super) fn add_idle(&mut self, id: AgentId, reason: IdleReason, until: u64) {
        let order = Order {
            id,
            by: DecidedBy::Nobody(reason),
            // Follows from the reason.
            activity: Activity::Idle,
            value: None,
            why: Reason::None,
            planned: 0,
            arrives: until,
            errand: None,
            gives_up: false,
        };
        self.add(order, &[]);
    }

    /// Writes all orders into the agents and clears the list.
    pub(super) fn issue(&mut self, facts: &mut Facts) {
        for chosen in self.list.drain(..) {
            let ChosenOrder { order, room, .. } = chosen;
            let way = self.ways.get(chosen.way).unwrap_or_default();
            match order.by {
                DecidedBy::Nobody(_) => halt(facts, &order),
                DecidedBy::Game | DecidedBy::Policy(_) => send(facts, &order, way, room),
            }
            if let Some(hindered) = facts.follow_room(order.id, room)
                && !self.hindered.contains(&hindered)
            {
                self.hindered.push(hindered);
            }
        }
        for number in self.hindered.drain(..) {
            facts.take_back_announcements_of_cops(number);
        }
        self.ways.clear();
        self.enemies.clear();
    }
}

/// Stops an agent.
fn halt(facts: &mut Facts, order: &Order) {
    let state = PursuitState::of(order.by);
    let Facts {
        members,
        events,
        graph,
        grounds,
        ..
    } = facts;
    let Some(agent) = members.get_mut(order.id) else {
        return;
    };
    let graph = grounds.graph_of(graph, agent);
    events.list.extend(cut_of_order(graph, order.id, agent));
    if agent.state != state || !agent.way().is_empty() {
        events.mark_changed(order.id);
    }
    agent.halt();
    agent.plan.drop();
    agent.set_origin(agent.setup.cell);
    agent.wait_until(order.arrives);
    agent.state = state;
}

/// Sends an agent along a path.
fn send(facts: &mut Facts, order: &Order, way: &[Vertex], room: GivenRoom) {
    let Facts {
        members,
        events,
        graph,
        grounds,
        tick,
        ..
    } = facts;
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
    let graph = grounds.graph_of(graph, agent);
    if !agent.follows_order(way) && !room.pauses {
        events.list.extend(cut_of_order(graph, order.id, agent));
    }
    if room.pauses {
        agent.pause(*tick, order.arrives);
    } else {
        agent.set_out(way, *tick, order.arrives);
    }
    if order.planned > 0 {
        agent.plan.at += way.len();
    } else if let Some(&end) = way.last() {
        let rejoins = room.is_replaced && agent.plan.rejoin(graph, end);
        if !rejoins {
            agent.plan.drop();
        }
    }
    agent.state = PursuitState {
        activity: order.activity,
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
    if order.gives_up {
        facts.give_up(order.id, GiveUp::Leash);
    }
}

/// What to tell the game if a wall ends the walk of an agent along a path that it has ordered.
fn cut_of_order(graph: &Graph, id: AgentId, agent: &AgentRecord) -> Option<WorldEvent> {
    let next = agent.ordered().first()?;
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

impl Facts {
    /// Notes for later turns what became of an agent's order. Returns the pursuit of a cop that does not move as it has
    /// announced.
    fn follow_room(&mut self, id: AgentId, room: GivenRoom) -> Option<PursuitNumber> {
        let tick = self.tick;
        let agent = self.members.get_mut(id)?;
        if room.gives_way {
            agent.waits_since = tick;
        }
        let (arrives, setup) = (agent.arrives(), agent.setup);
        if room.is_asked {
            self.members.choose_at(id, arrives);
        }
        let is_hindered = room.is_replaced && setup.side == Side::Cops;
        is_hindered.then(|| setup.pursuit_number())
    }

    /// Takes back what the cops of a pursuit have announced.
    fn take_back_announcements_of_cops(&mut self, number: PursuitNumber) {
        let Self {
            members, events, ..
        } = self;
        let Ok(at) = members.find(number) else {
            return;
        };
        let (pursuit, agents) = members.pursuit_and_agents(at);
        for &id in &pursuit.cops {
            let value = agents.get_mut(id).and_then(|cop| cop.state.value.take());
            if value.is_some() {
                events.mark_changed(id);
            }
        }
    }

    /// Sends an agent along a path chosen by the game, as far as it is open: at its speed, or as a dash with one move.
    /// `way` does not include the cell it stands on. Returns the number of steps that are open.
    pub(super) fn order(&mut self, id: AgentId, way: &[Cell], is_dash: bool) -> usize {
        let Some(agent) = self.members.get(id) else {
            return 0;
        };
        let stands = !agent.is_under_way(self.tick);
        let is_counted_on = agent.side() == Side::Cops && agent.chooses();
        let graph = self.graph_of(agent);
        let times = (self.tick, self.end_of_order(agent));
        // Nothing moves an agent that cannot move.
        let way = if agent.setup.is_immobile { &[] } else { way };
        let mut vertices = Vec::with_capacity(way.len());
        vertices.extend(way.iter().map_while(|&cell| graph.vertex(cell)));
        let open = self.open_steps(agent, &vertices);
        let steps = usize::from(self.steps_of_move_time(agent).steps());
        let now = if is_dash { open } else { open.min(steps) };
        let pursuit = self.members.pursuit(agent.pursuit_number());
        let times = (
            times.0,
            pursuit.map_or(times.1, |pursuit| {
                self.arrival(pursuit, agent, &vertices[..now], times.1)
            }),
        );
        if let Some(agent) = self.members.get_mut(id) {
            // An agent in mid-step arrives when its turn ends, as before.
            let (departs, arrives) = if stands { times } else { agent.times() };
            agent.take_order(&vertices[..open]);
            let waits = agent.is_body() && stands && !is_dash;
            let arrives = if waits { departs } else { arrives };
            if waits {
                // It sets out in the next tick, as far as there is room.
                agent.pause(departs, arrives);
            } else {
                agent.set_out(&vertices[..now], departs, arrives);
            }
            agent.plan.drop();
            // What it has announced was for the move that the game replaces.
            agent.state = PursuitState::of(DecidedBy::Game);
            self.choose_at(id, arrives);
        }
        // A dash may lead an agent farther than its opponents expect.
        if is_counted_on || now > steps {
            self.members.note_other_game(id);
        }
        self.members.note_moved_body();
        self.members.ask_for_plans(id);
        self.members.note_new_cop(id);
        self.events.mark_changed(id);
        open
    }

    /// The arrival tick of an agent that the game now sends along a path.
    fn end_of_order(&self, agent: &AgentRecord) -> u64 {
        let pursuit = self.members.pursuit(agent.pursuit_number());
        match pursuit.map(|pursuit| (self.clock(pursuit), pursuit.ends)) {
            Some((PursuitClock::FreeRunning, _)) => {
                self.tick + u64::from(self.ticks_per_step(agent))
            }
            Some((_, ends)) if ends > self.tick => ends,
            Some(_) => self.tick + self.turn_length(),
            None => self.tick,
        }
    }

    /// The length and the end of a move that an agent of a pursuit begins now.
    ///
    /// On clocks with turns all moves begin together and end with the turn. An agent that joins in the middle of a
    /// turn, or comes from another pursuit, takes as many steps as fit into the rest of the turn. If not
    /// even one fits, it takes one faster step if at least half of the turn is left, and otherwise keeps
    /// walking until the end of the next turn, so that it never stands idle. The moves of players and
    /// errands always end with the turn.
    pub(super) fn move_time(&self, pursuit: &PursuitRecord, agent: &AgentRecord) -> MoveTime {
        let speed = agent.setup.speed;
        if self.clock(pursuit) == PursuitClock::FreeRunning {
            return MoveTime {
                speed: Speed::ONE,
                arrives: self.tick + u64::from(self.ticks_per_step(agent)),
            };
        }
        let ends = pursuit.ends;
        if self.tick == pursuit.began || agent.setup.control != Control::Policy {
            return MoveTime {
                speed,
                arrives: ends,
            };
        }
        let (left, length) = (ends.saturating_sub(self.tick), self.turn_length());
        let fitting = left.saturating_mul(speed.steps().into()) / length;
        match Speed::new(fitting.min(u64::from(speed.steps())) as u8) {
            Some(fewer) => MoveTime {
                speed: fewer,
                arrives: ends,
            },
            None if left.saturating_mul(2) >= length => MoveTime {
                speed: Speed::ONE,
                arrives: ends,
            },
            None => MoveTime {
                speed,
                arrives: ends + length,
            },
        }
    }

    /// The tick at which an agent arrives that takes a way, where a move over cells like others would end at `ends`: on the
    /// free-running clock, a step onto a slow cell takes longer.
    pub(super) fn arrival(
        &self,
        pursuit: &PursuitRecord,
        agent: &AgentRecord,
        way: &[Vertex],
        ends: u64,
    ) -> u64 {
        if self.clock(pursuit) != PursuitClock::FreeRunning || !self.graph.has_slow_cells() {
            return ends;
        }
        let more = way
            .iter()
            .map(|&to| u64::from(self.graph.step_time(to) - 1));
        ends + more.sum::<u64>() * u64::from(self.ticks_per_step(agent))
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
