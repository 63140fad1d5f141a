//! Room for solid agents, and what the game allows: between the choice of moves and their beginning, moves are replaced by the
//! next best ones where another agent is in the way, or the game says no.

use super::agent::{AgentRecord, AgentSetup, Control, Errand};
use super::agent_id::AgentId;
use super::alternatives::{Alternative, Asker, Ranker};
use super::bodies::{Stride, WalkingBodies, extend_stops, party_of, place_of, write_stops};
use super::facts::Facts;
use super::hash::mix;
use super::orders::{GivenRoom, MoveTime, Order, Orders};
use super::purse::Purse;
use super::pursuit::PursuitRecord;
use super::state::{Activity, DecidedBy, Reason};
use super::veto::{Gate, Verdict, Wish};
use crate::graph::Vertex;
use crate::map::{BodySize, Cell};
use crate::policy::Source;
use crate::search::{MovePreferences, RightOfWay, Stop};
use std::ops::Range;

/// The turns for which an agent stands in the way of others before it lets them go first: at least so many, and at most twice
/// as many.
const PATIENCE: u64 = 4;

/// The bodies of a world, and the moves of the agents that choose. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct RoomKeeper {
    room: RightOfWay,
    /// Whether all bodies are known, as they are in this tick.
    is_current: bool,
    bodies: Vec<SolidBody>,
    /// The body of each slot of agents, or [`NOBODY`].
    body_of: Vec<u32>,
    /// The bodies that choose now, those that have waited longest first.
    choosing: Vec<usize>,
    /// The bodies whose moves are listed.
    listed: Vec<usize>,
    lists: MoveLists,
    stops: Vec<Stop>,
    walkers: Vec<(usize, AgentId)>,
}

const NOBODY: u32 = u32::MAX;

/// A solid agent.
#[derive(Debug, Clone)]
struct SolidBody {
    id: AgentId,
    /// The index of its order, if it chooses now.
    order: Option<usize>,
    /// Its moves in [`MoveLists::moves`]; empty as long as nobody has asked.
    moves: Range<usize>,
}

/// The moves of agents, best first.
#[derive(Debug, Default)]
struct MoveLists {
    ranker: Ranker,
    moves: Vec<AskedMove>,
    listed: Vec<Alternative>,
    cells: Vec<Cell>,
}

/// A move, and whether the game allows it, once it has been asked.
#[derive(Debug, Clone, Copy)]
struct AskedMove {
    to: Alternative,
    allowed: Option<bool>,
}

impl RoomKeeper {
    /// Forgets where everybody is: a new tick has begun.
    pub(super) const fn begin_tick(&mut self) {
        self.is_current = false;
    }

