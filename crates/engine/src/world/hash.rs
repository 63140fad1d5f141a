//! Hashes of positions, the same on every machine.

use super::settings::PursuitClock;
use crate::game::Speed;
pub(super) use crate::graph::mix;

use crate::graph::Vertex;
use crate::map::Cell;

pub(super) const fn mix_vertex(hash: u64, vertex: Vertex) -> u64 {
    mix(hash, vertex.index() as u64 + 1)
}

/// Mixes an agent into a hash: where it is, and how fast it moves.
pub(super) fn mix_mover(hash: u64, at: Vertex, speed: Speed, ticks_per_step: u32) -> u64 {
    let pace = u64::from(speed.steps()) << 32 | u64::from(ticks_per_step);
    mix(mix_vertex(hash, at), pace)
}

pub(super) fn mix_cell(hash: u64, Cell { x, y }: Cell) -> u64 {
    mix(hash, u64::from(y) << 16 | u64::from(x))
}

/// The key of a situation, from the hashes of the robber, or 0, and of the cops.
pub(super) const fn key_of(clock: PursuitClock, robber: u64, is_seen: bool, cops: u64) -> u64 {
    mix(mix(mix(robber, clock as u64), is_seen as u64), cops)
}

/// The hash of a robber in the key of its situation.
pub(super) fn hash_robber(at: Vertex, speed: Speed, ticks_per_step: u32) -> u64 {
    mix_mover(1, at, speed, ticks_per_step)
}
