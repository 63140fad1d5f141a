//! Where an opponent out of sight can be.

mod places;

pub use places::PossibleCells;

use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::Dice;
use serde::{Deserialize, Serialize};

/// The number of particles that stand still, and of those that walk. The cost of a step and the memory are proportional to
/// them.
const HIDING: usize = 16;
const WALKING: usize = 48;

/// A walking particle turns in a random direction in one step of this number, on average.
const STRAIGHT: usize = 8;

/// The greatest number of cells that are drawn for a particle before the draw counts as failed.
const TRIES: usize = 32;

/// Where an opponent out of sight can be: a fixed number of particles that move as the opponent may have moved.
///
/// This is a particle filter: the share of the particles near a place stands for the probability that the opponent is
/// there. A quarter of the particles stand still; the others walk, most often straight on. A walking particle that is seen
/// to be wrong is replaced by a copy of another one. A wrong particle that stands still is drawn anew, so that in time
/// these particles gather where nobody has looked for long. The same calls with the same seeds give the same particles.
/// Memory: 6 bytes for each particle, whatever the map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Belief {
    hiding: Vec<Particle>,
    walking: Vec<Particle>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Particle {
    cell: Cell,
    /// The direction in which it walks; zeros before its first step.
    dx: i8,
    dy: i8,
}

impl Particle {
    /// Takes a step in a random direction that the map allows.
    fn turn(&mut self, graph: &Graph, at: Vertex, dice: &mut Dice) {
        if let Some(to) = dice.pick(graph.neighbours(at)) {
            let to = graph.cell(to);
            let sign = |from: u16, to: u16| (i32::from(to) - i32::from(from)).signum() as i8;
            (self.dx, self.dy) = (sign(self.cell.x, to.x), sign(self.cell.y, to.y));
            self.cell = to;
        }
    }

    /// Takes a step, most often straight on.
    fn step(&mut self, graph: &Graph, dice: &mut Dice) {
        let Some(at) = graph.vertex(self.cell) else {
            return;
        };
        let ahead = self.cell.offset(i32::from(self.dx), i32::from(self.dy));
        let ahead = ahead.and_then(|cell| graph.vertex(cell));
        let ahead = ahead.filter(|to| *to != at && graph.neighbours(at).contains(to));
        match ahead {
            Some(to) if dice.below(STRAIGHT) > 0 => self.cell = graph.cell(to),
            _ => self.turn(graph, at, dice),
        }
    }
}

impl Belief {
    /// An opponent that was on this cell a moment ago.
    #[must_use]
    pub fn at(cell: Cell) -> Self {
        let particle = Particle { cell, dx: 0, dy: 0 };
        Self {
            hiding: vec![particle; HIDING],
            walking: vec![particle; WALKING],
        }
    }

    /// The cells of the particles, some of them several times.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + Clone + '_ {
        let all = self.hiding.iter().chain(&self.walking);
        all.map(|particle| particle.cell)
    }

    /// The cell of a random particle; `None` if there is no particle.
    pub fn pick(&self, dice: &mut Dice) -> Option<Cell> {
        let all = self.hiding.len() + self.walking.len();
        self.cells().nth(dice.below(all))
    }

    /// Moves the particles that walk by one step of the opponent. Particles on walls stay. Cost: linear in the particles.
    pub fn step(&mut self, graph: &Graph, seed: u64) {
        let dice = &mut Dice::new(seed);
        for particle in &mut self.walking {
            particle.step(graph, dice);
        }
    }

    /// Replaces the particles that are wrong. `draw` draws another cell where the opponent can be, or returns `None`; if it
    /// does so several times in a row, particles are missing. Cost: linear in the particles, with one call for each, and those
    /// of the draws.
    pub fn rule_out(
        &mut self,
        mut is_wrong: impl FnMut(Cell) -> bool,
        mut draw: impl FnMut() -> Option<Cell>,
        seed: u64,
    ) {
        let mut draw = || {
            let cell = (0..TRIES).find_map(|_| draw())?;
            Some(Particle { cell, dx: 0, dy: 0 })
        };
        // A damaged save may hold any number of particles.
        self.hiding.truncate(HIDING);
        self.walking.truncate(WALKING);
        self.hiding.retain(|particle| !is_wrong(particle.cell));
        self.walking.retain(|particle| !is_wrong(particle.cell));
        let missing = HIDING.saturating_sub(self.hiding.len());
        self.hiding.extend((0..missing).map_while(|_| draw()));
        let right = self.walking.len();
        let missing = WALKING.saturating_sub(right);
        if right == 0 {
            self.walking.extend((0..missing).map_while(|_| draw()));
            return;
        }
        let dice = &mut Dice::new(seed);
        for _ in 0..missing {
            self.walking.push(self.walking[dice.below(right)]);
        }
    }
}

#[cfg(test)]
mod tests;
