//! All tables of a live map: which exist, which are requested, and which are used.

mod assets;
mod entry;
mod event;
mod guide_entry;
mod guides;
mod keep;
mod key;
mod look;
mod request;
mod saved;
mod settings;
mod supplied;
mod work;

pub use event::{NoTable, SolveFailure, TableEvent};
pub(crate) use guides::{Wanted, WholeMap};
pub use key::{Origin, TableKey};
pub use request::{TableRequest, TableUrgency};
pub use saved::{SavedMap, SavedTables, TableCacheError};
pub use settings::{TableSchedule, TableSettings, TableTiming, TickPace};
#[doc(hidden)]
pub use supplied::Supplied;
pub use work::TableWork;

use crate::game::Rules;
use crate::graph::Graph;
use crate::solve::simultaneous::MixedTable;
use crate::table::{Arena, CaptureTimes, Solution, Table, TableGround};
use assets::Assets;
use entry::Entry;
use guides::Guides;
use look::Look;
use std::sync::Arc;

/// The tables of one live map, for all states of its doors, with those of mixed strategies. Also the tables of parts of
/// the map, which [guide](crate::policy::Guide) agents where the map itself has no table.
///
/// The game [supplies](Self::add_asset) some of them. The caller solves the others, on a thread or in
/// slices ([`TableWork`]), once a pursuit [requests](Self::request) them and if the settings allow it. The
/// table cache has no clock and no thread: the caller passes the tick, which never decreases except by
/// [`restore`](Self::restore).
///
/// In each tick, the game changes the map, [delivers](Self::deliver) solved tables, [finds](Self::find)
/// tables or [requests](Self::request) others, and takes [work](Self::next_request). The game does not
/// wait: a table that is not delivered when its tick is reached is [late](TableEvent::Late). As long as
/// [no table was late](Self::diverged_at), the answers, events and saved states depend only on the calls
/// and their ticks, and not on when requests are taken and delivered. In
/// [lockstep](TableTiming::Lockstep) no table is ever late: after changing the map, the game waits as
/// long as a table is [overdue](Self::overdue).
///
/// Memory: the limit of the settings, plus the memory of solving. While there is room, dropped tables
/// are kept as spares, so that a game that is rolled back does not solve them again.
#[derive(Debug, Clone, Default)]
pub struct TableCache {
    settings: TableSettings,
    assets: Assets<Table>,
    mixed: Assets<MixedTable>,
    /// The tables of the map in any state of its doors, sorted by key.
    entries: Vec<Entry>,
    /// The tables of parts of the current map.
    guides: Guides,
    supplied: Supplied,
    /// Tables that are not in use but fit into memory: if one is requested again, as after a rollback, it need not be
    /// solved again. The newest last.
    spare: Vec<Arc<Solution>>,
    /// The newest last. The last refusals of any kind, and the last failures.
    refused: Vec<(TableKey, NoTable)>,
    events: Vec<TableEvent>,
    /// The latest tick passed by the caller.
    tick: u64,
    /// How fast ticks follow each other.
    pace: TickPace,
    /// The tick from which on answers depend on how fast tables are solved.
    diverged: Option<u64>,
    /// The ticks of a turn.
    turn: u32,
    /// The next tick at which a table is due.
    next_due: u64,
    /// The last known state of the map: its grounds on which tables were looked for.
    looks: Vec<Look>,
}

/// The table found by a look-up: an asset or an entry, with its index.
type Answer = Option<(Origin, usize)>;

/// A table that may be used, with its arena.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// The values.
    pub times: &'a dyn CaptureTimes,
    /// The arena of the current map.
    pub arena: &'a Arc<Arena>,
    /// Where it comes from.
    pub origin: Origin,
}

impl std::fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Found")
            .field("fingerprint", &self.times.fingerprint())
            .field("rules", &self.times.rules())
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

