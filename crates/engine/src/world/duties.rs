//! Agents on duty: who is, and where each of them goes.

use super::agent::{AgentRecord, Control, Errand};
use super::agent_id::AgentId;
use super::duty::{Duty, DutyRecord, OnDuty, PatrolOrder, Routine};
use super::event::WorldEvent;
use super::facts::Facts;
use super::hash::{mix, mix_cell};
use super::orders::{MoveTime, Order};
use super::pursuit::{PursuitIndex, PursuitRecord};
use super::pursuit_world::PursuitWorld;
use super::state::{Activity, Reason};
use crate::game::Side;
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::{Dice, least_steps, seed_of};

impl PursuitWorld {
    /// Gives an agent a duty, or takes it away; unknown ids are ignored. The duty that it has already goes on, and a patrol
    /// goes on with the post of the same number.
    ///
    /// An agent that the world controls ([`Control::Policy`]) does its duty while it knows of no opponent: a cop while there
    /// is no robber that it may chase, a robber while it knows of no cop. An agent without limits to its sight knows of all.
    /// With [`Control::Duty`] it does nothing else. It walks as on an errand ([`Control::WalkTo`]). Posts to which no path
    /// leads are left out as long as that is so ([`WorldEvent::NoWay`]), and its arrivals are reported
    /// ([`WorldEvent::Arrived`]).
    ///
    /// A duty outlasts chases, captures, edits of the map, and changes of the side and the kinds of the agent.
    ///
    /// Cost: constant; the agent sets out with its next move.
    pub fn set_duty(&mut self, id: AgentId, duty: Option<Duty>) {
        let facts = &mut self.facts;
        let Some(agent) = facts.members.get_mut(id) else {
            return;
        };
        let duty = duty.map(tidy);
        if agent.duty() == duty.as_ref() {
            return;
        }
        let before = agent.routine.duty.take();
        agent.routine.duty = duty.map(|duty| {
            Box::new(match before {
                Some(before) => before.go_on_as(duty),
                None => DutyRecord::new(duty, false),
            })
        });
        facts.members.ask_for_plans(id);
        facts.events.mark_changed(id);
    }
}

/// Takes a post for one that is listed several times in a row.
fn tidy(mut duty: Duty) -> Duty {
    if let Duty::Patrol { posts, .. } = &mut duty {
        posts.dedup();
    }
    duty
}

/// A robber takes up its duty again when all cops are so many steps farther away than where it left it.
const RELIEF: u32 = 2;

/// How far an agent has come with its duty.
#[derive(Debug, Clone, Copy)]
struct DutyProgress {
    now: OnDuty,
    /// Whether to tell the game that it is at a post, and that no path leads to one.
    has_arrived: bool,
    is_refused: bool,
}

impl DutyProgress {
    const fn of(now: OnDuty) -> Self {
        Self {
            now,
            has_arrived: false,
            is_refused: false,
        }
    }
}

impl Facts {
    /// Finds out which members of a pursuit that may move now are on duty, and where they go, after targets are chosen.
    ///
    /// Cost: some nanoseconds for each member; for a member on duty, climbing to the top of the hierarchy, and the same for
    /// each post that it leaves out.
    pub(super) fn update_duties(&mut self, at: PursuitIndex) {
        let mut changes_game = false;
        for side in [Side::Cops, Side::Robber] {
            for index in 0..self.members[at].members_of(side).len() {
                let id = self.members[at].members_of(side)[index];
                if self.is_active_in(at, id) {
                    changes_game |= self.update_duty(at, id);
                }
            }
        }
        if changes_game {
            self.drop_doubtful_plans();
        }
    }