    /// Memory to find out who has to stop: see [`Facts::keep_bodies_apart`].
    pub(super) const fn memory(&mut self) -> WalkingBodies<'_> {
        self.is_current = false;
        WalkingBodies {
            room: &mut self.room,
            stops: &mut self.stops,
            walkers: &mut self.walkers,
        }
    }

    /// Replaces orders for which there is no room, or that the game refuses, by the next best moves, and adds orders to make
    /// way. Call it before the orders are issued.
    ///
    /// Cost: nothing without solid agents if the game does not want to be asked. Otherwise some tens of nanoseconds for each
    /// solid agent of the world in a tick, and some hundreds for each that chooses.
    pub(super) fn settle(
        &mut self,
        facts: &Facts,
        orders: &mut Orders,
        gate: &mut Gate<'_>,
        purse: &mut Purse<'_>,
    ) {
        if !orders.may_be_replaced || orders.list().is_empty() {
            return;
        }
        self.lists.begin(orders.list().len());
        if facts.members.has_solid() {
            self.settle_bodies(facts, orders, gate);
        }
        if gate.asks() || facts.members.has_directed() || !facts.barred.is_empty() {
            self.ask_for_others(facts, orders, gate);
        }
        purse.spend(self.lists.ranker.take_expansions());
    }

    /// Finds out where all bodies are.
    fn find_bodies(&mut self, facts: &Facts) {
        let map = &facts.graph;
        self.room.clear(map.width(), map.height());
        self.bodies.clear();
        self.body_of.clear();
        for (id, agent) in facts.members.iter().filter(|(_, agent)| agent.is_body()) {
            self.stops.clear();
            if !write_stops(map, agent, facts.tick, facts.tick, &mut self.stops) {
                continue;
            }
            let who = self.room.add(
                party_of(agent),
                agent.setup.size.side(),
                &self.stops,
                agent.waits_since,
            );
            if can_make_way(agent, facts.tick) {
                self.room.open(who);
            }
            let slot = id.slot as usize;
            if self.body_of.len() <= slot {
                self.body_of.resize(slot + 1, NOBODY);
            }
            self.body_of[slot] = who as u32;
            self.bodies.push(SolidBody {
                id,
                order: None,
                moves: 0..0,
            });
        }
        self.is_current = true;
    }

    fn body_of(&self, id: AgentId) -> Option<usize> {
        let who = *self.body_of.get(id.slot as usize)?;
        (who != NOBODY).then_some(who as usize)
    }

    /// Lets all bodies with an order choose, and those that are in their way.
    fn settle_bodies(&mut self, facts: &Facts, orders: &mut Orders, gate: &mut Gate<'_>) {
        if !self.is_current {
            self.find_bodies(facts);
        }
        self.choosing.clear();
        for (index, chosen) in orders.list().iter().enumerate() {
            let Some(who) = self.body_of(chosen.order.id) else {
                continue;
            };
            self.bodies[who].order = Some(index);
            let agent = facts.agent(chosen.order.id);
            let stays = orders.way(index).is_empty()
                && agent.is_some_and(|agent| !yields(agent) && agent.ordered().is_empty());
            if !stays {
                self.room.open(who);
                self.choosing.push(who);
            }
        }
        if self.choosing.is_empty() {
            self.end_choice(orders);
            return;
        }
        let since = |who: usize| {
            facts
                .agent(self.bodies[who].id)
                .map(|agent| agent.waits_since)
        };
        self.choosing.sort_by_key(|&who| (since(who), who));
        let mut moves = MovesOfBodies {
            facts,
            orders,
            gate,
            bodies: &mut self.bodies,
            listed: &mut self.listed,
            lists: &mut self.lists,
        };
        self.room.settle(&self.choosing, &mut moves);
        self.write_choices(facts, orders);
        self.write_yielding(facts, orders);
        self.end_choice(orders);
    }

    /// Writes what the bodies do that choose.
    fn write_choices(&mut self, facts: &Facts, orders: &mut Orders) {
        for &who in &self.choosing {
            let body = &self.bodies[who];
            let Some((index, agent)) = body.order.zip(facts.agent(body.id)) else {
                continue;
            };
            let found = self.room.choice(who);
            let found = found.and_then(|choice| self.lists.moves[body.moves.clone()].get(choice));
            let is_refused = self.lists.has_refused(&body.moves);
            let found = found.map_or(Alternative::Stay, |found| found.to);
            let reason = if is_refused {
                Reason::Refused
            } else {
                Reason::Crowded
            };
            replace_order(facts, orders, index, found, reason);
            let stays = found == Alternative::Stay;
            let gives_way = gives_way(facts, orders, index, agent, stays);
            if let Some(room) = orders.room_mut(index) {
                room.gives_way = gives_way;
            }
        }
    }

    /// Adds orders to those who make way without having been asked for a move.
    fn write_yielding(&self, facts: &Facts, orders: &mut Orders) {
        for &who in self.room.decided() {
            let body = &self.bodies[who as usize];
            let choice = self.room.choice(who as usize);
            let found = choice.and_then(|choice| self.lists.moves[body.moves.clone()].get(choice));
            let Some((agent, found)) = facts.agent(body.id).zip(found) else {
                continue;
            };
            if body.order.is_none() && found.to != Alternative::Stay {
                add_yielding(facts, orders, body.id, agent, found.to);
            }
        }
    }

    /// Forgets the orders of this choice.
    fn end_choice(&mut self, orders: &Orders) {
        for chosen in orders.list() {
            if let Some(who) = self.body_of(chosen.order.id) {
                self.bodies[who].order = None;
            }
        }
        for who in self.listed.drain(..) {
            self.bodies[who].moves = 0..0;
        }
    }

    /// Asks the game about the moves of agents that take no room, and lets those keep their direction that do.
    fn ask_for_others(&mut self, facts: &Facts, orders: &mut Orders, gate: &mut Gate<'_>) {
        for index in 0..orders.list().len() {
            let id = orders.list()[index].order.id;
            let is_solid = facts.agent(id).is_none_or(AgentRecord::is_body);
            if is_solid && facts.members.has_solid() || orders.way(index).is_empty() {
                continue;
            }
            let Some(asker) = asker(facts, orders, Some(index), id) else {
                continue;
            };
            let is_free = !asker.agent.setup.keeps_direction && facts.barred.of(id).is_empty();
            if !gate.asks() && is_free {
                continue;
            }
            let mut moves = self.lists.list(&asker, |_| true);
            let mut found = Alternative::Stay;
            let mut choice = 0;
            while let Some(asked) = self.lists.moves[moves.clone()].get(choice) {
                let to = asked.to;
                if self.lists.allows(&asker, &mut moves, choice, gate) {
                    found = to;
                    break;
                }
                choice += 1;
            }
            if choice > 0 || asker.agent.setup.keeps_direction {
                replace_order(facts, orders, index, found, Reason::Refused);
            }
        }
    }
}

