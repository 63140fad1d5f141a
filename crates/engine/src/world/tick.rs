//! A whole tick, in order.
//!
//! Edits, arrivals and captures; then repairs; then senses, plans, choices and orders for each pursuit with a member
//! that may move now; then plans for coming turns.

use super::agent_id::AgentId;
use super::budget::Meter;
use super::event::WorldEvent;
use super::facts::Facts;
use super::plan::PlanState;
use super::purse::Purse;
use super::pursuit::{MovesBy, PursuitIndex, PursuitRecord};
use super::pursuit_world::PursuitWorld;
use super::settings::PursuitClock;
use super::share::Share;
use super::state::DecidedBy;
use super::veto::{Gate, Verdict, Wish};
use crate::game::Side;
use crate::graph::{GraphDelta, TileEdit};
use crate::map::MapEdit;
use crate::policy::{Source, SubsetPlayer};

impl PursuitWorld {
    /// Begins a tick: cells become passable or walls, in order. Plans that depend on them are
    /// invalidated, and no agent continues into a new wall.
    ///
    /// Cost: constant for each edit, and some nanoseconds for each agent, however many edits there are.
    pub fn begin_tick(&mut self, edits: &[TileEdit]) {
        let mut all = std::mem::take(&mut self.facts.edits);
        all.clear();
        all.extend(edits.iter().map(|&edit| MapEdit::from(edit)));
        self.begin_tick_with(&all);
        self.facts.edits = all;
    }

    /// Begins a tick as [`begin_tick`](Self::begin_tick) does, with changes of cells, edges, links and sight.
    pub fn begin_tick_with(&mut self, edits: &[MapEdit]) {
        let Self {
            facts,
            cache,
            ladder,
            ..
        } = self;
        facts.tick += 1;
        facts.are_arrivals_due = true;
        facts.events.clear();
        facts.end_swaps();
        facts.barred.end(facts.tick);
        facts.tidy_members();
        if !edits.is_empty() {
            facts.forget_former_territories();
        }
        let slots = facts.graph.slots();
        facts.graph.apply_edits(edits, &mut facts.delta);
        facts.grounds.apply(edits);
        if !facts.delta.is_empty() || facts.delta.sight_changes() {
            facts.sight.forget_views();
        }
        let is_numbered = facts.graph.slots() != slots;
        // Edits without effect leave the abstraction as it is.
        if is_numbered || !facts.delta.is_empty() {
            facts.maintenance.push_edits(edits);
            cache.drop_guides(facts.tick);
        }
        let is_of_kinds =
            |edit: &MapEdit| matches!(edit, MapEdit::Kinds { .. } | MapEdit::Exit { .. });
        let changes_kinds = edits.iter().any(is_of_kinds);
        if changes_kinds {
            facts.territories.forget();
            facts.prepare_grounds();
        }
        if changes_kinds || !facts.grounds.list().is_empty() {
            facts.cut_paths_on_other_grounds();
        }
        if !facts.delta.is_empty() || facts.grounds.have_changed() {
            cache.forget_changed_grounds(|ground| facts.graph_on(ground));
            for rung in ladder.rungs.list_mut() {
                rung.follow_edits(facts, cache);
            }
            for pursuit in facts.members.pursuits_mut() {
                pursuit.forget_table();
                pursuit.is_settled = false;
            }
            facts.note_edits_in_beliefs();
            facts.list_changed_blocks();
            facts.follow_edits_in_territories();
            facts.cut_paths();
            facts.invalidate_plans(facts.opens_ways());
            facts.take_back_announcements();
        }
        facts.follow_hazards(edits);
    }