impl TableCache {
    /// An empty table cache.
    #[must_use]
    pub fn new(settings: TableSettings) -> Self {
        Self {
            settings,
            next_due: u64::MAX,
            ..Self::default()
        }
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &TableSettings {
        &self.settings
    }

    /// Sets the pace of ticks from now on, by which tables requested later are scheduled. Earlier
    /// requests keep their schedule, so that their tables may be late after a sudden change of pace.
    pub fn set_pace(&mut self, pace: TickPace) {
        self.pace = pace;
    }

    /// Sets the number of ticks between two look-ups of a table that is in use: those of a turn.
    pub(crate) const fn set_turn(&mut self, ticks: u32) {
        self.turn = ticks;
    }

    /// The tick from which on the run may not be repeatable: a table was late, or tables are used [when
    /// they are ready](TableTiming::WhenReady). `None` as long as the results depend only on the actions
    /// of the game. Saved and restored with the rest of the state.
    #[must_use]
    pub const fn diverged_at(&self) -> Option<u64> {
        self.diverged
    }

    /// The table for this ground of the map, which may be a `&Graph`, and these rules, if there is one that may be used at
    /// this tick. Marks it as used.
    ///
    /// Cost: negligible and without allocation as long as the map and the tables stay the same; linear
    /// in the number of vertices for the first call after a change.
    pub fn find<'g>(
        &mut self,
        ground: impl Into<TableGround<'g>>,
        rules: &Rules,
        tick: u64,
    ) -> Option<Found<'_>> {
        let ground = ground.into();
        let at = self.look(&ground, *rules);
        self.settle(tick);
        if self.supplied.table(&ground, *rules).is_some() {
            return self.supplied.table(&ground, *rules);
        }
        let known = self.looks[at].answers.iter().find(|(of, _)| of == rules);
        let answer = if let Some(&(_, answer)) = known {
            answer
        } else {
            let answer = self.look_up(at, &ground, *rules);
            self.looks[at].answers.push((*rules, answer));
            answer
        };
        if let Some((Origin::Solved, index)) = answer {
            self.entries[index].job.ticks.used = self.tick;
        }
        self.found(&self.looks[at], answer)
    }

    /// The table that was last [found](Self::find) for these rules on this ground of the current map. Does not count as
    /// a use, so that observers have no influence on the game.
    ///
    /// Cost: linear in the number of different rules looked up.
    #[must_use]
    pub fn peek<'g>(&self, ground: impl Into<TableGround<'g>>, rules: &Rules) -> Option<Found<'_>> {
        let ground = ground.into();
        if let Some(found) = self.supplied.table(&ground, *rules) {
            return Some(found);
        }
        let look = self.looks.iter().find(|look| look.is_of(&ground))?;
        let (_, answer) = look.answers.iter().find(|(of, _)| of == rules)?;
        self.found(look, *answer)
    }

    /// The table of an answer.
    fn found<'a>(&'a self, look: &'a Look, answer: Answer) -> Option<Found<'a>> {
        let (origin, index) = answer?;
        let times: &dyn CaptureTimes = match origin {
            Origin::Asset => &*self.assets.get(index)?.table,
            Origin::Solved => &**self.entries.get(index)?.job.table()?,
        };
        let arena = look.arena.as_ref()?;
        Some(Found {
            times,
            arena,
            origin,
        })
    }

    /// The reason why [`find`](Self::find) finds nothing; `None` if it finds a table. Cost: linear in
    /// the number of tables.
    pub fn reason_for_none<'g>(
        &mut self,
        ground: impl Into<TableGround<'g>>,
        rules: &Rules,
        tick: u64,
    ) -> Option<NoTable> {
        let ground = ground.into();
        let at = self.look(&ground, *rules);
        self.settle(tick);
        let Some(key) = self.key_at(at, *rules) else {
            return Some(self.why_none_at(at, &ground, *rules));
        };
        if self.assets.usable(&key).is_some() {
            return None;
        }
        let Some(index) = self.entry(&key) else {
            return Some(
                self.verdict(at, &ground, *rules)
                    .err()
                    .unwrap_or(NoTable::NotAsked),
            );
        };
        let entry = &self.entries[index];
        if entry.is_kept && entry.job.table().is_some() {
            return None;
        }
        let due = entry.job.ticks.due;
        let until = (due < u64::MAX && !entry.is_kept).then_some(due);
        Some(NoTable::Solving { until })
    }

    /// Replaces the map by another [`Graph`], which may number the same cells differently. (Edits of the
    /// same graph need no call.) Drops requests for tables of the previous map, and the tables of its parts.
    pub fn replace_map(&mut self, graph: &Graph, tick: u64) {
        self.looks.retain(Look::is_own);
        self.renumber();
        self.drop_guides(tick);
        let is_gone = |entry: &Entry| !entry.is_kept && !entry.job.is_of(graph);
        while let Some(index) = self.entries.iter().position(is_gone) {
            self.drop_entry(index);
        }
    }

    /// Vertices may have other numbers.
    fn renumber(&mut self) {
        self.looks.iter_mut().for_each(Look::renumber);
    }

    /// The bytes that requested and solved tables take, as counted by the settings.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let entries = self.entries.iter();
        entries.fold(0, |sum, entry| sum.saturating_add(entry.bytes))
    }

    /// The events since the last call, in order. Only about 1,000 are kept, those after them are lost;
    /// restoring a state discards all of them.
    pub fn events(&mut self) -> impl Iterator<Item = TableEvent> + '_ {
        self.events.drain(..)
    }

    fn report(&mut self, event: TableEvent) {
        const MOST_EVENTS: usize = 1024;
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        }
    }

    fn entry(&self, key: &TableKey) -> Option<usize> {
        let place = self
            .entries
            .binary_search_by_key(key, |entry| entry.job.key);
        place.ok()
    }

    /// The arena of a ground of the current map: an existing one, or a new one. `None` if there is none.
    fn arena(&mut self, at: usize, ground: &TableGround<'_>) -> Option<Arc<Arena>> {
        if let Some(arena) = &self.looks[at].arena {
            return Some(Arc::clone(arena));
        }
        // The arena of different grounds is part of the look.
        self.looks[at].fingerprint?;
        let graph = ground.robber;
        let of_entries = self.entries.iter().map(|entry| &entry.job.arena);
        let mut at_hand = of_entries.chain(self.assets.arenas());
        let arena = match at_hand.find(|arena| arena.is_of(graph)) {
            Some(arena) => Arc::clone(arena),
            None => Arena::of_map(graph).into(),
        };
        self.looks[at].arena = Some(Arc::clone(&arena));
        Some(arena)
    }

    /// Looks for a table for these rules.
    fn look_up(&mut self, at: usize, ground: &TableGround<'_>, rules: Rules) -> Answer {
        let key = self.key_at(at, rules)?;
        if rules.moves != ground.robber.moves() {
            return None;
        }
        if let Some(index) = self.assets.usable(&key) {
            let arena = self.arena(at, ground)?;
            if self.assets.check(index, arena, Table::expect_arena) {
                return Some((Origin::Asset, index));
            }
            self.refuse_asset(key);
        }
        let index = self.entry(&key)?;
        if !self.entries[index].is_kept || self.entries[index].job.is_missing() {
            self.miss(index);
            return None;
        }
        self.entries[index].job.arena = self.arena(at, ground)?;
        Some((Origin::Solved, index))
    }

    /// Called when a table that the current map could use is not delivered: checks whether it is late.
    pub(super) fn miss(&mut self, index: usize) {
        let entry = &mut self.entries[index];
        let is_late = entry.is_kept && self.settings.timing != TableTiming::WhenReady;
        if is_late && !std::mem::replace(&mut entry.is_late, true) {
            let key = entry.job.key;
            self.report(TableEvent::Late { key });
            self.diverge(self.tick);
        }
    }

    /// Records that the run is not repeatable from this tick on.
    pub(crate) fn diverge(&mut self, tick: u64) {
        self.diverged = Some(self.diverged.map_or(tick, |first| first.min(tick)));
    }
}
