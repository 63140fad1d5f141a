//! Games with local endgames, and their exact values.

use crate::replies::replies;
use pursuit_engine::endgame::{EndgameNetwork, Endgames};
use pursuit_engine::game::{Agent, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::{Graph, Network, Vertex};
use pursuit_engine::map::Moves;
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solution, Solver};
use std::collections::BTreeSet;
use std::num::NonZeroU8;

/// The number of cops and the speeds of a game.
#[derive(Debug, Clone, Copy)]
pub struct Sides {
    pub cops: usize,
    pub cop: Speed,
    pub robber: Speed,
}

impl Sides {
    pub fn new(cops: usize, cop: u8, robber: u8) -> Self {
        let speed = |steps| Speed::new(steps).expect("a speed");
        Self {
            cops,
            cop: speed(cop),
            robber: speed(robber),
        }
    }

    pub fn agents(&self, cops: &[Vertex]) -> Vec<Agent> {
        let agent = |&at| Agent {
            at,
            speed: self.cop,
        };
        cops.iter().map(agent).collect()
    }

    pub fn robber(&self, at: Vertex) -> Agent {
        Agent {
            at,
            speed: self.robber,
        }
    }
}

pub fn state(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

/// Returns whether a path is a legal move on a network.
pub fn is_move(graph: &impl Network, from: Vertex, path: &[Vertex], speed: Speed) -> bool {
    let starts = [&[from], path].concat();
    let mut steps = starts.iter().zip(path);
    path.len() <= usize::from(speed.steps())
        && steps.all(|(&from, to)| graph.neighbours(from).contains(to))
}

/// Follows proofs against every answer of the robber: each captures within its bound. Cops without a move in a
/// proof wander. Returns the positions that were met.
pub fn follow(
    endgames: &mut Endgames,
    graph: &impl EndgameNetwork,
    sides: Sides,
    (robber, cops): (Vertex, &[Vertex]),
    dice: &mut Dice,
) -> usize {
    let mut met = BTreeSet::new();
    let mut open = vec![(robber, cops.to_vec(), u16::MAX)];
    while let Some((robber, cops, most)) = open.pop() {
        let agents = sides.agents(&cops);
        let robber = sides.robber(robber);
        let proof = endgames.prove(graph, &state(robber, &agents));
        let proof = proof.unwrap_or_else(|| panic!("the proof of {most} turns is lost"));
        assert!(proof.bound.0 <= most, "{} after {most}", proof.bound.0);
        assert!(proof.region.contains(&robber.at));
        if !met.insert((robber.at, cops.clone())) {
            continue;
        }
        if proof.bound == Turns(0) {
            assert!(cops.contains(&robber.at));
            continue;
        }
        let mut after = agents.clone();
        for cop in &mut after {
            let near = graph.neighbours(cop.at);
            cop.at = dice.pick(near).unwrap_or(cop.at);
        }
        for of_cop in &proof.moves {
            let from = agents[of_cop.cop].at;
            assert!(is_move(graph, from, &of_cop.path, sides.cop), "{of_cop:?}");
            after[of_cop.cop].at = of_cop.path.last().copied().unwrap_or(from);
        }
        if after.iter().any(|cop| cop.at == robber.at) {
            continue;
        }
        let cops: Vec<Vertex> = after.iter().map(|cop| cop.at).collect();
        for reply in replies(graph, robber, &after) {
            open.push((reply, cops.clone(), proof.bound.0 - 1));
        }
    }
    met.len()
}

/// Endgames of regions of at most `limit` vertices, and one that is solved for a position.
pub fn solved(
    graph: &impl EndgameNetwork,
    sides: Sides,
    limit: usize,
    at: (Vertex, &[Vertex]),
) -> Endgames {
    let mut endgames = Endgames::default();
    endgames.limit_regions(limit);
    let cops = sides.agents(at.1);
    // A single cop asks first whether the robber is safe. Several cops ask for one kind of region after the other.
    for _ in 0..3 {
        endgames.begin(graph, &state(sides.robber(at.0), &cops));
        endgames.finish(graph);
    }
    endgames
}

pub fn exact(graph: &Graph, sides: Sides) -> Solution {
    exact_on(Arena::of_map(graph), sides)
}

pub fn exact_on(arena: Arena, sides: Sides) -> Solution {
    let rules = Rules {
        cops: NonZeroU8::new(sides.cops as u8).expect("some cops"),
        cop_speed: sides.cop,
        robber_speed: sides.robber,
        moves: Moves::Octile,
    };
    let mut solver = Solver::new(arena.into(), rules, 1 << 32).expect("memory");
    assert!(solver.run(|_| true).done);
    solver.finish().expect("done")
}