    /// Agents whose moves end in this tick arrive, and captures are found. The caller may place agents elsewhere
    /// beforehand.
    pub fn arrive(&mut self) {
        let Self {
            facts,
            captures,
            meetings,
            room,
            ..
        } = self;
        facts.are_arrivals_due = false;
        facts.tidy_members();
        facts.keep_bodies_apart(room.memory());
        facts.drop_doubtful_plans();
        meetings.clear();
        // An agent of several pursuits arrives with the first of them.
        for at in facts.members.indices() {
            if facts.is_due(&facts.members[at]) {
                facts.find_meetings(at, meetings);
            }
        }
        for at in facts.members.indices() {
            let pursuit = &facts.members[at];
            let moves = facts.is_due(pursuit);
            let needs_capture_check = pursuit.needs_capture_check;
            if moves {
                let clock = facts.clock(&facts.members[at]);
                if clock == PursuitClock::Turns {
                    facts.note_steps_of_turn(at);
                }
                facts.move_arrivals(at, Side::Cops);
                if clock != PursuitClock::Simultaneous {
                    // At the same tick cops arrive before robbers, as searches assume (`TimedState`). On the clock of
                    // turns, robbers of the world know where cops go, and agents that walk may exchange their cells.
                    facts.exchange_steps(at);
                    facts.find_captures(at, meetings, captures, clock == PursuitClock::Turns);
                    facts.exchange_steps(at);
                }
                facts.move_arrivals(at, Side::Robber);
            }
            if moves || needs_capture_check {
                facts.find_captures(at, meetings, captures, false);
                facts.find_robbers_away(at);
            }
            if needs_capture_check {
                // The game may have placed a member out of sight, or in sight.
                facts.events.report.spent += facts.update_sight(at);
                facts.wake_idle(at);
            }
        }
        facts.members.forget_steps();
        facts.report_struck();
    }

    /// Every agent that may move now gets a move; then plans are made for coming turns. The meter limits only the
    /// searching, never the moves.
    pub fn decide(&mut self, meter: &mut dyn Meter) {
        self.decide_at_gate(meter, &mut Gate::open());
    }

