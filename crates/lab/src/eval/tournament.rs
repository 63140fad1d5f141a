//! Every cop policy against every robber policy.

use super::draw::Draw;
use super::experiment::optimum;
use super::games::{ExperimentError, Games, Opening, Played, Players, Start};
use pursuit_engine::game::{Outcome, Rules, State, Turns};
use pursuit_engine::policy::{Ground, SharedTable};
use pursuit_engine::table::Progress;

/// The turn limit of a game whose optimum is not known, if none is given.
const UNKNOWN_LIMIT: u32 = 600;

/// The default turn limit as a multiple of the optimum.
const LIMIT_OF_OPTIMUM: u32 = 10;

/// The greatest number of random starts that are drawn for each start that is wanted.
const DRAWS: usize = 100;

/// A quantile of the normal distribution: 95 % of the values lie within this number of standard deviations of the mean.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// Games of policies of the cops against policies of the robber, on one map.
///
/// A game ends with the capture or at the turn limit. The limit is `turns` if it is given, otherwise ten times the
/// optimum, or 600 turns if the optimum is not known. Both sides plan anew each turn unless the policy itself keeps
/// plans.
#[derive(Debug, Clone, Copy)]
pub struct Tournament<'a> {
    /// What the policies may look at.
    pub ground: Ground<'a>,
    /// The rules of the game on `ground`.
    pub rules: Rules,
    /// The exact values of the game, if they are known.
    pub table: Option<&'a SharedTable>,
    /// The turn limit of all games; at least 1.
    pub turns: Option<u32>,
    /// The random numbers of the policies depend only on this seed and on the number of the start.
    pub seed: u64,
}

/// The starts that are played, and the numbers of starts that are skipped.
#[derive(Debug, Clone, Default)]
pub struct Contest {
    /// The starts with their numbers and optimum.
    openings: Vec<(usize, Start, Option<Outcome>)>,
    /// The starts from which an optimal robber escapes, which are skipped.
    pub lost: u64,
    /// The starts in which a cop stands on the robber, which are skipped.
    pub over: u64,
}

impl Contest {
    /// The starts that are played.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.openings.len()
    }

    /// The starts that are played, with their optimum where it is known.
    pub(super) fn starts(&self) -> impl Iterator<Item = (&Start, Option<Outcome>)> {
        self.openings
            .iter()
            .map(|(_, start, optimum)| (start, *optimum))
    }
}

impl Tournament<'_> {
    /// Chooses the starts that are played: if the table is known, those from which the cops win; otherwise all. Cost: a
    /// value for each start.
    ///
    /// # Errors
    /// If a start is not a position of the game.
    pub fn contest(
        &self,
        starts: impl IntoIterator<Item = Start>,
    ) -> Result<Contest, ExperimentError> {
        let mut contest = Contest::default();
        for (game, start) in starts.into_iter().enumerate() {
            self.add(&mut contest, game, start)?;
        }
        Ok(contest)
    }

    /// Draws `wanted` starts, or fewer if the cops win from less than one start in a hundred.
    ///
    /// # Errors
    /// If the table is not of this game.
    pub fn draw(&self, wanted: usize) -> Result<Contest, ExperimentError> {
        let mut contest = Contest::default();
        let mut draw = Draw::new(self.ground.graph, self.seed);
        for number in 0..wanted.saturating_mul(DRAWS) {
            let start = draw.start(number as u64, self.rules.cops.get());
            let Some(start) = start.filter(|_| contest.games() < wanted) else {
                break;
            };
            self.add(&mut contest, number, start)?;
        }
        Ok(contest)
    }

    /// Adds a start with a number of its own, if it is to be played.
    fn add(&self, contest: &mut Contest, game: usize, start: Start) -> Result<(), ExperimentError> {
        let live = |&vertex| self.ground.graph.is_live(vertex);
        let fits = start.cops.len() == usize::from(self.rules.cops.get())
            && start.cops.iter().chain([&start.robber]).all(live);
        let known = self.table.map(|table| {
            let value = optimum(&*table.times, &table.arena, self.ground, &start);
            value.filter(|_| table.times.rules() == self.rules)
        });
        if !fits || known == Some(None) {
            return Err(ExperimentError::NoPosition { game });
        }
        let optimum = known.flatten();
        if start.is_capture() {
            contest.over += 1;
        } else if optimum == Some(Outcome::Escapes) {
            contest.lost += 1;
        } else {
            contest.openings.push((game, start, optimum));
        }
        Ok(())
    }

    /// Plays a game from each start of a contest, and returns the games in the order of the starts.
    ///
    /// `players` creates both sides. Several pairs play at the same time, and all must play alike. `clock` and `go_on`
    /// are as in [`Experiment::run`](super::Experiment::run), and so are the threads.
    ///
    /// # Errors
    /// If a player is `None`, if a move is not legal, or if it was stopped.
    pub fn run(
        &self,
        contest: &Contest,
        players: impl Fn() -> Option<Players<'static>>,
        clock: impl Fn() -> u64 + Sync + Send,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Vec<Played>, ExperimentError> {
        let openings: Vec<Opening<'_>> = contest
            .openings
            .iter()
            .map(|(number, start, optimum)| Opening {
                number: *number,
                start,
                optimum: *optimum,
            })
            .collect();
        let games = Games {
            ground: self.ground,
            rules: self.rules,
            seed: self.seed,
            is_over: |opening: &Opening<'_>, turn, _: &State<'_>| {
                turn > self.limit(opening.optimum)
            },
        };
        games.run(&openings, players, clock, go_on)
    }

    /// The turn limit of a game.
    fn limit(&self, optimum: Option<Outcome>) -> u32 {
        self.turns.unwrap_or(match optimum {
            Some(Outcome::Caught(Turns(turns))) => LIMIT_OF_OPTIMUM * u32::from(turns),
            Some(Outcome::Escapes | Outcome::Away(_)) | None => UNKNOWN_LIMIT,
        })
    }
}

