//! The rung of cops that play alone, by tactics of their own.

use super::capture::captures;
use super::rung::Rung;
use super::scene::{Answer, Scene, Tools};
use crate::game::Speed;
use crate::graph::Vertex;
use crate::map::Cell;
use crate::policy::Source;
use crate::search::least_steps;
use crate::world::state::Reason;
use crate::world::tactics::{CopAim, Tactics};

/// A cop that gets away looks for a place within so many steps.
const LOOKS: Speed = match Speed::new(6) {
    Some(speed) => speed,
    None => Speed::ONE,
};

/// What a cop does that plays alone: it captures if its move can, goes where its tactics say, or gets away.
#[derive(Debug, Default)]
pub(in crate::world) struct OwnTacticsRung;

impl Rung for OwnTacticsRung {
    fn source(&self) -> Source {
        Source::Search
    }

    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let own = scene.agent.own.ok_or(None)?;
        let from = scene.from.ok_or(Some(Reason::InWall))?;
        let aim = own.aim.ok_or(None)?;
        let target = *scene.enemies.first().ok_or(None)?;
        if own.captures() && captures(scene, tools) {
            return Ok(Answer::by(Source::Search));
        }
        match aim {
            CopAim::To(goal) => walk(scene, from, goal, tools),
            CopAim::Stay => Ok(Answer::by(Source::Search)),
            CopAim::Away => {
                get_away(scene, from, target, own.tactics, tools);
                Ok(Answer::by(Source::Search))
            }
        }
    }
}

/// Writes the next steps to a cell.
fn walk(
    scene: &Scene<'_>,
    from: Vertex,
    goal: Cell,
    tools: &mut Tools,
) -> Result<Answer, Option<Reason>> {
    let agent = scene.agent;
    let falls_short = agent.has_plan_to(from, goal) && agent.plan.falls_short;
    if falls_short || scene.graph.vertex(goal).is_none() {
        get_near(scene, from, goal, tools);
        return Ok(Answer {
            why: Some(Reason::NoWay),
            ..Answer::by(Source::Greedy)
        });
    }
    let facts = scene.facts;
    let planned = facts.walk(agent, goal, scene.speed, scene.enemies, &mut tools.way);
    if tools.way.is_empty() && goal != agent.setup.cell {
        return Err(Some(Reason::Budget));
    }
    let why = (!scene.sees).then_some(Reason::OutOfSight);
    Ok(Answer {
        why,
        planned,
        ..Answer::by(Source::Search)
    })
}

/// Writes the next steps to the place within some steps that is the nearest to a cell where no path leads.
///
/// Cost: an expansion for each cell within [`LOOKS`] steps.
fn get_near(scene: &Scene<'_>, from: Vertex, goal: Cell, tools: &mut Tools) {
    let graph = scene.graph;
    let far = |at: Vertex| graph.cell(at).squared_distance(goal);
    let ends = &mut tools.ends;
    let mut best = (far(from), from);
    for &end in ends.find(graph, from, LOOKS.max(scene.speed), |_| false) {
        // The first one is the nearest of those that are as far from the goal.
        best = if far(end) < best.0 {
            (far(end), end)
        } else {
            best
        };
    }
    ends.way_to(best.1, &mut tools.way);
    tools.way.truncate(scene.speed.steps().into());
    tools.count();
}

/// Writes the next steps to the place within some steps that is the farthest from the target; or, for agents that keep in
/// sight of the target, to the nearest place that is at their distance, or comes nearest to that, over cells in sight.
///
/// Cost: an expansion for each cell within [`LOOKS`] steps, and for the latter a line of sight.
fn get_away(scene: &Scene<'_>, from: Vertex, target: Cell, tactics: Tactics, tools: &mut Tools) {
    let graph = scene.graph;
    let keeps = match tactics {
        Tactics::Keep(steps) => Some(u32::from(steps)),
        _ => None,
    };
    let is_blocked = |at: Vertex| {
        let cell = graph.cell(at);
        cell == target || keeps.is_some() && !scene.facts.graph.sees(cell, target, None)
    };
    let worth = |at: Vertex| {
        let cell = graph.cell(at);
        let far = |steps: u32| u64::from(least_steps(graph, cell, target).min(steps));
        keeps.map_or_else(|| cell.squared_distance(target), far)
    };
    let ends = &mut tools.ends;
    let mut best = (worth(from), from);
    for &end in ends.find(graph, from, LOOKS.max(scene.speed), is_blocked) {
        // The first one is the nearest of those that are worth the same.
        let worth = worth(end);
        if worth > best.0 {
            best = (worth, end);
        }
    }
    ends.way_to(best.1, &mut tools.way);
    tools.way.truncate(scene.speed.steps().into());
    tools.count();
}