impl MoveLists {
    fn begin(&mut self, agents: usize) {
        self.moves.clear();
        self.ranker.begin(agents);
    }

    /// Lists the moves of an agent. Returns where they are.
    fn list(&mut self, asker: &Asker<'_>, is_free: impl Fn(Cell) -> bool) -> Range<usize> {
        self.listed.clear();
        self.ranker.list(asker, is_free, &mut self.listed);
        let has_choice = !asker.is_bound() && !asker.chosen.is_empty();
        if asker.agent.setup.keeps_direction && has_choice {
            // Whoever keeps its direction goes on rather than back, and back rather than stay.
            self.listed.sort_by_key(|to| match to.way(asker.chosen) {
                [] => 2,
                [first, ..] if asker.comes_from(*first) => 1,
                [..] => 0,
            });
        }
        let start = self.moves.len();
        let listed = self.listed.iter();
        self.moves
            .extend(listed.map(|&to| AskedMove { to, allowed: None }));
        start..self.moves.len()
    }

    /// Returns whether the game refuses one of some moves.
    fn has_refused(&self, moves: &Range<usize>) -> bool {
        let mut moves = self.moves[moves.clone()].iter();
        moves.any(|asked| asked.allowed == Some(false))
    }

    /// Returns whether the game allows one of the moves of an agent. If it wants another step instead, that one is the next
    /// of the moves.
    fn allows(
        &mut self,
        asker: &Asker<'_>,
        moves: &mut Range<usize>,
        choice: usize,
        gate: &mut Gate<'_>,
    ) -> bool {
        let asked = self.moves[moves.start + choice];
        let way = asked.to.way(asker.chosen);
        if way.is_empty() {
            return true;
        }
        if let Some(allowed) = asked.allowed {
            return allowed;
        }
        if asker.is_barred(way) {
            self.moves[moves.start + choice].allowed = Some(false);
            return false;
        }
        if !gate.asks() {
            return true;
        }
        self.cells.clear();
        self.cells
            .extend(way.iter().map(|&at| asker.facts.graph.cell(at)));
        let verdict = gate.ask(&Wish {
            id: asker.id,
            agent: asker.agent.setup(),
            cells: &self.cells,
        });
        let allowed = verdict == Verdict::Allow;
        self.moves[moves.start + choice].allowed = Some(allowed);
        if let Verdict::Instead(cell) = verdict
            && let Some(to) = redirected(asker, cell)
        {
            self.insert(moves, choice + 1, to);
        }
        allowed
    }

    /// Inserts a move that the game has named.
    fn insert(&mut self, moves: &mut Range<usize>, at: usize, to: Alternative) {
        let start = self.moves.len();
        let (before, after) = (moves.start..moves.start + at, moves.start + at..moves.end);
        self.moves.extend_from_within(before);
        let allowed = Some(true);
        self.moves.push(AskedMove { to, allowed });
        self.moves.extend_from_within(after);
        *moves = start..self.moves.len();
    }
}

/// The moves of the bodies of a world, for those who choose and those who make way.
struct MovesOfBodies<'a, 'g> {
    facts: &'a Facts,
    orders: &'a Orders,
    gate: &'a mut Gate<'g>,
    bodies: &'a mut Vec<SolidBody>,
    listed: &'a mut Vec<usize>,
    lists: &'a mut MoveLists,
}

