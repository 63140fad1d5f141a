//! The results of a run as a row of a Markdown table.

use crate::chaser::Remarks;
use crate::referee::{TICKS_PER_TURN, Tally};
use std::fmt;
use std::time::Duration;

/// The numbers of turns after which the captured robbers are counted.
const TURNS: [u64; 4] = [50, 100, 200, 400];

/// The head of the table of [`Report::shares`], whose columns are those of [`TURNS`].
pub const SHARES_HEAD: &str = "\
| chaser | first robbers captured after 50 turns | 100 | 200 | 400 |
|---|---|---|---|---|";

/// The results of a run.
pub struct Report {
    pub label: String,
    pub set_up: Duration,
    /// The times of the ticks after the warm-up.
    pub times: Vec<Duration>,
    /// The times of the ticks with door changes, after the warm-up.
    pub door_times: Vec<Duration>,
    pub tally: Tally,
    pub remarks: Remarks,
}

impl Report {
    pub const HEAD: &str = "\
| chaser | ticks | set-up, ms | tick median, ms | p99 | p99.9 | max | with doors: median | max \
| first robbers captured | after ticks, mean | all captures | decisions | missing | illegal: walls | corners | jumps | lost \
| steps onto closed doors |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";
}

impl Report {
    /// The shares of the pursuits whose first robber was captured within some turns, as a row of a table. Only
    /// turns that the run of this number of ticks has reached are counted.
    pub fn shares(&self, ticks: u64) -> String {
        let first = &self.tally.first;
        let share = |turns: u64| {
            let until = turns * TICKS_PER_TURN;
            if until >= ticks {
                return "-".to_owned();
            }
            let captured = first.iter().flatten().filter(|&&after| after <= until);
            let share = captured.count() as f64 / first.len().max(1) as f64;
            format!("{:.1}%", 100.0 * share)
        };
        format!("| {} | {} |", self.label, TURNS.map(share).join(" | "))
    }
}

/// A quantile in ms, nearest-rank; zero if there are no times.
fn quantile(sorted: &[Duration], thousandths: usize) -> f64 {
    let rank = (sorted.len() * thousandths).div_ceil(1000);
    let time = sorted.get(rank.saturating_sub(1)).copied();
    time.unwrap_or_default().as_secs_f64() * 1e3
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sorted = |times: &[Duration]| {
            let mut times = times.to_vec();
            times.sort_unstable();
            times
        };
        let (times, doors) = (sorted(&self.times), sorted(&self.door_times));
        let captured: Vec<u64> = self.tally.first.iter().flatten().copied().collect();
        let share = 100.0 * captured.len() as f64 / self.tally.first.len().max(1) as f64;
        let mean = captured.iter().sum::<u64>() as f64 / captured.len().max(1) as f64;
        write!(
            f,
            "| {} | {} | {:.0} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1}% | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            self.label,
            self.times.len(),
            self.set_up.as_secs_f64() * 1e3,
            quantile(&times, 500),
            quantile(&times, 990),
            quantile(&times, 999),
            quantile(&times, 1000),
            quantile(&doors, 500),
            quantile(&doors, 1000),
            share,
            if captured.is_empty() {
                "-".to_owned()
            } else {
                format!("{mean:.0}")
            },
            self.tally.captures,
            self.tally.decisions,
            self.tally.missing,
            self.tally.illegal.walls,
            self.tally.illegal.corners,
            self.tally.illegal.jumps,
            self.tally.illegal.lost,
            self.remarks.refused,
        )?;
        match self.remarks.told {
            Some(told) if told != self.tally.captures => {
                write!(f, "\n\n(The plugin reported {told} captures.)")
            }
            _ => Ok(()),
        }
    }
}
