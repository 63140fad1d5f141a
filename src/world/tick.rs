//! A whole tick, in order: edits, arrivals and captures; then repairs, and for each pursuit that is due
//! senses, plans, choices and orders; then plans for turns to come.

use super::agent::Catch;
use super::board::{Board, open_steps};
use super::budget::Meter;
use super::settings::PursuitClock;
use super::state::DecidedBy;
use super::{AgentId, PursuitRecord, PursuitWorld, WorldEvent};
use crate::graph::{TileEdit, Vertex};

impl PursuitWorld {
    /// Begins a tick: cells become passable or walls, in order. Plans that depend on them do not count any
    /// more, and nobody goes on into a new wall.
    ///
    /// Cost: constant for each edit, and some nanoseconds for each agent, however many edits there are.
    pub fn begin_tick(&mut self, edits: &[TileEdit]) {
        let Self { board, tables, .. } = self;
        board.tick += 1;
        board.events.clear();
        board.members.tidy();
        board.graph.apply_into(edits, &mut board.delta);
        board.maintenance.push(edits);
        if !board.delta.is_empty() {
            tables.want_again(board);
            for pursuit in board.members.pursuits_mut() {
                pursuit.forget_table();
                pursuit.is_settled = false;
            }
            board.list_changed_blocks();
            board.stop_at_walls();
            board.invalidate_plans();
        }
    }

    /// Who is due arrives where it was going, and captures are found. Agents may be put elsewhere
    /// before.
    pub fn arrive(&mut self) {
        let Self {
            board, captures, ..
        } = self;
        board.members.tidy();
        for at in 0..board.members.pursuits().len() {
            let pursuit = &board.members.pursuits()[at];
            let moves = board.is_due(pursuit);
            let is_stirred = pursuit.is_stirred;
            if moves {
                board.move_members(at);
            }
            if moves || is_stirred {
                board.find_captures(at, captures);
            }
            if is_stirred {
                board.wake_idle(at);
            }
        }
    }

    /// Everybody who is due gets a move; then plans are made for turns to come. What `meter` grants
    /// bounds the searching, not the moving, which always takes place.
    pub fn decide(&mut self, meter: &mut dyn Meter) {
        self.board.members.tidy();
        self.repair(meter);
        // Those who want a plan most come before those who are due: measured, with a budget that does
        // not do for all twice as many moves are by a plan.
        self.planning.ahead(&mut self.board, meter);
        let mut due = std::mem::take(&mut self.due);
        due.clear();
        for (at, pursuit) in self.board.members.pursuits().iter().enumerate() {
            if self.board.is_due(pursuit) {
                due.push((self.board.nearness(pursuit), at));
            }
        }
        // Who is near its enemy comes first, should the budget not do for all.
        due.sort_unstable();
        for &(_, at) in &due {
            self.play(at, meter);
        }
        if !due.is_empty() {
            self.planning.ahead(&mut self.board, meter);
        }
        self.due = due;
        self.tell_of_tables();
    }

    /// The members of a pursuit that are due move: first the cops together, then each robber, who knows
    /// where they go.
    fn play(&mut self, at: usize, meter: &mut dyn Meter) {
        let Self {
            board,
            planning,
            tables,
            chooser,
            orders,
            ..
        } = self;
        board.begin_turn(at);
        board.look(at);
        board.assign(at);
        board.search(at);

        tables.ask_for_cops(board, at);
        if !tables.decides() {
            planning.for_cops(board, at, meter);
        }
        for index in 0..board.members.pursuits()[at].cops.len() {
            let id = board.members.pursuits()[at].cops[index];
            if board.is_agent_due(id) {
                planning.for_walk(board, id, meter);
            }
        }
        chooser.cops(board, tables, at, orders);
        orders.issue(board);

        let mut is_assembled = false;
        for index in 0..board.members.pursuits()[at].robbers.len() {
            let id = board.members.pursuits()[at].robbers[index];
            if !board.is_agent_due(id) {
                continue; // it is under way
            }
            planning.for_walk(board, id, meter);
            tables.ask_for_robber(board, at, id);
            let key = if tables.decides() {
                0
            } else {
                // Only those who play without a table need it.
                if !std::mem::replace(&mut is_assembled, true) {
                    planning.assemble(board, at);
                }
                planning.for_robber(board, at, id, meter)
            };
            chooser.robber(board, tables, (at, id, key), orders);
            orders.issue(board);
        }
        board.end_turn(at);
        self.tell_of_tables();
    }

    /// A table is ready before it is in use.
    fn tell_of_tables(&mut self) {
        let Self { board, tables, .. } = self;
        // Those that are due are there, whether or not anybody asks.
        tables.cache.settle(board.tick);
        let events = tables.cache.events().map(WorldEvent::TableCache);
        board.events.list.extend(events);
    }
}

impl Board {
    fn list_changed_blocks(&mut self) {
        let (width, height) = (self.graph.width(), self.graph.height());
        self.changed.clear(width, height);
        for &vertex in self.delta.opened().iter().chain(self.delta.closed()) {
            self.changed.insert(self.graph.cell(vertex));
        }
    }

    /// Plans whose footprint the edits of this tick have touched do not count any more.
    fn invalidate_plans(&mut self) {
        let opens = !self.delta.opened().is_empty();
        for (id, agent) in self.members.iter_mut() {
            let plan = &mut agent.plan;
            if !plan.is_made || !plan.is_intact {
                continue;
            }
            if opens && plan.falls_short || self.changed.touch(&plan.footprint) {
                plan.is_intact = false;
                self.events.report.dropped += 1;
                self.events.send(WorldEvent::PlanInvalidated(id));
            }
        }
    }

