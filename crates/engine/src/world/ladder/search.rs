//! The rung of searched plans: a plan that no edit has touched.

use super::capture::captures;
use super::rung::Rung;
use super::scene::{Answer, Scene, Tools};
use crate::game::{Outcome, Side, Turns, Value};
use crate::map::Cell;
use crate::policy::Source;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

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
