//! The rung of search walks: a cop without a sighting looks for its robber.

use super::rung::Rung;
use super::scene::{Answer, Scene, Tools};
use crate::policy::Source;
use crate::world::moves;
use crate::world::state::Reason;

/// The walk of a cop that has lost its robber, to the cell where the cop looks next. Until the walk is planned, the
/// cop heads straight for that cell.
#[derive(Debug, Default)]
pub(in crate::world) struct LookAroundRung;

impl Rung for LookAroundRung {
    fn source(&self) -> Source {
        Source::LookAround
    }

    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let (search, from) = scene.agent.search.zip(scene.from).ok_or(None)?;
        let planned = if scene.agent.has_plan_to(from, search.goal) {
            scene.take_plan(tools).unwrap_or(0)
        } else {
            let (graph, speed) = (scene.graph, scene.speed);
            // The plan that is being made begins here, and steps towards the goal may lead back where a plan came from.
            let waits = scene.agent.has_used_up_plan_to(search.goal)
                || scene.facts.waits_for_search(scene.id, scene.agent);
            if !waits {
                moves::step_towards(graph, from, search.goal, speed, &mut tools.way);
            }
            0
        };
        Ok(Answer {
            planned,
            why: Some(Reason::OutOfSight),
            ..Answer::by(Source::LookAround)
        })
    }
}
