//! How much memory the process has, from time to time.

/// Samples over a run of so many frames.
pub struct Memory {
    frames: u64,
    /// Frames and megabytes.
    samples: Vec<(u64, f64)>,
}

impl Memory {
    pub const fn new(frames: u64) -> Self {
        Self {
            frames,
            samples: Vec::new(),
        }
    }

    /// Megabytes in use by the process; 0 where the system does not say.
    pub fn now() -> f64 {
        let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = text
            .split_whitespace()
            .nth(1)
            .and_then(|pages| pages.parse().ok());
        pages.map_or(0.0, |pages: f64| pages * 4096.0 / 1e6)
    }

    pub fn note(&mut self, frame: u64) {
        self.samples.push((frame, Self::now()));
    }

    /// Megabytes in 10,000 frames, from the second fifth of the run to the last: by then all memory
    /// that is kept for use again has been taken.
    pub fn growth(&self) -> f64 {
        let most = |from: u64, to: u64| {
            let within =
                |frame: u64| frame * 5 > from * self.frames && frame * 5 <= to * self.frames;
            let part = self.samples.iter().filter(|(frame, _)| within(*frame));
            part.map(|(_, megabytes)| *megabytes).fold(0.0, f64::max)
        };
        let frames = (self.frames * 3 / 5).max(1) as f64;
        (most(4, 5) - most(1, 2)) * 10_000.0 / frames
    }
}