    /// The same as [`decide`](Self::decide), where the game sees who wants to step where before anybody sets out, and may
    /// refuse the move or name another step. An agent whose move is refused takes its next best one in the same tick: the
    /// beginning of its move, another step that brings it on, or none. The game is asked of each of these, too, and may be
    /// asked of moves that are not made in the end, because there is no room for them. Standing needs no permission.
    ///
    /// Moves that the game itself [orders](Self::order) are asked for, too, except for the first move of an order to an agent
    /// that is not [solid](super::AgentSetup::is_solid).
    ///
    /// Cost: one call for each move, and for an agent whose move is refused some hundreds of nanoseconds.
    pub fn decide_with(
        &mut self,
        meter: &mut dyn Meter,
        allows: &mut dyn FnMut(&Wish<'_>) -> Verdict,
    ) {
        self.decide_at_gate(meter, &mut Gate::new(allows));
    }

    fn decide_at_gate(&mut self, meter: &mut dyn Meter, gate: &mut Gate<'_>) {
        let members = &self.facts.members;
        let has_barred = !self.facts.barred.is_empty();
        let is_by_room = members.has_solid() || members.has_directed() || has_barred;
        self.orders.may_be_replaced = is_by_room || gate.asks();
        self.room.begin_tick();
        self.facts.tidy_members();
        self.facts.members.forget_steps();
        self.facts.drop_doubtful_plans();
        let purse = &mut Purse::new(meter, self.facts.events.report.spent);
        // Cops that have announced a capture get what their decision takes at least, whatever else there is to do.
        let mut kept = self.facts.cost_of_announcements();
        purse.keep_back(kept);
        self.repair(purse);
        let facts = &mut self.facts;
        let cache = &mut self.cache;
        cache.report_late_guides(facts.tick);
        let most = purse.share(Share::Shadows);
        let mut counted = 0;
        let work = cache.find_shadows(&facts.graph, facts.tick, |work| {
            purse.spend(work - counted);
            counted = work;
            purse.left_in_one().min(most.saturating_sub(work))
        });
        purse.spend(work - counted);
        facts.choose_roles();
        // Plan the most urgent requests before moving the agents that are due: by measurement, with a
        // scarce budget twice as many moves follow a plan.
        self.plans(purse).ahead();
        let mut due = std::mem::take(&mut self.due);
        due.clear();
        for at in self.facts.members.indices() {
            let pursuit = &self.facts.members[at];
            if self.facts.is_due(pursuit) {
                due.push((self.facts.nearness(pursuit), at));
            }
        }
        // Pursuits with near opponents come first, in case the budget runs out.
        due.sort_unstable();
        for &(_, at) in &due {
            kept = kept.saturating_sub(self.facts.cost_of_announcement(at));
            purse.keep_back(kept);
            self.play_pursuit(at, gate, purse);
        }
        purse.keep_back(0);
        if !due.is_empty() {
            self.plans(purse).ahead();
        }
        self.due = due;
        self.plans(purse).end_tick();
        // The last rungs come first: a proof in a part of the map costs less than the solution of a whole position.
        for rung in self.ladder.rungs.list_mut().into_iter().rev() {
            rung.work_ahead(&self.facts, &mut self.positions, purse);
        }
        self.facts.events.report.spent = purse.spent();
        self.send_table_events();
    }

    /// Returns whether a robber and a cop may meet, a robber may leave by an exit, or an agent walks to a tile. Other worlds need no part of a budget
    /// that several worlds share, and no tables.
    ///
    /// Cost: some nanoseconds for each pursuit, and for each agent if nobody is chased.
    #[must_use]
    pub fn has_chase(&self) -> bool {
        let members = &self.facts.members;
        let is_free = |&id: &AgentId| {
            members
                .get(id)
                .is_some_and(|robber| robber.caught.is_none())
        };
        let is_chase = |pursuit: &PursuitRecord| {
            !pursuit.cops.is_empty() && pursuit.robbers.iter().any(is_free)
        };
        let has_exits = self.facts.has_exits();
        let may_leave = |pursuit: &PursuitRecord| has_exits && pursuit.robbers.iter().any(is_free);
        members.pursuits().iter().any(is_chase)
            || members.pursuits().iter().any(may_leave)
            || members
                .iter()
                .any(|(_, agent)| agent.goal_of_walk().is_some())
    }

    /// Returns whether [`decide`](Self::decide) could have done more with a larger budget: agents wait for plans, or
    /// edits for their place in the abstraction.
    #[must_use]
    pub fn wants_more(&self) -> bool {
        let facts = &self.facts;
        facts.events.report.waiting > 0
            || self.planning.is_searching()
            || !facts.maintenance.is_current(&facts.graph)
            || !facts.grounds.are_current()
    }

    /// Continues with repairs and with plans for coming turns, after [`decide`](Self::decide) in the same tick: for
    /// budgets that several worlds share.
    pub fn plan_on(&mut self, meter: &mut dyn Meter) {
        let purse = &mut Purse::new(meter, self.facts.events.report.spent);
        self.repair(purse);
        self.plans(purse).ahead();
        self.plans(purse).end_tick();
        self.facts.events.report.spent = purse.spent();
    }

    /// Collects the events of the table cache. A table is reported as ready before it is used.
    pub(super) fn send_table_events(&mut self) {
        let Self { facts, cache, .. } = self;
        // Tables that are due come into use now, even if no pursuit asks for them.
        cache.settle(facts.tick);
        let events = cache.events().map(WorldEvent::TableCache);
        facts.events.list.extend(events);
    }
}

impl Facts {
    fn list_changed_blocks(&mut self) {
        let (width, height) = (self.graph.width(), self.graph.height());
        self.changed.clear(width, height);
        let deltas = self.grounds.list().iter().map(|ground| &ground.delta);
        for delta in deltas.chain([&self.delta]) {
            for vertex in delta.vertices() {
                self.changed.insert(self.graph.cell(vertex));
            }
        }
    }

    /// Returns whether the edits of this tick may have opened a way.
    fn opens_ways(&self) -> bool {
        let deltas = self.grounds.list().iter().map(|ground| &ground.delta);
        let opens = |delta: &GraphDelta| !delta.opened().is_empty() || !delta.relinked().is_empty();
        deltas.chain([&self.delta]).any(opens)
    }

    /// Invalidates plans whose footprint the changed blocks touch. `opens`: and those that fall short of their goal.
    pub(super) fn invalidate_plans(&mut self, opens: bool) {
        for (id, agent) in self.members.iter_mut() {
            let plan = &mut agent.plan;
            if !plan.is_intact() {
                continue;
            }
            if opens && plan.falls_short || self.changed.touch(&plan.footprint) {
                plan.state = PlanState::Stale;
                self.events.report.dropped += 1;
                self.events.send(WorldEvent::PlanInvalidated(id));
            }
        }
    }

