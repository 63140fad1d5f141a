//! The rung of invalidated plans, which are followed as far as they are legal.

use super::rung::Rung;
use super::scene::{Answer, Scene, Tools};
use crate::game::Side;
use crate::policy::Source;
use crate::world::state::Reason;

/// An old plan whose footprint an edit has touched, followed as far as it is legal.
#[derive(Debug, Default)]
pub(in crate::world) struct StaleRung;

impl Rung for StaleRung {
    fn source(&self) -> Source {
        Source::Stale
    }

    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let plan = &scene.agent.plan;
        if plan.is_intact() || plan.falls_short || scene.agent.search.is_some() {
            return Err(None);
        }
        let planned = scene.take_plan(tools).ok_or(None)?;
        let is_bad = scene.side() == Side::Robber
            && (scene.runs_into_cops(&tools.way) || planned == 0 && scene.is_overdue());
        if is_bad {
            return Err(None);
        }
        Ok(Answer {
            planned,
            ..Answer::by(Source::Stale)
        })
    }
}