    /// Returns whether another number of cops is counted on from now on.
    fn update_duty(&mut self, at: PursuitIndex, id: AgentId) -> bool {
        let Some(agent) = self.agent(id).filter(|agent| self.tick >= agent.arrives()) else {
            return false;
        };
        let (was_on_duty, is_cop) = (agent.is_on_duty(), agent.side() == Side::Cops);
        if !was_on_duty && !agent.has_routine() {
            return false;
        }
        let is_on_duty = self.is_on_duty_now(at, id, agent);
        self.tie_to_leash(id);
        let progress = if is_on_duty {
            self.go_on(id)
        } else {
            DutyProgress::of(OnDuty::Off)
        };
        let Some(agent) = self.members.get_mut(id) else {
            return false;
        };
        agent.routine.now = progress.now;
        if progress.has_arrived {
            self.events.send(WorldEvent::Arrived(id));
        }
        if progress.is_refused {
            self.events.send(WorldEvent::NoWay(id));
        }
        if was_on_duty == is_on_duty {
            return false;
        }
        // Its plan was for something else.
        agent.plan.drop();
        agent.search = None;
        agent.state.value = None;
        if let Some(duty) = &mut agent.routine.duty {
            duty.heads_for = None;
        }
        if is_cop {
            self.members.note_other_game(id);
        }
        is_cop
    }

    /// Returns whether an agent that may move now is on duty.
    fn is_on_duty_now(&self, at: PursuitIndex, id: AgentId, agent: &AgentRecord) -> bool {
        let setup = &agent.setup;
        let plays = agent.caught.is_none()
            && !setup.is_immobile
            && !agent.has_left
            && self.graph.is_on_map(setup.cell);
        plays
            && match (setup.control, setup.side) {
                (Control::Duty, _) => true,
                (Control::Policy, Side::Cops) => agent.target.is_none() && agent.has_routine(),
                (Control::Policy, Side::Robber) => {
                    agent.routine.duty.is_some() && !self.fears_cop(&self.members[at], id, agent)
                }
                (Control::Steer { .. } | Control::WalkTo(_) | Control::External, _) => false,
            }
    }

    /// Returns whether a robber flees from its duty: it knows of a cop, and of one that is near if it has the nerve for others.
    fn fears_cop(&self, pursuit: &PursuitRecord, id: AgentId, robber: &AgentRecord) -> bool {
        let Some(nerve) = robber.setup.nerve else {
            return self.knows_cop(pursuit, id, robber);
        };
        let relief = if robber.is_on_duty() { 0 } else { RELIEF };
        let most = u32::from(nerve) + relief;
        self.agents(&pursuit.cops).any(|(cop_id, cop)| {
            let known = Self::known_cop(pursuit, id, robber, cop_id, self.next_cell(cop));
            let is_near = |cell: Cell| cell.max_norm(robber.setup.cell) <= most;
            known.is_some_and(|(cell, _)| self.graph.is_on_map(cell) && is_near(cell))
        })
    }

    fn knows_cop(&self, pursuit: &PursuitRecord, id: AgentId, robber: &AgentRecord) -> bool {
        if robber.setup.sight.is_none() {
            return self.has_cops(pursuit);
        }
        let mut known = pursuit.cops_known_by(id);
        known.any(|(_, sighting)| self.graph.is_on_map(sighting.cell))
    }

    /// Gives a cop with a leash and no duty the duty to go back to the cell of the leash.
    fn tie_to_leash(&mut self, id: AgentId) {
        let Some(agent) = self.members.get_mut(id) else {
            return;
        };
        let leash = agent.setup.leash.filter(|_| agent.side() == Side::Cops);
        let home = leash.map(|leash| Duty::Post(leash.cell));
        match &agent.routine.duty {
            Some(known) if !known.is_of_leash || Some(&known.duty) == home.as_ref() => {}
            _ => {
                agent.routine.duty = home.map(|duty| Box::new(DutyRecord::new(duty, true)));
            }
        }
    }

    /// Goes on with the duty of an agent that is on duty.
    fn go_on(&mut self, id: AgentId) -> DutyProgress {
        // The record is taken out while the facts are read.
        let duty = self
            .members
            .get_mut(id)
            .and_then(|agent| agent.routine.duty.take());
        let Some((mut record, agent)) = duty.zip(self.agent(id)) else {
            return DutyProgress::of(OnDuty::Waits);
        };
        let progress = match record.duty {
            Duty::Follow { leader, apart } => {
                if self.agent(leader).is_none() {
                    return DutyProgress::of(OnDuty::Waits); // the duty ends
                }
                self.follow(id, agent, leader, apart.max(1), &mut record)
            }
            Duty::Post(_) | Duty::Patrol { .. } => self.patrol(id, agent, &mut record),
        };
        if let Some(agent) = self.members.get_mut(id) {
            agent.routine.duty = Some(record);
        }
        progress
    }