impl<'a> MovesOfBodies<'a, '_> {
    fn asker(&self, who: usize) -> Option<Asker<'a>> {
        let body = &self.bodies[who];
        asker(self.facts, self.orders, body.order, body.id)
    }

    fn found(&self, who: usize, choice: usize) -> Alternative {
        let moves = self.bodies[who].moves.clone();
        let found = self.lists.moves[moves].get(choice);
        found.map_or(Alternative::Stay, |found| found.to)
    }
}

impl MovePreferences for MovesOfBodies<'_, '_> {
    fn count(&mut self, who: usize, room: &RightOfWay) -> usize {
        if self.bodies[who].moves.is_empty()
            && let Some(asker) = self.asker(who)
        {
            let map = &self.facts.graph;
            let AgentSetup {
                cell: here, size, ..
            } = asker.agent.setup;
            let is_free = |cell: Cell| {
                // It takes no room from itself.
                let others = |at: &Cell| size.is_one() || !size.overlaps(here, *at, BodySize::ONE);
                let mut covered = size.cells(cell).filter(others);
                covered.all(|at| place_of(map, at).is_none_or(|place| room.is_free(place)))
            };
            self.bodies[who].moves = self.lists.list(&asker, is_free);
            self.listed.push(who);
        }
        self.bodies[who].moves.len()
    }

    fn write(&mut self, who: usize, choice: usize, stops: &mut Vec<Stop>) {
        let Some(asker) = self.asker(who) else {
            return;
        };
        let found = self.found(who, choice);
        let way = found.way(asker.chosen);
        let arrives = asker.arrives(way);
        let stride = Stride::from_now(self.facts.tick, arrives, way.len());
        extend_stops(&self.facts.graph, way, 0, stride, stops);
    }

    fn allows(&mut self, who: usize, choice: usize) -> bool {
        let Some(asker) = self.asker(who) else {
            return false;
        };
        let mut moves = self.bodies[who].moves.clone();
        let allows = (self.lists).allows(&asker, &mut moves, choice, self.gate);
        self.bodies[who].moves = moves;
        allows
    }
}

impl Asker<'_> {
    /// Returns whether it comes from a vertex with its last step.
    fn comes_from(&self, at: Vertex) -> bool {
        let graph = self.facts.graph_of(self.agent);
        self.agent.left == Some(graph.cell(at))
    }

    /// Returns whether it avoids a cell of a way that the game has not ordered.
    fn is_barred(&self, way: &[Vertex]) -> bool {
        let barred = self.facts.barred.of(self.id);
        let graph = &self.facts.graph;
        let is_open = barred.is_empty() || !self.agent.ordered().is_empty();
        let is_barred = |&at: &Vertex| barred.iter().any(|barred| barred.cell == graph.cell(at));
        !is_open && way.iter().any(is_barred)
    }

    /// When it arrives that takes a way.
    fn arrives(&self, way: &[Vertex]) -> u64 {
        (self.facts).arrival(self.pursuit, self.agent, way, self.stint.arrives)
    }
}

/// An agent with its order, if it chooses now.
fn asker<'a>(
    facts: &'a Facts,
    orders: &'a Orders,
    order: Option<usize>,
    id: AgentId,
) -> Option<Asker<'a>> {
    let agent = facts.agent(id)?;
    let pursuit = facts.members.pursuit(agent.pursuit_number())?;
    let chosen = order.map_or(&[][..], |index| orders.way(index));
    let planned = order.and_then(|index| orders.list().get(index));
    Some(Asker {
        facts,
        id,
        pursuit,
        agent,
        stint: stint(facts, pursuit, agent),
        chosen,
        planned: planned.map_or(0, |chosen| chosen.order.planned),
        enemies: order.map_or(&[][..], |index| orders.enemies(index)),
    })
}

/// The length and the end of a move that an agent begins now, even if its pursuit has not begun its turn of this tick yet.
fn stint(facts: &Facts, pursuit: &PursuitRecord, agent: &AgentRecord) -> MoveTime {
    if facts.clock(pursuit).is_in_turns() && pursuit.ends <= facts.tick {
        return MoveTime {
            speed: agent.setup.speed,
            arrives: facts.tick + facts.turn_length(),
        };
    }
    facts.move_time(pursuit, agent)
}

