//! Writes a solution as the bytes of a file.

use super::{DIRECTORY, HEADER, MAGIC, SECTIONS, VERSION};
use crate::map::Moves;
use crate::solve::simultaneous::best_response::MixedExploitability;
use crate::solve::simultaneous::solution::MixedSolution;
use crate::table::file::sections;

/// Encodes a solution as the bytes of a file.
pub(super) fn encode(solution: &MixedSolution, exploitability: MixedExploitability) -> Vec<u8> {
    let content = content(solution);
    let mut bytes = header(solution, exploitability);
    let length = HEADER + content.iter().map(Vec::len).sum::<usize>();
    bytes[36..44].copy_from_slice(&(length as u64).to_le_bytes());
    sections::append(&mut bytes, SECTIONS, &content);
    bytes
}

/// Encodes the header up to the list of sections, without the length of the file.
fn header(solution: &MixedSolution, exploitability: MixedExploitability) -> Vec<u8> {
    let (arena, rules, scale) = (solution.arena(), solution.rules(), solution.scale());
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(arena.moves().map_or(2, Moves::number));
    bytes.extend([
        rules.cops.get(),
        rules.cop_speed.steps(),
        rules.robber_speed.steps(),
        0,
        0,
    ]);
    bytes.extend(arena.fingerprint().to_bits().to_le_bytes());
    bytes.extend((arena.places() as u32).to_le_bytes());
    bytes.extend([0; 8]);
    for number in [
        scale.lower,
        scale.upper,
        exploitability.cops,
        exploitability.robber,
    ] {
        bytes.extend(number.to_le_bytes());
    }
    debug_assert_eq!(bytes.len(), DIRECTORY, "the header has its length");
    bytes
}

fn content(solution: &MixedSolution) -> [Vec<u8>; SECTIONS.len()] {
    let [mut cells, mut values, mut starts, mut strategies] =
        [const { Vec::new() }; SECTIONS.len()];
    for cell in solution.arena().cells() {
        cells.extend(cell.x.to_le_bytes());
        cells.extend(cell.y.to_le_bytes());
    }
    for (position, value) in solution.values.iter().enumerate() {
        values.extend(value.to_le_bytes());
        starts.extend(((strategies.len() / 2) as u32).to_le_bytes());
        let placed = solution.placed(position);
        let mut push = |word: u16| strategies.extend(word.to_le_bytes());
        push(placed.robber.len() as u16);
        for (goal, share) in placed.robber {
            [goal, share as u16, (share >> 16) as u16]
                .into_iter()
                .for_each(&mut push);
        }
        push(placed.cops.len() as u16);
        for (goals, share) in placed.cops {
            let share = [share as u16, (share >> 16) as u16];
            goals.into_iter().chain(share).for_each(&mut push);
        }
    }
    starts.extend(((strategies.len() / 2) as u32).to_le_bytes());
    [cells, values, starts, strategies]
}