    /// The next post of a patrol, beginning with the one that the agent goes to.
    fn patrol(&self, id: AgentId, agent: &AgentRecord, record: &mut DutyRecord) -> DutyProgress {
        let posts = record.duty.posts().len();
        let mut progress = DutyProgress::of(OnDuty::Waits);
        let (mut is_at_post, mut closed) = (false, None);
        // A patrol to and fro passes each post twice.
        for _ in 0..2 * posts {
            let Some(&goal) = record.duty.posts().get(record.post) else {
                break;
            };
            let before = if record.is_refused(record.post) {
                Errand::NoWay
            } else {
                Errand::Walking
            };
            match self.errand(agent, goal, before) {
                Errand::Walking => {
                    record.is_there = false;
                    progress.now = OnDuty::Walks(goal);
                    return progress;
                }
                Errand::Arrived => {
                    if !record.is_there {
                        record.accept(record.post);
                        record.is_there = true;
                        let wait = u64::from(record.duty.wait()) * self.turn_length();
                        record.leaves = self.tick + wait;
                        progress.has_arrived = true;
                    }
                    is_at_post = true;
                    if self.tick < record.leaves {
                        break;
                    }
                    self.go_to_next(id, record, false);
                }
                Errand::NoWay => {
                    let post = record.post;
                    closed = closed.or(Some(goal));
                    self.go_to_next(id, record, true);
                    if record.refuse(post) {
                        // One at a time, so that the game can ask which.
                        progress.is_refused = true;
                        progress.now = OnDuty::NoWay(goal);
                        return progress;
                    }
                }
            }
        }
        if let Some(goal) = closed.filter(|_| !is_at_post) {
            progress.now = OnDuty::NoWay(goal);
        }
        progress
    }

    /// Chooses the post after the present one. `in_turn`: the next one in the list, to try one after the other.
    fn go_to_next(&self, id: AgentId, record: &mut DutyRecord, in_turn: bool) {
        let posts = record.duty.posts().len();
        let last = posts.saturating_sub(1);
        record.post = match record.duty.order() {
            _ if last == 0 => 0,
            PatrolOrder::ToAndFro => {
                if record.post == 0 || record.post >= last {
                    record.is_back = record.post > 0;
                }
                if record.is_back {
                    record.post - 1
                } else {
                    record.post + 1
                }
            }
            PatrolOrder::Random if !in_turn => {
                let who = [id.slot.into(), id.generation.into()];
                let seed = [self.settings.seed, self.tick].into_iter().chain(who);
                let ahead = 1 + Dice::new(seed_of(seed)).below(last);
                (record.post + ahead) % posts
            }
            PatrolOrder::Rounds | PatrolOrder::Random => (record.post + 1) % posts,
        };
    }

    /// Where an agent goes that follows another.
    fn follow(
        &self,
        id: AgentId,
        agent: &AgentRecord,
        leader: AgentId,
        apart: u8,
        record: &mut DutyRecord,
    ) -> DutyProgress {
        let there = self.agent(leader).filter(|_| leader != id);
        let there = there.map(|leader| self.next_cell(leader));
        let Some(there) = there.filter(|&there| self.graph.is_on_map(there)) else {
            return DutyProgress::of(OnDuty::Waits);
        };
        let (graph, here) = (self.graph_of(agent), agent.setup.cell);
        if is_beside(graph, here, there, apart) {
            record.heads_for = None;
            record.accept(0);
            return DutyProgress::of(OnDuty::Waits);
        }
        // A plan for where the other one was serves while it is still far away from the agent.
        let is_near_enough = |goal: Cell| {
            let most = (least_steps(graph, here, there) / 4).max(1);
            goal != here && least_steps(graph, goal, there) <= most
        };
        let waits = self.waits_for_search(id, agent);
        let kept = record
            .heads_for
            .filter(|&goal| waits || is_near_enough(goal));
        let is_open = |&goal: &Cell| self.errand(agent, goal, Errand::Walking) != Errand::NoWay;
        let goal = kept.filter(is_open).unwrap_or(there);
        record.heads_for = Some(goal);
        if is_open(&goal) {
            let from = graph.vertex(here);
            let has_plan = from.is_some_and(|from| agent.has_plan_to(from, goal));
            if has_plan {
                record.accept(0);
            }
            return DutyProgress::of(OnDuty::Walks(goal));
        }
        DutyProgress {
            is_refused: record.refuse(0),
            ..DutyProgress::of(OnDuty::NoWay(goal))
        }
    }

