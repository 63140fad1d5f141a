//! Chases on the free-running clock: random runners, and values of paths by a slow search for each cop.

use pursuit_engine::graph::{Graph, Network, Vertex};
use pursuit_engine::search::{Dice, Runner, TimedState};
use std::collections::BTreeSet;

/// A robber and up to `most` cops at random places, with steps of 1 to 9 ticks, ready within 9 ticks.
pub fn runners(graph: &Graph, dice: &mut Dice, most: usize) -> (Runner, Vec<Runner>) {
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut runner = || Runner {
        at: dice.pick(&vertices).expect("a vertex"),
        ready: dice.below(10) as u32,
        step: 1 + dice.below(9) as u32,
    };
    let robber = runner();
    let mut cops: Vec<Runner> = (0..4).map(|_| runner()).collect();
    cops.truncate(1 + dice.below(most));
    // Some cops share their step times.
    if dice.below(3) == 0 {
        let step = cops[0].step;
        for cop in &mut cops {
            cop.step = step;
        }
    }
    (robber, cops)
}

/// The tick at which an agent arrives at each vertex, by Dijkstra's algorithm. `may` decides whether a
/// step is allowed, given the vertex it leaves, the vertex it enters, and the tick of arrival.
pub fn arrivals(
    graph: &impl Network,
    runner: Runner,
    may: impl Fn(Vertex, Vertex, u32) -> bool,
) -> Vec<Option<u32>> {
    let mut arrivals = vec![None; graph.slots()];
    let mut open = BTreeSet::from([(runner.ready, runner.at)]);
    while let Some((tick, at)) = open.pop_first() {
        if arrivals[at.index()].is_some() {
            continue;
        }
        arrivals[at.index()] = Some(tick);
        let tick = tick + runner.step.max(1);
        let next = graph.neighbours(at).iter();
        open.extend(next.filter(|&&to| may(at, to, tick)).map(|&to| (tick, to)));
    }
    arrivals
}

/// The tick at which the first cop arrives at each vertex; `None` if none does.
pub fn first_cops(graph: &impl Network, cops: &[Runner]) -> Vec<Option<u32>> {
    let mut first = vec![None; graph.slots()];
    for &cop in cops {
        for (first, own) in first.iter_mut().zip(arrivals(graph, cop, |_, _, _| true)) {
            *first = [*first, own].into_iter().flatten().min();
        }
    }
    first
}

/// The number of ticks for which the robber can stay free of cops that know its path; `None` for ever.
pub fn free_for(graph: &impl Network, state: &TimedState<'_>) -> Option<u32> {
    let cops = first_cops(graph, state.cops);
    let free = |vertex: Vertex, tick| cops[vertex.index()].is_none_or(|cop| tick < cop);
    let robber = state.robber;
    if let Some(cop) = cops[robber.at.index()].filter(|&cop| cop <= robber.ready) {
        return Some(cop.max(robber.ready));
    }
    let may = |from, to, tick| free(from, tick) && free(to, tick);
    let own = arrivals(graph, robber, may);
    let reached = own.iter().zip(cops).filter(|(own, _)| own.is_some());
    let cops: Option<Vec<u32>> = reached.map(|(_, cop)| cop).collect();
    cops.map(|cops| cops.into_iter().max().unwrap_or(0))
}

/// The tick at which cops that know the path capture a robber that follows it and waits at its end;
/// `None` if never.
///
/// # Panics
/// If the path is not legal.
pub fn captured_on(graph: &Graph, state: &TimedState<'_>, path: &[Vertex]) -> Option<u32> {
    let cops = first_cops(graph, state.cops);
    let Runner {
        mut at,
        ready,
        step,
    } = state.robber;
    let mut tick = ready;
    for &next in path {
        assert!(graph.are_adjacent(at, next), "{path:?} is no path");
        // Until it arrives at the next vertex, it is on the one that it leaves.
        let arrives = tick + step.max(1);
        if let Some(cop) = cops[at.index()].filter(|&cop| cop <= arrives) {
            return Some(cop.max(tick));
        }
        (at, tick) = (next, arrives);
    }
    cops[at.index()].map(|cop| cop.max(tick))
}
