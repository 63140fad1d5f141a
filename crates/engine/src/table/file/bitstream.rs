//! Reads and writes numbers of any number of bits as a stream of bytes.

/// Writes numbers of up to 32 bits one after another, starting with the lowest bit of each byte.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits that do not fill a byte yet.
    rest: u64,
    used: u32,
}

impl BitWriter {
    /// Appends the lowest `bits` bits (at most 32) of a number, whose other bits are 0.
    pub(super) fn write(&mut self, number: u32, bits: u32) {
        self.rest |= u64::from(number) << self.used;
        self.used += bits;
        while self.used >= 8 {
            self.bytes.push(self.rest as u8);
            self.rest >>= 8;
            self.used -= 8;
        }
    }

    /// Pads the stream to a whole byte.
    pub(super) fn align(&mut self) {
        if self.used > 0 {
            self.bytes.push(self.rest as u8);
            (self.rest, self.used) = (0, 0);
        }
    }

    /// The number of complete bytes.
    pub(super) const fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}

/// Reads a number of `bits` bits (at most 32) that starts at bit `position` of `bytes`. Bits beyond
/// the end are 0.
#[inline]
pub(super) fn read_bits(bytes: &[u8], position: usize, bits: u32) -> u32 {
    let start = position / 8;
    let rest = bytes.get(start..).unwrap_or_default();
    let word = if let Some(chunk) = rest.first_chunk() {
        u64::from_le_bytes(*chunk)
    } else {
        let mut chunk = [0; 8];
        chunk[..rest.len()].copy_from_slice(rest);
        u64::from_le_bytes(chunk)
    };
    let word = word >> (position % 8);
    (word & ((1 << bits) - 1)) as u32
}

/// The number of bits that numbers below `count` need.
pub(super) const fn width(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec((any::<u32>(), 0_u32..=32), 0..50)) {
            let cut = |number: u32, bits: u32| (u64::from(number) & ((1 << bits) - 1)) as u32;
            let mut writer = BitWriter::default();
            for &(number, bits) in &numbers {
                writer.write(cut(number, bits), bits);
            }
            let bytes = writer.into_bytes();
            let mut position = 0;
            for &(number, bits) in &numbers {
                prop_assert_eq!(read_bits(&bytes, position, bits), cut(number, bits));
                position += bits as usize;
            }
        }
    }

    #[test]
    fn widths() {
        let widths: Vec<u32> = [0, 1, 2, 3, 4, 5, 64, 65].map(width).to_vec();
        assert_eq!(widths, [0, 0, 1, 2, 2, 3, 6, 7]);
    }
}
