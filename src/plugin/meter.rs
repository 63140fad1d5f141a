//! What a tick may still do: of its own budget, of that of its frame, and without what is kept back for
//! moves.

use super::{PursuitDiagnostics, PursuitSettings, Stopwatch};
use crate::world::{Meter, TickBudget};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::time::Duration;

/// How many expansions a microsecond is worth, about: only for what plans can be afforded.
const EXPANSIONS_A_MICROSECOND: u64 = 12;
/// How often the clock is asked, in expansions.
const SLICE: u64 = 128;
/// Slices that a tick is granted in any case, for all maps together and however little time there is: so
/// every search comes to an end some time.
const GRANTED: u32 = 8;
/// What is kept back of a budget of time before it is known what it takes to end a tick.
const KEPT_BACK: Duration = Duration::from_micros(300);
/// Frames a second that a game is taken to have when expansions are shared out: a run must not depend on
/// how many it has.
const FRAMES_A_SECOND: f64 = 60.0;

/// Ticks that are remembered as one: two turns, but never fewer, nor more.
const BLOCK: u32 = 32;
const LONGEST_BLOCK: u32 = 1024;
/// Blocks that are remembered.
const BLOCKS: usize = 8;
/// What was needed in so many blocks is needed as a rule; before there are so many it is not known.
const OFTEN: usize = 3;

/// What is kept back of a budget of time: some pieces of work are taken as a whole, and when the
/// searching is over those who are due move, which takes its time as well.
///
/// Of each block of ticks the time is remembered that two ticks went on after the searching was to end,
/// and of the last eight blocks the third longest counts. So a slow tick, or several at once, when the
/// system takes the core away, leave no trace, and what happens every turn counts.
#[derive(Resource, Debug, Default)]
pub(super) struct Reserve {
    blocks: [Duration; BLOCKS],
    /// Blocks that were finished, or more than there are.
    finished: usize,
    /// The two longest times of the block under way, the longest first, and its ticks.
    longest: [Duration; 2],
    ticks: u32,
    /// When the searching of this tick is to end, for a budget of time.
    ends: Option<Duration>,
}

impl Reserve {
    /// Of an allowance at most the half.
    fn kept_back(&self, allowance: Duration) -> Duration {
        let usual = if self.finished < OFTEN {
            KEPT_BACK
        } else {
            let mut blocks = self.blocks;
            blocks.sort_unstable();
            // A little more, so that it is not exceeded every other time.
            blocks[BLOCKS - OFTEN] * 5 / 4
        };
        usual.min(allowance / 2)
    }

    /// A tick of a turn of so many has gone on for so long after its searching was to end.
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

/// Before the last system of a tick: learns from how long it has taken.
pub(super) fn learn(
    mut reserve: ResMut<Reserve>,
    settings: Res<PursuitSettings>,
    diagnostics: Res<PursuitDiagnostics>,
) {
    if let Some(ends) = reserve.ends.take() {
        let over = diagnostics.used().saturating_sub(ends);
        reserve.note(over, settings.ticks_per_turn);
    }
}

/// Does the plugin run in a schedule of the fixed clock, so that several ticks may fall into a frame?
#[derive(Resource, Debug)]
pub(super) struct RunsFixed(pub(super) bool);

/// How ticks and frames go together.
#[derive(SystemParam)]
pub(super) struct Pace<'w> {
    runs_fixed: Res<'w, RunsFixed>,
    fixed: Option<Res<'w, Time<Fixed>>>,
    game: Option<Res<'w, Time<Virtual>>>,
}

impl Pace<'_> {
    /// How many ticks there are to a frame as a rule: a function of what the game sets, and not of frames.
    fn ticks_per_frame(&self) -> f64 {
        let Some(fixed) = self.fixed.as_ref().filter(|_| self.runs_fixed.0) else {
            return 1.0;
        };
        let speed = self
            .game
            .as_ref()
            .map_or(1.0, |game| game.relative_speed_f64());
        speed / (FRAMES_A_SECOND * fixed.timestep().as_secs_f64())
    }

    /// How many ticks are still to come in this frame.
    fn ticks_to_come(&self) -> u32 {
        let Some(fixed) = self.fixed.as_ref().filter(|_| self.runs_fixed.0) else {
            return 0;
        };
        let ticks = fixed.overstep().as_nanos() / fixed.timestep().as_nanos().max(1);
        u32::try_from(ticks).unwrap_or(u32::MAX)
    }

    /// What a tick may spend.
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

/// Of the expansions of a tick those that it may spend where there are so many ticks to a frame and these
/// share so many budgets. The same on every machine.
fn share_of_work(all: u32, budgets: u16, ticks_per_frame: f64) -> u64 {
    let budgets = f64::from(budgets);
    if budgets == 0.0 || ticks_per_frame <= budgets {
        return all.into();
    }
    (f64::from(all) * budgets / ticks_per_frame) as u64
}

/// Of the time of a tick what it may take if the frame has been used so far, and so many ticks are to come
/// in it.
fn share_of_time(all: Duration, budgets: u16, used: Duration, to_come: u32) -> Duration {
    if budgets == 0 {
        return all;
    }
    let left = (all * u32::from(budgets)).saturating_sub(used);
    all.min(left / to_come.saturating_add(1))
}