    /// Takes back what was announced for the map before the edits of this tick. What a robber's plan promises holds as long
    /// as the plan is intact.
    fn take_back_announcements(&mut self) {
        let Self {
            members, events, ..
        } = self;
        for (id, agent) in members.iter_mut() {
            let by_plan = DecidedBy::Policy(Source::Search);
            let is_planned = agent.side() == Side::Robber && agent.state.decided_by == by_plan;
            let holds = is_planned && agent.plan.is_intact();
            if !holds && agent.state.value.take().is_some() {
                events.mark_changed(id);
            }
        }
    }

    /// Ends announcements that changes of the game have overtaken: see [`Members::drop_doubtful_plans`](super::members::Members).
    pub(super) fn drop_doubtful_plans(&mut self) {
        self.members.drop_doubtful_plans(&mut self.events);
    }

    /// Returns whether a member of a pursuit arrives or chooses in this tick, or a turn begins.
    pub(super) fn is_due(&self, pursuit: &PursuitRecord) -> bool {
        self.tick >= pursuit.ends || self.tick >= pursuit.next_due
    }

    /// The least cost of the decisions in this tick by which cops keep to what they have announced.
    fn cost_of_announcements(&self) -> u64 {
        let all = self.members.indices();
        all.map(|at| self.cost_of_announcement(at)).sum()
    }

    /// The same for a pursuit; 0 if its cops do not decide in this tick. Only decisions by tables of fewer cops depend on
    /// the budget.
    fn cost_of_announcement(&self, at: PursuitIndex) -> u64 {
        let pursuit = &self.members[at];
        let is_kept = pursuit.cops_by == MovesBy::TableOfFewer
            && self.tick >= pursuit.ends
            && self.announced(&pursuit.cops).is_some();
        if is_kept {
            SubsetPlayer::least_cost(&self.graph)
        } else {
            0
        }
    }

    fn move_arrivals(&mut self, at: PursuitIndex, side: Side) {
        let Self {
            members,
            graph,
            tick,
            events,
            ..
        } = self;
        let (pursuit, agents) = members.pursuit_and_agents(at);
        for &id in pursuit.members_of(side) {
            let Some(agent) = agents.get_mut(id) else {
                continue;
            };
            if *tick < agent.arrives() {
                continue;
            }
            if let Some(&end) = agent.way().last() {
                if agent.setup.cell != graph.cell(end) {
                    agent.stands_since = *tick;
                    let before = agent.way().iter().rev().nth(1);
                    agent.left = Some(before.map_or(agent.setup.cell, |&at| graph.cell(at)));
                }
                agent.setup.cell = graph.cell(end);
                agent.end_move();
                events.mark_changed(id);
            }
        }
    }

    /// Called when something has happened in a pursuit: wakes members that had nothing to do. On
    /// clocks with turns they decide when the next turn begins.
    fn wake_idle(&mut self, at: PursuitIndex) {
        if self.clock(&self.members[at]) != PursuitClock::FreeRunning {
            return;
        }
        let tick = self.tick;
        let (pursuit, agents) = self.members.pursuit_and_agents(at);
        for &id in pursuit.cops.iter().chain(&pursuit.robbers) {
            let Some(agent) = agents.get_mut(id) else {
                continue;
            };
            // An idle agent that the game has sent along a path follows it to its end.
            let is_idle = matches!(agent.state.decided_by, DecidedBy::Nobody(_));
            if is_idle && !agent.is_under_way(tick) {
                agent.wait_until(agent.arrives().min(tick));
            }
        }
        pursuit.wake_at(tick);
    }

    /// The smallest distance in cells between a cop and a robber of a pursuit, among the first few of
    /// each. Pursuits that play by a table come last, since they need no budget.
    fn nearness(&self, pursuit: &PursuitRecord) -> u32 {
        if pursuit.is_exact() {
            return u32::MAX;
        }
        let robbers = self.agents(&pursuit.robbers).take(4);
        let far = robbers.flat_map(|(_, robber)| {
            let cops = self.agents(&pursuit.cops).take(8);
            cops.map(move |(_, cop)| cop.setup.cell.max_norm(robber.setup.cell))
        });
        far.min().unwrap_or(u32::MAX)
    }
}