    /// Cuts ways that lead through walls. What lies behind an agent does not matter any more.
    fn stop_at_walls(&mut self) {
        let Self {
            graph,
            members,
            events,
            tick,
            changed,
            ..
        } = self;
        for (id, agent) in members.iter_mut() {
            // A wall cuts the steps to cells beside it, and so does one that opens under who stands in it.
            let is_near = |&at: &Vertex| changed.contains(graph.cell(at));
            // Whoever walks back to its own cell gets there.
            if agent.turned_at.is_some() || !agent.way.iter().any(is_near) {
                continue;
            }
            // Those who arrive in this tick find the wall before they do.
            let walked = agent.walked(*tick - 1).min(agent.way.len());
            let from = match walked.checked_sub(1) {
                None => agent.setup.cell,
                Some(last) => graph.cell(agent.way[last]),
            };
            let open = walked + open_steps(graph, from, &agent.way[walked..]);
            if open < agent.way.len() {
                agent.way.truncate(open);
                events.touch(id);
                agent.plan.drop();
            }
        }
    }

    /// Does a member of a pursuit arrive or choose in this tick, or does a turn begin?
    fn is_due(&self, pursuit: &PursuitRecord) -> bool {
        self.tick >= pursuit.ends || self.tick >= pursuit.next_due
    }

    fn is_agent_due(&self, id: AgentId) -> bool {
        self.agent(id)
            .is_some_and(|agent| self.tick >= agent.arrives)
    }

    fn move_members(&mut self, at: usize) {
        let Self {
            members,
            graph,
            tick,
            events,
            ..
        } = self;
        let (pursuit, agents) = members.pursuit_and_agents(at);
        for id in pursuit.members() {
            let Some(agent) = agents.get_mut(id) else {
                continue;
            };
            if *tick < agent.arrives {
                continue;
            }
            if let Some(&end) = agent.way.last() {
                agent.setup.cell = graph.cell(end);
                agent.halt();
                events.touch(id);
            }
        }
    }

    /// Robbers on whose cell a cop stands are captured. `cells` is memory that is used again.
    fn find_captures(&mut self, at: usize, cells: &mut Vec<(crate::map::Cell, AgentId)>) {
        let Self {
            members,
            graph,
            tick,
            events,
            ..
        } = self;
        let (pursuit, agents) = members.pursuit_and_agents(at);
        pursuit.is_stirred = false;
        cells.clear();
        let cops = pursuit.cops.iter();
        cells.extend(cops.filter_map(|&id| Some((agents.get(id)?.setup.cell, id))));
        cells.sort_unstable();
        for &robber in &pursuit.robbers {
            let Some(agent) = agents.get_mut(robber) else {
                continue;
            };
            let cell = agent.setup.cell;
            // Beside the map there is no game.
            if agent.caught.is_some() || !graph.is_on_map(cell) {
                continue;
            }
            let first = cells.partition_point(|&(at, _)| at < cell);
            let Some(&(_, cop)) = cells.get(first).filter(|&&(at, _)| at == cell) else {
                continue;
            };
            let turn = pursuit.turn;
            agent.caught = Some(Catch {
                by: cop,
                turn,
                tick: *tick,
            });
            agent.halt();
            agent.plan.drop();
            agent.arrives = *tick;
            pursuit.next_due = pursuit.next_due.min(*tick);
            events.touch(robber);
            events.send(WorldEvent::Captured { robber, cop, turn });
        }
    }

    /// Something has happened in a pursuit: those who had nothing to do may have now. In turns they are
    /// asked when the next one begins.
    fn wake_idle(&mut self, at: usize) {
        if self.clock(&self.members.pursuits()[at]) != PursuitClock::FreeRunning {
            return;
        }
        let tick = self.tick;
        let (pursuit, agents) = self.members.pursuit_and_agents(at);
        for &id in pursuit.cops.iter().chain(&pursuit.robbers) {
            let Some(agent) = agents.get_mut(id) else {
                continue;
            };
            // Whom the game has sent on a way while it had nothing to do goes on to its end.
            let is_idle = matches!(agent.state.decided_by, DecidedBy::Nobody(_));
            if is_idle && !agent.is_under_way(tick) {
                agent.arrives = agent.arrives.min(tick);
            }
        }
        pursuit.wake_at(tick);
    }

    /// How near cops and robbers of a pursuit are to each other, in cells; of few it is looked at, and
    /// those who play by a table want nothing of the budget.
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

    /// Begins the next turn of a pursuit, if the last one is over.
    fn begin_turn(&mut self, at: usize) {
        let (tick, length) = (self.tick, self.turn_length());
        let pursuit = &mut self.members.pursuits_mut()[at];
        pursuit.is_settled = false;
        if tick >= pursuit.ends {
            pursuit.turn += 1;
            pursuit.began = tick;
            pursuit.ends = tick + length;
        }
    }

    /// Notes when a member of a pursuit is due next, and tells whether a table decides for all.
    fn end_turn(&mut self, at: usize) {
        let Self {
            members, events, ..
        } = self;
        let (pursuit, agents) = members.pursuit_and_agents(at);
        let arrivals = pursuit
            .members()
            .filter_map(|id| Some(agents.get(id)?.arrives));
        pursuit.next_due = arrivals.min().unwrap_or(u64::MAX);
        let is_exact = pursuit.is_exact();
        if std::mem::replace(&mut pursuit.is_told_exact, is_exact) != is_exact {
            events.send(WorldEvent::Table {
                pursuit: pursuit.number,
                exact: is_exact,
            });
        }
    }
}
