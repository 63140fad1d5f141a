//! Agents keep the components that they need.

use super::member::Member;
use crate::agent::{AgentControl, Cop, GridPosition, NextStep, PlannedPath, PursuitSpeed, Robber};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use pursuit_engine::world::PursuitState;

type Required = (
    GridPosition,
    PursuitSpeed,
    AgentControl,
    NextStep,
    PlannedPath,
    PursuitState,
);

/// An agent from which the game removes a component that it needs gets the default instead, for instance the speed 1, and
/// stays on its tile. An agent that loses its role as well needs nothing.
pub(super) fn give_back(
    removed: On<Remove, Required>,
    members: Query<(), (With<Member>, Allow<Disabled>)>,
    mut commands: Commands,
) {
    let agent = removed.entity;
    if !members.contains(agent) {
        return;
    }
    commands.queue(move |world: &mut World| {
        let Ok(mut agent) = world.get_entity_mut(agent) else {
            return; // it was despawned
        };
        if !agent.contains::<Cop>() && !agent.contains::<Robber>() {
            return;
        }
        let at = agent.get::<Member>().map(|member| member.at);
        agent.insert_if_new((
            GridPosition(at.unwrap_or_default()),
            PursuitSpeed::default(),
            AgentControl::default(),
            NextStep::default(),
            PlannedPath::default(),
            PursuitState::default(),
        ));
    });
}
