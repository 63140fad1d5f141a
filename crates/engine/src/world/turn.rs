//! A turn of one pursuit: what is found for its cops, and then for each robber, is written into orders.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::choices::{Chooser, SideToMove};
use super::event::WorldEvent;
use super::facts::Facts;
use super::ladder::finding::{Basis, Findings};
use super::ladder::means::Means;
use super::purse::Purse;
use super::pursuit::{MovesBy, PursuitIndex, PursuitNumber};
use super::pursuit_world::PursuitWorld;
use super::veto::Gate;
use super::view::Movers;

impl PursuitWorld {
    /// Moves the members of a pursuit that may move now: first all cops together, then each robber, which knows where
    /// the cops go. If both sides choose simultaneously, no agent sets out before all have chosen.
    pub(super) fn play_pursuit(
        &mut self,
        at: PursuitIndex,
        gate: &mut Gate<'_>,
        purse: &mut Purse<'_>,
    ) {
        let facts = &mut self.facts;
        facts.begin_turn(at);
        purse.spend(facts.update_sight(at));
        facts.report_reach(at, &mut self.reached);
        facts.update_limits(at);
        facts.assign_targets(at, &mut self.targets);
        facts.update_duties(at);
        facts.update_search_walks(at);
        facts.set_aims(at);
        let for_cops = if facts.do_cops_choose(at) {
            self.find_for_cops(at, purse)
        } else {
            Findings::of_nobody()
        };
        self.play_cops(at, &for_cops, gate, purse);
        self.play_robbers(at, gate, purse);
        self.facts.end_turn(at);
        self.send_table_events();
    }

    /// Finds moves for the cops of a pursuit. If nobody decides for them, they plan, and what was found is weighed
    /// against their plans.
    fn find_for_cops(&mut self, at: PursuitIndex, purse: &mut Purse<'_>) -> Findings {
        self.assemble(at);
        let mut found = self.find(at, Movers::Cops, purse);
        self.facts.note_decision_for_cops(at, found.decided_by());
        if found.decided_by().is_none() {
            self.plans(purse).for_cops(at);
            let view = self.positions.of_cops(&self.facts, at);
            let cache = &mut self.cache;
            let means = &mut Means { cache, purse };
            self.ladder.compare_with_plans(&view, &mut found, means);
        }
        found
    }

    /// Assembles the positions of a pursuit, of which its cops or its robbers choose now.
    fn assemble(&mut self, at: PursuitIndex) {
        let pursuit = &self.facts.members[at];
        self.positions.assemble(&self.facts, pursuit);
    }

    /// Asks the rungs for the moves of a side.
    fn find(&mut self, at: PursuitIndex, movers: Movers, purse: &mut Purse<'_>) -> Findings {
        let Self {
            facts,
            cache,
            ladder,
            positions,
            ..
        } = self;
        let view = match movers {
            Movers::Cops => positions.of_cops(facts, at),
            Movers::Robber(id) => positions.of_robber(facts, at, id),
        };
        ladder.find(view, &mut Means { cache, purse })
    }

    /// Moves the cops of a pursuit that may move now.
    fn play_cops(
        &mut self,
        at: PursuitIndex,
        found: &Findings,
        gate: &mut Gate<'_>,
        purse: &mut Purse<'_>,
    ) {
        for index in 0..self.facts.members[at].cops.len() {
            let id = self.facts.members[at].cops[index];
            if self.facts.is_agent_due(id) && self.facts.is_active_in(at, id) {
                self.plans(purse).for_walk(id);
            }
        }
        let (chooser, mut side) = self.side_to_move(at, found, purse);
        chooser.cops(&mut side);
        if !self.facts.is_simultaneous(&self.facts.members[at]) {
            self.issue(gate, purse);
        }
    }

    /// Lets the agents set out that have chosen, as far as there is room and the game allows it.
    fn issue(&mut self, gate: &mut Gate<'_>, purse: &mut Purse<'_>) {
        let Self {
            facts,
            orders,
            room,
            ..
        } = self;
        room.settle(facts, orders, gate, purse);
        orders.issue(facts);
    }

    fn side_to_move<'a, 'm>(
        &'a mut self,
        at: PursuitIndex,
        found: &'a Findings,
        purse: &'a mut Purse<'m>,
    ) -> (&'a mut Chooser, SideToMove<'a, 'm>) {
        let Self {
            facts,
            ladder,
            chooser,
            orders,
            ..
        } = self;
        let side = SideToMove {
            facts,
            at,
            ladder,
            found,
            orders,
            purse,
        };
        (chooser, side)
    }

    /// Moves the robbers of a pursuit that may move now, after its cops have chosen.
    fn play_robbers(&mut self, at: PursuitIndex, gate: &mut Gate<'_>, purse: &mut Purse<'_>) {
        // Those that take room choose together.
        let is_simultaneous =
            self.facts.is_simultaneous(&self.facts.members[at]) || self.facts.members.has_solid();
        let mut by_guide = None;
        for index in 0..self.facts.members[at].robbers.len() {
            let id = self.facts.members[at].robbers[index];
            if !self.facts.is_agent_due(id) || !self.facts.is_active_in(at, id) {
                continue; // still under way, or moved in another pursuit
            }
            if by_guide.is_none() {
                self.chooser.begin_robbers(&self.facts, at);
                self.assemble(at);
            }
            let is_guided = self.play_robber(at, id, purse);
            by_guide = Some(by_guide.unwrap_or(true) && is_guided);
            if !is_simultaneous {
                self.issue(gate, purse);
            }
        }
        self.issue(gate, purse);
        let robber_by = &mut self.facts.members[at].robber_by;
        match by_guide {
            Some(true) => *robber_by = MovesBy::Guides,
            Some(false) if *robber_by == MovesBy::Guides => *robber_by = MovesBy::Other,
            _ => {}
        }
    }

