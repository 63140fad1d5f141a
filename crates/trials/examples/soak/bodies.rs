//! Checks that gliding bodies never jump unless the game has moved their agent.

use crate::api::{self, Doing};
use crate::duty::JUMPS;
use crate::game::Game;
use crate::ledger::Mark;
use crate::ops::Steering;
use crate::referee::Verdict;
use bevy::prelude::*;
use std::collections::BTreeMap;

/// The number of frames in which a body may jump, after the game has moved its agent and a tick has run.
const GRACE: u32 = 2;
/// The maximum speed of a body, which may have to catch up, relative to its agent.
const HASTE: f32 = 3.0;
/// The greatest speed of agents with bodies.
const FASTEST: f32 = 3.0;

#[derive(Debug, Default)]
pub struct Bodies {
    /// The last positions of bodies, and the number of frames in which they may still jump.
    before: BTreeMap<usize, (Vec2, u32)>,
}

impl Bodies {
    /// Checks all bodies after a frame with this number of ticks.
    pub fn look(&mut self, world: &World, game: &mut Game, ticks: u64) -> Verdict {
        let mut now = BTreeMap::new();
        let mut verdict = Ok(());
        let jumped = std::mem::take(&mut game.jumped);
        for (&agent, &entity) in &game.agents {
            let Some(body) = api::body(world, entity) else {
                continue;
            };
            let Some(facts) = api::facts(world, entity) else {
                continue;
            };
            let home = game.home(agent, facts.on);
            // Bodies glide only on layers.
            if home.is_none_or(|home| !game.places[home].ground.is_layer) {
                continue;
            }
            let pending = game.ledger.has_any(agent, &JUMPS)
                || game.ledger.has_any(agent, &[Mark::Steering, Mark::Role])
                || home.is_none_or(|home| game.ledger.map(home));
            let on_cart = world
                .get::<ChildOf>(entity)
                .is_some_and(|it| it.0 == game.cart);
            let excused = jumped.contains(&agent)
                || pending
                || on_cart && !api::GLIDES_WITH_PARENTS
                || !facts.enabled
                || facts.role.is_none()
                // Without a map, the body follows its parent.
                || facts.doing == Doing::NoMap
                || facts.steering == Steering::External;
            let (was, grace) = self.before.get(&agent).copied().unwrap_or((body, GRACE));
            let grace = if excused {
                GRACE
            } else {
                grace.saturating_sub(1)
            };
            // An agent that can no longer move has finished its last step at another speed.
            let speed = match facts.speed {
                0 => FASTEST,
                speed => speed.into(),
            };
            let far = body.distance(was) / api::SPACING;
            let turn = game.referee.shortest_turn() as f32;
            let step = match facts.ticks_per_step {
                0 => turn / speed,
                ticks => (turn / speed).min(ticks as f32),
            };
            let may = (HASTE * (ticks as f32 + 1.0) / step.max(0.3)).max(1.0) * 1.5 + 0.1;
            // A player takes all steps of a turn in the remaining part of it.
            let may = match facts.steering {
                Steering::Policy => may,
                _ => may.max(speed * 1.5 + 0.1),
            };
            if grace == 0 && far > may && verdict.is_ok() {
                verdict = Err(format!(
                    "the body of agent {agent} jumps {far:.2} tiles in {ticks} ticks (at most {may:.2}): {facts:?}"
                ));
            }
            now.insert(agent, (body, grace));
        }
        self.before = now;
        verdict
    }
}
