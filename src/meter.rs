//! The budget of a tick, and the reserve for the moves at its end.
//!
//! The budget depends on the tick's own share, on the time that its frame has used, and on the reserve.

use crate::diagnostics::PursuitDiagnostics;
use crate::stopwatch::Stopwatch;
use crate::work_timer::WorkTimer;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pursuit_engine::world::PursuitSettings;
use pursuit_engine::world::{Meter, TickBudget};
use std::mem;
use std::time::Duration;

/// About how many expansions fit into a microsecond. Only used to decide which plans are affordable.
const EXPANSIONS_PER_MICROSECOND: u64 = 12;
/// How often the clock is read, in expansions.
const SLICE: u64 = 128;
/// Slices that a tick is granted in any case, for all maps together and however little time there is,
/// so that every search ends at some point.
const GRANTED: u32 = 8;
/// Slices granted to a map: one to find out whether there is work, and one to do it.
const GRANTED_EACH: u32 = 2;
/// The smallest share of a map, in expansions. Where the budget has less for each map, maps take turns.
const LEAST_SHARE: u64 = 16;
/// The reserve before the time to end a tick is known.
const FIRST_RESERVE: Duration = Duration::from_micros(300);
/// The assumed frame rate when expansions are shared out: a run must not depend on the real one.
const FRAMES_PER_SECOND: f64 = 60.0;

/// The shortest and the longest block of ticks that is remembered as one; within them a block is two
/// turns.
const BLOCK: u32 = 32;
const LONGEST_BLOCK: u32 = 1024;
/// The number of blocks that are remembered.
const BLOCKS: usize = 8;
/// The reserve is the overrun of this rank among the remembered blocks, longest first. It is unknown until
/// this number of blocks is complete.
const OVERRUN_RANK: usize = 3;

/// The part of a time budget that is reserved for the end of a tick: some work is indivisible, and the
/// agents that are due still have to move when searching stops.
///
/// Of each block of ticks the second-longest overrun is remembered, and of the last eight blocks the
/// third-longest counts. A slow tick, or several at once because the system takes the core away, thus
/// has no effect, and work that recurs every turn counts.
#[derive(Resource, Debug, Default)]
pub(super) struct Reserve {
    blocks: [Duration; BLOCKS],
    /// The number of finished blocks, which may exceed `BLOCKS`.
    finished: usize,
    /// The two longest overruns of the current block, longest first, and its ticks.
    longest: [Duration; 2],
    ticks: u32,
    /// When searching stops in this tick, for a time budget.
    ends: Option<Duration>,
}

impl Reserve {
    /// The reserve, at most half of the allowance.
    fn reserved(&self, allowance: Duration) -> Duration {
        let usual = if self.finished < OVERRUN_RANK {
            FIRST_RESERVE
        } else {
            let mut blocks = self.blocks;
            blocks.sort_unstable();
            // A margin, so that ticks do not exceed the reserve half of the time.
            blocks[BLOCKS - OVERRUN_RANK] * 5 / 4
        };
        usual.min(allowance / 2)
    }

    /// Records by how much a tick ran on after searching stopped. `turn` is the length of a turn in
    /// ticks.
    fn note(&mut self, over: Duration, turn: u32) {
        let [first, second] = self.longest;
        self.longest = [first.max(over), second.max(first.min(over))];
        self.ticks += 1;
        if self.ticks >= turn.saturating_mul(2).clamp(BLOCK, LONGEST_BLOCK) {
            self.blocks[self.finished % BLOCKS] = self.longest[1];
            self.finished = self.finished.saturating_add(1);
            (self.longest, self.ticks) = ([Duration::ZERO; 2], 0);
        }
    }
}

/// Runs before the last system of a tick and records its overrun.
pub(super) fn record_overrun(
    mut reserve: ResMut<Reserve>,
    settings: Res<PursuitSettings>,
    diagnostics: Res<PursuitDiagnostics>,
    timer: WorkTimer,
) {
    if let Some(ends) = reserve.ends.take() {
        let used = diagnostics.used() + timer.pending();
        let over = used.saturating_sub(ends);
        reserve.note(over, settings.ticks_per_turn);
    }
}

/// Whether the plugin runs in a schedule of the fixed clock, so that a frame may contain several ticks.
#[derive(Resource, Debug)]
pub(super) struct RunsFixed(pub(super) bool);

