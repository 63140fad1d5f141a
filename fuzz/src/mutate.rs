//! Inputs from other inputs: a few random changes that suit texts, lists of numbers and packed bytes.

use pursuit_engine::search::Dice;

/// Numbers at which readers go wrong.
const NUMBERS: [u64; 20] = [
    0,
    1,
    2,
    7,
    8,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    (1 << 24) + 1,
    (1 << 31) - 1,
    1 << 32,
    1 << 62,
    i64::MAX as u64,
    u64::MAX,
];

/// The longest input that is made.
const LONGEST: usize = 1 << 16;

/// One change, or up to four of an input. `other` is an input to copy pieces from.
pub fn mutate(input: &mut Vec<u8>, other: &[u8], words: &[&str], dice: &mut Dice) {
    for _ in 0..=dice.below(4) * dice.below(2) {
        match dice.below(14) {
            0 => flip(input, dice),
            1 => set(input, dice),
            2 => insert(input, &[dice.below(256) as u8], dice),
            3 => cut(input, dice),
            4 => repeat(input, dice),
            5 => copy(input, other, dice),
            6 | 7 => number_in_text(input, dice),
            8 => number_in_bytes(input, dice),
            9 => swap_lines(input, dice),
            11 | 12 => move_byte(input, dice),
            10 => insert(input, dice.pick(words).unwrap_or("").as_bytes(), dice),
            _ => replace_word(input, words, dice),
        }
        input.truncate(LONGEST);
    }
}

fn flip(input: &mut [u8], dice: &mut Dice) {
    let at = dice.below(input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << dice.below(8);
    }
}

fn set(input: &mut [u8], dice: &mut Dice) {
    let at = dice.below(input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte = match dice.below(3) {
            0 => byte.wrapping_add(1),
            1 => byte.wrapping_sub(1),
            _ => dice.below(256) as u8,
        };
    }
}

/// A byte of the input replaces another one.
fn move_byte(input: &mut [u8], dice: &mut Dice) {
    let (from, to) = (dice.below(input.len()), dice.below(input.len()));
    if let Some(&byte) = input.get(from) {
        input[to] = byte;
    }
}

fn insert(input: &mut Vec<u8>, bytes: &[u8], dice: &mut Dice) {
    let at = dice.below(input.len() + 1);
    input.splice(at..at, bytes.iter().copied());
}

/// A random range, short more often than long.
fn range(length: usize, dice: &mut Dice) -> std::ops::Range<usize> {
    let start = dice.below(length);
    let most = [1, 4, 16, 64, length][dice.below(5)];
    start..start + dice.below(most.min(length - start) + 1)
}

fn cut(input: &mut Vec<u8>, dice: &mut Dice) {
    if dice.below(8) == 0 {
        input.truncate(dice.below(input.len()));
    } else {
        input.drain(range(input.len(), dice));
    }
}

fn repeat(input: &mut Vec<u8>, dice: &mut Dice) {
    let piece = input[range(input.len(), dice)].to_vec();
    let times = 1 + dice.below(3) * dice.below(40);
    insert(input, &piece.repeat(times), dice);
}

fn copy(input: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let piece = &other[range(other.len(), dice)];
    let at = range(input.len(), dice);
    if dice.below(2) == 0 {
        input.splice(at, piece.iter().copied());
    } else {
        insert(input, piece, dice);
    }
}

/// A decimal number becomes another one.
fn number_in_text(input: &mut Vec<u8>, dice: &mut Dice) {
    let from = dice.below(input.len());
    let digits = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = input[from..].iter().position(digits).map(|at| from + at) else {
        return;
    };
    let length = input[start..]
        .iter()
        .take_while(|byte| digits(byte))
        .count();
    let end = start + length;
    let text = String::from_utf8_lossy(&input[start..end]);
    let old: u64 = text.parse().unwrap_or(u64::MAX);
    let new = match dice.below(5) {
        0 => old.wrapping_add(1).to_string(),
        1 => old.wrapping_sub(1).to_string(),
        2 => dice.below(30).to_string(),
        3 => format!("-{old}"),
        _ => NUMBERS[dice.below(NUMBERS.len())].to_string(),
    };
    input.splice(start..end, new.bytes());
}

/// Some bytes become a little-endian number, or a number in the variable length of postcard.
fn number_in_bytes(input: &mut Vec<u8>, dice: &mut Dice) {
    let number = NUMBERS[dice.below(NUMBERS.len())];
    let at = dice.below(input.len());
    let width = [1, 2, 4, 8][dice.below(4)];
    if dice.below(2) == 0 {
        for (byte, new) in input[at..].iter_mut().zip(&number.to_le_bytes()[..width]) {
            *byte = *new;
        }
        return;
    }
    let mut bytes = Vec::new();
    let mut rest = number;
    while rest > 127 {
        bytes.push(rest as u8 | 128);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    let end = input.len().min(at + 1);
    input.splice(at..end, bytes);
}

fn swap_lines(input: &mut Vec<u8>, dice: &mut Dice) {
    let mut lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.len() > 1 {
        let (one, two) = (dice.below(lines.len()), dice.below(lines.len()));
        lines.swap(one, two);
        *input = lines.concat();
    }
}

/// A word of the format becomes another one.
fn replace_word(input: &mut Vec<u8>, words: &[&str], dice: &mut Dice) {
    let (Some(old), Some(new)) = (dice.pick(words), dice.pick(words)) else {
        return;
    };
    let old = old.as_bytes();
    let from = dice.below(input.len());
    let mut rest = input[from..].windows(old.len());
    if let Some(at) = rest.position(|piece| piece == old) {
        input.splice(from + at..from + at + old.len(), new.bytes());
    }
}
