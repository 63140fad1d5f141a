//! What the game does to agents and pursuits: it adds, removes, changes, places, orders, holds and frees agents, and sets
//! up pursuits.

use super::agent::{AgentRecord, AgentSetup, Catch, Control, Errand};
use super::agent_id::AgentId;
use super::event::WorldEvent;
use super::facts::Facts;
use super::pursuit::{GameChanges, PursuitIndex, PursuitNumber, PursuitRecord, PursuitSetup};
use super::settings::PursuitClock;
use super::state::{DecidedBy, PursuitState};
use crate::game::Side;
use crate::map::Cell;

impl Facts {
    /// Makes an agent that waits decide at this tick, and not earlier. The tick is reported to the game.
    pub(super) fn choose_at(&mut self, id: AgentId, tick: u64) {
        self.members.choose_at(id, tick);
        self.events.mark_changed(id);
    }

    /// Adds an agent. It moves from the next turn of its pursuit on.
    pub(super) fn insert(&mut self, setup: AgentSetup) -> AgentId {
        let id = self.members.insert(setup);
        self.prepare_ground(&setup);
        self.enlist(id, setup);
        let first = self.next_turn(setup.first_role().0);
        if let Some(agent) = self.members.get_mut(id) {
            agent.stands_since = self.tick;
        }
        self.choose_at(id, first);
        self.members.note_new_cop(id);
        self.recognise(id, setup);
        id
    }

    /// Adds an agent to the lists of its pursuits.
    fn enlist(&mut self, id: AgentId, setup: AgentSetup) {
        for (number, side) in setup.memberships() {
            let at = self.pursuit_or_new(number);
            self.members.enlist(id, side, at);
        }
    }

    /// Removes an agent; `false` if it does not exist. Cops that have seen it do not know that it has left.
    pub(super) fn remove(&mut self, id: AgentId) -> bool {
        let Some(agent) = self.members.remove(id) else {
            return false;
        };
        self.keep_trace(id, agent);
        true
    }

    /// Removes an agent and all that others know about it; `false` if it does not exist.
    pub(super) fn erase(&mut self, id: AgentId) -> bool {
        let Some(agent) = self.members.remove(id) else {
            return false;
        };
        if let Ok(at) = self.members.find(agent.pursuit_number()) {
            self.members[at].forget_robber(id);
        }
        true
    }

