//! Packed lines of 64 values.

use super::super::bits::Bits;

/// The value that stands for no capture.
pub(super) const NEVER: u16 = u16::MAX;

/// A position of a line, and a difference that is added there.
type Jump = (u8, i16);

/// The least and the greatest difference of a jump: ten bits.
const JUMPS: (i32, i32) = (-512, 511);

/// A line without its first value: how up to 64 values follow from the first one.
///
/// Consecutive places of a board are mostly neighbours on the map, so a value mostly differs from
/// the value before it by at most one. The word `steps` marks the differences of one, and each of
/// them has a bit that says whether it goes up. The few other differences form a list. Lines that
/// differ by a constant have the same pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pattern {
    // The derived order compares the fields in this order, so that patterns of the same kind are
    // consecutive.
    kind: PatternKind,
    steps: u64,
    /// One bit for each step, from the lowest: whether the step goes up.
    ups: u64,
    never: u64,
    jumps: Vec<Jump>,
}

/// The parts of a pattern, which determine how many bytes it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PatternKind {
    pub has_never: bool,
    /// The number of bytes that tell which steps go up.
    pub ups: u8,
    pub jumps: u16,
}

impl PatternKind {
    /// The number of bytes of a pattern of this kind.
    pub(super) const fn bytes(self) -> usize {
        8 + 8 * self.has_never as usize + 2 * self.jumps as usize + self.ups as usize
    }

    /// Splits the bytes of a pattern of this kind into its parts. `None` if their number is wrong.
    #[inline]
    fn split(self, bytes: &[u8]) -> Option<Parts<'_>> {
        let (steps, mut rest) = bytes.split_first_chunk()?;
        let mut never = 0;
        if self.has_never {
            let (word, others) = rest.split_first_chunk()?;
            (never, rest) = (u64::from_le_bytes(*word), others);
        }
        let (jumps, rest) = rest.split_at_checked(2 * usize::from(self.jumps))?;
        let mut ups = [0; 8];
        ups.get_mut(..rest.len())?.copy_from_slice(rest);
        Some(Parts {
            steps: u64::from_le_bytes(*steps),
            ups: u64::from_le_bytes(ups),
            never,
            jumps,
        })
    }
}

struct Parts<'a> {
    steps: u64,
    ups: u64,
    never: u64,
    jumps: &'a [u8],
}

impl Parts<'_> {
    /// The positions and differences of the jumps.
    fn jumps(&self) -> impl Iterator<Item = (usize, i32)> + '_ {
        let (jumps, _) = self.jumps.as_chunks();
        jumps.iter().map(|&jump| {
            let jump = i16::from_le_bytes(jump);
            ((jump & 63) as usize, i32::from(jump >> 6))
        })
    }
}

impl Pattern {
    /// The first value that is not [`NEVER`] of at most 64 values, and their pattern. The first
    /// value is [`NEVER`] if all values are.
    pub(super) fn of(numbers: &[u16]) -> (u16, Self) {
        let mut first = NEVER;
        let mut last = 0;
        let (mut steps, mut ups, mut never) = (0_u64, 0, 0);
        let mut jumps = Vec::new();
        for (position, &number) in numbers.iter().enumerate() {
            if number == NEVER {
                never |= 1 << position;
                continue;
            }
            if first == NEVER {
                (first, last) = (number, number);
            }
            match i32::from(number) - i32::from(last) {
                0 => {}
                step @ (1 | -1) => {
                    ups |= u64::from(step == 1) << steps.count_ones();
                    steps |= 1 << position;
                }
                mut other => {
                    while other != 0 {
                        let jump = other.clamp(JUMPS.0, JUMPS.1);
                        jumps.push((position as u8, jump as i16));
                        other -= jump;
                    }
                }
            }
            last = number;
        }
        let kind = PatternKind {
            has_never: never != 0,
            ups: steps.count_ones().div_ceil(8) as u8,
            jumps: jumps.len() as u16,
        };
        let pattern = Self {
            kind,
            steps,
            ups,
            never,
            jumps,
        };
        (first, pattern)
    }

    pub(super) const fn kind(&self) -> PatternKind {
        self.kind
    }

    /// Appends the bytes of the pattern as in a file.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.steps.to_le_bytes());
        if self.kind.has_never {
            bytes.extend(self.never.to_le_bytes());
        }
        for &(position, jump) in &self.jumps {
            bytes.extend((jump << 6 | i16::from(position)).to_le_bytes());
        }
        bytes.extend(&self.ups.to_le_bytes()[..usize::from(self.kind.ups)]);
    }
}

/// The value at a position of a line. `None` for never, or if the bytes are not a pattern.
#[inline]
pub(super) fn number_at(
    kind: PatternKind,
    bytes: &[u8],
    first: u16,
    position: usize,
) -> Option<u16> {
    let parts = kind.split(bytes)?;
    if parts.never >> (position & 63) & 1 == 1 {
        return None;
    }
    let until = u64::MAX >> (63 - (position & 63));
    let steps = (parts.steps & until).count_ones();
    // These steps have the lowest bits of `ups`, and there may be 64 of them.
    let ups = (parts.ups & (1_u64.checked_shl(steps).unwrap_or(0)).wrapping_sub(1)).count_ones();
    let mut number = i32::from(first) + 2 * ups.cast_signed() - steps.cast_signed();
    for (at, jump) in parts.jumps() {
        if at <= position {
            number += jump;
        }
    }
    u16::try_from(number).ok().filter(|&number| number != NEVER)
}

/// Computes all values of a line. Returns `false` if the bytes are not a pattern.
pub(super) fn numbers(kind: PatternKind, bytes: &[u8], first: u16, numbers: &mut [u16]) -> bool {
    let Some(parts) = kind.split(bytes) else {
        return false;
    };
    let mut differences = [0_i32; 64];
    for (step, position) in Bits(parts.steps).enumerate() {
        differences[position] = if parts.ups >> step & 1 == 1 { 1 } else { -1 };
    }
    for (position, jump) in parts.jumps() {
        differences[position] += jump;
    }
    let mut last = i32::from(first);
    for (position, (number, difference)) in numbers.iter_mut().zip(differences).enumerate() {
        last += difference;
        *number = match u16::try_from(last) {
            Ok(number) if parts.never >> position & 1 == 0 => number,
            _ => NEVER,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_line_comes_back(
            line in prop::collection::vec(
                prop_oneof![4 => 0_u16..5, 1 => Just(NEVER), 1 => 0..NEVER],
                1..=64,
            )
        ) {
            let (first, pattern) = Pattern::of(&line);
            let mut bytes = Vec::new();
            pattern.write(&mut bytes);
            prop_assert_eq!(bytes.len(), pattern.kind().bytes());
            let mut back = vec![0; line.len()];
            prop_assert!(numbers(pattern.kind(), &bytes, first, &mut back));
            prop_assert_eq!(&back, &line);
            for (position, &number) in line.iter().enumerate() {
                let one = number_at(pattern.kind(), &bytes, first, position);
                prop_assert_eq!(one, (number != NEVER).then_some(number));
            }
        }
    }
}
