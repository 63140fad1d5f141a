//! Histograms of frame times.

#![expect(clippy::disallowed_methods, reason = "statistics")]

use std::fmt;
use std::time::Duration;

/// The number of classes per factor of two.
const FINE: f64 = 16.0;
const BUCKETS: usize = 40 * 16;

/// A histogram whose classes grow by 4 %, so that its memory does not depend on the number of times.
#[derive(Debug, Clone)]
pub struct Histogram {
    classes: Vec<u64>,
    all: u64,
    most: Duration,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            classes: vec![0; BUCKETS],
            all: 0,
            most: Duration::ZERO,
        }
    }
}

impl Histogram {
    pub fn note(&mut self, time: Duration) {
        let nanoseconds = (time.as_nanos().max(1)) as f64;
        let class = (nanoseconds.log2() * FINE) as usize;
        self.classes[class.min(BUCKETS - 1)] += 1;
        self.all += 1;
        self.most = self.most.max(time);
    }

    /// The time that this share of all times does not exceed, in milliseconds, accurate to 4 %.
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = (share * self.all as f64).ceil() as u64;
        let mut sum = 0;
        for (class, many) in self.classes.iter().enumerate() {
            sum += many;
            if sum >= wanted {
                return ((class + 1) as f64 / FINE).exp2() / 1e6;
            }
        }
        self.most.as_secs_f64() * 1e3
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = [0.5, 0.99, 0.999].map(|share| self.quantile(share));
        let most = self.most.as_secs_f64() * 1e3;
        write!(
            f,
            "{:>9} frames: median {a:.3} ms, 99 % {b:.3} ms, 99.9 % {c:.3} ms, max {most:.1} ms",
            self.all
        )
    }
}

/// Frame times by the kind of budget, and by whether a frame has more than one tick.
#[derive(Debug, Clone, Default)]
pub struct Times([[Histogram; 2]; 2]);

impl Times {
    pub fn note(&mut self, micros: bool, ticks: u64, time: Duration) {
        self.0[usize::from(micros)][usize::from(ticks > 1)].note(time);
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (budget, kinds) in ["expansions", "microseconds"].iter().zip(&self.0) {
            for (ticks, times) in ["up to one tick", "several ticks"].iter().zip(kinds) {
                if times.all > 0 {
                    writeln!(f, "{budget:<13} {ticks:<15} {times}")?;
                }
            }
        }
        Ok(())
    }
}

/// The total time that this thread has waited for a core. Zero if the system does not report it.
pub fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1);
    let nanoseconds = nanoseconds.and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
