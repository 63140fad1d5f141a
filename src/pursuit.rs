//! Pursuits as entities, and the agents in them.

use crate::agent::{Cop, Robber};
use crate::difficulty::Difficulty;
use crate::live_map::LiveMap;
use crate::on_map::MapAgents;
use crate::turn_clock::TurnClock;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::lifecycle::Discard;
use bevy::ecs::query::Allow;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pursuit_engine::world::{self, PursuitSetup, PursuitWorld};
use pursuit_engine::world::{PursuitClock, Tactics};
use std::collections::BTreeMap;

use crate::members::pending::PendingMembers;

/// Cops and robbers that notice each other. Put it on an entity of its own, with a [`PursuitClock`] and
/// [`Tactics`] if they differ from [`PursuitSettings`](super::PursuitSettings), and name that entity in
/// the [`InPursuit`] of its agents:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::PursuitAgents;
/// # use bevy_pursuit::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((
///         Pursuit::default(),
///         PursuitClock::FreeRunning,
///         related!(PursuitAgents[
///             (Cop, GridPosition::new(1, 1)),
///             (Robber, GridPosition::new(8, 5)),
///         ]),
///     ));
/// }
/// ```
///
/// The number identifies the pursuit in [`PursuitWorld`],
/// [`TableStatusChanged`](super::tables::TableStatusChanged) and snapshots. 0 requests the smallest free
/// number; so does a number that another pursuit already has, for instance that of a clone. Games with
/// saves choose the numbers themselves or save this component.
///
/// When the entity is despawned, its agents fall back to the map's own pursuit, number 0. Disabling the
/// entity changes nothing: disable its agents.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, PartialEq, Hash)]
#[component(immutable)]
#[require(TurnClock)]
pub struct Pursuit(pub u32);

/// The pursuit that an agent is in: the entity with [`Pursuit`]. Agents of different pursuits on one
/// map ignore each other, and agents of one pursuit on different maps do not meet.
///
/// Agents without it are in the map's own pursuit, number 0. Its [`PursuitClock`], [`Tactics`] and
/// [`Difficulty`](super::Difficulty) are components on the entity of the map.
#[derive(Component, FromTemplate, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
#[relationship(relationship_target = PursuitAgents)]
pub struct InPursuit(pub Entity);

/// The agents [in a pursuit](InPursuit). Bevy maintains it on the entity of the pursuit.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[relationship_target(relationship = InPursuit)]
#[require(Pursuit)]
pub struct PursuitAgents(EntityHashSet);

impl PursuitAgents {
    /// The agents, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }

    /// The number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no agents. Bevy then removes the component.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The entity of each pursuit number.
#[derive(Resource, Debug, Default)]
pub(super) struct PursuitNumbers {
    entities: BTreeMap<u32, Entity>,
    /// All numbers from 1 up to this one, inclusive, are taken.
    taken: u32,
}

impl PursuitNumbers {
    /// The entity of a pursuit on a map. That is the map itself for the map's own pursuit, and for one whose entity is gone.
    pub(super) fn entity_on(&self, map: Entity, number: u32) -> Entity {
        self.entity(number).unwrap_or(map)
    }

    pub(super) fn entity(&self, number: u32) -> Option<Entity> {
        self.entities.get(&number).copied()
    }

    /// The smallest free number; 0 is the map's own.
    fn free(&mut self) -> u32 {
        for (&number, _) in self.entities.range(self.taken + 1..) {
            if number > self.taken + 1 {
                break;
            }
            self.taken = number;
        }
        self.taken + 1
    }

    fn give(&mut self, number: u32, entity: Entity) {
        self.entities.insert(number, entity);
    }

