//! Walks in time: cells that are deadly for a while, and steps that take longer than others.

use crate::graph::{Network, Vertex};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of beats that are told apart. All later ones count as the last of them.
pub(crate) const BEATS: u32 = 64;

/// The most steps within a beat that [`Survival`] looks at. A faster agent may live longer than it says.
const MOST_STEPS: u8 = 8;

/// When an agent may be where, and how long its steps take. Time is counted in *beats* from now on: the agent chooses at
/// the beginning of each beat.
pub(crate) trait Timetable {
    /// The beats in which the agent may be on a vertex, one bit each. The last bit stands for that beat and all later ones.
    fn free(&self, at: Vertex) -> u64;

    /// The number of beats that a step to a vertex takes, at least 1. Until it is over, the agent is on both vertices.
    fn beats(&self, to: Vertex) -> u32;

    /// The number of steps that the agent takes in a beat. If there are several, each step takes one beat.
    fn steps(&self) -> u8;
}

/// Returns whether a vertex is free in some beats.
pub(crate) const fn is_free_in(free: u64, first: u32, beats: u32) -> bool {
    let first = if first < BEATS { first } else { BEATS - 1 };
    let rest = free >> first;
    match beats {
        0 => true,
        beats if beats >= BEATS - first => rest == u64::MAX >> first,
        beats => rest & ((1 << beats) - 1) == (1 << beats) - 1,
    }
}

/// Returns whether a vertex is free from a beat on, for ever.
const fn is_free_from(free: u64, first: u32) -> bool {
    is_free_in(free, first, BEATS)
}

/// Finds out how long an agent can stay alive among cells that are deadly for a while.
///
/// Cost: expansions of the vertices where the agent can be at the beginning of each beat, until one of them is free for
/// ever. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Survival {
    /// Where the agent can be at the beginning of each beat.
    layers: Vec<Vec<Vertex>>,
    /// The vertices that are reached with several steps of one beat.
    ends: Vec<Vertex>,
    expansions: u64,
}

impl Survival {
    /// The number of the beat at whose end an agent is alive at the latest, if it is at a vertex at the beginning of a beat:
    /// [`BEATS`] if it can reach a vertex that is free for ever. A search of more than `limit` expansions ends with what is
    /// known.
    pub(crate) fn lasts(
        &mut self,
        network: &impl Network,
        table: &impl Timetable,
        at: Vertex,
        first: u32,
        limit: u64,
    ) -> u32 {
        if first >= BEATS || is_free_from(table.free(at), first) {
            return BEATS;
        }
        self.layers.resize_with(BEATS as usize + 1, Vec::new);
        self.layers.iter_mut().for_each(Vec::clear);
        self.layers[first as usize].push(at);
        let end = self.expansions + limit;
        let mut last = first;
        for beat in first..BEATS {
            let mut layer = std::mem::take(&mut self.layers[beat as usize]);
            layer.sort_unstable();
            layer.dedup();
            let is_safe = |&at: &Vertex| is_free_from(table.free(at), beat);
            if layer.iter().any(is_safe) {
                return BEATS;
            }
            for &at in &layer {
                if !is_free_in(table.free(at), beat, 1) {
                    continue;
                }
                last = last.max(beat + 1);
                if self.expansions >= end {
                    return last;
                }
                self.layers[beat as usize + 1].push(at);
                self.go_on(network, table, at, beat);
            }
            self.layers[beat as usize] = layer;
        }
        last
    }

    /// Adds where an agent can go from a vertex that it may be on in a beat.
    fn go_on(&mut self, network: &impl Network, table: &impl Timetable, at: Vertex, beat: u32) {
        self.ends.clear();
        self.ends.push(at);
        let mut done = 0;
        for _ in 0..table.steps().min(MOST_STEPS) {
            let known = self.ends.len();
            for index in done..known {
                let from = self.ends[index];
                self.expansions += 1;
                for &next in network.neighbours(from) {
                    let beats = if table.steps() == 1 {
                        table.beats(next)
                    } else {
                        1
                    };
                    let is_free = is_free_in(table.free(next), beat, beats)
                        && is_free_in(table.free(from), beat, beats);
                    if is_free && !self.ends.contains(&next) {
                        self.ends.push(next);
                        let layer = (beat + beats).min(BEATS);
                        self.layers[layer as usize].push(next);
                    }
                }
            }
            done = known;
        }
    }

    /// The expansions since the last call.
    pub(crate) const fn take_expansions(&mut self) -> u64 {
        std::mem::replace(&mut self.expansions, 0)
    }
}

/// Finds the path on which an agent arrives first: around cells that are deadly when it would get there, or waiting in
/// front of them, and around steps that take long.
///
/// A* over vertices and the beats of arrival. A vertex that is deadly for a while is looked at once for each time between
/// two dangers. Cost: about 200 ns for each expansion. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimedWalk {
    /// The arrivals, each with the one before it.
    arrivals: Vec<Arrival>,
    /// The arrivals that are not expanded yet, the most promising first: the estimated time at the goal, and the index.
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// The vertices and the first beats of their free times that have an expanded arrival.
    done: std::collections::BTreeSet<(Vertex, u32)>,
    path: Vec<Vertex>,
    expansions: u64,
}