/// Returns whether an agent makes way for others if it stands: the world moves it, or it walks on an errand.
fn yields(agent: &AgentRecord) -> bool {
    let is_moved = matches!(agent.setup.control, Control::Policy | Control::WalkTo(_));
    is_moved && !agent.setup.is_immobile && agent.ordered().is_empty()
}

/// Returns whether an agent stands, and makes way.
fn can_make_way(agent: &AgentRecord, tick: u64) -> bool {
    yields(agent) && !agent.is_under_way(tick)
}

/// The step to a cell that the game wants an agent to take; `None` if no step leads there.
fn redirected(asker: &Asker<'_>, cell: Cell) -> Option<Alternative> {
    if cell == asker.agent.setup.cell {
        return Some(Alternative::Stay);
    }
    let to = asker.facts.graph_of(asker.agent).vertex(cell)?;
    let is_open = asker.facts.open_steps(asker.agent, &[to]) > 0;
    is_open.then_some(Alternative::Step(to))
}

/// Replaces an order by another move of the agent, unless it is the same.
fn replace_order(
    facts: &Facts,
    orders: &mut Orders,
    index: usize,
    found: Alternative,
    why: Reason,
) {
    let chosen = orders.way(index).len();
    if found.way(orders.way(index)).len() == chosen && !matches!(found, Alternative::Step(_)) {
        return;
    }
    let before = orders.list()[index].order;
    let Some(asker) = asker(facts, orders, Some(index), before.id) else {
        return;
    };
    let way = found.way(asker.chosen);
    let arrives = asker.arrives(way);
    let pauses = way.is_empty() && !asker.agent.ordered().is_empty();
    let by = match before.by {
        DecidedBy::Game => DecidedBy::Game,
        DecidedBy::Nobody(_) | DecidedBy::Policy(_) => DecidedBy::Policy(Source::Greedy),
    };
    let (planned, activity) = match found {
        Alternative::Beginning(steps) => (before.planned.min(steps), before.activity),
        Alternative::Step(_) if chosen == 0 => (0, Activity::Yielding),
        Alternative::Step(_) => (0, before.activity),
        Alternative::Stay => (0, Activity::Waiting),
    };
    let order = Order {
        by,
        activity,
        value: None,
        why,
        planned,
        arrives,
        ..before
    };
    match found {
        Alternative::Beginning(steps) => orders.shorten(index, order, steps),
        Alternative::Step(to) => orders.replace(index, order, &[to]),
        Alternative::Stay => orders.replace(index, order, &[]),
    }
    if let Some(room) = orders.room_mut(index) {
        room.pauses = pauses;
    }
}

/// Adds an order to make way, for an agent that has not been asked for a move.
fn add_yielding(
    facts: &Facts,
    orders: &mut Orders,
    id: AgentId,
    agent: &AgentRecord,
    found: Alternative,
) {
    let Some(asker) = asker(facts, orders, None, id) else {
        return;
    };
    let way = found.way(&[]);
    let by = match agent.setup.control {
        Control::Policy => DecidedBy::Policy(Source::Greedy),
        _ => DecidedBy::Game,
    };
    let order = Order {
        id,
        by,
        activity: Activity::Yielding,
        value: None,
        why: Reason::Crowded,
        planned: 0,
        arrives: asker.arrives(way),
        errand: None,
        gives_up: false,
    };
    orders.add(order, way);
    let last = orders.list().len() - 1;
    if let Some(room) = orders.room_mut(last) {
        *room = GivenRoom {
            is_replaced: true,
            is_asked: true,
            ..GivenRoom::default()
        };
    }
}

/// Returns whether an agent lets all others go first from now on: it is where it wants to be, or it has stood in the way for
/// too long.
fn gives_way(
    facts: &Facts,
    orders: &Orders,
    index: usize,
    agent: &AgentRecord,
    stays: bool,
) -> bool {
    let chosen = &orders.list()[index];
    let room = chosen.room;
    let is_there = chosen.order.errand != Some(Errand::Walking) && agent.ordered().is_empty();
    if !room.is_replaced {
        return stays && is_there;
    }
    // Of two in each other's way, one comes to give way first.
    let since = agent.stands_since.max(agent.waits_since);
    let draw = mix(chosen.order.id.key(), agent.waits_since) >> 32;
    let patience = PATIENCE + draw % (PATIENCE + 1);
    stays && facts.tick.saturating_sub(since) >= patience * facts.turn_length()
}
