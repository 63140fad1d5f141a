//! The race of `TrailMax` by sets, turn by turn, on any graph: the expected result of a search that
//! looks a limited number of turns ahead.

use pursuit_engine::game::{Agent, Side, State};
use pursuit_engine::graph::{Network, Vertex};
use std::collections::{BTreeMap, BTreeSet};

/// The end of a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The robber reaches vertices that no cop ever reaches.
    Escapes,
    /// All of the robber's vertices are captured, the last ones in this turn.
    Caught(u32, BTreeSet<Vertex>),
    /// The limit is reached; in the last turn, the robber has reached these vertices before the cops.
    Free(u32, BTreeSet<Vertex>),
}

/// The number of steps from the nearest of `sources` to every reachable vertex.
fn steps(network: &impl Network, sources: &BTreeSet<Vertex>) -> BTreeMap<Vertex, u32> {
    let mut steps: BTreeMap<_, _> = sources.iter().map(|&at| (at, 0)).collect();
    let mut rim = sources.clone();
    for step in 1.. {
        let next = rim
            .iter()
            .flat_map(|&at| network.neighbours(at).iter().copied());
        rim = next.filter(|to| !steps.contains_key(to)).collect();
        if rim.is_empty() {
            break;
        }
        steps.extend(rim.iter().map(|&at| (at, step)));
    }
    steps
}

/// The race, ended after a limited number of turns of the robber; 0 for no limit. If the robber has
/// reached nothing new in its last turn, the race continues.
pub fn race(network: &impl Network, state: &State<'_>, limit: u32) -> End {
    let speeds: BTreeSet<u8> = state.cops.iter().map(|cop| cop.speed.steps()).collect();
    let waves = speeds.iter().map(|&speed| {
        let team = state.cops.iter().filter(|cop| cop.speed.steps() == speed);
        let wave = steps(network, &team.map(|cop| cop.at).collect());
        (u32::from(speed), wave)
    });
    let waves: Vec<_> = waves.collect();
    let comes = |at: Vertex| {
        let turns = waves
            .iter()
            .filter_map(|(speed, wave)| Some(wave.get(&at)?.div_ceil(*speed)));
        turns.min().unwrap_or(u32::MAX)
    };
    // Returns whether a cop reaches a new vertex in its next turn.
    let goes_on = |turn: u32| {
        let mut waves = waves.iter();
        waves.any(|(speed, wave)| wave.values().any(|&steps| steps >= turn * speed))
    };
    let Agent { at, speed } = state.robber;
    let cops_first = state.to_move == Side::Cops;
    let (mut taken, mut rim) = (BTreeSet::from([at]), BTreeSet::from([at]));
    let mut turn = 0;
    loop {
        for _ in 0..if cops_first && turn == 0 {
            0
        } else {
            speed.steps()
        } {
            let free = rim.iter().filter(|&&at| comes(at) > turn);
            let next = free.flat_map(|&at| network.neighbours(at).iter().copied());
            rim = next
                .filter(|to| !taken.contains(to) && comes(*to) > turn)
                .collect();
            taken.extend(&rim);
        }
        turn += 1;
        let last = taken.iter().map(|&at| comes(at)).max().unwrap_or(0);
        if last <= turn {
            let goals = taken.iter().copied().filter(|&at| comes(at) == last);
            return End::Caught(last, goals.collect());
        }
        if !goes_on(turn) {
            return End::Escapes;
        }
        let free: BTreeSet<_> = rim.iter().copied().filter(|&at| comes(at) > turn).collect();
        let number = turn + u32::from(!cops_first);
        if limit > 0 && number > limit && !free.is_empty() {
            return End::Free(number, free);
        }
    }
}

/// Those of the vertices where the nearest cop is farthest as the crow flies, up to rounding errors.
pub fn farthest(
    rim: &BTreeSet<Vertex>,
    cops: &[Agent],
    position: impl Fn(Vertex) -> [f64; 2],
) -> BTreeSet<Vertex> {
    let far = |at: Vertex| {
        let [x, y] = position(at);
        let squares = cops.iter().map(|cop| {
            let [there_x, there_y] = position(cop.at);
            (x - there_x) * (x - there_x) + (y - there_y) * (y - there_y)
        });
        squares.fold(f64::INFINITY, f64::min)
    };
    let most = rim.iter().map(|&at| far(at)).fold(0.0, f64::max);
    rim.iter()
        .copied()
        .filter(|&at| far(at) >= most * (1.0 - 1e-5))
        .collect()
}