#[derive(Debug, Clone, Copy)]
struct Arrival {
    at: Vertex,
    /// The time, in steps of one beat.
    time: u32,
    before: u32,
}

impl TimedWalk {
    /// The path on which an agent that sets out at the beginning of the first beat arrives first, without the start; where
    /// it waits is left to it. `None` if there is none, or none was found with `limit` expansions. `least`: a lower bound of
    /// the steps from a vertex to the goal.
    pub(crate) fn find(
        &mut self,
        network: &impl Network,
        table: &impl Timetable,
        [from, to]: [Vertex; 2],
        least: impl Fn(Vertex) -> u32,
        limit: u64,
    ) -> Option<&[Vertex]> {
        self.arrivals.clear();
        self.open.clear();
        self.done.clear();
        self.path.clear();
        self.add(from, 0, 0, least(from));
        let end = self.expansions + limit;
        while let Some(Reverse((_, index))) = self.open.pop() {
            let arrival = self.arrivals[index as usize];
            let beat = arrival.time / u32::from(table.steps());
            let free = table.free(arrival.at);
            if !self.done.insert((arrival.at, first_of_run(free, beat))) {
                continue;
            }
            if arrival.at == to {
                self.trace(index);
                return Some(&self.path);
            }
            if self.expansions >= end {
                return None;
            }
            self.expansions += 1;
            for &next in network.neighbours(arrival.at) {
                let goes = table.free(next);
                let mut last = None;
                for time in arrivals(table, arrival, next, [free, goes]) {
                    let beat = time / u32::from(table.steps());
                    // It lives on only where it arrives in a free beat.
                    if next != to && !is_free_in(goes, beat, 1) {
                        continue;
                    }
                    let run = first_of_run(goes, beat);
                    // Later in the same free time is no better.
                    if last.replace(run) != Some(run) && !self.done.contains(&(next, run)) {
                        self.add(next, time, index, least(next));
                    }
                }
            }
        }
        None
    }

    fn add(&mut self, at: Vertex, time: u32, before: u32, least: u32) {
        let index = self.arrivals.len() as u32;
        self.arrivals.push(Arrival { at, time, before });
        self.open.push(Reverse((time.saturating_add(least), index)));
    }

    fn trace(&mut self, mut index: u32) {
        while index != 0 {
            let arrival = self.arrivals[index as usize];
            self.path.push(arrival.at);
            index = arrival.before;
        }
        self.path.reverse();
    }

    /// The expansions since they were last taken.
    pub(crate) const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The expansions since the last call.
    pub(crate) const fn take_expansions(&mut self) -> u64 {
        std::mem::replace(&mut self.expansions, 0)
    }
}

/// Returns whether an agent that sets out at the beginning of the first beat, and does not wait, is on free vertices all
/// along a path, which begins beside `from`. All steps take one beat or a part of one.
pub(crate) fn is_free_along(table: &impl Timetable, from: Vertex, path: &[Vertex]) -> bool {
    let steps = usize::from(table.steps());
    let mut before = from;
    path.iter().enumerate().all(|(index, &at)| {
        let beat = (index / steps) as u32;
        let from = std::mem::replace(&mut before, at);
        is_free_in(table.free(from), beat, 1) && is_free_in(table.free(at), beat, 1)
    })
}

/// The first beat of the free time that a beat belongs to.
const fn first_of_run(free: u64, beat: u32) -> u32 {
    let beat = if beat < BEATS { beat } else { BEATS - 1 };
    // The occupied beats up to this one.
    let taken = !free & (u64::MAX >> (BEATS - 1 - beat));
    BEATS - taken.leading_zeros()
}

/// The times at which an agent can arrive at a neighbour, the earliest first, after waiting where it is for longer and longer.
/// Only the earliest if nothing is ever deadly on both vertices.
/// `free`: when both vertices are free.
fn arrivals(
    table: &impl Timetable,
    from: Arrival,
    to: Vertex,
    free: [u64; 2],
) -> impl Iterator<Item = u32> {
    let steps = u32::from(table.steps());
    let [stands, goes] = free;
    let beats = if steps == 1 { table.beats(to) } else { 1 };
    let first = from.time / steps;
    let is_always_free = stands == u64::MAX && goes == u64::MAX;
    let last = if is_always_free {
        first
    } else {
        first.max(BEATS - 1)
    };
    let waits =
        (first..=last).take_while(move |&beat| beat == first || is_free_in(stands, beat - 1, 1));
    let is_free =
        move |&beat: &u32| is_free_in(stands, beat, beats) && is_free_in(goes, beat, beats);
    waits.filter(is_free).map(move |beat| {
        let sets_out = if beat == first {
            from.time
        } else {
            beat * steps
        };
        sets_out.saturating_add(beats)
    })
}

#[cfg(test)]
mod tests;
