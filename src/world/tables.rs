//! The first rung of the ladder: exact tables.

use super::commit::Found;
use super::settings::Clock;
use super::state::Reason;
use super::view::Position;
use super::{AgentId, PursuitWorld};
use crate::game::{Outcome, Rules, Side, Value};
use crate::graph::Vertex;
use crate::policy::{Decision, Source};
use crate::table_cache::NoTable;
use std::mem;

/// What a value of a table is counted as, in expansions.
const COST_OF_A_PROBE: u64 = 6;

impl PursuitWorld {
    /// The cops of a pursuit move by a table, all or none. The value of the position, or why not. Where
    /// they cannot force a capture they are not moved.
    pub(super) fn table_for_cops(
        &mut self,
        at: usize,
        position: &mut Position,
    ) -> Result<Value, Reason> {
        let pursuit = &self.pursuits[at];
        let is_ours = |&id: &AgentId| {
            let cop = self.roster.get(id);
            cop.is_some_and(|cop| cop.setup.control == super::Control::Policy)
        };
        if self.free_robbers(pursuit) != 1 || !pursuit.cops.iter().all(is_ours) {
            return Err(Reason::NoTableForThis);
        }
        let robber = pursuit.cops.first().and_then(|&cop| self.roster.get(cop));
        let robber = robber.and_then(|cop| cop.target);
        let robber = robber.ok_or(Reason::NoTableForThis)?;
        let clock = self.clock(pursuit);
        self.view_for_cops(pursuit, robber, position)
            .ok_or(Reason::NoTableForThis)?;
        if position.ids.len() != pursuit.cops.len() || !position.is_seen {
            return Err(Reason::NoTableForThis);
        }
        let rules = position.state(Side::Cops).and_then(|state| {
            let moves = self.graph.moves();
            Rules::of(&state, moves)
        });
        self.pursuits[at].rules = rules;
        let mut decisions = mem::take(&mut self.scratch.decisions);
        let answer = self.ask_table_for_cops(position, &mut decisions);
        if let Ok(value) = answer
            && value != Value::Exact(Outcome::Escapes)
        {
            for (index, decision) in decisions.iter().enumerate() {
                let id = position.ids[index];
                let is_due = clock == Clock::Turns
                    || self
                        .roster
                        .get(id)
                        .is_some_and(|cop| self.tick >= cop.arrives);
                if is_due {
                    let found = found(clock, value);
                    self.set_out(at, id, decision.way(), found);
                }
            }
            self.pursuits[at].cops_by_table = true;
        }
        self.scratch.decisions = decisions;
        answer
    }

    fn ask_table_for_cops(
        &mut self,
        position: &Position,
        decisions: &mut Vec<Decision>,
    ) -> Result<Value, Reason> {
        let state = position.state(Side::Cops).ok_or(Reason::NoTableForThis)?;
        let rules = Rules::of(&state, self.graph.moves()).ok_or(Reason::NoTableForThis)?;
        let Self {
            tables,
            player,
            graph,
            report,
            tick,
            ..
        } = self;
        let Some(found) = tables.find(graph, &rules, *tick) else {
            tables.want(graph, &rules, *tick);
            return Err(why(tables.why_not(graph, &rules, *tick)));
        };
        let is_known = player.cops(found.times, found.arena, graph, &state, decisions);
        report.spent += COST_OF_A_PROBE * player.probes();
        let value = decisions.first().and_then(|decision| decision.value);
        value.filter(|_| is_known).ok_or(Reason::NoTable)
    }

    /// A robber's move by a table, or why there is none.
    pub(super) fn table_for_robber(
        &mut self,
        at: usize,
        id: AgentId,
        position: &mut Position,
        way: &mut Vec<Vertex>,
    ) -> Result<Found, Reason> {
        let pursuit = &self.pursuits[at];
        if self.free_robbers(pursuit) != 1 {
            return Err(Reason::NoTableForThis);
        }
        let clock = self.clock(pursuit);
        self.view_for_robber(pursuit, id, true, position)
            .ok_or(Reason::NoTableForThis)?;
        if position.ids.len() != pursuit.cops.len() || !position.is_seen || position.is_shut_in {
            return Err(Reason::NoTableForThis);
        }
        let state = position.state(Side::Robber).ok_or(Reason::NoTableForThis)?;
        let rules = Rules::of(&state, self.graph.moves()).ok_or(Reason::NoTableForThis)?;
        let mut decision = self
            .scratch
            .decision
            .take()
            .unwrap_or(Decision::wait(Source::Greedy));
        let Self {
            tables,
            player,
            graph,
            report,
            tick,
            ..
        } = self;
        let answer = if let Some(table) = tables.find(graph, &rules, *tick) {
            let is_known = player.robber(table.times, table.arena, graph, &state, &mut decision);
            report.spent += COST_OF_A_PROBE * player.probes();
            let value = decision.value.filter(|_| is_known);
            value
                .map(|value| found(clock, value))
                .ok_or(Reason::NoTable)
        } else {
            tables.want(graph, &rules, *tick);
            Err(why(tables.why_not(graph, &rules, *tick)))
        };
        if answer.is_ok() {
            way.extend_from_slice(decision.way());
            self.pursuits[at].robber_by_table = true;
        }
        self.scratch.decision = Some(decision);
        answer
    }
}

/// What to tell of a move by a table: on the free running clock the table is of a game that is only
/// alike.
const fn found(clock: Clock, value: Value) -> Found {
    let (source, value) = match clock {
        Clock::Turns => (Source::Table, Some(value)),
        Clock::FreeRunning => (Source::Guide, None),
    };
    Found {
        source,
        value,
        why: Reason::None,
        planned: 0,
    }
}

const fn why(no_table: Option<NoTable>) -> Reason {
    match no_table {
        Some(NoTable::Solving { .. }) => Reason::TableSoon,
        _ => Reason::NoTable,
    }
}

impl PursuitWorld {
    /// The map has changed: tables for those who played by one are asked for at once.
    pub(super) fn want_tables(&mut self) {
        let Self {
            pursuits,
            tables,
            graph,
            tick,
            ..
        } = self;
        let mut last = None;
        for pursuit in pursuits.iter().filter(|pursuit| pursuit.cops_by_table) {
            // Pursuits beside each other mostly play by the same rules.
            if let Some(rules) = pursuit.rules.filter(|_| pursuit.rules != last) {
                if tables.find(graph, &rules, *tick).is_none() {
                    tables.want(graph, &rules, *tick);
                }
                last = pursuit.rules;
            }
        }
    }
}