/// The relation of ticks and frames.
#[derive(SystemParam)]
pub(super) struct Pace<'w> {
    runs_fixed: Res<'w, RunsFixed>,
    fixed: Option<Res<'w, Time<Fixed>>>,
    game: Option<Res<'w, Time<Virtual>>>,
}

impl Pace<'_> {
    /// The usual number of ticks per frame: a function of the game's settings, not of real frames.
    fn ticks_per_frame(&self) -> f64 {
        let Some(fixed) = self.fixed.as_ref().filter(|_| self.runs_fixed.0) else {
            return 1.0;
        };
        let speed = self
            .game
            .as_ref()
            .map_or(1.0, |game| game.relative_speed_f64());
        speed / (FRAMES_PER_SECOND * fixed.timestep().as_secs_f64())
    }

    /// The number of ticks still to come in this frame.
    fn ticks_to_come(&self) -> u32 {
        let Some(fixed) = self.fixed.as_ref().filter(|_| self.runs_fixed.0) else {
            return 0;
        };
        let ticks = fixed.overstep().as_nanos() / fixed.timestep().as_nanos().max(1);
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }

    /// The budget of a tick.
    pub(super) fn allowance(
        &self,
        settings: &PursuitSettings,
        diagnostics: &PursuitDiagnostics,
    ) -> Allowance {
        let budgets = settings.budgets_per_frame;
        match settings.budget {
            TickBudget::Expansions(all) => {
                Allowance::Expansions(share_of_work(all, budgets, self.ticks_per_frame()))
            }
            TickBudget::Micros(all) => Allowance::Time(share_of_time(
                Duration::from_micros(all.into()),
                budgets,
                diagnostics
                    .used_in_frame()
                    .saturating_sub(diagnostics.tick.time),
                self.ticks_to_come(),
            )),
        }
    }
}

/// The expansions that a tick may spend of its `all`, if the given number of ticks share `budgets`
/// budgets per frame. The same on every machine.
fn share_of_work(all: u32, budgets: u16, ticks_per_frame: f64) -> u64 {
    let budgets = f64::from(budgets);
    if budgets == 0.0 || ticks_per_frame <= budgets {
        return all.into();
    }
    (f64::from(all) * budgets / ticks_per_frame) as u64
}

/// The time that a tick may take of its `all`, if its frame has used `used` and has `to_come` more
/// ticks.
fn share_of_time(all: Duration, budgets: u16, used: Duration, to_come: u32) -> Duration {
    if budgets == 0 {
        return all;
    }
    let left = (all * u32::from(budgets)).saturating_sub(used);
    all.min(left / to_come.saturating_add(1))
}

/// The budget of a tick for all maps together.
#[derive(Debug, Clone, Copy)]
pub(super) enum Allowance {
    Expansions(u64),
    Time(Duration),
}

/// The budget of a tick, for all maps together.
#[derive(Debug)]
pub(super) struct TickMeter {
    allowance: Allowance,
    stopwatch: Stopwatch,
    /// When the plugin's work in this tick began, as if it had been in one piece.
    began: Duration,
    /// When searching stops on all maps, after `began`.
    ends: Duration,
    /// Expansions that earlier maps have spent, and that this map may spend.
    spent: u64,
    share: u64,
    /// When searching stops on this map, and the slices granted beyond that.
    until: Duration,
    /// When repairs of this map's abstraction stop while an agent wants a plan.
    repairs_until: Duration,
    granted: u32,
    /// Granted slices that no map has used.
    grants_left: u32,
    /// Whether repairs get a slice after their time is over.
    grants_repair: bool,
}

impl TickMeter {
    /// A meter for the rest of a tick.
    pub(super) fn new(
        settings: &PursuitSettings,
        pace: &Pace,
        diagnostics: &PursuitDiagnostics,
        timer: &WorkTimer,
        reserve: &mut Reserve,
    ) -> Self {
        let allowance = pace.allowance(settings, diagnostics);
        let ends = match allowance {
            Allowance::Expansions(_) => None,
            Allowance::Time(all) => Some(all.saturating_sub(reserve.reserved(all))),
        };
        reserve.ends = ends;
        let stopwatch = timer.stopwatch().clone();
        Self {
            allowance,
            began: stopwatch.now().saturating_sub(diagnostics.used()),
            stopwatch,
            ends: ends.unwrap_or_default(),
            spent: 0,
            share: 0,
            until: Duration::ZERO,
            repairs_until: Duration::ZERO,
            granted: 0,
            grants_left: GRANTED,
            grants_repair: false,
        }
    }

