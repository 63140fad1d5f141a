//! Moves by a table of the whole map for all agents. What they are worth depends on the clock.

use super::finding::{SideMoves, TableUse};
use super::means::Means;
use crate::game::{Outcome, Value};
use crate::policy::{Decision, Source, TablePlayer};
use crate::table_cache::NoTable;
use crate::world::pursuit::MovesBy;
use crate::world::state::Reason;
use crate::world::view::{Movers, TableGame, View};

/// Plays by tables of the whole map. Holds only reused memory.
#[derive(Debug, Default)]
pub(super) struct WholeTable {
    player: TablePlayer,
    decisions: Vec<Decision>,
}

impl WholeTable {
    /// The moves of a side by the table of its game, or the reason why there are none. Requests a missing table.
    pub(super) fn moves(
        &mut self,
        view: &View<'_>,
        means: &mut Means<'_, '_>,
    ) -> Result<(SideMoves, TableUse), Reason> {
        let game = view.game?;
        let (ground, tick) = (game.ground, view.facts.tick);
        let Some(found) = means.cache.find(ground, &game.rules, tick) else {
            means.cache.request(ground, &game.rules, tick);
            return Err(reason_of(means.cache.reason_for_none(
                ground,
                &game.rules,
                tick,
            )));
        };
        let Self { player, decisions } = self;
        let is_known = match view.movers {
            Movers::Cops => player.cops(found.times, found.arena, ground, &game.state, decisions),
            Movers::Robber(_) => {
                if decisions.is_empty() {
                    decisions.push(Decision::wait(Source::Table));
                }
                decisions.first_mut().is_some_and(|decision| {
                    player.robber(found.times, found.arena, ground, &game.state, decision)
                })
            }
        };
        means
            .purse
            .spend(TablePlayer::EXPANSIONS_OF_A_PROBE * player.probes());
        let first = decisions.first().filter(|_| is_known);
        let (first, value) = first
            .and_then(|first| Some((first, first.value?)))
            .ok_or(Reason::NoTable)?;
        // Where there are exits, cops that cannot force a capture keep the robber from them.
        let is_lost = value == Value::Exact(Outcome::Escapes) && !ground.has_exits();
        if view.is_of_cops() && is_lost {
            return Err(Reason::Escapes);
        }
        let table = TableUse {
            by: MovesBy::Table,
            rules: Some(game.rules),
            keepers: None,
        };
        let moves = match view.movers {
            Movers::Cops => game.moves_of_cops(decisions, value),
            Movers::Robber(id) => SideMoves::of_one(id, first.next_move(), Some(value)),
        };
        Ok((moves, table))
    }
}

impl TableGame<'_> {
    /// The decisions of the cops as moves. The game moves further cops of the pursuit, which may capture earlier.
    pub(super) fn moves_of_cops(&self, decisions: &[Decision], value: Value) -> SideMoves {
        let value = match value {
            Value::Exact(outcome) if !self.is_whole => Value::AtMost(outcome),
            value => value,
        };
        let mut moves = SideMoves::of_value(Some(value));
        for (&id, decision) in self.ids.iter().zip(decisions) {
            moves.add(id, decision.next_move());
        }
        moves
    }
}

const fn reason_of(no_table: Option<NoTable>) -> Reason {
    match no_table {
        Some(NoTable::Solving { .. }) => Reason::TableSoon,
        _ => Reason::NoTable,
    }
}
