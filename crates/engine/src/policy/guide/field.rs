//! Values of a guide for all joint moves of two cops and all replies at once.

use super::{Blend, Guide, NEVER, blend_at};
use crate::abstraction::Hierarchy;
use crate::game::{Outcome, Turns};
use crate::graph::{Graph, Vertex};
use crate::table::CaptureTimes as _;

/// What a guide says about each joint move of two cops, with the robber to reply.
///
/// The moves of an agent end among few abstract vertices. Each combination of these vertices is looked up once. The
/// values are then blended for one agent after the other, which takes far fewer steps than a blend for each position.
///
/// Cost: a value for each combination of abstract vertices near the three agents, at most some thousand.
/// Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(super) struct GuideField {
    robber: Ends,
    cops: [Ends; 2],
    /// The values by places of the robber, of the first cop and of the second cop.
    values: Vec<f32>,
    /// The same values, blended for the agents so far.
    blended: Vec<f32>,
    spare: Vec<f32>,
}

/// The ends of the moves of an agent among abstract vertices.
#[derive(Debug, Clone, Default)]
struct Ends {
    /// The abstract vertices by their places in the table.
    places: Vec<usize>,
    /// For each end, the shares of `places`, by their index there.
    shares: Vec<(usize, f32)>,
    /// Where the shares of each end begin, followed by where the shares of the last end stop.
    begins: Vec<usize>,
    blend: Blend,
}

impl Ends {
    /// Returns `false` if an end has no vertex on the level.
    fn set(
        &mut self,
        guide: &Guide,
        graph: &Graph,
        hierarchy: &Hierarchy,
        ends: &[Vertex],
    ) -> bool {
        self.places.clear();
        self.shares.clear();
        self.begins.clear();
        for &end in ends {
            self.begins.push(self.shares.len());
            blend_at(guide, graph, hierarchy, end, &mut self.blend);
            for &(place, share) in &self.blend {
                let known = self.places.iter().position(|&known| known == place);
                let index = known.unwrap_or(self.places.len());
                if known.is_none() {
                    self.places.push(place);
                }
                self.shares.push((index, share));
            }
            if self.blend.is_empty() {
                return false;
            }
        }
        self.begins.push(self.shares.len());
        true
    }

    /// The shares of each end.
    fn shares(&self) -> impl Iterator<Item = &[(usize, f32)]> {
        let ends = self.begins.windows(2);
        ends.map(|range| self.shares.get(range[0]..range[1]).unwrap_or_default())
    }

    /// Blends the middle index of `from`, of `before` x places x `after` values, into `to`.
    fn blend(&self, from: &[f32], before: usize, after: usize, to: &mut Vec<f32>) {
        to.clear();
        let places = self.places.len();
        for outer in 0..before {
            for shares in self.shares() {
                let start = to.len();
                to.resize(start + after, 0.0);
                for &(index, share) in shares {
                    let first = (outer * places + index) * after;
                    let values = &from[first..first + after];
                    for (sum, value) in to[start..].iter_mut().zip(values) {
                        *sum += share * value;
                    }
                }
            }
        }
    }

    fn len(&self) -> usize {
        self.begins.len().saturating_sub(1)
    }
}

impl GuideField {
    /// Measures all joint moves of two cops against all replies of the robber. Returns `false` if an agent has
    /// no vertex on the level, or if more than `most_values` values would have to be looked up.
    pub(super) fn measure(
        &mut self,
        guide: &Guide,
        graph: &Graph,
        hierarchy: &Hierarchy,
        replies: &[Vertex],
        cops: [&[Vertex]; 2],
        most_values: u64,
    ) -> bool {
        self.values.clear();
        let known = self.robber.set(guide, graph, hierarchy, replies)
            && self.cops[0].set(guide, graph, hierarchy, cops[0])
            && self.cops[1].set(guide, graph, hierarchy, cops[1]);
        let counts = [&self.robber, &self.cops[0], &self.cops[1]].map(|ends| ends.places.len());
        let wanted = counts.into_iter().fold(1, usize::saturating_mul) as u64;
        if !known || wanted > most_values {
            return false;
        }
        let Self {
            robber,
            cops: [first, second],
            values,
            blended,
            spare,
        } = self;
        for &robber in &robber.places {
            for &first in &first.places {
                let value = |&second: &usize| {
                    let value = guide.solution.value_at(robber, &mut [first, second]);
                    match value {
                        Some(Outcome::Caught(Turns(turns))) => f32::from(turns),
                        Some(Outcome::Escapes | Outcome::Away(_)) | None => NEVER,
                    }
                };
                values.extend(second.places.iter().map(value));
            }
        }
        let (of_first, of_second) = (first.places.len(), second.places.len());
        robber.blend(values, 1, of_first * of_second, blended);
        first.blend(blended, robber.len(), of_second, spare);
        second.blend(spare, robber.len() * first.len(), 1, blended);
        // A step on a level is about as long as two steps on the level below.
        let scale = (1_u32 << guide.level.min(31)) as f32;
        for value in blended.iter_mut() {
            *value *= scale;
        }
        true
    }

