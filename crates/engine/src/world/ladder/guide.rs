//! The rung of guides: tables of similar games.

mod level;
mod retract;

use super::finding::{Basis, Finding};
use super::means::Means;
use super::rung::Rung;
use super::whole_table::WholeTable;
use crate::game::Rules;
use crate::policy::Source;
use crate::table_cache::Wanted;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;
use crate::world::together::PAIR;
use crate::world::view::{Movers, View};
use level::LevelGuide;
use retract::RetractProof;

/// An exact table of a similar game. On the free-running clock, it is the game of the nearest whole-number speeds. On
/// the `Turns` clock, it is the game on an abstract level of the map for robbers, and the game on a retract for two
/// cops whose plan would not keep to the bound that they have announced. On the `Simultaneous` clock, it is the game in
/// which the sides move one after the other.
#[derive(Debug, Default)]
pub(in crate::world) struct GuideRung {
    level: LevelGuide,
    retract: RetractProof,
    table: WholeTable,
}

impl Rung for GuideRung {
    fn source(&self) -> Source {
        Source::Guide
    }

    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        if view.clock != PursuitClock::Turns {
            return self.by_other_clock(view, means);
        }
        match (view.movers, view.why_no_table()) {
            (Movers::Cops, Some(Reason::NoTable)) => request_guide(view, means),
            (Movers::Robber(id), Some(Reason::NoTable | Reason::NoTableForThis)) => {
                if let Some(moves) = self.level.moves(view, id, means) {
                    return Finding::Decides(moves, Basis::Guide);
                }
            }
            _ => {}
        }
        Finding::Nothing(None)
    }

    fn find_for_plans(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        let proof = self.retract.prove_for_plans(view, means);
        proof.map_or(Finding::Nothing(None), Finding::Proves)
    }
}

impl GuideRung {
    /// The moves by a table of the game on the clock `Turns`. The value of that game says nothing about this one.
    fn by_other_clock(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        match self.table.moves(view, means) {
            Ok((mut moves, table)) => {
                moves.value = None;
                Finding::Decides(moves, Basis::Table(table))
            }
            // Where both sides choose simultaneously, the reason stays that of the table of mixed strategies.
            Err(why) => {
                let is_free = view.clock == PursuitClock::FreeRunning;
                Finding::Nothing(is_free.then_some(why))
            }
        }
    }
}

/// Requests a guide for two cops, which helps the [planner](crate::world::planning) choose their joint moves. For larger
/// teams, requests a retract for their pairs, which [proves captures](retract).
fn request_guide(view: &View<'_>, means: &mut Means<'_, '_>) {
    let rules = view.own_game().map(|game| game.rules);
    let rules = rules.filter(|rules| rules.cops >= PAIR && means.cache.settings().solve);
    let Some(rules) = rules else {
        return;
    };
    let pair = Rules {
        cops: PAIR,
        ..rules
    };
    let wanted = match view.pursuit.cops.len() {
        2 => Wanted::ForPair,
        _ => Wanted::Retract,
    };
    // Where the table of pairs is there, no pair wins.
    let (graph, tick) = (&view.facts.graph, view.facts.tick);
    if means.cache.find(graph, &pair, tick).is_none() {
        means.request_guide(view.facts, pair, wanted);
    }
}
