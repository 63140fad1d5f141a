//! Restores entities from the world of a snapshot.

use crate::agent::IsAgent;
use crate::agent::{
    AgentControl, AgentKinds, Cop, GridPosition, KeepsDirection, Mistakes, PursuitSpeed, Reach,
    Robber, Sight, Solid, TicksPerStep,
};
use crate::capture::{Away, Caught};
use crate::difficulty::{Difficulty, Reaction, Weakness};
use crate::duty::{Duty, Leash, Nerve, Patience};
use crate::live_map::LiveMap;
use crate::members::member::{Home, Member};
use crate::members::pending::PendingMembers;
use crate::on_map::OnMap;
use crate::pursuit::PursuitNumbers;
use crate::pursuit::{InPursuit, Pursuit};
use crate::run::{AgentData, write_back};
use crate::target::{HeadsFor, Quarry};
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::{Allow, QueryData};
use bevy::ecs::system::RunSystemOnce as _;
use bevy::prelude::*;
use pursuit_engine::game::Side;
use pursuit_engine::map::BodySize;
use pursuit_engine::world::{
    self, AgentId, AgentRecord, PursuitSetup, PursuitWorld, Snapshot, SnapshotError,
};
use pursuit_engine::world::{AgentSetup, Faction, FactionSwap, PursuitClock, Tactics};
use std::collections::BTreeMap;
use thiserror::Error;

/// The components of an agent that are restored.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct RestoredData {
    entity: Entity,
    member: &'static mut Member,
    position: &'static mut GridPosition,
    speed: &'static mut PursuitSpeed,
    control: &'static mut AgentControl,
    on: Option<&'static OnMap>,
    in_pursuit: Option<&'static InPursuit>,
    is_robber: Has<Robber>,
    has_ticks_per_step: Has<TicksPerStep>,
    has_sight: Has<Sight>,
    has_kinds: Has<AgentKinds>,
    has_size: Has<BodySize>,
    has_quarry: Has<Quarry>,
    heads_for: Option<&'static HeadsFor>,
    has_reach: Has<Reach>,
    has_tactics: Has<Tactics>,
    is_solid: Has<Solid>,
    keeps_direction: Has<KeepsDirection>,
    has_faction: Has<Faction>,
    has_swap: Has<FactionSwap>,
    mistakes: Option<&'static Mistakes>,
    reaction: Option<&'static Reaction>,
    difficulty: Option<&'static Difficulty>,
    duty: Option<&'static Duty>,
    leash: Option<&'static Leash>,
    patience: Option<&'static Patience>,
    nerve: Option<&'static Nerve>,
    is_caught: Has<Caught>,
    away: Option<&'static Away>,
    is_disabled: Has<Disabled>,
}

/// The reason why a map cannot be restored. Nothing has changed in that case.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The entity has no [`LiveMap`].
    #[error("{0} is no map")]
    NoMap(Entity),
    /// The app has no [`PursuitPlugin`](super::PursuitPlugin).
    #[error("the app has no PursuitPlugin")]
    NoPlugin,
    /// The snapshot is damaged or of another version.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

/// Returns a map to a [snapshot](LiveMap::snapshot): for saved games and rollback.
pub trait RestoreMap {
    /// Returns a map to a snapshot: its tiles, all agents with their components and plans, and the pursuits. World and
    /// entities change together and at once.
    ///
    /// `entity_of` maps the entity that an agent had to the entity that it has now: the same one for rollback, a newly
    /// spawned [`Cop`] or [`Robber`] for a loaded game, for which [`Snapshot::agents`] lists the agents. Agents for
    /// which it returns `None`, or the entity of an earlier agent, are dropped, and so are agents whose entity is
    /// neither: nobody searches for them. An agent whose entity is `Disabled` gets its components back, and plays
    /// as a new agent when it is enabled. Agents that are on another map by now leave that map. Agents on this map that
    /// the snapshot does not contain join the game again: despawn them if they should not.
    ///
    /// Settings are taken from the resource [`PursuitSettings`](super::PursuitSettings), not from the snapshot. The
    /// plugin never writes tiles of a layer: set them to what [`LiveMap::is_passable`] returns. If the layer has not
    /// been read yet, the plugin reads it: with the tiles of the snapshot the game continues unchanged, otherwise it
    /// continues on the layer as it is. While a map is being [replaced](super::MapStatus) by one of another size, wait until
    /// it is ready: the map under construction replaces the restored one, and agents keep their cells, which count from
    /// the top.
    ///
    /// From a system, queue it as a command: `commands.queue(move |world: &mut World| world.restore_map(..))`. Commands that
    /// spawn the agents come before.
    ///
    /// Cost: linear in the size of the map and the number of agents, in one piece; the memory of searches is allocated
    /// again.
    ///
    /// # Errors
    /// If there is no such map, or if the snapshot is damaged or of another version. Nothing changes in that case.
    fn restore_map(
        &mut self,
        map: Entity,
        snapshot: Snapshot,
        entity_of: impl FnMut(Entity) -> Option<Entity>,
    ) -> Result<(), RestoreError>;
}

