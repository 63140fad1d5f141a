//! Hashes of positions, the same on every machine.

use super::PursuitWorld;
use crate::game::Speed;
use crate::graph::Vertex;
use crate::map::Cell;

/// Mixes a number into a hash.
pub(super) const fn mix(hash: u64, number: u64) -> u64 {
    // The bits of the golden ratio: an odd number without a pattern.
    let mixed = (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

pub(super) const fn mix_vertex(hash: u64, vertex: Vertex) -> u64 {
    mix(hash, vertex.index() as u64 + 1)
}

/// Mixes an agent into a hash: where it is, and how fast it moves.
pub(super) fn mix_mover(hash: u64, at: Vertex, speed: Speed, ticks_per_step: u32) -> u64 {
    let pace = u64::from(speed.steps()) << 32 | u64::from(ticks_per_step);
    mix(mix_vertex(hash, at), pace)
}

fn mix_cell(hash: u64, Cell { x, y }: Cell) -> u64 {
    mix(hash, u64::from(y) << 16 | u64::from(x))
}

impl PursuitWorld {
    /// A hash of the tick, the map, and the cell and path of every agent: two runs with equal hashes in
    /// every tick are the same run. The same on every machine. Cost: some nanoseconds per agent.
    #[must_use]
    pub fn position_hash(&self) -> u64 {
        let bits = self.board.graph.fingerprint().to_bits();
        let map = mix(mix(self.board.tick, bits as u64), (bits >> 64) as u64);
        self.board.members.iter().fold(map, |hash, (id, agent)| {
            let hash = mix(hash, u64::from(id.slot) << 32 | u64::from(id.generation));
            let hash = mix_cell(hash, agent.setup.cell);
            let hash = mix(hash, agent.arrives << 1 | u64::from(agent.caught.is_some()));
            agent
                .way
                .iter()
                .fold(hash, |hash, &at| mix_vertex(hash, at))
        })
    }
}
