//! The first rung where both sides choose simultaneously: moves drawn from tables of mixed strategies.

use super::finding::{Basis, Finding, SideMoves, TableUse};
use super::means::Means;
use super::rung::Rung;
use crate::game::{Agent, Speed};
use crate::graph::{Graph, Vertex};
use crate::policy::Source;
use crate::search::{MoveEnds, seed_of};
use crate::solve::simultaneous::MixedPlayer;
use crate::table_cache::TableCache;
use crate::world::pursuit::MovesBy;
use crate::world::state::Reason;
use crate::world::view::{JointGame, Movers, View};

/// About what a draw costs in expansions: a look-up in the table.
const EXPANSIONS_OF_A_DRAW: u64 = 8;

/// A move drawn from a table of mixed strategies of the current map, for exactly these rules: an opponent that knows
/// the table, but not the draw, gains nothing. A drawn move has no value of its own: the table bounds only the mean
/// over all draws.
///
/// A draw depends on the seed of the world, the number and the turn of the pursuit, and the side, and on no earlier
/// draw. So the same seed gives the same game, and a snapshot needs no state of a random generator.
#[derive(Debug, Default)]
pub(in crate::world) struct MixedTableRung {
    ends: MoveEnds,
    way: Vec<Vertex>,
}

impl Rung for MixedTableRung {
    fn source(&self) -> Source {
        Source::MixedTable
    }

    /// Draws the moves of a side, from the position before either side moves.
    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        if !view.facts.is_simultaneous(view.pursuit) {
            return Finding::Nothing(None);
        }
        let drawn = self.draw(view, means.cache);
        let expansions = self.ends.take_work().expansions;
        match drawn {
            Ok(moves) => {
                means.purse.spend(EXPANSIONS_OF_A_DRAW + expansions);
                // No exact table is in use, so that none is requested after an edit.
                let table = TableUse {
                    by: MovesBy::Table,
                    rules: None,
                    keepers: None,
                };
                Finding::Decides(moves, Basis::Table(table))
            }
            Err(why) => {
                means.purse.spend(expansions);
                Finding::Nothing(Some(why))
            }
        }
    }
}

impl MixedTableRung {
    fn draw(&mut self, view: &View<'_>, cache: &mut TableCache) -> Result<SideMoves, Reason> {
        let game = view.joint?;
        let JointGame { rules, state, .. } = game;
        // A table counts meetings of whole moves, and the world those of all steps. Against a robber of one step, cops of a
        // greater speed only capture sooner than their table says. Anybody else would rely on meetings that are none, or on
        // passing where there is one.
        let is_slow = rules.robber_speed == Speed::ONE
            && (view.is_of_cops() || rules.cop_speed == Speed::ONE);
        if !is_slow {
            return Err(Reason::NoTableForThis);
        }
        let graph = &view.facts.graph;
        let found = cache.find_mixed(graph, rules);
        if !game.may_choose {
            return Err(Reason::NoTableForThis);
        }
        let (table, arena) = found.ok_or(Reason::NoTable)?;
        let mut player = MixedPlayer::on(table, arena, seed(view));
        let Self { ends, way } = self;
        match view.movers {
            // All cops take part in one joint move.
            Movers::Cops => {
                let value = player.value(&state);
                if value.is_some_and(|value| value.lower.is_infinite()) {
                    return Err(Reason::Escapes);
                }
                let goals = player.cop_goals(&state).ok_or(Reason::NoTable)?;
                let mut moves = SideMoves::default();
                for ((cop, stands), goal) in game.cops.iter().zip(state.cops).zip(goals) {
                    find_way(ends, graph, *stands, goal, way).ok_or(Reason::NoTable)?;
                    moves.add(cop.id, way);
                }
                Ok(moves)
            }
            Movers::Robber(id) => {
                let goal = player.robber_goal(&state).ok_or(Reason::NoTable)?;
                find_way(ends, graph, state.robber, goal, way).ok_or(Reason::NoTable)?;
                Ok(SideMoves::of_one(id, way, None))
            }
        }
    }
}

/// The seed of the moves of a side. Each side has its own seed, so that the move of one side reveals nothing about the
/// move of the other.
fn seed(view: &View<'_>) -> u64 {
    let side = match view.movers {
        Movers::Cops => 1,
        Movers::Robber(_) => 2,
    };
    seed_of([
        view.facts.settings.seed,
        u64::from(view.pursuit.number.number),
        view.pursuit.turn,
        side,
    ])
}

/// Writes a shortest path of an agent. `None` if the agent cannot get to the goal in one move.
fn find_way(
    ends: &mut MoveEnds,
    graph: &Graph,
    agent: Agent,
    goal: Vertex,
    way: &mut Vec<Vertex>,
) -> Option<()> {
    way.clear();
    if goal != agent.at {
        let reached = ends.find(graph, agent.at, agent.speed, |_| false);
        let is_there = reached.contains(&goal);
        is_there.then(|| ends.way_to(goal, way))?;
    }
    Some(())
}