    /// How many maps can have a share that is worth something in one tick.
    pub(super) fn places(&self) -> usize {
        let places = match self.allowance {
            Allowance::Expansions(all) => all.saturating_sub(self.spent) / LEAST_SHARE,
            Allowance::Time(_) => (GRANTED / GRANTED_EACH).into(),
        };
        usize::try_from(places).unwrap_or(usize::MAX).max(1)
    }

    /// Returns whether maps may spend more in this tick.
    pub(super) fn has_rest(&self) -> bool {
        match self.allowance {
            Allowance::Expansions(all) => self.spent < all,
            Allowance::Time(_) => self.elapsed() < self.ends,
        }
    }

    fn elapsed(&self) -> Duration {
        self.stopwatch.now().saturating_sub(self.began)
    }

    /// Begins the next map, the first of `maps` that are left. It gets an equal share of what earlier maps have left.
    /// `spent` is what it has spent in this tick before.
    pub(super) fn begin_map(&mut self, maps: u32, spent: u64) {
        let maps = maps.max(1);
        match self.allowance {
            Allowance::Expansions(all) => {
                let left = all.saturating_sub(self.spent);
                let share = (left / u64::from(maps)).max(LEAST_SHARE.min(left));
                self.share = spent.saturating_add(share);
            }
            Allowance::Time(_) => {
                let now = self.elapsed();
                let share = self.ends.saturating_sub(now) / maps;
                self.until = now + share;
                self.repairs_until = now + share / 4 * 3;
                self.granted = (GRANTED / maps).max(GRANTED_EACH).min(self.grants_left);
                self.grants_left -= self.granted;
                self.grants_repair = self.granted > 0;
            }
        }
    }

    pub(super) fn end_map(&mut self, spent: u64) {
        self.spent += spent;
        self.grants_left += mem::take(&mut self.granted);
    }
}

impl Meter for TickMeter {
    fn left(&mut self, spent: u64) -> u64 {
        match self.allowance {
            Allowance::Expansions(_) => self.share.saturating_sub(spent),
            Allowance::Time(_) if self.elapsed() < self.until => SLICE,
            Allowance::Time(_) if self.granted > 0 => {
                self.granted -= 1;
                SLICE
            }
            Allowance::Time(_) => 0,
        }
    }

    fn left_in_one(&mut self, spent: u64) -> u64 {
        match self.allowance {
            Allowance::Expansions(_) => self.left(spent),
            Allowance::Time(_) => expansions_in(self.until.saturating_sub(self.elapsed())),
        }
    }

    fn left_for_repairs(&mut self, spent: u64) -> u64 {
        match self.allowance {
            Allowance::Expansions(_) => self.left(spent.saturating_add(self.share / 4)),
            Allowance::Time(_) if self.elapsed() < self.repairs_until => SLICE,
            // On a machine that is always late, repairs have to end some time, too.
            Allowance::Time(_) if mem::take(&mut self.grants_repair) => SLICE,
            Allowance::Time(_) => 0,
        }
    }

    fn whole(&self) -> u64 {
        match self.allowance {
            Allowance::Expansions(_) => self.share,
            Allowance::Time(all) => expansions_in(all),
        }
    }
}