impl RestoreMap for World {
    fn restore_map(
        &mut self,
        map: Entity,
        snapshot: Snapshot,
        entity_of: impl FnMut(Entity) -> Option<Entity>,
    ) -> Result<(), RestoreError> {
        if !self.contains_resource::<PendingMembers>() {
            return Err(RestoreError::NoPlugin);
        }
        let mut live = self
            .get_mut::<LiveMap>(map)
            .ok_or(RestoreError::NoMap(map))?;
        live.bypass_change_detection()
            .restore(snapshot, entity_of)?;
        // Not a cached system: an observer of what it changes may restore another map.
        self.run_system_once_with(restore_agents, map)
            .map_err(|_| RestoreError::NoPlugin)
    }
}

/// Copies the agents of a restored world into their entities.
fn restore_agents(
    In(home): In<Entity>,
    mut commands: Commands,
    mut maps: Query<&mut LiveMap, Allow<Disabled>>,
    mut agents: ParamSet<(
        Query<RestoredData, (IsAgent, Allow<Disabled>)>,
        Query<AgentData>,
    )>,
    difficulties: Query<&Difficulty, Allow<Disabled>>,
    numbers: Res<PursuitNumbers>,
    mut pending: ResMut<PendingMembers>,
    timer: WorkTimer,
) {
    let started = timer.started();
    let Ok(mut map) = maps.get_mut(home) else {
        return;
    };
    let map = map.bypass_change_detection();
    // An agent that the snapshot does not contain joins anew.
    pending.note_maps();
    // Pursuits of the save go on, whichever entity has their number.
    pending.take_given_up();
    let pursuits = restore_pursuits(home, map, &numbers, &mut commands);
    let Some(world) = map.world() else {
        return;
    };
    let (mut erased, mut disabled) = (Vec::new(), Vec::new());
    for (id, agent) in world.agents() {
        let entity = Entity::try_from_bits(agent.setup().user);
        let mut all = agents.p0();
        let Some(mut data) = entity.and_then(|entity| all.get_mut(entity).ok()) else {
            erased.push(id);
            continue;
        };
        data.restore_home(Home { map: home, id }, &mut pending, &mut commands);
        if data.is_disabled {
            disabled.push(id);
        }
        data.member.is_out_of_reach = agent.was_out_of_reach() && !data.is_disabled;
        data.restore_components(agent, map, &mut commands);
        data.restore_duty(agent, map, world, &mut commands);
        let pursuit = pursuits.get(&agent.setup().pursuit);
        data.restore_pursuit(pursuit, &mut commands);
        let of_all = difficulties.get(*pursuit.unwrap_or(&home)).ok();
        data.restore_weakness(agent.setup(), of_all, &mut commands);
        data.restore_capture(world, agent, &mut commands);
    }
    if let Some(world) = map.world_mut() {
        // Agents whose entity is gone, or does not play now, are removed, so that they capture no
        // robber. Cops search for those that are hidden, and not for those that do not exist.
        for id in erased {
            world.erase(id);
        }
        for id in disabled {
            world.remove(id);
        }
        world.touch_all();
    }
    write_back(map, &mut agents.p1());
    timer.finished(started);
}

