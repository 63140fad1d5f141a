//! The last rung: a greedy move, which always exists.

use super::rung::Rung;
use super::scene::{Answer, NEAR, Scene, Tools};
use crate::game::{Agent, Side, Speed};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::patterns::rules::Goal;
use crate::policy::Source;
use crate::world::moves;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// The most cops that a robber considers.
const MOST_COPS: usize = 4;

/// The last resort: a step out of a wall, a path as close to an unreachable robber as the map allows, or a step by
/// straight-line distance. A robber takes captures within the next two turns into account. This rung always answers.
#[derive(Debug, Default)]
pub(in crate::world) struct GreedyRung;

impl Rung for GreedyRung {
    fn source(&self) -> Source {
        Source::Greedy
    }

    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let graph = scene.graph;
        let mut answer = Answer::by(Source::Greedy);
        let flees = scene.side() == Side::Robber;
        let Some(from) = scene.from else {
            let wall = scene.agent.setup.cell;
            tools
                .way
                .extend(moves::step_out(graph, wall, scene.enemies, flees));
            return Ok(answer);
        };
        let exit = graph.neighbours(from).iter().copied();
        let mut exit = exit.filter(|&next| flees && graph.is_exit(graph.cell(next)));
        if let Some(exit) = exit.next() {
            tools.way.push(exit);
        } else if flees {
            moves::step_away(graph, from, scene.enemies, scene.speed, &mut tools.way);
            tools.count_distances(8 * tools.way.len() * scene.enemies.len());
            avoid_capture(scene, from, tools);
        } else if scene.agent.plan.falls_short
            && let Some(planned) = scene.take_plan(tools)
        {
            answer.planned = planned;
        } else if let Some(&goal) = scene.enemies.first()
            && !waits_for_plan(scene, goal)
        {
            let goal = scene.agent.sought.unwrap_or(goal);
            moves::step_towards(graph, from, goal, scene.speed, &mut tools.way);
        }
        Ok(answer)
    }
}

/// Returns whether the search in progress plans for the cop, and the cop is still far from the robber. A plan that takes
/// more than a turn begins where the cop was when the search began.
fn waits_for_plan(scene: &Scene<'_>, goal: Cell) -> bool {
    let is_far = goal.max_norm(scene.agent.setup.cell) > NEAR * u32::from(scene.speed.steps());
    is_far && scene.facts.waits_for_search(scene.id, scene.agent)
}

/// If cops would capture a robber within two turns after its step, replaces the step by one after which the cops need
/// longer, or after which no capture is recognised. Among equally good steps, takes the one that ends farthest from the
/// cops.
///
/// Cost: nothing if no cop is near, and otherwise some microseconds. No memory.
fn avoid_capture(scene: &Scene<'_>, from: Vertex, tools: &mut Tools) {
    // The eye knows robbers of one step only. It is right for faster cops, too: they may go slowly.
    if scene.clock != PursuitClock::Turns || scene.speed != Speed::ONE {
        return;
    }
    let graph = scene.graph;
    let Tools { way, eye, near, .. } = tools;
    near.clear();
    let here = graph.cell(from);
    let is_near = |cell: &&Cell| cell.max_norm(here) <= NEAR;
    let cops = scene.enemies.iter().filter(is_near).take(MOST_COPS);
    near.extend(cops.filter_map(|&cell| graph.vertex(cell)).map(slow));
    if near.is_empty() {
        return;
    }
    let mut turns = |end: Vertex| eye.turns(graph, Goal::Taken, end, near).unwrap_or(u8::MAX);
    let end = way.last().copied().unwrap_or(from);
    let first = turns(end);
    if first == u8::MAX {
        return;
    }
    let far = |end: Vertex| moves::nearest(graph.cell(end), scene.enemies);
    let mut best = ((first, far(end)), end);
    for &next in graph.neighbours(from).iter().chain([&from]) {
        let worth = (turns(next), far(next));
        if worth > best.0 {
            best = (worth, next);
        }
    }
    way.clear();
    way.extend(Some(best.1).filter(|&end| end != from));
}

const fn slow(at: Vertex) -> Agent {
    Agent {
        at,
        speed: Speed::ONE,
    }
}
