//! A robber that runs to the best of several random places.

use super::greedy::nearest_cop;
use super::trail_max::Trail;
use crate::RobberPolicy;
use pursuit_engine::game::{Side, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::policy::{Decision, Effort, Ground, Source};
use pursuit_engine::search::{Dice, Distances, Refiner, SlicedSearch as _};

/// The number of draws after which a beacon is left out. This happens only if most vertex numbers are walls.
const DRAWS: usize = 64;

/// Runs to the best of b random vertices, the beacons, for m turns and then chooses anew:
/// `RandomBeacons(b, m)` of C. Moldenhauer's thesis, section 5.1.
///
/// The best beacon is the one from which the nearest cop is the most turns away by the maximum norm, for
/// any number of cops of any speeds; a beacon that cannot be reached is skipped. The path comes from
/// PRA*, [`Refiner::find`]. A robber whose best beacon is its own vertex waits.
///
/// Cost: that of a path search and a constant for each beacon; without a hierarchy A* and a flood fill
/// of the map.
#[derive(Debug, Clone)]
pub struct RandomBeaconsRobber {
    beacons: u16,
    dice: Dice,
    /// The beacons, each with the turns that the nearest cop needs to reach it.
    drawn: Vec<(u32, Vertex)>,
    /// The reachable vertices, measured only without a hierarchy.
    reachable: Distances,
    refiner: Refiner,
    trail: Trail,
}

impl RandomBeaconsRobber {
    /// Draws `beacons` beacons and runs for `turns` turns; both count as at least 1.
    #[must_use]
    pub fn new(beacons: u16, turns: u16) -> Self {
        Self {
            beacons: beacons.max(1),
            dice: Dice::new(0),
            drawn: Vec::new(),
            reachable: Distances::default(),
            refiner: Refiner::new(),
            trail: Trail::new(turns),
        }
    }

    /// Draws the beacons and sorts them, best first; equal ones stay in the order in which they were
    /// drawn.
    fn draw(&mut self, graph: &Graph, state: &State<'_>) {
        self.drawn.clear();
        for _ in 0..self.beacons {
            let draws = (0..DRAWS).map(|_| self.dice.below(graph.slots()));
            let mut vertices = draws.map(Vertex::from_index);
            if let Some(vertex) = vertices.find(|&vertex| graph.is_live(vertex)) {
                let turns = nearest_cop(graph, vertex, state);
                self.drawn.push((turns, vertex));
            }
        }
        self.drawn
            .sort_by_key(|&(turns, _)| std::cmp::Reverse(turns));
    }
}

impl RobberPolicy for RandomBeaconsRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        let mut effort = Effort::default();
        if self.trail.follow(ground, state, decision) {
            return effort;
        }
        effort.planned = true;
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        self.draw(ground.graph, &state);
        let start = state.robber.at;
        let mut path: &[Vertex] = &[];
        let hierarchy = ground.abstraction();
        if hierarchy.is_none() {
            // One flood fill finds all unreachable beacons, each of which would otherwise cost a search.
            self.reachable.measure(ground.graph, start);
        }
        for &(_, beacon) in &self.drawn {
            if hierarchy.is_none() && self.reachable.steps(beacon).is_none() {
                continue;
            }
            let found = self.refiner.find(ground.graph, hierarchy, start, beacon);
            let is_found = found.is_some();
            effort.work += self.refiner.work();
            if is_found {
                path = self.refiner.path();
                break;
            }
        }
        decision.take(path, state.robber.speed, Source::Search);
        self.trail.keep(path, &state);
        effort
    }

    fn restart(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.trail.forget();
    }
}
