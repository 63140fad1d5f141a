//! A capture with the next move of a cop, which needs no plan.

use super::scene::{Scene, Tools};
use crate::abstraction::Hierarchy;
use crate::game::{Speed, Step};
use crate::search::least_steps;

/// The expansions that each cop may spend on the search for a capture, whatever is left of the budget: enough for speeds
/// up to 4.
const FOR_EACH: u64 = 64;

/// The most that a cop spends. A capture that takes more is one for a plan.
const MOST: u64 = 1024;

/// Writes the path onto the robber, if this move can capture it.
///
/// Cost: some expansions for each step where no walls are between, at most [`MOST`].
pub(super) fn captures(scene: &Scene<'_>, tools: &mut Tools) -> bool {
    let graph = scene.graph;
    let (Some(from), &[goal]) = (scene.from, scene.enemies) else {
        return false;
    };
    let here = scene.agent.setup.cell;
    let steps = u32::from(scene.speed.steps());
    let is_near = least_steps(graph, here, goal) <= steps;
    let Some(end) = graph.vertex(goal).filter(|_| scene.sees && is_near) else {
        return false;
    };
    if scene.speed == Speed::ONE {
        let is_beside = graph.are_adjacent(from, end);
        tools.way.extend(Some(end).filter(|_| is_beside));
        return is_beside;
    }
    let is_apart = |all: &Hierarchy| !all.connected(from, end);
    if from == end || scene.hierarchy().is_some_and(is_apart) {
        return false;
    }
    let limit = tools.left.clamp(FOR_EACH, MOST);
    let search = &mut tools.search;
    let estimate = |at| least_steps(graph, graph.cell(at), goal);
    // Other cells lie on no path of so few steps.
    let is_between = |at| least_steps(graph, here, graph.cell(at)) + estimate(at) <= steps;
    search.begin(graph, from, estimate(from));
    let found = search.run(graph, end, limit, is_between, |_, _| 1, estimate);
    tools.count();
    let path = tools.search.path();
    let is_there = found == Step::Done(true) && path.len() <= steps as usize;
    if is_there {
        tools.way.extend_from_slice(path);
    }
    is_there
}