/// What a tick may spend on all maps together.
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
    /// When the plugin's share of the tick began, as if it had been in one piece.
    began: Duration,
    /// Until when all maps may search, since then.
    ends: Duration,
    /// Expansions that the maps before have spent, and that this one may.
    spent: u64,
    share: u64,
    /// Until when this map may search, and the slices that it is granted beyond that.
    until: Duration,
    /// Until when its abstraction may be repaired while somebody wants a plan.
    repairs_until: Duration,
    granted: u32,
}

impl TickMeter {
    /// A meter for what is left of a tick.
    pub(super) fn new(
        settings: &PursuitSettings,
        pace: &Pace,
        diagnostics: &PursuitDiagnostics,
        reserve: &mut Reserve,
    ) -> Self {
        let allowance = pace.allowance(settings, diagnostics);
        let ends = match allowance {
            Allowance::Expansions(_) => None,
            Allowance::Time(all) => Some(all.saturating_sub(reserve.kept_back(all))),
        };
        reserve.ends = ends;
        let stopwatch = diagnostics.stopwatch().clone();
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
        }
    }

    fn elapsed(&self) -> Duration {
        self.stopwatch.now().saturating_sub(self.began)
    }

    /// The next of so many maps that are left.
    pub(super) fn begin_map(&mut self, maps: u32) {
        let maps = maps.max(1);
        match self.allowance {
            Allowance::Expansions(all) => {
                self.share = all.saturating_sub(self.spent) / u64::from(maps);
            }
            Allowance::Time(_) => {
                let now = self.elapsed();
                let share = self.ends.saturating_sub(now) / maps;
                self.until = now + share;
                self.repairs_until = now + share / 4 * 3;
                // One to ask whether there is any, and one to use.
                self.granted = (GRANTED / maps).max(2);
            }
        }
    }

    pub(super) fn end_map(&mut self, spent: u64) {
        self.spent += spent;
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

    fn left_for_repairs(&mut self, spent: u64) -> u64 {
        match self.allowance {
            Allowance::Expansions(_) => self.left(spent.saturating_add(self.share / 4)),
            Allowance::Time(_) if self.elapsed() < self.repairs_until => SLICE,
            Allowance::Time(_) => 0,
        }
    }

    fn whole(&self) -> u64 {
        match self.allowance {
            Allowance::Expansions(_) => self.share,
            Allowance::Time(all) => all.as_micros() as u64 * EXPANSIONS_A_MICROSECOND,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Duration = Duration::from_millis(1);

    /// A reserve that has known nothing but this for long.
    fn used_to(over: Duration) -> Reserve {
        let mut reserve = Reserve::default();
        (0..1_000).for_each(|_| reserve.note(over, 16));
        reserve
    }

    const SLOW: Duration = Duration::from_millis(9);

    #[test]
    fn one_slow_tick_or_several_at_once_leave_no_trace() {
        let usual = Duration::from_micros(80);
        let mut reserve = used_to(usual);
        assert_eq!(reserve.kept_back(ALL), usual * 5 / 4);
        for tick in 0..200 {
            reserve.note(if tick < 20 { SLOW } else { usual }, 16);
            assert_eq!(reserve.kept_back(ALL), usual * 5 / 4, "{tick}");
        }
    }

    #[test]
    fn a_slow_tick_every_half_second_leaves_no_trace() {
        let usual = Duration::from_micros(80);
        let mut reserve = used_to(usual);
        for tick in 0..1_000 {
            reserve.note(if tick % 32 == 0 { SLOW } else { usual }, 16);
            assert_eq!(reserve.kept_back(ALL), usual * 5 / 4, "{tick}");
        }
    }

    #[test]
    fn a_slow_tick_at_the_beginning_leaves_no_trace_either() {
        let mut reserve = Reserve::default();
        reserve.note(SLOW, 16);
        assert_eq!(reserve.kept_back(ALL), KEPT_BACK);
        (1..3 * BLOCK).for_each(|_| reserve.note(Duration::ZERO, 16));
        assert_eq!(reserve.kept_back(ALL), Duration::ZERO);
    }

    #[test]
    fn what_happens_every_turn_is_kept_back() {
        for turn in [1, 16, 64] {
            let mut reserve = Reserve::default();
            for tick in 0..1_000_u32 {
                let is_turn = tick.is_multiple_of(turn);
                reserve.note(Duration::from_micros(if is_turn { 200 } else { 0 }), turn);
            }
            assert_eq!(reserve.kept_back(ALL), Duration::from_micros(250), "{turn}");
        }
    }

    #[test]
    fn slow_seconds_are_over_some_seconds_later() {
        let mut reserve = used_to(SLOW);
        assert_eq!(reserve.kept_back(ALL), ALL / 2);
        (0..BLOCK * BLOCKS as u32).for_each(|_| reserve.note(Duration::ZERO, 16));
        assert_eq!(reserve.kept_back(ALL), Duration::ZERO);
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
