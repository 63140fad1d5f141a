//! Capture times of one word of cop placements.

/// One number of 8 bits for each of 64 positions, stored as bit planes: bit `j` of all numbers
/// forms one word.
///
/// Writing what a turn solves in a word of positions takes a few instructions, whatever the number
/// of these positions, and stays within one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(64))]
pub(super) struct Planes([u64; 8]);

impl Planes {
    /// Sets the number of `positions`, whose numbers are 0 so far. `bits[j]` has all bits set if
    /// bit `j` of the new number is set, and none otherwise.
    #[inline]
    fn write(&mut self, positions: u64, bits: &[u64; 8]) {
        for (plane, bit) in self.0.iter_mut().zip(bits) {
            *plane |= positions & bit;
        }
    }

    /// The number of one position.
    #[inline]
    fn read(&self, position: usize) -> u8 {
        let bits = self.0.iter().enumerate();
        bits.fold(0, |byte, (bit, plane)| {
            byte | ((plane >> position & 1) as u8) << bit
        })
    }
}

impl Planes {
    /// The numbers of all positions.
    fn unpack(&self) -> [u8; 64] {
        let mut numbers = [0; 64];
        for (index, eight) in numbers.chunks_exact_mut(8).enumerate() {
            // Byte `bit` of the matrix holds bit `bit` of eight numbers.
            let planes = self.0.iter().enumerate();
            let matrix = planes.fold(0, |matrix, (bit, plane)| {
                matrix | (plane >> (8 * index) & 0xff) << (8 * bit)
            });
            eight.copy_from_slice(&transpose(matrix).to_le_bytes());
        }
        numbers
    }
}

/// Transposes a matrix of 8 x 8 bits: bit `j` of byte `i` becomes bit `i` of byte `j` (H. Warren,
/// *Hacker's Delight*, section 7-3).
const fn transpose(matrix: u64) -> u64 {
    let mut x = matrix;
    let mut swap = (x ^ (x >> 7)) & 0x00aa_00aa_00aa_00aa;
    x ^= swap ^ (swap << 7);
    swap = (x ^ (x >> 14)) & 0x0000_cccc_0000_cccc;
    x ^= swap ^ (swap << 14);
    swap = (x ^ (x >> 28)) & 0x0000_0000_f0f0_f0f0;
    x ^ swap ^ (swap << 28)
}

/// The capture times of a slab: 64 for each place of the robber.
///
/// A capture time is stored as the number of turns plus one; 0 means that there is no capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Times {
    low: Vec<Planes>,
    /// The bits beyond the first eight: `high_bits` words for each place of the robber, as many as
    /// the longest time of the slab needs.
    high: Vec<u64>,
    high_bits: usize,
}

/// A number of turns, prepared for writing it to many words.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    low: [u64; 8],
    high: [u64; 8],
    high_bits: usize,
}

impl Turn {
    /// Prepares a number of turns, which is at most [`MAX_TURNS`].
    pub(super) fn new(turns: u16) -> Self {
        let bits = |byte: u8| std::array::from_fn(|bit| u64::from(byte >> bit & 1).wrapping_neg());
        let [high, low] = (turns + 1).to_be_bytes();
        Self {
            low: bits(low),
            high: bits(high),
            high_bits: (u8::BITS - high.leading_zeros()) as usize,
        }
    }
}

/// The greatest number of turns that can be stored.
pub const MAX_TURNS: u16 = u16::MAX - 1;

impl Times {
    pub(super) fn new(places: usize) -> Self {
        Self {
            low: vec![Planes::default(); places],
            high: Vec::new(),
            high_bits: 0,
        }
    }

    /// The bytes of memory.
    pub(super) const fn bytes(&self) -> u64 {
        64 * self.low.len() as u64 + 8 * self.high.len() as u64
    }

    /// Stores the turns of positions that have no time yet. Inlined into the loop that calls it most, it would keep that
    /// loop from being inlined itself: 5 % more instructions for a whole solution.
    #[inline(never)]
    pub(super) fn write(&mut self, robber: usize, positions: u64, turns: &Turn) {
        self.low[robber].write(positions, &turns.low);
        if turns.high_bits > 0 {
            self.write_high(robber, positions, turns);
        }
    }

    fn write_high(&mut self, robber: usize, positions: u64, turns: &Turn) {
        if turns.high_bits > self.high_bits {
            self.widen(turns.high_bits);
        }
        for (word, bit) in self.high_words_mut(robber).iter_mut().zip(&turns.high) {
            *word |= positions & bit;
        }
    }

    /// Makes room for numbers with more bits.
    #[cold]
    fn widen(&mut self, bits: usize) {
        let mut high = vec![0; bits * self.low.len()];
        for (robber, words) in high.chunks_exact_mut(bits).enumerate() {
            words[..self.high_bits].copy_from_slice(self.high_words(robber));
        }
        (self.high, self.high_bits) = (high, bits);
    }

    fn high_words(&self, robber: usize) -> &[u64] {
        &self.high[robber * self.high_bits..][..self.high_bits]
    }

    fn high_words_mut(&mut self, robber: usize) -> &mut [u64] {
        &mut self.high[robber * self.high_bits..][..self.high_bits]
    }

    /// The turns of a position, or `None` if there is no capture.
    #[inline]
    pub(super) fn read(&self, robber: usize, position: usize) -> Option<u16> {
        let bits = self.high_words(robber).iter().enumerate();
        let high = bits.fold(0, |high, (bit, word)| {
            high | ((word >> position & 1) as u8) << bit
        });
        u16::from_be_bytes([high, self.low[robber].read(position)]).checked_sub(1)
    }

    /// The turns of all positions with the robber on a place; [`u16::MAX`] if there is no capture.
    pub(super) fn unpack(&self, robber: usize) -> [u16; 64] {
        let mut turns = self.low[robber].unpack().map(u16::from);
        if self.high_bits > 0 {
            let mut planes = Planes::default();
            planes.0[..self.high_bits].copy_from_slice(self.high_words(robber));
            for (turns, high) in turns.iter_mut().zip(planes.unpack()) {
                *turns |= u16::from(high) << 8;
            }
        }
        // A stored 0 wraps around to the greatest number, which stands for no capture.
        turns.map(|turns| turns.wrapping_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_unpacked() {
        let mut times = Times::new(1);
        let turns = |position: usize| (position * position * 3) as u16;
        for position in (0..64).filter(|position| position % 5 != 0) {
            times.write(0, 1 << position, &Turn::new(turns(position)));
        }
        let all = times.unpack(0);
        for (position, &number) in all.iter().enumerate() {
            let written = (position % 5 != 0).then(|| turns(position));
            assert_eq!(times.read(0, position), written);
            assert_eq!(number, written.unwrap_or(u16::MAX));
        }
    }
}
