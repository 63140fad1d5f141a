//! The rung of searched plans: a plan that no edit has touched.

use super::rung::Rung;
use super::scene::{Answer, Scene, Tools};
use crate::abstraction::Hierarchy;
use crate::game::{Outcome, Side, Speed, Step, Turns, Value};
use crate::map::Cell;
use crate::policy::Source;
use crate::search::least_steps;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// The expansions that each cop may spend on the search for a capture, whatever is left of the budget: enough for speeds
/// up to 4.
const FOR_EACH: u64 = 64;

/// The most that a cop spends. A capture that takes more is one for a plan.
const MOST: u64 = 1024;

/// A plan whose footprint no edit has touched. A capture that is possible with this move needs no plan.
#[derive(Debug, Default)]
pub(in crate::world) struct SearchRung;

impl Rung for SearchRung {
    fn source(&self) -> Source {
        Source::Search
    }

    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        match scene.side() {
            _ if scene.from.is_none() => Err(Some(Reason::InWall)),
            // Without a robber in sight there is nothing to plan for.
            Side::Cops if scene.agent.search.is_some() => Err(Some(Reason::OutOfSight)),
            Side::Cops => chase(scene, tools),
            Side::Robber => flee(scene, tools),
        }
    }
}

fn chase(scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
    // Where cops cover the robber's moves, one of them covers the robber's vertex, and no other one goes there.
    if !scene.found.shares(scene.id) && captures(scene, tools) {
        return Ok(Answer::by(Source::Search));
    }
    let plan = &scene.agent.plan;
    let Some(planned) = scene.take_plan(tools) else {
        let is_in_wall = |&robber: &Cell| scene.graph.vertex(robber).is_none();
        let is_safe = !scene.enemies.is_empty() && scene.enemies.iter().all(is_in_wall);
        let why = if is_safe {
            Reason::NoWay
        } else {
            Reason::Budget
        };
        return Err(Some(why));
    };
    if plan.falls_short {
        return Err(Some(Reason::NoWay));
    }
    if !plan.is_intact() {
        return Err(Some(Reason::MapChanged));
    }
    let waits = (planned == 0).then_some(Reason::CutsOff);
    Ok(Answer {
        planned,
        why: if scene.sees {
            waits
        } else {
            Some(Reason::OutOfSight)
        },
        ..Answer::by(Source::Search)
    })
}

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

fn flee(scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
    let plan = &scene.agent.plan;
    let Some(planned) = scene.take_plan(tools) else {
        return Err(Some(Reason::Budget));
    };
    if !plan.is_intact() {
        return Err(Some(Reason::MapChanged));
    }
    if plan.key != scene.key {
        if scene.runs_into_cops(&tools.way) {
            return Err(None);
        }
        if planned == 0 && scene.is_overdue() {
            return Err(Some(Reason::Budget));
        }
    }
    Ok(Answer {
        value: plan.value.map(|value| aged(scene, value)),
        planned,
        ..Answer::by(Source::Search)
    })
}

/// The value of a position some ticks later, if the robber has followed its plan since.
fn aged(scene: &Scene<'_>, value: Value) -> Value {
    let age = scene.facts.tick.saturating_sub(scene.agent.plan.made);
    // Cops that choose at the same time as the robber do not wait for its move.
    let ahead = u64::from(scene.clock == PursuitClock::Simultaneous);
    let turns = age / scene.facts.turn_length() + ahead;
    let less = |outcome| match outcome {
        free @ (Outcome::Escapes | Outcome::Away(_)) => free,
        Outcome::Caught(Turns(all)) => {
            Outcome::Caught(Turns(u64::from(all).saturating_sub(turns) as u16))
        }
    };
    match value {
        // No plan of a robber says what the cops can force.
        Value::Exact(Outcome::Escapes) | Value::AtMost(_) => value,
        Value::Exact(outcome) | Value::AtLeast(outcome) => Value::AtLeast(less(outcome)),
    }
}