/// Restores the clocks and tactics of pursuits, and respawns pursuits that are gone. Returns the
/// entities by number.
fn restore_pursuits(
    home: Entity,
    map: &LiveMap,
    numbers: &PursuitNumbers,
    commands: &mut Commands,
) -> BTreeMap<u32, Entity> {
    let mut entities = BTreeMap::new();
    for pursuit in map.world().into_iter().flat_map(PursuitWorld::pursuits) {
        let number = pursuit.number();
        if entities.contains_key(&number) {
            continue; // the pursuits of factions of a pursuit have the same number and setup
        }
        let entity = match (number, numbers.entity(number)) {
            (0, _) => home,
            (_, Some(entity)) => entity,
            (_, None) => commands.spawn(Pursuit(number)).id(),
        };
        if number > 0 {
            entities.insert(number, entity);
        }
        let &PursuitSetup { clock, tactics } = pursuit.setup();
        let mut entity = commands.entity(entity);
        match clock {
            Some(clock) => entity.try_insert(clock),
            None => entity.try_remove::<PursuitClock>(),
        };
        match tactics {
            Some(tactics) => entity.try_insert(tactics),
            None => entity.try_remove::<Tactics>(),
        };
    }
    entities
}

impl RestoredDataItem<'_, '_> {
    /// Puts the agent on this map, and on no other. A disabled agent comes back to it.
    fn restore_home(&mut self, home: Home, pending: &mut PendingMembers, commands: &mut Commands) {
        if let Some(before) = self.member.home.filter(|before| before.map != home.map) {
            pending.note_left(before, self.entity);
        }
        self.member.home = Some(home).filter(|_| !self.is_disabled);
        self.member.is_stranded = false;
        if self.on.is_none_or(|on| on.0 != home.map) {
            commands.entity(self.entity).try_insert(OnMap(home.map));
        }
    }

    /// Puts the agent in its saved pursuit; `None` for the map's own.
    fn restore_pursuit(&self, pursuit: Option<&Entity>, commands: &mut Commands) {
        let mut entity = commands.entity(self.entity);
        match (pursuit, self.in_pursuit) {
            (Some(&pursuit), before) if before.is_none_or(|before| before.0 != pursuit) => {
                entity.try_insert(InPursuit(pursuit));
            }
            (None, Some(_)) => {
                entity.try_remove::<InPursuit>();
            }
            _ => {}
        }
    }

    fn restore_components(&mut self, agent: &AgentRecord, map: &LiveMap, commands: &mut Commands) {
        let setup = agent.setup();
        // Several positions far off the map share one cell: the agent may have been on any of them.
        if map.cell_or_beside(self.position.0) != setup.cell {
            self.position.0 = map.position_of_agent(setup.cell);
        }
        self.member.at = self.position.0;
        self.speed.0 = if setup.is_immobile {
            0
        } else {
            setup.speed.steps()
        };
        *self.control = match setup.control {
            world::Control::Policy => AgentControl::Policy,
            world::Control::External => AgentControl::External,
            world::Control::Duty => AgentControl::Duty,
            world::Control::Steer { dx, dy } => {
                AgentControl::Steer(IVec2::new(dx.into(), -i32::from(dy)))
            }
            world::Control::WalkTo(cell) => AgentControl::WalkTo(map.position_of_agent(cell)),
        };
        let mut entity = commands.entity(self.entity);
        match (setup.side, self.is_robber) {
            (Side::Robber, false) => entity.try_insert(Robber).try_remove::<Cop>(),
            (Side::Cops, true) => entity.try_insert(Cop).try_remove::<Robber>(),
            _ => &mut entity,
        };
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
        if !setup.kinds.is_empty() {
            entity.try_insert(AgentKinds(setup.kinds));
        } else if self.has_kinds {
            entity.try_remove::<AgentKinds>();
        }
        if !setup.size.is_one() {
            entity.try_insert(setup.size);
        } else if self.has_size {
            entity.try_remove::<BodySize>();
        }
        if let Some(quarry) = setup.quarry.and_then(Entity::try_from_bits) {
            entity.try_insert(Quarry(quarry));
        } else if self.has_quarry {
            entity.try_remove::<Quarry>();
        }
        if let Some(cell) = setup.heads_for {
            let known = self.heads_for.map(|known| map.cell_or_beside(known.0));
            if known != Some(cell) {
                entity.try_insert(HeadsFor(map.position_of_agent(cell)));
            }
        } else if self.heads_for.is_some() {
            entity.try_remove::<HeadsFor>();
        }
        if setup.reach > 0 {
            entity.try_insert(Reach(setup.reach));
        } else if self.has_reach {
            entity.try_remove::<Reach>();
        }
        if let Some(tactics) = setup.tactics {
            entity.try_insert(tactics);
        } else if self.has_tactics {
            entity.try_remove::<Tactics>();
        }
        if setup.is_solid {
            entity.try_insert_if_new(Solid);
        } else if self.is_solid {
            entity.try_remove::<Solid>();
        }
        if setup.keeps_direction {
            entity.try_insert_if_new(KeepsDirection);
        } else if self.keeps_direction {
            entity.try_remove::<KeepsDirection>();
        }
        if let Some(faction) = setup.faction {
            entity.try_insert(faction);
        } else if self.has_faction {
            entity.try_remove::<Faction>();
        }
        if let Some(swap) = setup.swap {
            entity.try_insert(swap);
        } else if self.has_swap {
            entity.try_remove::<FactionSwap>();
        }
    }