/// About how many expansions fit into some time.
fn expansions_in(time: Duration) -> u64 {
    time.as_micros() as u64 * EXPANSIONS_PER_MICROSECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Duration = Duration::from_millis(1);

    /// A reserve that has only ever seen this overrun.
    fn used_to(over: Duration) -> Reserve {
        let mut reserve = Reserve::default();
        (0..1_000).for_each(|_| reserve.note(over, 16));
        reserve
    }

    const SLOW: Duration = Duration::from_millis(9);

    /// A meter of a tick that may take 900 us and has taken the time that `now` tells.
    fn meter_at(now: fn() -> Duration) -> TickMeter {
        TickMeter {
            allowance: Allowance::Time(ALL),
            stopwatch: Stopwatch::new(now),
            began: Duration::ZERO,
            ends: Duration::from_micros(900),
            spent: 0,
            share: 0,
            until: Duration::ZERO,
            repairs_until: Duration::ZERO,
            granted: 0,
            grants_left: GRANTED,
            grants_repair: false,
        }
    }

    #[test]
    fn a_meter_of_time_grants_slices_and_tells_what_is_left_in_one() {
        let mut meter = meter_at(|| Duration::from_micros(100));
        meter.begin_map(2, 0);
        assert_eq!(meter.left(7), SLICE);
        assert_eq!(meter.left_in_one(7), 400 * EXPANSIONS_PER_MICROSECOND);
    }

    #[test]
    fn repairs_get_a_slice_in_a_tick_that_is_late() {
        let mut meter = meter_at(|| ALL);
        for _ in 0..2 {
            meter.begin_map(1, 0);
            assert_eq!(meter.left_for_repairs(0), SLICE);
            assert_eq!(meter.left_for_repairs(SLICE), 0);
            meter.end_map(SLICE);
        }
    }

    #[test]
    fn a_thousand_maps_in_a_late_tick_get_the_slices_of_one() {
        let mut meter = meter_at(|| ALL);
        let mut slices = 0;
        for left in (1..=1_000).rev() {
            meter.begin_map(left, 0);
            while meter.left(0) > 0 {
                slices += 1;
            }
            meter.end_map(0);
        }
        assert_eq!(slices, GRANTED);
    }

    #[test]
    fn one_slow_tick_or_several_at_once_leave_no_trace() {
        let usual = Duration::from_micros(80);
        let mut reserve = used_to(usual);
        assert_eq!(reserve.reserved(ALL), usual * 5 / 4);
        for tick in 0..200 {
            reserve.note(if tick < 20 { SLOW } else { usual }, 16);
            assert_eq!(reserve.reserved(ALL), usual * 5 / 4, "{tick}");
        }
    }

    #[test]
    fn a_slow_tick_every_half_second_leaves_no_trace() {
        let usual = Duration::from_micros(80);
        let mut reserve = used_to(usual);
        for tick in 0..1_000 {
            reserve.note(if tick % 32 == 0 { SLOW } else { usual }, 16);
            assert_eq!(reserve.reserved(ALL), usual * 5 / 4, "{tick}");
        }
    }

    #[test]
    fn a_slow_tick_at_the_beginning_leaves_no_trace_either() {
        let mut reserve = Reserve::default();
        reserve.note(SLOW, 16);
        assert_eq!(reserve.reserved(ALL), FIRST_RESERVE);
        (1..3 * BLOCK).for_each(|_| reserve.note(Duration::ZERO, 16));
        assert_eq!(reserve.reserved(ALL), Duration::ZERO);
    }

    #[test]
    fn what_happens_every_turn_is_kept_back() {
        for turn in [1, 16, 64] {
            let mut reserve = Reserve::default();
            for tick in 0..1_000_u32 {
                let is_turn = tick.is_multiple_of(turn);
                reserve.note(Duration::from_micros(if is_turn { 200 } else { 0 }), turn);
            }
            assert_eq!(reserve.reserved(ALL), Duration::from_micros(250), "{turn}");
        }
    }

    #[test]
    fn slow_seconds_are_over_some_seconds_later() {
        let mut reserve = used_to(SLOW);
        assert_eq!(reserve.reserved(ALL), ALL / 2);
        (0..BLOCK * BLOCKS as u32).for_each(|_| reserve.note(Duration::ZERO, 16));
        assert_eq!(reserve.reserved(ALL), Duration::ZERO);
    }

    #[test]
    fn ticks_of_a_frame_share_its_time() {
        let micros = Duration::from_micros;
        let all = micros(1_000);
        assert_eq!(share_of_time(all, 2, Duration::ZERO, 0), all);
        assert_eq!(share_of_time(all, 2, Duration::ZERO, 1), all);
        assert_eq!(share_of_time(all, 2, Duration::ZERO, 7), micros(250));
        assert_eq!(share_of_time(all, 2, micros(1_500), 1), micros(250));
        assert_eq!(share_of_time(all, 2, micros(2_500), 1), Duration::ZERO);
        assert_eq!(share_of_time(all, 0, micros(9_000), 15), all);
        assert_eq!(
            share_of_time(all, 1, Duration::MAX, u32::MAX),
            Duration::ZERO
        );
    }

    #[test]
    fn expansions_are_shared_by_the_usual_number_of_ticks() {
        assert_eq!(share_of_work(10_000, 2, 64.0 / 60.0), 10_000);
        assert_eq!(share_of_work(10_000, 2, 2.0), 10_000);
        assert_eq!(share_of_work(10_000, 2, 8.0), 2_500);
        assert_eq!(share_of_work(10_000, 1, 4.0), 2_500);
        assert_eq!(share_of_work(10_000, 0, 8.0), 10_000);
        assert_eq!(share_of_work(10_000, 2, f64::INFINITY), 0);
        assert_eq!(share_of_work(10_000, 2, 0.0), 10_000);
    }
}
