//! Samples the memory in use: allocated and not freed.
//!
//! The memory of the process is larger and depends on the allocator, which keeps freed memory.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Samples over a run with this number of frames.
pub struct Memory {
    frames: u64,
    /// The frame and the megabytes in use.
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

    /// The growth in megabytes per 10,000 frames, from the second to the last fifth of the run: all
    /// reusable buffers have been allocated by then. The minimum of each fifth counts, because a table
    /// may not be freed yet when a game ends.
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
