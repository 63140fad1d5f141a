//! Cops that play as one team: every joint move of a pair is weighed by the race that it leaves the robber.
#![allow(missing_docs)]

use crate::game::{Agent, State};
use crate::graph::{Graph, Vertex};
use crate::policy::guide::GuideReader;
use crate::policy::{CopPolicy, Decision, Ground, Guide, Source};
use crate::search::{Distances, Interception, JointRace, MOST_MOVES, MoveEnds, MoveSet, SlicedSearch as _};

/// The steps of the interception that inactive cops follow.
const STEPS: usize = 16;

/// What a joint move is judged by, in hundredths of a turn.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    /// A vertex that the robber reaches first.
    pub cover: i64,
    /// A step between a cop and the robber.
    pub step: i64,
    /// A turn of the guide.
    pub guide: i64,
    /// What a repeated position adds to a step.
    pub repeat: i64,
    /// What is left of that after a turn, in hundredths.
    pub keep: i64,
    pub tabu: i64,
    pub stall: i64,
}

/// A team.
#[derive(Debug, Clone)]
pub struct TeamCops {
    pub weights: Weights,
    base: Interception,
    race: JointRace,
    moves: MoveEnds,
    ends: Vec<Vec<Vertex>>,
    distances: Distances,
    reader: GuideReader,
    seen: Vec<(Vertex, Vec<Vertex>)>,
    best: i64,
    stall: i64,
    worth: i64,
    last: Option<Vertex>,
    pressure: i64,
    pub expansions: u64,
}

impl TeamCops {
    pub fn new(weights: Weights) -> Self {
        Self { weights, base: Interception::new(), race: JointRace::default(), moves: MoveEnds::default(), ends: Vec::new(), distances: Distances::default(), reader: GuideReader::default(), seen: Vec::new(), best: i64::MAX, stall: 0, worth: 0, last: None, pressure: 0, expansions: 0 }
    }
}

impl CopPolicy for TeamCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let graph = ground.graph;
        if self.last.is_none_or(|l| graph.cell(l).max_norm(graph.cell(state.robber.at)) > 1) { self.seen.clear(); self.best = i64::MAX; self.stall = 0; self.pressure = 0; }
        self.last = Some(state.robber.at);
        let mut places: Vec<Vertex> = state.cops.iter().map(|c| c.at).collect();
        places.sort_unstable();
        let key = (state.robber.at, places);
        if self.seen.contains(&key) { self.pressure += self.weights.repeat; } else { self.pressure = self.pressure * self.weights.keep / 100; }
        self.seen.push(key);
        let stalled = if self.weights.tabu > 0 { (self.stall - self.weights.tabu).max(0) * self.weights.stall } else { 0 };
        let step = self.weights.step + self.pressure + stalled;

        self.distances.measure(graph, state.robber.at);
        let k = state.cops.len();
        self.ends.resize_with(k, Vec::new);
        for (cop, ends) in state.cops.iter().zip(&mut self.ends) {
            ends.clear();
            ends.push(cop.at);
            ends.extend_from_slice(self.moves.find(graph, cop.at, cop.speed, |_| false));
        }
        let mut order: Vec<usize> = (0..k).collect();
        order.sort_by_key(|&i| (self.distances.steps(state.cops[i].at), i));
        let mut chosen: Vec<Vertex> = if k > 2 {
            self.base.solve(graph, ground.abstraction(), state, true, STEPS);
            (0..k).map(|i| { let p = self.base.path_of(i); let s = usize::from(state.cops[i].speed.steps()).min(p.len()); p[..s].last().copied().unwrap_or(state.cops[i].at) }).collect()
        } else { state.cops.iter().map(|c| c.at).collect() };
        let active = order.len().min(8);
        let mut first = 0;
        while first < active {
            let a = order[first];
            let b = if first + 1 < active { Some(order[first + 1]) } else if first > 0 { Some(order[0]) } else { None };
            self.best_pair(ground, state, a, b, &mut chosen, step);
            first += 2;
        }
        if self.worth < self.best { self.best = self.worth; self.stall = 0; } else { self.stall += 1; if self.weights.tabu > 0 && self.stall > self.weights.tabu * 5 { self.best = self.worth; self.stall = 0; } }
        chosen.iter().zip(state.cops).map(|(&to, cop)| {
            if to == cop.at { return Decision::wait(Source::Search); }
            self.moves.find(graph, cop.at, cop.speed, |_| false);
            let mut way = Vec::new();
            self.moves.way_to(to, &mut way);
            Decision::along(way, cop.speed, Source::Search)
        }).collect()
    }
}

impl TeamCops {
    fn best_pair(&mut self, ground: Ground<'_>, state: &State<'_>, a: usize, b: Option<usize>, chosen: &mut [Vertex], step: i64) {
        let graph = ground.graph;
        let one = [chosen[a]];
        let bs: &[Vertex] = match b { Some(b) => &self.ends[b], None => &one };
        let as_ = &self.ends[a];
        let width = bs.len();
        let count = as_.len() * width;
        if count > MOST_MOVES { return; }
        let mut starts: Vec<(Agent, MoveSet)> = Vec::new();
        let all = if count == MOST_MOVES { MoveSet::MAX } else { (1 << count) - 1 };
        for (i, cop) in state.cops.iter().enumerate() {
            if i == a {
                for (n, &at) in as_.iter().enumerate() {
                    let row: MoveSet = ((1 << width) - 1) << (n * width);
                    starts.push((Agent { at, ..*cop }, row));
                }
            } else if Some(i) == b {
                for (n, &at) in bs.iter().enumerate() {
                    let mut column: MoveSet = 0;
                    for row in 0..as_.len() { column |= 1 << (row * width + n); }
                    starts.push((Agent { at, ..*cop }, column));
                }
            } else {
                starts.push((Agent { at: chosen[i], ..*cop }, all));
            }
        }
        self.race.begin(graph, state.robber, count, starts.iter().copied());
        self.race.advance(graph, u32::MAX);
        self.expansions += self.race.expansions();
        let d = |v: Vertex| i64::from(self.distances.steps(v).unwrap_or(9999));
        let mut keys: Vec<(i64, usize)> = (0..count).map(|i| {
            let e = self.race.evaluated(i);
            let apart = d(as_[i / width]) + if b.is_some() { d(bs[i % width]) } else { 0 };
            let key = match e.turns { Some(0) => 0, t => i64::from(t.unwrap_or(10_000)) * 100 + self.weights.cover * i64::from(e.covered) + step * apart };
            (key, i)
        }).collect();
        if self.weights.guide > 0 && let (Some(guide), Some(hierarchy)) = (ground.guide, ground.hierarchy) {
            keys.sort_unstable();
            if keys[0].0 > 0 {
            let margin = keys[0].0 + 300;
            keys.retain(|k| k.0 <= margin);
            for key in &mut keys {
                let i = key.1;
                let cops: Vec<Vertex> = (0..state.cops.len()).map(|c| if c == a { as_[i / width] } else if Some(c) == b { bs[i % width] } else { chosen[c] }).collect();
                self.reader.set_cops(guide, graph, hierarchy, cops.iter().copied());
                key.0 += (self.reader.turns(guide, graph, hierarchy, state.robber.at) * self.weights.guide as f32) as i64;
            }
            }
        }
        let best = keys.iter().min().map_or(0, |k| k.1);
        self.worth = i64::from(self.race.evaluated(best).turns.unwrap_or(10_000));
        chosen[a] = as_[best / width];
        if let Some(b) = b { chosen[b] = bs[best % width]; }
    }
}