    /// The number of values that the last measuring looked up.
    pub(super) const fn looked_up(&self) -> u64 {
        self.values.len() as u64
    }

    /// An estimate, in turns on the map, of how long the robber survives after its reply of this index to the joint
    /// move of these indices, with the cops to move.
    pub(super) fn turns(&self, reply: usize, [first, second]: [usize; 2]) -> f32 {
        let row = reply * self.cops[0].len() + first;
        let at = row * self.cops[1].len() + second;
        self.blended.get(at).copied().unwrap_or(NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Speed};
    use crate::map::{Cell, Moves, Terrain, TileMap};
    use crate::policy::GuideSolver;
    use crate::search::{Dice, MoveEnds};
    use std::num::NonZeroU8;

    /// The value of one position, blended over all three agents at once.
    fn turns(guide: &Guide, graph: &Graph, hierarchy: &Hierarchy, at: [Vertex; 3]) -> f32 {
        let blends = at.map(|at| {
            let mut blend = Blend::new();
            blend_at(guide, graph, hierarchy, at, &mut blend);
            blend
        });
        let mut sum = 0.0;
        for &(robber, a) in &blends[0] {
            for &(first, b) in &blends[1] {
                for &(second, c) in &blends[2] {
                    let value = match guide.solution.value_at(robber, &mut [first, second]) {
                        Some(Outcome::Caught(Turns(turns))) => f32::from(turns),
                        _ => NEVER,
                    };
                    sum += a * b * c * value;
                }
            }
        }
        sum * (1_u32 << guide.level) as f32
    }

    #[test]
    fn each_position_has_the_value_of_its_own_blend() {
        let dice = &mut Dice::new(1);
        let rules = Rules {
            cops: NonZeroU8::new(2).expect("two"),
            ..Rules::default()
        };
        let mut field = GuideField::default();
        let mut guided = 0;
        for round in 0..30 {
            let mut map = TileMap::filled(14, 12, Terrain::Floor).expect("a map");
            for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
                if dice.below(100) < 20 {
                    map.set(cell, Terrain::Wall);
                }
            }
            let graph = Graph::new(&map, Moves::Octile);
            let hierarchy = Hierarchy::new(&graph);
            let positions = [1_000_000, 30_000][round % 2];
            let solver = GuideSolver::new(&hierarchy, rules, positions, 1 << 28).expect("memory");
            let Some(mut solver) = solver else { continue };
            solver.run(|_| true);
            let guide = solver.finish().expect("solved");
            let vertices: Vec<Vertex> = graph.iter().collect();
            let mut moves = MoveEnds::default();
            let mut ends = || {
                let at = dice.pick(&vertices).expect("a vertex");
                let mut ends = vec![at];
                ends.extend(moves.find(&graph, at, Speed::ONE, |_| false));
                ends
            };
            let (replies, first, second) = (ends(), ends(), ends());
            let cops = [first.as_slice(), second.as_slice()];
            assert!(field.measure(&guide, &graph, &hierarchy, &replies, cops, u64::MAX));
            let needed = field.looked_up();
            assert!(
                needed > 0
                    && !field.measure(&guide, &graph, &hierarchy, &replies, cops, needed - 1)
            );
            assert_eq!(
                field.looked_up(),
                0,
                "it takes no work to find that it is too much"
            );
            assert!(field.measure(&guide, &graph, &hierarchy, &replies, cops, needed));
            for (reply, &robber) in replies.iter().enumerate() {
                for (row, &a) in first.iter().enumerate() {
                    for (column, &b) in second.iter().enumerate() {
                        let found = field.turns(reply, [row, column]);
                        let wanted = turns(&guide, &graph, &hierarchy, [robber, a, b]);
                        assert!((found - wanted).abs() < 1e-3 * (1.0 + wanted));
                        guided += 1;
                    }
                }
            }
        }
        assert!(guided > 1000, "{guided}");
    }
}