    /// Writes the move of an agent on duty into `way`, up to the first opponent's cell.
    pub(super) fn do_duty(
        &self,
        agent: &AgentRecord,
        stint: MoveTime,
        opponents: &[Cell],
        order: &mut Order,
        way: &mut Vec<Vertex>,
    ) {
        order.activity = Activity::Waiting;
        match agent.routine.now {
            OnDuty::Off | OnDuty::Waits => {}
            OnDuty::NoWay(_) => {
                order.activity = Activity::Stuck;
                order.why = Reason::NoWay;
            }
            OnDuty::Walks(goal) => {
                order.activity = Activity::OnErrand;
                order.planned = self.walk(agent, goal, stint.speed, opponents, way);
            }
        }
        let Some(&Duty::Follow { leader, apart }) = agent.duty() else {
            return;
        };
        if let Some(leader) = self.agent(leader).filter(|_| leader != order.id) {
            self.keep_off(agent, leader, apart.max(1), way);
            if way.is_empty() {
                order.planned = 0;
            }
        }
    }

    /// Ends the path of an agent that follows another beside that one. If the other one comes to its cell, the agent steps
    /// aside.
    fn keep_off(
        &self,
        agent: &AgentRecord,
        leader: &AgentRecord,
        apart: u8,
        way: &mut Vec<Vertex>,
    ) {
        let (graph, there) = (self.graph_of(agent), self.next_cell(leader));
        let here = agent.setup.cell;
        if here == there {
            way.clear();
            let beside = graph
                .vertex(here)
                .map_or(&[][..], |at| graph.neighbours(at));
            let comes_from = |at: &Vertex| graph.cell(*at) == leader.setup.cell;
            let aside = beside.iter().find(|at| !comes_from(at));
            way.extend(aside.or(beside.first()));
            return;
        }
        let is_there = |&at: &Vertex| is_beside(graph, graph.cell(at), there, apart);
        if let Some(end) = way.iter().position(is_there) {
            let is_on_it = graph.cell(way[end]) == there;
            way.truncate(if is_on_it { end } else { end + 1 });
        }
    }
}

/// Returns whether an agent on a cell is near enough to another one that it follows.
fn is_beside(graph: &Graph, here: Cell, there: Cell, apart: u8) -> bool {
    let ends = graph.vertex(here).zip(graph.vertex(there));
    here == there
        || ends.is_some_and(|(here, there)| graph.are_adjacent(here, there))
        || least_steps(graph, here, there) <= apart.into() && graph.is_straight_way(here, there)
}

impl AgentRecord {
    /// Returns whether it may be on duty.
    fn has_routine(&self) -> bool {
        let routine = &self.routine;
        routine.duty.is_some() || self.setup.leash.is_some() || self.setup.control == Control::Duty
    }
}

impl Routine {
    /// Mixes the duty and its progress into a hash. Without a duty, the hash stays as it is.
    pub(super) fn hash(&self, hash: u64) -> u64 {
        let Some(record) = self.duty.as_deref() else {
            return hash;
        };
        let progress = [record.post as u64, record.is_back.into(), record.leaves];
        let hash = progress.into_iter().fold(hash, mix);
        match self.now {
            OnDuty::Walks(cell) | OnDuty::NoWay(cell) => mix_cell(hash, cell),
            OnDuty::Off | OnDuty::Waits => hash,
        }
    }
}