    /// Chooses for a robber that may move now. Returns whether a guide decides.
    fn play_robber(&mut self, at: PursuitIndex, id: AgentId, purse: &mut Purse<'_>) -> bool {
        self.plans(purse).for_walk(id);
        let found = if self.facts.does_robber_choose(id) {
            self.find(at, Movers::Robber(id), purse)
        } else {
            Findings::of_nobody()
        };
        let decided = found.decided_by();
        self.facts.note_decision_for_robber(at, id, decided);
        let key = if decided.is_some() {
            0
        } else {
            self.plans(purse).for_robber(at, id)
        };
        let (chooser, mut side) = self.side_to_move(at, &found, purse);
        chooser.robber(&mut side, id, key);
        matches!(decided, Some(Basis::Guide))
    }
}

impl Facts {
    /// Returns whether a turn of a pursuit begins, or a cop chooses in the middle of a turn. Where a player or a robber
    /// chooses alone, the last choice of the cops remains valid.
    fn do_cops_choose(&self, at: PursuitIndex) -> bool {
        let pursuit = &self.members[at];
        let is_open = |(_, cop): (AgentId, &AgentRecord)| {
            cop.chooses_in(pursuit.number) && cop.arrives() <= self.tick
        };
        !self.clock(pursuit).is_in_turns()
            || self.tick == pursuit.began
            || self.agents(&pursuit.cops).any(is_open)
    }

    fn is_agent_due(&self, id: AgentId) -> bool {
        self.agent(id)
            .is_some_and(|agent| self.tick >= agent.arrives())
    }

    /// Notes what the cops of a pursuit move by. Without a robber to chase the state is kept, for the next robber.
    fn note_decision_for_cops(&mut self, at: PursuitIndex, decided: Option<&Basis>) {
        let pursuit = &self.members[at];
        let table = decided.and_then(Basis::table);
        if table.is_none() && self.free_robbers(pursuit) == 0 {
            return;
        }
        let cops_by = self.moves_by(pursuit.number, &pursuit.cops, decided);
        let pursuit = &mut self.members[at];
        pursuit.cops_by = cops_by;
        if let Some(table) = table {
            pursuit.rules = table.rules;
            if let Some(keepers) = &table.keepers {
                pursuit.keepers.clone_from(keepers);
            }
        }
    }

    /// Notes what a free robber moves by. Without a free robber the state is kept, for the next one.
    fn note_decision_for_robber(&mut self, at: PursuitIndex, id: AgentId, decided: Option<&Basis>) {
        if self.agent(id).is_some_and(|robber| robber.caught.is_none()) {
            let robber_by = self.moves_by(self.members[at].number, &[id], decided);
            self.members[at].robber_by = robber_by;
        }
    }

    /// What the moves of a side come from.
    fn moves_by(
        &self,
        pursuit: PursuitNumber,
        side: &[AgentId],
        decided: Option<&Basis>,
    ) -> MovesBy {
        match decided.and_then(Basis::table) {
            Some(table) => table.by,
            None if self
                .agents(side)
                .any(|(_, agent)| agent.chooses_in(pursuit)) =>
            {
                MovesBy::Other
            }
            None => MovesBy::Game,
        }
    }

    /// Returns whether the world chooses the move of a free robber.
    fn does_robber_choose(&self, id: AgentId) -> bool {
        let robber = self.agent(id);
        robber.is_some_and(|robber| robber.caught.is_none() && robber.chooses())
    }

    /// Begins the next turn of a pursuit, if the last one is over.
    fn begin_turn(&mut self, at: PursuitIndex) {
        let (tick, length) = (self.tick, self.turn_length());
        let pursuit = &mut self.members[at];
        pursuit.is_settled = false;
        if tick >= pursuit.ends {
            pursuit.turn += 1;
            pursuit.began = tick;
            pursuit.ends = tick + length;
        }
    }

    /// Notes when a member of a pursuit next arrives or chooses, and sends an event if a table starts or stops deciding
    /// for all members.
    fn end_turn(&mut self, at: PursuitIndex) {
        let Self {
            members, events, ..
        } = self;
        let (pursuit, agents) = members.pursuit_and_agents(at);
        let arrivals = pursuit
            .members()
            .filter_map(|id| Some(agents.get(id)?.arrives()));
        pursuit.next_due = arrivals.min().unwrap_or(u64::MAX);
        let is_exact = pursuit.is_exact();
        let is_news = std::mem::replace(&mut pursuit.reported_exact, is_exact) != is_exact;
        if is_news && pursuit.faction().is_none() {
            events.send(WorldEvent::Table {
                pursuit: pursuit.number(),
                exact: is_exact,
            });
        }
    }
}
