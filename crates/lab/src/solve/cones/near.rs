//! The places that an analysis is about, and the moves between them.

use super::NOWHERE;
use super::narrow::{Confined, Narrow};
use crate::solve::shifts::LANES;
use pursuit_engine::graph::Csr;
use pursuit_engine::solve::Spot;
use pursuit_engine::solve::{ReachableGraph, UNREACHABLE};

/// The places within `limit` turns, and the turns needed for each place.
fn within(graph: &ReachableGraph, start: u16, speed: u8, limit: u16) -> (Vec<u16>, Vec<u16>) {
    let turns = graph.turns_from(start, speed);
    let places = (0..turns.len()).map(|place| place as u16);
    let is_near = |&place: &u16| {
        let turns = turns[usize::from(place)];
        turns <= limit && turns != UNREACHABLE
    };
    let near: Vec<u16> = places.filter(is_near).collect();
    (near, turns)
}

/// What an analysis is about.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) enum Part<'a> {
    /// All states within reach: it finds the value.
    All,
    /// It proves captures only.
    Narrow(&'a Narrow),
    /// It proves only that the robber stays free for a time.
    Confined(&'a Confined),
}

/// The places that an analysis is about, with the turns that the agent needs to each place of the graph.
pub(super) struct Near {
    pub(super) cops: [(Vec<u16>, Vec<u16>); 2],
    pub(super) robber: (Vec<u16>, Vec<u16>),
    /// Whether some places within reach are left out, and the robber escapes where it leaves its places.
    pub(super) is_narrow: bool,
    /// Whether the robber is confined to some of the places within its reach.
    pub(super) is_confined: bool,
    /// Whether every agent needs fewer turns than the limit for each of its places, so that later turns add no places.
    pub(super) is_whole: bool,
}

impl Near {
    pub(super) fn new(graph: &ReachableGraph, start: Spot, limit: u16, part: Part<'_>) -> Self {
        let (cop_speed, robber_speed) = graph.speeds();
        let mut cops = [0, 1].map(|cop| within(graph, start.cops[cop], cop_speed, limit));
        let mut robber = within(graph, start.robber, robber_speed, limit);
        let is_early = |(places, turns): &(Vec<u16>, Vec<u16>)| {
            let mut places = places.iter();
            places.all(|&place| turns[usize::from(place)] < limit)
        };
        let is_whole = cops.iter().all(is_early) && is_early(&robber);
        // Returns whether some places are left out.
        let keep = |places: &mut Vec<u16>, is_allowed: &[bool]| {
            let all = places.len();
            places.retain(|&place| is_allowed[usize::from(place)]);
            places.len() < all
        };
        let (mut is_narrow, mut is_confined) = (false, false);
        match part {
            Part::All => {}
            Part::Narrow(narrow) => {
                for ((places, _), is_allowed) in cops.iter_mut().zip(&narrow.cops) {
                    is_narrow |= keep(places, is_allowed);
                }
                is_narrow |= keep(&mut robber.0, &narrow.robber);
            }
            Part::Confined(region) => is_confined = keep(&mut robber.0, &region.robber),
        }
        Self {
            cops,
            robber,
            is_narrow,
            is_confined,
            is_whole,
        }
    }
}

/// Orders places so that those of a block are near together.
pub(super) fn gathered(graph: &ReachableGraph, places: &[u16]) -> Vec<u16> {
    let mut is_left = vec![false; graph.places()];
    for &place in places {
        is_left[usize::from(place)] = true;
    }
    let mut order = Vec::with_capacity(places.len());
    for &place in places {
        let mut next = order.len();
        let end = next + LANES;
        if std::mem::take(&mut is_left[usize::from(place)]) {
            order.push(place);
        }
        while let Some(&at) = order.get(next) {
            next += 1;
            for &step in graph.steps(at) {
                if order.len() < end && std::mem::take(&mut is_left[step as usize]) {
                    order.push(step as u16);
                }
            }
        }
    }
    order
}

/// Sets a bit for each group of `size` places of which one needs at most `most` turns.
pub(super) fn groups(places: &[u16], turns: &[u16], most: u16, size: usize) -> Vec<u64> {
    let groups = places.len().div_ceil(size);
    let mut masks = vec![0; groups.div_ceil(64)];
    for (group, places) in places.chunks(size).enumerate() {
        if places
            .iter()
            .any(|&place| turns[usize::from(place)] <= most)
        {
            masks[group / 64] |= 1 << (group % 64);
        }
    }
    masks
}

/// For each place of the graph, its index in a list, or [`NOWHERE`].
pub(super) fn indices(graph: &ReachableGraph, places: &[u16]) -> Vec<u32> {
    let mut indices = vec![NOWHERE; graph.places()];
    for (index, &place) in (0..).zip(places) {
        indices[usize::from(place)] = index;
    }
    indices
}

/// For each of some places of a cop, its moves to others of them, as indices.
pub(super) fn moves_between(graph: &ReachableGraph, places: &[u16]) -> Csr<u32> {
    let index_of = indices(graph, places);
    let index_of = index_of.as_slice();
    Csr::from_rows(places.iter().map(|&place| {
        let moves = graph.cop_moves(place).iter();
        let moves = moves.map(move |&to| index_of[to as usize]);
        moves.filter(|&to| to != NOWHERE)
    }))
}

/// For each of some places of the robber, its steps as indices. Steps to other places lead beyond all blocks, unless
/// the robber is confined.
pub(super) fn steps_between(
    graph: &ReachableGraph,
    places: &[u16],
    index_of: &[u32],
    is_confined: bool,
) -> Csr<u32> {
    let beyond = places.len().next_multiple_of(LANES) as u32;
    Csr::from_rows(places.iter().map(|&place| {
        let steps = graph.steps(place).iter();
        let steps = steps.map(move |&to| index_of[to as usize].min(beyond));
        steps.filter(move |&to| !is_confined || to != beyond)
    }))
}