    fn take_back(&mut self, number: u32) {
        self.entities.remove(&number);
        self.taken = self.taken.min(number.saturating_sub(1));
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<PursuitNumbers>()
        .add_observer(number_pursuit)
        .add_observer(free_number)
        .add_observer(
            |_: On<Remove, (PursuitClock, Tactics)>, mut pending: ResMut<PendingMembers>| {
                pending.note_set_ups();
            },
        )
        .add_observer(
            |new: On<Insert, Difficulty>, agents: AgentsOf, pending: ResMut<_>| {
                note_difficulty(new.entity, &agents, pending);
            },
        )
        .add_observer(
            |gone: On<Remove, Difficulty>, agents: AgentsOf, pending: ResMut<_>| {
                note_difficulty(gone.entity, &agents, pending);
            },
        );
}

/// The agents for which a difficulty on an entity may hold, other than itself.
type AgentsOf<'w, 's> =
    Query<'w, 's, (Option<&'static PursuitAgents>, Option<&'static MapAgents>), Allow<Disabled>>;

fn note_difficulty(entity: Entity, agents: &AgentsOf, mut pending: ResMut<PendingMembers>) {
    pending.note_changed([entity]);
    if let Ok((of_pursuit, of_map)) = agents.get(entity) {
        pending.note_changed(of_pursuit.into_iter().flat_map(PursuitAgents::iter));
        pending.note_changed(of_map.into_iter().flat_map(MapAgents::iter));
    }
}

/// Gives a pursuit a number if it has none, or a number in use.
fn number_pursuit(
    inserted: On<Insert, Pursuit>,
    pursuits: Query<(&Pursuit, Option<&PursuitAgents>, Has<Cop>, Has<Robber>), Allow<Disabled>>,
    mut numbers: ResMut<PursuitNumbers>,
    mut pending: ResMut<PendingMembers>,
    mut commands: Commands,
) {
    let entity = inserted.entity;
    let Ok((&Pursuit(number), agents, is_cop, is_robber)) = pursuits.get(entity) else {
        return;
    };
    if is_cop || is_robber {
        warn_once!(
            "{entity} is an agent with `Pursuit`: `InPursuit` names the pursuit of an agent"
        );
    }
    let is_free = number > 0 && numbers.entity(number).is_none_or(|other| other == entity);
    if is_free {
        numbers.give(number, entity);
        pending.note_set_ups();
        pending.note_changed(agents.into_iter().flat_map(PursuitAgents::iter));
    } else {
        let number = numbers.free();
        numbers.give(number, entity);
        commands.entity(entity).try_insert(Pursuit(number));
    }
}

/// Frees the number of a pursuit that is despawned or renumbered.
fn free_number(
    discarded: On<Discard, Pursuit>,
    pursuits: Query<(&Pursuit, Option<&PursuitAgents>), Allow<Disabled>>,
    mut numbers: ResMut<PursuitNumbers>,
    mut pending: ResMut<PendingMembers>,
) {
    if let Ok((&Pursuit(number), agents)) = pursuits.get(discarded.entity)
        && numbers.entity(number) == Some(discarded.entity)
    {
        numbers.take_back(number);
        pending.note_given_up(number, discarded.entity);
        pending.note_changed(agents.into_iter().flat_map(PursuitAgents::iter));
    }
}

type SetUp = (
    Option<&'static PursuitClock>,
    Option<&'static Tactics>,
    Option<&'static Difficulty>,
);

/// The setup of pursuits by the game.
#[derive(SystemParam)]
pub(super) struct Pursuits<'w, 's> {
    numbers: Res<'w, PursuitNumbers>,
    all: Query<'w, 's, (&'static Pursuit, SetUp), Allow<Disabled>>,
    of_maps: Query<'w, 's, SetUp, (With<LiveMap>, Allow<Disabled>)>,
}

impl Pursuits<'_, '_> {
    /// The number of an agent's pursuit.
    pub(super) fn number(&self, of: Option<&InPursuit>) -> u32 {
        let pursuit = of.and_then(|of| self.all.get(of.0).ok());
        pursuit.map_or(0, |(pursuit, _)| pursuit.0)
    }

    /// The components of a pursuit on a map.
    fn own(
        &self,
        number: u32,
        map: Entity,
    ) -> (Option<&PursuitClock>, Option<&Tactics>, Option<&Difficulty>) {
        let own = if number == 0 {
            self.of_maps.get(map).ok()
        } else {
            let pursuit = self.numbers.entity(number);
            pursuit.and_then(|entity| Some(self.all.get(entity).ok()?.1))
        };
        own.unwrap_or_default()
    }

    /// The own settings of a pursuit on a map.
    fn set_up(&self, number: u32, map: Entity) -> PursuitSetup {
        let (clock, tactics, _) = self.own(number, map);
        PursuitSetup {
            clock: clock.copied(),
            tactics: tactics.copied(),
        }
    }

    /// The difficulty of all agents of a pursuit on a map that have none of their own.
    pub(super) fn difficulty(&self, number: u32, map: Entity) -> Option<&Difficulty> {
        self.own(number, map).2
    }

    /// Sets up a pursuit in the world of a map, before an agent joins it there.
    pub(super) fn ensure_set_up(&self, number: u32, map: Entity, world: &mut PursuitWorld) {
        let wanted = self.set_up(number, map);
        let known = world.pursuit(number).map(|pursuit| *pursuit.setup());
        if known.unwrap_or_default() != wanted {
            world.set_up_pursuit(number, wanted);
        }
    }
}

/// Copies the clocks and tactics of pursuits into the worlds of all maps. A pursuit with the number of one that was
/// despawned begins anew, even if no tick lies between.
pub(super) fn set_up_pursuits(
    mut maps: Query<(Entity, &mut LiveMap), Allow<Disabled>>,
    changed: Query<
        (),
        (
            Or<(Changed<PursuitClock>, Changed<Tactics>)>,
            Allow<Disabled>,
        ),
    >,
    pursuits: Pursuits,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
) {
    if !pending.take_set_ups() && changed.is_empty() {
        return;
    }
    timer.time(|| {
        let mut taken_over = pending.take_given_up();
        taken_over.retain(|&number, before| {
            let now = pursuits.numbers.entity(number);
            now.is_some_and(|now| now != *before)
        });
        for (map, mut pursuit_map) in &mut maps {
            let Some(world) = pursuit_map.bypass_change_detection().world_mut() else {
                continue;
            };
            for &number in taken_over.keys() {
                world.restart_pursuit(number);
            }
            let mut at = 0;
            while let Some(number) = world.pursuits().get(at).map(world::PursuitRecord::number) {
                pursuits.ensure_set_up(number, map, world);
                at += 1;
            }
        }
    });
}
