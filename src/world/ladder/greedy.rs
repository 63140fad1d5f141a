//! The last rung: a greedy move, which always exists.

use super::{Answer, Rung, Scene, Tools};
use crate::game::Side;
use crate::policy::Source;
use crate::world::moves;
use crate::world::state::Reason;

/// The last resort: a step out of a wall, a path as close to an unreachable robber as the map allows,
/// or a step by straight-line distance. Always answers.
pub(super) struct Greedy;

impl Rung for Greedy {
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>> {
        let graph = &scene.board.graph;
        let mut answer = Answer::by(Source::Greedy);
        let flees = scene.side() == Side::Robber;
        let Some(from) = scene.from else {
            let wall = scene.agent.setup.cell;
            tools
                .way
                .extend(moves::step_out(graph, wall, scene.enemies, flees));
            return Ok(answer);
        };
        if flees {
            moves::step_away(graph, from, scene.enemies, scene.speed, &mut tools.way);
        } else if scene.agent.plan.falls_short
            && let Some(planned) = scene.take_plan(tools)
        {
            answer.planned = planned;
        } else if let Some(&goal) = scene.enemies.first() {
            moves::step_towards(graph, from, goal, scene.speed, &mut tools.way);
        }
        Ok(answer)
    }
}