    /// Changes the properties of an agent. It finishes its current step.
    pub(super) fn change(&mut self, id: AgentId, change: impl FnOnce(&mut AgentSetup)) {
        let Some(agent) = self.members.get_mut(id) else {
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
        let place = |setup: &AgentSetup| (setup.pursuit, setup.side, setup.faction_now());
        let changes_place = place(&before) != place(&after);
        let changes_control = before.control != after.control;
        let changes_ground = before.walker() != after.walker();
        if changes_place || changes_control {
            agent.forget_intentions();
            // What it has announced was of another game.
            agent.state.value = None;
        }
        if changes_place {
            agent.role = after.first_role();
        }
        let changes_side = before.side != after.side && after.faction.is_none();
        if changes_side || agent.caught.is_some() && !agent.can_be_captured() {
            agent.caught = None;
            agent.is_away = false;
            // Nothing has decided for it on this side yet.
            agent.state = PursuitState::default();
        }
        if changes_ground {
            // Path and plan were chosen for another ground.
            agent.changed_ground = true;
            agent.plan.drop();
            agent.errand = Errand::Walking;
            agent.routine.try_all_posts();
        }
        if after.side == Side::Robber && agent.goal_of_walk().is_none() {
            agent.plan.ask_anew();
        }
        if changes_ground {
            self.prepare_ground(&after);
        }
        self.members.has_new_tactics |= before.tactics != after.tactics;
        self.events.mark_changed(id);
        self.members.ask_for_plans(id);
        self.members.note_new_cop(id);
        if before.is_other_game(&after) {
            self.members.note_other_game(id);
        }
        if changes_place {
            self.members.mark_parts_untidy(&before);
            self.enlist(id, after);
        }
        let by_room = |setup: &AgentSetup| (setup.is_solid, setup.keeps_direction);
        if by_room(&before) != by_room(&after) {
            self.members.count_moved_by_room();
        }
        self.members.note_moved_body();
        if changes_control {
            self.turn_back(id);
        }
        let Some(agent) = self.members.get(id) else {
            return;
        };
        if agent.is_under_way(self.tick) {
            let arrives = agent.arrives();
            self.choose_at(id, arrives);
        } else if changes_place || changes_control {
            let soonest = self.soonest_choice(agent.pursuit_number());
            self.choose_at(id, soonest);
        }
    }

    /// On the free-running clock, a player that steers back in mid-step walks back. So does an agent that is sent to a
    /// cell nearer to the start of its step. On the other clocks, a move that has begun is final.
    fn turn_back(&mut self, id: AgentId) {
        let Some(agent) = self.members.get(id) else {
            return;
        };
        let &[end] = agent.way() else {
            return;
        };
        let pursuit = self.members.pursuit(agent.pursuit_number());
        let is_free = pursuit.is_some_and(|p| self.clock(p) == PursuitClock::FreeRunning);
        let graph = self.graph_of(agent);
        let Some(here) = graph.vertex(agent.setup.cell).filter(|_| is_free) else {
            return;
        };
        // An agent that already walks back comes from the vertex where it turned, which may be a wall by now.
        let from = agent.turned_at().unwrap_or(here);
        if from != here && !graph.are_adjacent(here, from) {
            return;
        }
        // Nobody turns on a one-way edge, or on the way through a link.
        if !graph.are_adjacent(end, from) || graph.cell(end).max_norm(graph.cell(from)) > 1 {
            return;
        }
        let (from_cell, end_cell) = (graph.cell(from), graph.cell(end));
        let step_x = i32::from(end_cell.x) - i32::from(from_cell.x);
        let step_y = i32::from(end_cell.y) - i32::from(from_cell.y);
        let is_back = match agent.setup.control {
            Control::Steer { dx, dy } => step_x * i32::from(dx) + step_y * i32::from(dy) < 0,
            Control::WalkTo(goal) => goal.max_norm(from_cell) < goal.max_norm(end_cell),
            Control::Policy | Control::External | Control::Duty => false,
        };
        let tick = self.tick;
        // In the first ticks of a map, the walk back would have to depart before tick 0. The agent
        // finishes its step instead.
        if !is_back || agent.arrives() <= tick || agent.arrives() > tick + tick {
            return;
        }
        if let Some(agent) = self.members.get_mut(id) {
            agent.turn_back(from, (from == here).then_some(end), tick);
        }
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
        let pursuit = self.members.pursuit(agent.pursuit_number());
        let was_idle = matches!(agent.state.decided_by, DecidedBy::Nobody(_));
        let next = match pursuit.map(|pursuit| (self.clock(pursuit), pursuit)) {
            _ if agent.setup.control == Control::External => agent.arrives(),
            Some((PursuitClock::Simultaneous, pursuit)) => pursuit.ends.max(self.tick),
            // Together with a robber that the game frees, and not before it.
            Some((PursuitClock::Turns, pursuit))
                if was_idle && agent.setup.control == Control::Policy =>
            {
                pursuit.ends.max(self.tick)
            }
            _ if was_idle && agent.caught.is_none() => self.tick,
            Some((PursuitClock::Turns, pursuit)) => self.next_step(pursuit, agent),
            Some((PursuitClock::FreeRunning, _)) => agent.arrives(),
            None => self.tick,
        };
        let tick = self.tick;
        if let Some(agent) = self.members.get_mut(id) {
            agent.setup.cell = cell;
            agent.set_origin(cell);
            agent.left = None;
            agent.stands_since = tick;
            agent.halt();
            agent.pressure.forget();
            agent.plan.drop();
            agent.errand = Errand::Walking;
        }
        self.members.note_moved_body();
        self.members.ask_for_plans(id);
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
        let (errand, pursuit) = (agent.errand, agent.pursuit_number());
        if agent.setup.cell != cell {
            self.members.forget_step(id);
            self.teleport(id, cell);
            if let Ok(at) = self.members.find(pursuit) {
                self.members[at].renumber_sightings(id, cell);
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

    /// Marks a robber as captured, without a cop. Does nothing to a cop, which cannot be captured.
    pub(super) fn hold(&mut self, id: AgentId) {
        let tick = self.tick;
        if let Some(agent) = self.members.get_mut(id)
            && agent.can_be_captured()
        {
            agent.caught = Some(Catch {
                by: id,
                turn: 0,
                tick,
            });
            agent.halt();
            agent.pressure.forget();
            agent.plan.drop();
            let setup = agent.setup;
            if setup.faction.is_some() {
                // Who is captured hunts nobody.
                self.members.mark_parts_untidy(&setup);
            }
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
        agent.is_away = false;
        let (setup, arrives, number) = (agent.setup, agent.arrives(), agent.pursuit_number());
        let next = if agent.is_under_way(tick) {
            // A captured robber that the game has sent along a path follows it to its end.
            arrives
        } else if setup.control == Control::Policy {
            self.next_turn(number)
        } else {
            self.soonest_choice(number)
        };
        if setup.faction.is_some() {
            // Who was captured hunted nobody.
            self.enlist(id, setup);
        }
        self.members.note_moved_body();
        self.members.ask_for_plans(id);
        self.members.note_other_game(id);
        self.choose_at(id, next);
    }

    /// The tick of the first move of an agent that joins a pursuit now. On clocks with turns it moves when the next
    /// turn begins, together with the others, so that the game has a table.
    fn next_turn(&self, number: PursuitNumber) -> u64 {
        match self.members.pursuit(number) {
            Some(pursuit) if self.clock(pursuit).is_in_turns() => pursuit.ends.max(self.tick),
            _ => self.tick,
        }
    }

    /// The tick from which on a standing agent of a pursuit may choose when the game changes its control. Where both
    /// sides choose simultaneously, this is the beginning of the next turn, so that no player answers a move of the
    /// present one.
    fn soonest_choice(&self, number: PursuitNumber) -> u64 {
        match self.members.pursuit(number) {
            Some(pursuit) if self.is_simultaneous(pursuit) => pursuit.ends.max(self.tick),
            _ => self.tick,
        }
    }

    /// Gives a pursuit its own clock or tactics.
    pub(super) fn set_up_pursuit(&mut self, number: PursuitNumber, setup: PursuitSetup) {
        let at = self.pursuit_or_new(number);
        self.members.set_up_pursuit(at, setup);
        for at in self.members.indices() {
            if self.members[at].number.is_part_of(number) {
                self.members.set_up_pursuit(at, setup);
            }
        }
    }

    fn pursuit_or_new(&mut self, number: PursuitNumber) -> PursuitIndex {
        self.members.find(number).unwrap_or_else(|at| {
            let pursuit = match number.whole() {
                None => PursuitRecord::new(number, self.first_turn()),
                Some(whole) => self.pursuit_of_faction(number, whole),
            };
            self.members.insert_pursuit(at, pursuit);
            at
        })
    }

    /// A pursuit of a faction, in step with those of the other factions.
    fn pursuit_of_faction(&mut self, number: PursuitNumber, whole: PursuitNumber) -> PursuitRecord {
        let all = self.members.pursuits();
        let sibling = all.iter().find(|other| other.number.is_part_of(whole));
        let setup = self.members.pursuit(whole).map(|whole| whole.setup);
        let mut pursuit = match sibling {
            Some(sibling) => PursuitRecord {
                turn: sibling.turn,
                began: sibling.began,
                ..PursuitRecord::new(number, sibling.ends)
            },
            None => PursuitRecord::new(number, self.first_turn()),
        };
        pursuit.setup = setup.unwrap_or_default();
        pursuit
    }

    /// The tick at which the first turn of a new pursuit begins.
    fn first_turn(&mut self) -> u64 {
        let phase = self.members.next_phase();
        if self.settings.stagger {
            self.tick + ((phase * self.turn_length()) >> 32)
        } else {
            self.tick
        }
    }

    /// Takes back all announcements: turns have another length or order from now on, or proofs other sources.
    pub(super) fn begin_other_games(&mut self) {
        for pursuit in self.members.pursuits_mut() {
            pursuit.changes = GameChanges {
                has_new_cops: true,
                is_other_game: true,
            };
        }
    }

    /// See [`PursuitWorld::restart_pursuit`](super::PursuitWorld::restart_pursuit).
    pub(super) fn restart_pursuit(&mut self, number: PursuitNumber) {
        let mut first_turn = None;
        for at in self.members.indices() {
            let found = self.members[at].number;
            if found == number || found.is_part_of(number) {
                let first_turn = *first_turn.get_or_insert_with(|| self.first_turn());
                self.members[at].restart(first_turn);
            }
        }
    }

    /// Removes agents that have left from the lists of pursuits, and empty pursuits. Cops lose the robbers that have left.
    pub(super) fn tidy_members(&mut self) {
        self.members.tidy();
        self.apply_tactics();
        for robber in self.members.take_lost() {
            self.events.send(WorldEvent::lost(robber));
        }
    }
}
