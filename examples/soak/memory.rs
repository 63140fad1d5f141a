//! How much memory is in use, from time to time: what has been allocated and not given back. What the
//! process has of the system is more, and depends on the allocator, which keeps what was given back.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

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

    /// Megabytes in use.
    pub fn now() -> f64 {
        ALLOCATOR.current_usage() as f64 / 1e6
    }

    pub fn note(&mut self, frame: u64) {
        self.samples.push((frame, Self::now()));
    }

    /// Megabytes in 10,000 frames, from the second fifth of the run to the last: by then all memory
    /// that is kept for use again has been taken. Of each fifth the least counts: a table may still be
    /// given up when a game ends.
    pub fn growth(&self) -> f64 {
        let least = |from: u64, to: u64| {
            let within =
                |frame: u64| frame * 5 > from * self.frames && frame * 5 <= to * self.frames;
            let part = self.samples.iter().filter(|(frame, _)| within(*frame));
            part.map(|(_, megabytes)| *megabytes).reduce(f64::min)
        };
        let growth = least(4, 5).zip(least(1, 2)).map(|(end, begin)| end - begin);
        let frames = (self.frames * 3 / 5).max(1) as f64;
        growth.unwrap_or(0.0) * 10_000.0 / frames
    }
}