    /// Restores what weakens the agent. What means the same stays as the game wrote it. `of_all`: the difficulty of the
    /// agents of its pursuit.
    fn restore_weakness(
        &self,
        setup: &AgentSetup,
        of_all: Option<&Difficulty>,
        commands: &mut Commands,
    ) {
        let wanted = Weakness {
            mistakes: setup.mistakes,
            reaction: setup.reaction,
        };
        if Weakness::of(self.mistakes, self.reaction, self.difficulty.or(of_all)) == wanted {
            return;
        }
        let mut entity = commands.entity(self.entity);
        let of_all = Weakness::of(None, None, of_all);
        let dial = Difficulty::that_is(wanted).filter(|_| self.difficulty.is_some());
        if let Some(difficulty) = dial.filter(|_| of_all != wanted) {
            entity.try_insert(difficulty);
            entity.try_remove::<(Mistakes, Reaction)>();
            return;
        }
        entity.try_remove::<Difficulty>();
        if of_all.mistakes == wanted.mistakes {
            entity.try_remove::<Mistakes>();
        } else {
            entity.try_insert(Mistakes::from_moves(wanted.mistakes));
        }
        if of_all.reaction == wanted.reaction {
            entity.try_remove::<Reaction>();
        } else {
            entity.try_insert(Reaction(wanted.reaction));
        }
    }

    /// Restores the duty of the agent, its leash and its patience. What means the same stays as the game wrote it.
    fn restore_duty(
        &self,
        agent: &AgentRecord,
        map: &LiveMap,
        world: &PursuitWorld,
        commands: &mut Commands,
    ) {
        let mut entity = commands.entity(self.entity);
        let duty = agent.duty().and_then(|duty| Duty::of(duty, map, world));
        let leash = agent.setup().leash.map(|leash| Leash {
            at: map.position_of_agent(leash.cell),
            steps: leash.steps,
        });
        let patience = agent.setup().patience;
        if Patience::of(self.patience.copied(), duty.is_some() || leash.is_some()) != patience {
            entity.try_insert(Patience(patience));
        }
        match agent.setup().nerve.map(Nerve) {
            Some(nerve) if self.nerve != Some(&nerve) => entity.try_insert(nerve),
            None if self.nerve.is_some() => entity.try_remove::<Nerve>(),
            _ => &mut entity,
        };
        match duty {
            Some(duty) if self.duty != Some(&duty) => entity.try_insert(duty),
            None if self.duty.is_some() => entity.try_remove::<Duty>(),
            _ => &mut entity,
        };
        match leash {
            Some(leash) if self.leash != Some(&leash) => entity.try_insert(leash),
            None if self.leash.is_some() => entity.try_remove::<Leash>(),
            _ => &mut entity,
        };
    }

    /// Restores the component of a captured robber.
    fn restore_capture(&self, world: &PursuitWorld, agent: &AgentRecord, commands: &mut Commands) {
        let entity_of = |id: AgentId| Entity::try_from_bits(world.agent(id)?.setup().user);
        let mut entity = commands.entity(self.entity);
        if let Some(catch) = agent.caught() {
            let by = entity_of(catch.by).unwrap_or(self.entity);
            let turn = catch.turn;
            entity.try_insert(Caught { by, turn });
        } else if self.is_caught {
            entity.try_remove::<Caught>();
        }
        if agent.is_away() {
            let turn = self.away.map_or(0, |away| away.turn);
            entity.try_insert(Away { turn });
        } else if self.away.is_some() {
            entity.try_remove::<Away>();
        }
    }
}
