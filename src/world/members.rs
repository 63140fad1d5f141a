//! The members of a world: its agents, and the pursuits they take part in.

mod doubts;

use super::agent::{AgentRecord, AgentSetup, Catch, Control};
use super::board::Board;
use super::event::WorldEvent;
use super::pursuit::PursuitSetup;
use super::roster::Roster;
use super::settings::PursuitClock;
use super::state::{DecidedBy, PursuitState};
use super::{AgentId, PursuitRecord};
use crate::game::Side;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// All agents, and the pursuits they take part in.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Members {
    roster: Roster,
    /// Sorted by number.
    pursuits: Vec<PursuitRecord>,
    /// The number of pursuits created so far, from which their phases follow.
    founded: u64,
    /// Whether the lists of a pursuit name agents that have left.
    is_untidy: bool,
    /// The agents that the game has moved by a step for the next arrivals, and where they stood before: sorted by id.
    pub(super) steps: Vec<(AgentId, Cell)>,
    /// Robbers that have left pursuits whose cops saw them last, and of which the game has not been notified.
    lost: Vec<AgentId>,
}

impl Members {
    pub(super) fn get(&self, id: AgentId) -> Option<&AgentRecord> {
        self.roster.get(id)
    }

    pub(super) fn get_mut(&mut self, id: AgentId) -> Option<&mut AgentRecord> {
        self.roster.get_mut(id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (AgentId, &AgentRecord)> {
        self.roster.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (AgentId, &mut AgentRecord)> {
        self.roster.iter_mut()
    }

    /// All pursuits, sorted by number.
    pub(super) fn pursuits(&self) -> &[PursuitRecord] {
        &self.pursuits
    }

    pub(super) fn pursuits_mut(&mut self) -> &mut [PursuitRecord] {
        &mut self.pursuits
    }

    /// A mutable pursuit, and the agents.
    pub(super) fn pursuit_and_agents(&mut self, at: usize) -> (&mut PursuitRecord, &mut Roster) {
        (&mut self.pursuits[at], &mut self.roster)
    }

    /// The index of a pursuit, or the index at which to insert it.
    pub(super) fn find(&self, number: u32) -> Result<usize, usize> {
        self.pursuits.binary_search_by_key(&number, |p| p.number)
    }

    /// A pursuit by its number.
    pub(super) fn pursuit(&self, number: u32) -> Option<&PursuitRecord> {
        self.find(number).ok().map(|at| &self.pursuits[at])
    }

    fn pursuit_of(&mut self, id: AgentId) -> Option<&mut PursuitRecord> {
        let number = self.roster.get(id)?.setup.pursuit;
        let at = self.find(number).ok()?;
        self.pursuits.get_mut(at)
    }

    /// Notes that a member of the agent's pursuit may want a plan or may be captured where it stands.
    pub(super) fn unsettle(&mut self, id: AgentId) {
        if let Some(pursuit) = self.pursuit_of(id) {
            pursuit.unsettle();
        }
    }

    /// Makes a standing agent decide at this tick, and not earlier.
    pub(super) fn choose_at(&mut self, id: AgentId, tick: u64) {
        if let Some(agent) = self.roster.get_mut(id) {
            agent.arrives = tick;
        }
        if let Some(pursuit) = self.pursuit_of(id) {
            pursuit.wake_at(tick);
        }
    }

    /// Notes that the lists of a pursuit have to be tidied, because a member joins or leaves.
    fn mark_untidy(&mut self, number: u32) {
        if let Ok(at) = self.find(number) {
            let pursuit = &mut self.pursuits[at];
            pursuit.is_untidy = true;
            pursuit.is_other_game = true;
            pursuit.forget_table();
            pursuit.unsettle();
            self.is_untidy = true;
        }
    }

    /// Removes agents that have left from the lists of pursuits, and pursuits that are empty unless the
    /// game has set them up. Cost: linear in the number of members of the pursuits that an agent has
    /// left.
    pub(super) fn tidy(&mut self) {
        if !std::mem::take(&mut self.is_untidy) {
            return;
        }
        let Self {
            roster,
            pursuits,
            lost,
            ..
        } = self;
        for pursuit in pursuits.iter_mut().filter(|pursuit| pursuit.is_untidy) {
            pursuit.is_untidy = false;
            let number = pursuit.number;
            for side in [Side::Cops, Side::Robber] {
                let list = pursuit.members_mut(side);
                list.retain(|&id| {
                    let setup = roster.get(id).map(AgentRecord::setup);
                    setup.is_some_and(|setup| setup.pursuit == number && setup.side == side)
                });
                // Sorted by id and not by order of arrival, so that a run is repeatable.
                list.sort_unstable();
                list.dedup();
            }
            if pursuit.cops.is_empty() {
                pursuit.robbers.retain(|&id| {
                    let is_trace = roster.get(id).is_some_and(|agent| agent.has_left);
                    !(is_trace && roster.remove(id).is_some())
                });
            }
            pursuit.forget_non_members(lost);
        }
        pursuits.retain(|pursuit| {
            pursuit.members().next().is_some() || pursuit.setup != PursuitSetup::default()
        });
    }

    /// Notes that the cops of a pursuit have lost a robber that has left it.
    pub(super) fn lose(&mut self, robber: AgentId) {
        self.lost.push(robber);
    }

    /// Adds the trace of a robber that has left to its pursuit.
    pub(super) fn insert_trace(&mut self, trace: AgentRecord) -> AgentId {
        let number = trace.setup.pursuit;
        let id = self.roster.insert_record(trace);
        if let Ok(at) = self.find(number) {
            self.pursuits[at].robbers.push(id);
        }
        self.mark_untidy(number);
        id
    }

    pub(super) fn drop_trace(&mut self, number: u32, trace: AgentId) {
        self.roster.remove(trace);
        self.mark_untidy(number);
    }

    /// Checks that the parts could come from a real game in which no tick is later than `last_tick`.
    pub(super) fn check(&self, last_tick: u64) -> Result<(), &'static str> {
        let expect = |is_so: bool, what| is_so.then_some(()).ok_or(what);
        expect(self.founded < last_tick, "number of pursuits")?;
        expect(self.roster.is_sound(), "agents")?;
        let mut pairs = self.pursuits.array_windows();
        expect(pairs.all(|[a, b]| a.number < b.number), "order of pursuits")?;
        let in_time =
            |p: &PursuitRecord| p.ends < last_tick && p.began < last_tick && p.turn < last_tick;
        expect(self.pursuits.iter().all(in_time), "time of a pursuit")
    }
}

impl Board {
    /// Makes a standing agent decide at this tick, and not earlier. The game is told until when it stands.
    fn choose_at(&mut self, id: AgentId, tick: u64) {
        self.members.choose_at(id, tick);
        self.events.mark_changed(id);
    }

    /// Adds an agent. It moves from the next turn of its pursuit on.
    pub(super) fn insert(&mut self, setup: AgentSetup) -> AgentId {
        let id = self.members.roster.insert(setup);
        self.enlist(id, setup);
        let first = self.next_turn(setup.pursuit);
        if let Some(agent) = self.members.get_mut(id) {
            agent.stands_since = self.tick;
        }
        self.choose_at(id, first);
        self.members.note_new_cop(id);
        self.recognise(id, setup);
        id
    }

    /// Adds an agent to the list of its pursuit.
    fn enlist(&mut self, id: AgentId, setup: AgentSetup) {
        let at = self.pursuit_or_new(setup.pursuit);
        let list = self.members.pursuits[at].members_mut(setup.side);
        list.push(id);
        self.members.mark_untidy(setup.pursuit);
    }

    /// Removes an agent; `false` if it does not exist. Cops that have seen it do not know that it has left.
    pub(super) fn remove(&mut self, id: AgentId) -> bool {
        let Some(agent) = self.members.roster.remove(id) else {
            return false;
        };
        self.members.mark_untidy(agent.setup.pursuit);
        self.keep_trace(id, agent);
        true
    }

    /// Removes an agent and all that others know about it; `false` if it does not exist.
    pub(super) fn erase(&mut self, id: AgentId) -> bool {
        let Some(agent) = self.members.roster.remove(id) else {
            return false;
        };
        self.members.mark_untidy(agent.setup.pursuit);
        if let Ok(at) = self.members.find(agent.setup.pursuit) {
            self.members.pursuits[at].forget_robber(id);
        }
        true
    }

    /// Changes the properties of an agent. It finishes its current step.
    pub(super) fn change(&mut self, id: AgentId, change: impl FnOnce(&mut AgentSetup)) {
        let Some(agent) = self.members.roster.get_mut(id) else {
            return;
        };
        let before = agent.setup;
        let mut after = before;
        change(&mut after);
        after.cell = before.cell;
        if after == before {
            return;
        }
        agent.setup = after;
        let only_for_the_game = AgentSetup {
            user: before.user,
            ..after
        };
        if only_for_the_game == before {
            self.events.mark_changed(id);
            return;
        }
        let changes_place = (before.pursuit, before.side) != (after.pursuit, after.side);
        let changes_control = before.control != after.control;
        if changes_place || changes_control {
            agent.forget_intentions();
            // What it has announced was of another game.
            agent.state.value = None;
        }
        if before.side != after.side {
            agent.caught = None;
            // Nothing has decided for it on this side yet.
            agent.state = PursuitState::default();
        }
        if after.side == Side::Robber && agent.goal_of_walk().is_none() {
            agent.plan.doubt();
        }
        self.events.mark_changed(id);
        self.members.unsettle(id);
        self.members.note_new_cop(id);
        if before.is_other_game(&after) {
            self.members.note_other_game(id);
        }
        if changes_place {
            self.members.mark_untidy(before.pursuit);
            self.enlist(id, after);
        }
        if changes_control {
            self.turn_back(id);
        }
        let Some(agent) = self.members.get(id) else {
            return;
        };
        if agent.is_under_way(self.tick) {
            let arrives = agent.arrives;
            self.choose_at(id, arrives);
        } else if changes_place || changes_control {
            let soonest = self.soonest_choice(agent.setup.pursuit);
            self.choose_at(id, soonest);
        }
    }

    /// On the free-running clock, a player that steers back in mid-step walks back. So does an agent that is sent to a
    /// cell nearer to the start of its step. On the other clocks, a move that has begun is final.
    fn turn_back(&mut self, id: AgentId) {
        let Some(agent) = self.members.get(id) else {
            return;
        };
        let &[end] = &agent.way[..] else {
            return;
        };
        let pursuit = self.members.pursuit(agent.setup.pursuit);
        let is_free = pursuit.is_some_and(|p| self.clock(p) == PursuitClock::FreeRunning);
        let Some(here) = self.graph.vertex(agent.setup.cell).filter(|_| is_free) else {
            return;
        };
        // An agent that already walks back comes from the vertex where it turned, which may be a wall by now.
        let from = agent.turned_at.unwrap_or(here);
        if from != here && !self.graph.are_adjacent(here, from) {
            return;
        }
        let (from_cell, end_cell) = (self.graph.cell(from), self.graph.cell(end));
        let step_x = i32::from(end_cell.x) - i32::from(from_cell.x);
        let step_y = i32::from(end_cell.y) - i32::from(from_cell.y);
        let is_back = match agent.setup.control {
            Control::Steer { dx, dy } => step_x * i32::from(dx) + step_y * i32::from(dy) < 0,
            Control::WalkTo(goal) => goal.max_norm(from_cell) < goal.max_norm(end_cell),
            Control::Policy | Control::External => false,
        };
        let tick = self.tick;
        // In the first ticks of a map, the walk back would have to depart before tick 0. The agent
        // finishes its step instead.
        if !is_back || agent.arrives <= tick || agent.arrives > tick + tick {
            return;
        }
        let Some(agent) = self.members.get_mut(id) else {
            return;
        };
        // The walk back takes as long as the step has taken so far.
        let (departs, arrives) = (agent.departs, agent.arrives);
        agent.way.clear();
        agent.way.push(from);
        agent.turned_at = (from == here).then_some(end);
        agent.pace = 1;
        agent.departs = tick + tick - arrives;
        agent.arrives = (tick + tick).saturating_sub(departs).max(tick);
    }

    /// Places an agent on another cell. Its path and its plan end; it sets out again at the time of its next step. On
    /// the `Turns` clock, an agent that had nothing to do begins with the next turn, unless a player steers it. On the
    /// `Simultaneous` clock, all agents do.
    ///
    /// An agent that the game moves goes on as it was if the cell is within its speed: that is a [step](Self::step).
    pub(super) fn place(&mut self, id: AgentId, cell: Cell) {
        if !self.step(id, cell) {
            self.teleport(id, cell);
        }
    }

    fn teleport(&mut self, id: AgentId, cell: Cell) {
        let Some(agent) = self.members.get(id) else {
            return;
        };
        let pursuit = self.members.pursuit(agent.setup.pursuit);
        let was_idle = matches!(agent.state.decided_by, DecidedBy::Nobody(_));
        let next = match pursuit.map(|pursuit| (self.clock(pursuit), pursuit)) {
            _ if agent.setup.control == Control::External => agent.arrives,
            Some((PursuitClock::Simultaneous, pursuit)) => pursuit.ends.max(self.tick),
            // Together with a robber that the game frees, and not before it.
            Some((PursuitClock::Turns, pursuit))
                if was_idle && agent.setup.control == Control::Policy =>
            {
                pursuit.ends.max(self.tick)
            }
            _ if was_idle && agent.caught.is_none() => self.tick,
            Some((PursuitClock::Turns, pursuit)) => self.next_step(pursuit, agent),
            Some((PursuitClock::FreeRunning, _)) => agent.arrives,
            None => self.tick,
        };
        let tick = self.tick;
        if let Some(agent) = self.members.get_mut(id) {
            agent.setup.cell = cell;
            agent.origin = cell;
            agent.stands_since = tick;
            agent.halt();
            agent.pressure.forget();
            agent.plan.drop();
            agent.errand = super::agent::Errand::Walking;
        }
        self.members.unsettle(id);
        self.members.note_new_cop(id);
        self.members.note_other_game(id);
        self.choose_at(id, next);
    }

    /// Moves an agent and the goal of its control to the cells that are the same places as before, on a map whose rows are
    /// numbered differently. Unlike [`place`](Self::place) and [`change`](Self::change), it does not begin an errand anew.
    pub(super) fn renumber(&mut self, id: AgentId, cell: Cell, control: Control) {
        let Some(agent) = self.members.get(id) else {
            return;
        };
        let (errand, pursuit) = (agent.errand, agent.setup.pursuit);
        if agent.setup.cell != cell {
            self.members.forget_step(id);
            self.teleport(id, cell);
            if let Ok(at) = self.members.find(pursuit) {
                self.members.pursuits[at].renumber_sightings(id, cell);
            }
        }
        self.change(id, |setup| setup.control = control);
        if let Some(agent) = self.members.get_mut(id) {
            agent.errand = errand;
        }
    }

    /// The tick at which the next step of an agent would begin within the turn of a pursuit.
    fn next_step(&self, pursuit: &PursuitRecord, agent: &AgentRecord) -> u64 {
        if self.tick < pursuit.began || self.tick >= pursuit.ends {
            return pursuit.ends;
        }
        let steps = u64::from(agent.setup.speed.steps());
        let step = (self.turn_length() / steps).max(1);
        let gone = self.tick - pursuit.began;
        (pursuit.began + gone.div_ceil(step) * step).min(pursuit.ends)
    }

    /// Sends an agent along a path chosen by the game, as far as it is open: at its speed, or as a dash with one move.
    /// `way` does not include the cell it stands on. Returns the number of steps that are open.
    pub(super) fn order(&mut self, id: AgentId, way: &[Cell], is_dash: bool) -> usize {
        let Some(agent) = self.members.get(id) else {
            return 0;
        };
        let stands = !agent.is_under_way(self.tick);
        let is_counted_on = agent.setup.side == Side::Cops && agent.chooses();
        let from = agent.setup.cell;
        let times = (self.tick, self.end_of_order(agent));
        // Nothing moves an agent that cannot move.
        let way = if agent.setup.is_immobile { &[] } else { way };
        let mut vertices = Vec::with_capacity(way.len());
        vertices.extend(way.iter().map_while(|&cell| self.graph.vertex(cell)));
        let open = self.open_steps(from, &vertices);
        let steps = usize::from(self.steps_of_stint(agent).steps());
        let now = if is_dash { open } else { open.min(steps) };
        if let Some(agent) = self.members.get_mut(id) {
            agent.halt();
            agent.way.extend_from_slice(&vertices[..now]);
            agent.ordered.extend_from_slice(&vertices[now..open]);
            agent.is_ordered = now > 0;
            agent.pace = now as u32;
            agent.origin = from;
            agent.plan.drop();
            // What it has announced was for the move that the game replaces.
            agent.state = PursuitState::of(DecidedBy::Game);
            // An agent in mid-step arrives when its turn ends, as before.
            if stands {
                (agent.departs, agent.arrives) = times;
            }
            let arrives = agent.arrives;
            self.choose_at(id, arrives);
        }
        // A dash may lead an agent farther than its opponents expect.
        if is_counted_on || now > steps {
            self.members.note_other_game(id);
        }
        self.members.unsettle(id);
        self.members.note_new_cop(id);
        self.events.mark_changed(id);
        open
    }

    /// The arrival tick of an agent that the game now sends along a path.
    fn end_of_order(&self, agent: &AgentRecord) -> u64 {
        let pursuit = self.members.pursuit(agent.setup.pursuit);
        match pursuit.map(|pursuit| (self.clock(pursuit), pursuit.ends)) {
            Some((PursuitClock::FreeRunning, _)) => {
                self.tick + u64::from(self.ticks_per_step(agent))
            }
            Some((_, ends)) if ends > self.tick => ends,
            Some(_) => self.tick + self.turn_length(),
            None => self.tick,
        }
    }

    /// Marks a robber as captured, without a cop.
    pub(super) fn hold(&mut self, id: AgentId) {
        let tick = self.tick;
        if let Some(agent) = self.members.get_mut(id) {
            agent.caught = Some(Catch {
                by: id,
                turn: 0,
                tick,
            });
            agent.halt();
            agent.pressure.forget();
            agent.plan.drop();
            self.events.mark_changed(id);
        }
    }

    /// Frees a captured robber.
    pub(super) fn release(&mut self, id: AgentId) {
        let tick = self.tick;
        let Some(agent) = self.members.get_mut(id) else {
            return;
        };
        if agent.caught.take().is_none() {
            return;
        }
        let (setup, arrives) = (agent.setup, agent.arrives);
        let next = if agent.is_under_way(tick) {
            // A captured robber that the game has sent along a path follows it to its end.
            arrives
        } else if setup.control == Control::Policy {
            self.next_turn(setup.pursuit)
        } else {
            self.soonest_choice(setup.pursuit)
        };
        self.members.unsettle(id);
        self.members.note_other_game(id);
        self.choose_at(id, next);
    }

    /// The tick of the first move of an agent that joins a pursuit now. On clocks with turns it moves when the next
    /// turn begins, together with the others, so that the game has a table.
    fn next_turn(&self, number: u32) -> u64 {
        match self.members.pursuit(number) {
            Some(pursuit) if self.clock(pursuit).is_in_turns() => pursuit.ends.max(self.tick),
            _ => self.tick,
        }
    }

    /// The tick from which on a standing agent of a pursuit may choose when the game changes its control. Where both
    /// sides choose simultaneously, this is the beginning of the next turn, so that no player answers a move of the
    /// present one.
    fn soonest_choice(&self, number: u32) -> u64 {
        match self.members.pursuit(number) {
            Some(pursuit) if self.is_simultaneous(pursuit) => pursuit.ends.max(self.tick),
            _ => self.tick,
        }
    }

    /// Gives a pursuit its own clock or tactics.
    pub(super) fn set_up_pursuit(&mut self, number: u32, setup: PursuitSetup) {
        let at = self.pursuit_or_new(number);
        let pursuit = &mut self.members.pursuits[at];
        pursuit.is_other_game |= pursuit.setup != setup;
        pursuit.setup = setup;
        pursuit.is_settled = false;
        // A pursuit whose setup returns to the default goes with its last member.
        pursuit.is_untidy = true;
        self.members.is_untidy = true;
    }

    fn pursuit_or_new(&mut self, number: u32) -> usize {
        self.members.find(number).unwrap_or_else(|at| {
            let pursuit = PursuitRecord::new(number, self.first_turn());
            self.members.pursuits.insert(at, pursuit);
            at
        })
    }

    /// The tick at which the first turn of a new pursuit begins.
    fn first_turn(&mut self) -> u64 {
        // Multiples of the golden ratio stay far apart, however many there are.
        let share = self.members.founded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let phase = if self.settings.stagger {
            (share * self.turn_length()) >> 32
        } else {
            0
        };
        self.members.founded += 1;
        self.tick + phase
    }

    /// Takes back all announcements: turns have another length or order from now on, or proofs other sources.
    pub(super) fn begin_other_games(&mut self) {
        for pursuit in &mut self.members.pursuits {
            (pursuit.is_other_game, pursuit.has_new_cops) = (true, true);
        }
    }

    /// See [`PursuitWorld::restart_pursuit`](super::PursuitWorld::restart_pursuit).
    pub(super) fn restart_pursuit(&mut self, number: u32) {
        if let Ok(at) = self.members.find(number) {
            let first_turn = self.first_turn();
            self.members.pursuits[at].restart(first_turn);
        }
    }

    /// Removes agents that have left from the lists of pursuits, and empty pursuits. Cops lose the robbers that have left.
    pub(super) fn tidy_members(&mut self) {
        self.members.tidy();
        for robber in self.members.lost.drain(..) {
            self.events.send(WorldEvent::lost(robber));
        }
    }
}
