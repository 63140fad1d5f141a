//! Entities take over what a world was restored to.

use super::PursuitDiagnostics;
use super::PursuitMap;
use super::agent::{Control, GridPosition, Pursuit, PursuitSpeed, Sight, TicksPerStep};
use super::capture::Caught;
use super::members::{Comings, IsAgent, Member, Roll};
use super::run::{AgentData, write_back};
use crate::world::{self, Agent, AgentId, PursuitWorld};
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemChangeTick;
use bevy::prelude::*;

/// What the game says about an agent, to be set to what it said then.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct RestoredData {
    entity: Entity,
    member: &'static mut Member,
    position: &'static mut GridPosition,
    speed: &'static mut PursuitSpeed,
    control: &'static mut Control,
    pursuit: &'static mut Pursuit,
    has_ticks_per_step: Has<TicksPerStep>,
    has_sight: Has<Sight>,
    is_caught: Has<Caught>,
}

/// The agents of worlds that were restored have their entities told. Runs at the beginning of a frame, so
/// that what the game does in the next tick comes on top; and in the tick, for games that restore there.
pub(super) fn take_restored(
    mut commands: Commands,
    mut maps: Query<(Entity, &mut PursuitMap)>,
    mut agents: ParamSet<(Query<RestoredData, IsAgent>, Query<AgentData>)>,
    mut comings: ResMut<Comings>,
    mut roll: ResMut<Roll>,
    clock: SystemChangeTick,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    let started = diagnostics.started();
    for (home, mut map) in &mut maps {
        let map = map.bypass_change_detection();
        if !map.take_restored() {
            continue;
        }
        // Whom the snapshot does not know joins anew.
        comings.note_maps();
        let Some(world) = map.world() else {
            continue;
        };
        for (id, agent) in world.agents() {
            let entity = Entity::try_from_bits(agent.setup().user);
            let mut all = agents.p0();
            if let Some(mut data) = entity.and_then(|entity| all.get_mut(entity).ok()) {
                roll.note(data.entity, (home, id));
                data.member.home = Some((home, id));
                data.set_up(agent, map, &mut commands);
                data.mark(world, agent, &mut commands);
            }
        }
        if let Some(world) = map.world_mut() {
            world.touch_all();
        }
        write_back(map, &mut agents.p1(), clock.this_run());
    }
    diagnostics.finished(started);
}

impl RestoredDataItem<'_, '_> {
    fn set_up(&mut self, agent: &Agent, map: &PursuitMap, commands: &mut Commands) {
        let setup = agent.setup();
        if map
            .world()
            .is_some_and(|world| world.graph().is_on_map(setup.cell))
        {
            self.position.0 = map.position(setup.cell);
        }
        self.member.at = self.position.0;
        self.speed.0 = setup.speed.steps();
        self.pursuit.0 = setup.pursuit;
        *self.control = match setup.control {
            world::Control::Policy => Control::Policy,
            world::Control::External => Control::External,
            world::Control::Steer { dx, dy } => {
                Control::Steer(IVec2::new(dx.into(), -i32::from(dy)))
            }
            world::Control::WalkTo(cell) => Control::WalkTo(map.position(cell)),
        };
        let mut entity = commands.entity(self.entity);
        if setup.ticks_per_step > 0 {
            entity.try_insert(TicksPerStep(setup.ticks_per_step));
        } else if self.has_ticks_per_step {
            entity.try_remove::<TicksPerStep>();
        }
        if let Some(sight) = setup.sight {
            entity.try_insert(Sight(sight));
        } else if self.has_sight {
            entity.try_remove::<Sight>();
        }
    }

    /// Who was captured then is marked, and nobody else.
    fn mark(&self, world: &PursuitWorld, agent: &Agent, commands: &mut Commands) {
        let entity_of = |id: AgentId| Entity::try_from_bits(world.agent(id)?.setup().user);
        let mut entity = commands.entity(self.entity);
        if let Some(catch) = agent.caught() {
            let by = entity_of(catch.by).unwrap_or(self.entity);
            let turn = catch.turn;
            entity.try_insert(Caught { by, turn });
        } else if self.is_caught {
            entity.try_remove::<Caught>();
        }
    }
}