/// A mean and its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// A share of `all`: the score interval of E. B. Wilson, *Probable inference, the law of succession, and
    /// statistical inference*, 1927. `None` if `all` is 0.
    fn of_share(part: u64, all: u64) -> Option<Self> {
        if all == 0 {
            return None;
        }
        let (mean, all) = (part as f64 / all as f64, all as f64);
        let square = DEVIATIONS * DEVIATIONS;
        let middle = (mean + square / (2.0 * all)) / (1.0 + square / all);
        let spread = mean * (1.0 - mean) / all + square / (4.0 * all * all);
        let half = DEVIATIONS / (1.0 + square / all) * spread.sqrt();
        Some(Self {
            mean,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
        })
    }

    /// The mean of numbers that are approximately normally distributed; `None` if there are none. A single number says
    /// nothing about its error, so its interval is infinite.
    fn of_mean(numbers: &[f64]) -> Option<Self> {
        let count = numbers.len() as f64;
        let mean = mean(numbers)?;
        if numbers.len() == 1 {
            return Some(Self {
                mean,
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            });
        }
        let distances = numbers.iter().map(|number| number - mean);
        let squares: f64 = distances.map(|distance| distance * distance).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        Some(Self {
            mean,
            low: mean - DEVIATIONS * error,
            high: mean + DEVIATIONS * error,
        })
    }
}

/// The mean; `None` if there are no numbers.
fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The results of the games of a cop policy against a robber policy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Score {
    /// The games.
    pub games: u64,
    /// The turns of each capture, the soonest first.
    captures: Vec<u32>,
    /// The turns of each capture over the optimum, where it is known.
    ratios: Vec<f64>,
    /// The turns that the robber survived in each game over the optimum, where it is known.
    survivals: Vec<f64>,
    /// The nanoseconds of each decision of the cops, the shortest first.
    times: Vec<u64>,
}

impl Score {
    /// Adds up games. Time: that of sorting the decisions.
    #[must_use]
    pub fn of(games: &[Played]) -> Self {
        let mut score = Self {
            games: games.len() as u64,
            ..Self::default()
        };
        for game in games {
            score.times.extend(&game.team_times);
            let captured = game.survival.map(Played::turns);
            score.captures.extend(captured);
            if let Some(optimum) = game.optimum.map(Played::turns) {
                let over_optimum = |turns: u32| f64::from(turns) / f64::from(optimum.max(1));
                score.ratios.extend(captured.map(over_optimum));
                let survived = captured.unwrap_or(game.team_times.len() as u32);
                score.survivals.push(over_optimum(survived));
            }
        }
        score.times.sort_unstable();
        score.captures.sort_unstable();
        score
    }

    /// The share of games with a capture within the turn limit, with Wilson's interval; `None` without games.
    #[must_use]
    pub fn capture_rate(&self) -> Option<Interval> {
        Interval::of_share(self.captures.len() as u64, self.games)
    }

    /// The share of games with a capture within this number of turns; `None` without games.
    #[must_use]
    pub fn captured_within(&self, turns: u32) -> Option<f64> {
        let within = self.captures.partition_point(|&capture| capture <= turns);
        (self.games > 0).then(|| within as f64 / self.games as f64)
    }

    /// The mean of the turns until capture over the optimum, of the captures whose optimum is known, with the
    /// interval of a normal distribution; `None` without such captures. Of a single capture, the interval is infinite.
    #[must_use]
    pub fn capture_ratio(&self) -> Option<Interval> {
        Interval::of_mean(&self.ratios)
    }

    /// The greatest ratio of a capture.
    #[must_use]
    pub fn worst_ratio(&self) -> Option<f64> {
        self.ratios.iter().copied().reduce(f64::max)
    }

    /// The mean of the turns that the robber survived over the optimum, where a game without capture counts
    /// with its turn limit; `None` where no optimum is known.
    #[must_use]
    pub fn survival_ratio(&self) -> Option<Interval> {
        Interval::of_mean(&self.survivals)
    }

    /// The mean number of turns until capture; `None` without captures.
    #[must_use]
    pub fn mean_turns(&self) -> Option<f64> {
        let turns: Vec<f64> = self.captures.iter().copied().map(f64::from).collect();
        mean(&turns)
    }

    /// The mean time of a joint decision of the cops in nanoseconds; `None` without decisions.
    #[must_use]
    pub fn mean_time(&self) -> Option<f64> {
        let all = self.times.iter().sum::<u64>() as f64;
        (!self.times.is_empty()).then(|| all / self.times.len() as f64)
    }

    /// The time within which this percentage of the decisions were made, in nanoseconds: 100 for the longest.
    #[must_use]
    pub fn time(&self, percent: usize) -> Option<u64> {
        percentile(&self.times, percent)
    }
}

/// The number that this percentage of sorted numbers do not exceed.
pub(super) fn percentile(sorted: &[u64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent.min(100)).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}
