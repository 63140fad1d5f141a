use super::{Answer, Rung, Scene, Tools};
use crate::game::{Outcome, Side, Turns, Value};
use crate::policy::Source;
use crate::world::planning::ticks_kept;
use crate::world::state::Why;

/// A plan that nothing has changed which it depends on. What can be captured now needs no plan.
pub(super) struct Search;

impl Rung for Search {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Why>> {
        match scene.side() {
            _ if scene.from.is_none() => Err(Some(Why::InWall)),
            Side::Cops if scene.agent.search.is_some() => look_around(scene, tools),
            Side::Cops => chase(scene, tools),
            Side::Robber => flee(scene, tools),
        }
    }
}

fn chase(scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Why>> {
    if captures(scene, tools) {
        return Ok(Answer::by(Source::Search));
    }
    let plan = &scene.agent.plan;
    let Some(planned) = scene.take_plan(tools) else {
        return Err(Some(Why::Budget));
    };
    if plan.falls_short {
        return Err(Some(Why::NoWay));
    }
    if !plan.is_intact {
        return Err(Some(Why::MapChanged));
    }
    Ok(Answer {
        planned,
        why: (!scene.sees).then_some(Why::OutOfSight),
        ..Answer::by(Source::Search)
    })
}

/// Writes the way onto the robber, if it can be captured with this move.
fn captures(scene: &Scene<'_>, tools: &mut Tools) -> bool {
    let graph = &scene.board.graph;
    let (Some(from), &[goal]) = (scene.from, scene.enemies) else {
        return false;
    };
    let is_near = goal.max_norm(scene.agent.setup.cell) <= u32::from(scene.speed.steps());
    let Some(end) = graph.vertex(goal).filter(|_| scene.sees && is_near) else {
        return false;
    };
    let Tools { way, ends } = tools;
    let is_there = ends
        .find(graph, from, scene.speed, |_| false)
        .contains(&end);
    if is_there {
        ends.way_to(end, way);
    }
    is_there
}

/// A cop that has lost its robber walks to where it looks for it next.
fn look_around(scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Why>> {
    let goal = scene.agent.search.map(|search| search.goal);
    let knows = scene.from.zip(goal);
    if !knows.is_some_and(|(from, goal)| scene.agent.knows_walk(from, goal)) {
        return Err(Some(Why::OutOfSight));
    }
    let planned = scene.take_plan(tools).ok_or(Some(Why::OutOfSight))?;
    Ok(Answer {
        planned,
        why: Some(Why::OutOfSight),
        ..Answer::by(Source::Search)
    })
}

fn flee(scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Why>> {
    let plan = &scene.agent.plan;
    let Some(planned) = scene.take_plan(tools) else {
        return Err(Some(Why::Budget));
    };
    if !plan.is_intact {
        return Err(Some(Why::MapChanged));
    }
    if plan.key != scene.key {
        if scene.runs_into_cops(&tools.way) {
            return Err(None);
        }
        if planned == 0 && is_overdue(scene) {
            return Err(Some(Why::Budget));
        }
    }
    Ok(Answer {
        value: plan.value.map(|value| aged(scene, value)),
        planned,
        ..Answer::by(Source::Search)
    })
}

/// Has a plan to wait been kept for longer than is good? Cops may have come from elsewhere since.
pub(super) fn is_overdue(scene: &Scene<'_>) -> bool {
    let near = crate::world::moves::nearest(scene.agent.setup.cell, scene.enemies);
    let apart = near.map_or(u32::MAX, |(cells, _)| cells);
    let age = scene.board.tick.saturating_sub(scene.agent.plan.made);
    age > ticks_kept(scene.board, apart)
}

/// What a value is worth some ticks later, if the robber has kept to its plan since.
fn aged(scene: &Scene<'_>, value: Value) -> Value {
    let age = scene.board.tick.saturating_sub(scene.agent.plan.made);
    let turns = age / scene.board.turn_length();
    let less = |outcome| match outcome {
        Outcome::Escapes => Outcome::Escapes,
        Outcome::Caught(Turns(all)) => {
            Outcome::Caught(Turns(u64::from(all).saturating_sub(turns) as u16))
        }
    };
    match value {
        Value::Exact(Outcome::Escapes) => value,
        Value::Exact(outcome) | Value::AtLeast(outcome) => Value::AtLeast(less(outcome)),
    }
}
