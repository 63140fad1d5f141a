//! The rung of tables of fewer cops: the cops keep the capture time of their best subset.

use super::finding::{Basis, Finding, TableUse};
use super::means::Means;
use super::rung::Rung;
use crate::game::{Rules, Speed, Turns};
use crate::graph::Graph;
use crate::policy::{Decision, Merge, Source, SubsetGuide, SubsetPlayer};
use crate::table_cache::{NoTable, TableCache, Wanted};
use crate::world::agent::AgentRecord;
use crate::world::pursuit::MovesBy;
use crate::world::settings::PursuitClock;
use crate::world::share::Share;
use crate::world::state::Reason;
use crate::world::together::PAIR;
use crate::world::view::{TableGame, View};
use std::num::NonZeroU8;

/// The most cops of a table that replaces a table of all cops. Larger tables fit only tiny maps.
const MOST_OF_FEWER: u8 = 3;
/// The fewest cops of such a table: a single cop captures a robber of its speed on hardly any map.
const LEAST_OF_FEWER: u8 = 2;

/// The cops of a guide for teams that play by a table of pairs.
const TRIPLE: NonZeroU8 = PAIR.saturating_add(1);

/// An exact table of the current map for fewer cops, where no table for all cops is available. Its value is mostly a
/// bound.
#[derive(Debug)]
pub(in crate::world) struct SubsetTableRung {
    player: SubsetPlayer,
    decisions: Vec<Decision>,
}

impl Default for SubsetTableRung {
    fn default() -> Self {
        Self {
            player: SubsetPlayer::new(Merge::Search),
            decisions: Vec::new(),
        }
    }
}

impl Rung for SubsetTableRung {
    fn source(&self) -> Source {
        Source::SubsetTable
    }

    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        let why = view.why_no_table();
        let why = why.filter(|why| matches!(why, Reason::NoTable | Reason::TableSoon));
        // Tables of fewer cops are made for the map's own ground.
        match (view.own_game(), why) {
            (Some(game), Some(why)) if view.is_of_cops() && view.clock == PursuitClock::Turns => {
                let moves = self.moves(view, game, why, means);
                moves.unwrap_or_else(|why| Finding::Nothing(Some(why)))
            }
            _ => Finding::Nothing(None),
        }
    }
}

impl SubsetTableRung {
    /// From now on, lets cops choose among the moves of a table as `merge` says.
    pub(in crate::world) fn merge_as(&mut self, merge: Merge) {
        self.player = SubsetPlayer::new(merge);
    }

    /// The joint move of the cops; `why` is the reason why there is no table of all cops. The purse limits the work.
    fn moves(
        &mut self,
        view: &View<'_>,
        game: TableGame<'_>,
        why: Reason,
        means: &mut Means<'_, '_>,
    ) -> Result<Finding, Reason> {
        let (graph, tick) = (&view.facts.graph, view.facts.tick);
        let fewer = Fewer::of(graph, means.cache, game.rules, why, tick);
        let none = if fewer.is_requested {
            Reason::TableSoon
        } else {
            why
        };
        let rules = fewer.rules.ok_or(none)?;
        let three = Rules {
            cops: TRIPLE,
            ..rules
        };
        let is_helped =
            !fewer.is_requested && rules.cops == PAIR && is_slow(rules) && !is_fallible(view);
        if is_helped {
            means.request_guide(view.facts, three, Wanted::Retract);
        }
        let announced = view.facts.announced(game.ids);
        let left = means.purse.left_in_one();
        let budget = left.saturating_sub(means.purse.share(Share::Plans));
        let budget = budget_for_fewer(graph, budget, announced).ok_or(Reason::Budget)?;
        let Self { player, decisions } = self;
        player.limit_work(budget);
        let keepers = view.pursuit.keepers.iter();
        let keepers = keepers.filter(|_| announced.is_some());
        player.keep(keepers.filter_map(|keeper| game.ids.iter().position(|id| id == keeper)));
        let found = means.cache.peek(graph, &rules).ok_or(why)?;
        let (times, arena) = (found.times, found.arena.as_ref());
        let guide = means.cache.retract_guide(three, tick);
        let guide = guide
            .as_ref()
            .filter(|_| is_helped)
            .map(|retract| SubsetGuide { retract, announced });
        let is_known = player.guided_cops(times, arena, graph, &game.state, guide, decisions);
        means.purse.spend(player.expansions());
        // Where no subset can force a capture, all cops together may.
        let value = decisions.first().and_then(|decision| decision.value);
        let value = value.filter(|_| is_known).ok_or(why)?;
        let keepers = player.keepers().filter_map(|cop| game.ids.get(cop));
        let table = TableUse {
            by: MovesBy::TableOfFewer,
            rules: Some(rules),
            keepers: Some(keepers.copied().collect()),
        };
        let moves = game.moves_of_cops(decisions, value);
        Ok(Finding::Decides(moves, Basis::Table(table)))
    }
}

/// A table of fewer cops.
struct Fewer {
    /// The rules of the largest one that is there.
    rules: Option<Rules>,
    /// Whether a larger one is on its way.
    is_requested: bool,
}

impl Fewer {
    /// Looks for a table of fewer cops. If no table of all cops will be made, requests the largest one that the settings
    /// allow; `why` is the reason why there is none of all cops.
    fn of(graph: &Graph, cache: &mut TableCache, all: Rules, why: Reason, tick: u64) -> Self {
        let most = MOST_OF_FEWER.min(all.cops.get() - 1);
        let sizes = (LEAST_OF_FEWER..=most).rev().filter_map(NonZeroU8::new);
        let mut is_requested = why == Reason::TableSoon;
        for rules in sizes.map(|cops| Rules { cops, ..all }) {
            if cache.find(graph, &rules, tick).is_some() {
                return Self {
                    rules: Some(rules),
                    is_requested,
                };
            }
            if is_requested {
                continue;
            }
            // Only a table that can be made is asked for, so that no others are reported as refused.
            let why_not = cache.reason_for_none(graph, &rules, tick);
            if why_not == Some(NoTable::NotAsked) {
                cache.request(graph, &rules, tick);
            }
            is_requested = matches!(
                why_not,
                Some(NoTable::NotAsked | NoTable::Solving { .. } | NoTable::Busy)
            );
        }
        Self {
            rules: None,
            is_requested,
        }
    }
}

/// Returns whether all agents take one step a turn.
fn is_slow(rules: Rules) -> bool {
    rules.cop_speed == Speed::ONE && rules.robber_speed == Speed::ONE
}

/// Returns whether a cop of the pursuit makes mistakes or reacts late. Cops that err announce nothing, so they keep to no promise.
fn is_fallible(view: &View<'_>) -> bool {
    let mut cops = view.facts.agents(&view.pursuit.cops);
    cops.any(|(_, cop): (_, &AgentRecord)| cop.setup.is_fallible())
}

/// The expansions that a decision by a table of fewer cops may take, of those that are left; `None` if they do not suffice.
/// What has been announced is kept, whatever else the tick has to do.
fn budget_for_fewer(graph: &Graph, left: u64, announced: Option<Turns>) -> Option<u64> {
    let least = SubsetPlayer::least_cost(graph);
    let budget = if announced.is_some() {
        left.max(least)
    } else {
        left
    };
    (budget >= least).then_some(budget)
}
