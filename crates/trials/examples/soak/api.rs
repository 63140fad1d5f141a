//! All calls of the plugin's interface: the operations of the soak test, and its reads.

use crate::grid::Grid;
use crate::ops::{Budget, Clock, Role, Rules, Spec, Steering, Tile};
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{
    TilePos, TilemapGridSize, TilemapId, TilemapSize, TilemapTileSize, TilemapType,
};
use bevy_pursuit::debug::{DecidedBy, IdleReason, PursuitDiagnostics, Source};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSchedule, TableSettings, TableTiming};
use bevy_pursuit::{Difficulty, KeepsDirection, MapStatus, SettingsFile, Solid};
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Terrain};
use pursuit_engine::world::Snapshot;
use std::collections::BTreeMap;

/// The side length of a tile of a layer.
pub const SPACING: f32 = 16.0;

pub const fn at(tile: Tile) -> IVec2 {
    IVec2::new(tile.0.cast_signed(), tile.1.cast_signed())
}

const fn tile(at: IVec2) -> Tile {
    (at.x.cast_unsigned(), at.y.cast_unsigned())
}

fn settings(rules: &Rules) -> PursuitSettings {
    PursuitSettings {
        ticks_per_turn: rules.ticks_per_turn,
        budget: match rules.budget {
            Budget::Expansions(all) => TickBudget::Expansions(all),
            Budget::Micros(all) => TickBudget::Micros(all),
        },
        clock: clock(rules.clock),
        stagger: rules.stagger,
        tactics: tactics(rules.chase),
        tables: TableSettings {
            solve: rules.tables,
            memory: 16 << 20,
            max_bytes: 16 << 20,
            max_milliseconds: 1_000,
            // The timing depends on the budget, because frames are much shorter here than in a real game.
            timing: match rules.budget {
                Budget::Expansions(_) => TableTiming::Lockstep(TableSchedule::default()),
                Budget::Micros(_) if rules.chase => TableTiming::WhenReady,
                Budget::Micros(_) => TableTiming::Scheduled(TableSchedule::default()),
            },
            ..default()
        },
        ..default()
    }
}

const fn clock(clock: Clock) -> PursuitClock {
    match clock {
        Clock::Turns => PursuitClock::Turns,
        Clock::FreeRunning => PursuitClock::FreeRunning,
        Clock::Simultaneous => PursuitClock::Simultaneous,
    }
}

const fn tactics(chase: bool) -> Tactics {
    if chase {
        Tactics::Chase
    } else {
        Tactics::Intercept
    }
}

pub fn add_plugin(app: &mut App, rules: &Rules) {
    app.insert_resource(settings(rules))
        .add_plugins(PursuitPlugin::default())
        .init_resource::<Pursuits>();
}

/// The entities of pursuits by number; number 0 is the default pursuit of a map.
#[derive(Resource, Debug, Default)]
struct Pursuits(BTreeMap<u32, Entity>);

/// The entity of a pursuit, spawned on first use.
fn pursuit(world: &mut World, number: u32) -> Option<Entity> {
    if number == 0 {
        return None;
    }
    let known = world.resource::<Pursuits>().0.get(&number).copied();
    let known = known.filter(|&entity| world.get_entity(entity).is_ok());
    let entity = known.unwrap_or_else(|| world.spawn(Pursuit(number)).id());
    world.resource_mut::<Pursuits>().0.insert(number, entity);
    Some(entity)
}

pub fn set_rules(world: &mut World, rules: &Rules) {
    world.insert_resource(settings(rules));
}

/// Simulates that a settings file is loaded or reloaded.
pub fn load_rules(world: &mut World, rules: &Rules) {
    let settings = settings(rules);
    let known = world
        .get_resource::<SettingsFile>()
        .map(|file| file.0.clone());
    let mut files = world.resource_mut::<Assets<PursuitSettings>>();
    if let Some(handle) = known {
        let _ = files.insert(handle.id(), settings);
    } else {
        let handle = files.add(settings);
        world.insert_resource(SettingsFile(handle));
    }
}

// ---- maps

/// Spawns a standalone map, or a map of a layer, whose tiles the caller spawns.
pub fn spawn_map(world: &mut World, grid: &Grid, is_layer: bool, offset: (i32, i32)) -> Entity {
    let place = Transform::from_xyz(offset.0 as f32, offset.1 as f32, 0.0);
    if is_layer {
        let layer = (
            place,
            PursuitMap::of_layer(moves(grid)),
            size(grid),
            TilemapGridSize {
                x: SPACING,
                y: SPACING,
            },
            TilemapTileSize {
                x: SPACING,
                y: SPACING,
            },
            TilemapType::Square,
        );
        world.spawn(layer).id()
    } else {
        world.spawn((place, own_map(grid))).id()
    }
}

pub fn spawn_tile(world: &mut World, layer: Entity, at: Tile) -> Entity {
    let pos = TilePos { x: at.0, y: at.1 };
    world
        .spawn((pos, TilemapId(layer), Passable(true), ChildOf(layer)))
        .id()
}

pub fn set_tile(world: &mut World, tile: Entity, open: bool) {
    world.entity_mut(tile).insert(Passable(open));
}

pub fn strip_tile(world: &mut World, tile: Entity) {
    world.entity_mut(tile).remove::<Passable>();
}

/// Edits a tile of a standalone map.
pub fn edit(world: &mut World, map: Entity, tile: Tile, open: bool) {
    if let Some(mut map) = world.get_mut::<LiveMap>(map) {
        map.set_passable(at(tile), open);
    }
}

pub fn resize(world: &mut World, map: Entity, grid: &Grid, is_layer: bool) {
    let mut map = world.entity_mut(map);
    if is_layer {
        map.insert(size(grid));
    } else {
        map.insert(own_map(grid));
    }
}

const fn size(grid: &Grid) -> TilemapSize {
    TilemapSize {
        x: grid.width,
        y: grid.height,
    }
}

pub const fn moves(grid: &Grid) -> Moves {
    if grid.octile {
        Moves::Octile
    } else {
        Moves::Orthogonal
    }
}

pub fn tile_map(grid: &Grid) -> TileMap {
    let [width, height] = [grid.width, grid.height].map(|side| side as u16);
    let mut map = TileMap::filled(width, height, Terrain::Wall).expect("a size for a map");
    for at in grid.open_tiles() {
        map.set(
            Cell::new(at.0 as u16, height - 1 - at.1 as u16),
            Terrain::Floor,
        );
    }
    map
}

fn own_map(grid: &Grid) -> PursuitMap {
    PursuitMap::new(&tile_map(grid), moves(grid))
}

pub fn set_up_pursuit(
    world: &mut World,
    map: Entity,
    pursuit: u32,
    clock: Option<Clock>,
    chase: Option<bool>,
) {
    let entity = self::pursuit(world, pursuit).unwrap_or(map);
    let mut entity = world.entity_mut(entity);
    match clock {
        Some(clock) => entity.insert(self::clock(clock)),
        None => entity.remove::<PursuitClock>(),
    };
    match chase {
        Some(chase) => entity.insert(tactics(chase)),
        None => entity.remove::<Tactics>(),
    };
}

pub fn is_ready(world: &World, map: Entity) -> bool {
    let map = world.get::<LiveMap>(map);
    map.is_some_and(|map| map.status() == MapStatus::Ready)
}

pub fn has_world(world: &World, map: Entity) -> bool {
    let map = world.get::<LiveMap>(map);
    map.is_some_and(|map| map.world().is_some())
}

pub fn map_tick(world: &World, map: Entity) -> u64 {
    world.get::<LiveMap>(map).map_or(0, LiveMap::tick)
}

pub fn is_passable(world: &World, map: Entity, tile: Tile) -> bool {
    let map = world.get::<LiveMap>(map);
    map.is_some_and(|map| map.is_passable(at(tile)))
}

pub fn position_hash(world: &World, map: Entity) -> u64 {
    world.get::<LiveMap>(map).map_or(0, LiveMap::position_hash)
}

/// An agent as recorded by a map.
pub struct Member {
    pub entity: Entity,
    pub role: Role,
    pub pursuit: u32,
    pub at: Option<Tile>,
    /// The path that it follows.
    pub way: Vec<Tile>,
}

/// All agents of a map.
pub fn members(world: &World, map: Entity) -> Vec<Member> {
    let Some(map) = world.get::<LiveMap>(map) else {
        return Vec::new();
    };
    let Some(inner) = map.world() else {
        return Vec::new();
    };
    let member = |agent: &pursuit_engine::world::AgentRecord| {
        let setup = agent.setup();
        Member {
            entity: Entity::try_from_bits(setup.user).unwrap_or(Entity::PLACEHOLDER),
            role: match setup.side {
                Side::Cops => Role::Cop,
                Side::Robber => Role::Robber,
            },
            pursuit: setup.pursuit,
            at: inner
                .graph()
                .is_on_map(setup.cell)
                .then(|| tile(map.position(setup.cell))),
            way: agent
                .way()
                .iter()
                .map(|&at| tile(map.position(inner.graph().cell(at))))
                .collect(),
        }
    };
    inner.agents().map(|(_, agent)| member(agent)).collect()
}

// ---- agents

pub fn spawn_agent(world: &mut World, spec: &Spec, map: Option<Entity>) -> Entity {
    let pursuit = pursuit(world, spec.pursuit);
    let mut agent = world.spawn((
        GridPosition(at(spec.at)),
        PursuitSpeed(spec.speed),
        control(spec.steering),
    ));
    if spec.sight != u16::MAX {
        agent.insert(Sight(spec.sight));
    }
    if spec.mistakes > 0 {
        agent.insert(Mistakes(f32::from(spec.mistakes) / 1000.0));
    }
    if spec.ticks_per_step > 0 {
        agent.insert(TicksPerStep(spec.ticks_per_step));
    }
    if spec.glides {
        agent.insert(Glide);
    }
    if let Some(map) = map {
        agent.insert(OnMap(map));
    }
    if let Some(pursuit) = pursuit {
        agent.insert(InPursuit(pursuit));
    }
    match spec.role {
        Role::Cop => agent.insert(Cop),
        Role::Robber => agent.insert(Robber),
    };
    agent.id()
}

const fn control(steering: Steering) -> AgentControl {
    match steering {
        Steering::Policy => AgentControl::Policy,
        Steering::Steer(x, y) => AgentControl::Steer(IVec2::new(x, y)),
        Steering::WalkTo(goal) => AgentControl::WalkTo(at(goal)),
        Steering::External => AgentControl::External,
    }
}

pub fn set_role(world: &mut World, agent: Entity, role: Option<Role>) {
    let mut agent = world.entity_mut(agent);
    match role {
        None => agent.remove::<(Cop, Robber)>(),
        Some(Role::Cop) => agent.remove::<Robber>().insert(Cop),
        Some(Role::Robber) => agent.remove::<Cop>().insert(Robber),
    };
}

pub fn set_map(world: &mut World, agent: Entity, map: Option<Entity>) {
    let mut agent = world.entity_mut(agent);
    match map {
        Some(map) => agent.insert(OnMap(map)),
        None => agent.remove::<OnMap>(),
    };
}

pub fn set_pursuit(world: &mut World, agent: Entity, number: u32) {
    let pursuit = pursuit(world, number);
    let mut agent = world.entity_mut(agent);
    match pursuit {
        Some(pursuit) => agent.insert(InPursuit(pursuit)),
        None => agent.remove::<InPursuit>(),
    };
}

pub fn set_speed(world: &mut World, agent: Entity, speed: u8) {
    world.entity_mut(agent).insert(PursuitSpeed(speed));
}

pub fn set_ticks_per_step(world: &mut World, agent: Entity, ticks: u32) {
    let mut agent = world.entity_mut(agent);
    if ticks > 0 {
        agent.insert(TicksPerStep(ticks));
    } else {
        agent.remove::<TicksPerStep>();
    }
}

pub fn set_sight(world: &mut World, agent: Entity, sight: u16) {
    let mut agent = world.entity_mut(agent);
    if sight < u16::MAX {
        agent.insert(Sight(sight));
    } else {
        agent.remove::<Sight>();
    }
}

pub fn set_steering(world: &mut World, agent: Entity, steering: Steering) {
    world.entity_mut(agent).insert(control(steering));
}

pub fn place(world: &mut World, agent: Entity, tile: Tile) {
    if let Some(mut position) = world.get_mut::<GridPosition>(agent) {
        position.0 = at(tile);
    }
}

/// Orders an agent to follow a path from its current tile.
pub fn order(world: &mut World, agent: Entity, way: &[Tile]) {
    let way = way.iter().map(|&tile| at(tile)).collect();
    world.entity_mut(agent).insert(MoveOrder(way));
}

pub fn release(world: &mut World, agent: Entity) {
    world.entity_mut(agent).remove::<Caught>();
}

pub fn position(world: &World, agent: Entity) -> Option<Tile> {
    world.get::<GridPosition>(agent).map(|at| tile(at.0))
}

pub fn facts_position(agent: EntityRef) -> Option<Tile> {
    agent.get::<GridPosition>().map(|at| tile(at.0))
}

/// Whether the body of an agent follows the movements of its parent entity.
pub const GLIDES_WITH_PARENTS: bool = true;

/// The world position of the body of an agent, if it glides.
pub fn body(world: &World, agent: Entity) -> Option<Vec2> {
    let agent = world.get_entity(agent).ok()?;
    agent.get::<Glide>()?;
    let place = agent.get::<GlobalTransform>()?;
    Some(place.translation().truncate())
}

/// The state of an agent: the source of its last decision, or why it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    NotAsked,
    NoMap,
    OffTheMap,
    NobodyThere,
    NobodySeen,
    Captured,
    Immobile,
    /// Moved by the game.
    Game,
    /// Moved by a decision of the plugin.
    Decided,
}

/// The state of an agent according to its components.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about an agent"
)]
pub struct Facts {
    pub role: Option<Role>,
    pub enabled: bool,
    /// The map named by its `OnMap`.
    pub on: Option<Entity>,
    pub pursuit: u32,
    pub speed: u8,
    pub ticks_per_step: u32,
    pub sees_all: bool,
    pub steering: Steering,
    pub at: Tile,
    pub from: Tile,
    pub way: Vec<Tile>,
    pub departs: u64,
    pub arrives: u64,
    pub doing: Doing,
    pub caught: bool,
    /// Whether the game has ordered a path that the plugin has not accepted yet.
    pub ordered: bool,
    /// Whether it may make another move than the best: by mistakes, for others, or by tactics of its own.
    pub errs: bool,
    pub is_solid: bool,
    /// The number of turns within which it has announced a capture.
    pub within: Option<u16>,
}

/// The facts of an agent; `None` if the entity does not exist or was never an agent.
pub fn facts(world: &World, agent: Entity) -> Option<Facts> {
    let agent = world.get_entity(agent).ok()?;
    let step = agent.get::<NextStep>()?;
    let state = agent.get::<PursuitState>()?;
    let in_pursuit = agent.get::<InPursuit>();
    let role = match (agent.contains::<Cop>(), agent.contains::<Robber>()) {
        (_, true) => Some(Role::Robber),
        (true, _) => Some(Role::Cop),
        _ => None,
    };
    Some(Facts {
        role,
        enabled: !agent.contains::<Disabled>(),
        on: agent.get::<OnMap>().map(|on| on.0),
        pursuit: in_pursuit
            .and_then(|it| world.get::<Pursuit>(it.0))
            .map_or(0, |it| it.0),
        ordered: agent.contains::<MoveOrder>(),
        speed: agent.get::<PursuitSpeed>()?.0,
        ticks_per_step: agent.get::<TicksPerStep>().map_or(0, |ticks| ticks.0),
        sees_all: !agent.contains::<Sight>(),
        steering: match *agent.get::<AgentControl>()? {
            AgentControl::Policy => Steering::Policy,
            AgentControl::Steer(direction) => Steering::Steer(direction.x, direction.y),
            AgentControl::WalkTo(goal) => Steering::WalkTo(tile(goal)),
            AgentControl::External => Steering::External,
            other => panic!("the soak does not know {other:?}"),
        },
        at: tile(agent.get::<GridPosition>()?.0),
        from: tile(step.from),
        way: step.path.iter().map(|&at| tile(at)).collect(),
        departs: step.departs,
        arrives: step.arrives,
        doing: doing(state.decided_by),
        errs: agent.contains::<Mistakes>()
            || agent.contains::<Difficulty>()
            || agent.contains::<Solid>()
            || agent.contains::<KeepsDirection>()
            || agent.contains::<Tactics>(),
        is_solid: agent.contains::<Solid>(),
        within: state.captured_within(),
        caught: agent.contains::<Caught>(),
    })
}

const fn doing(by: DecidedBy) -> Doing {
    match by {
        DecidedBy::Nobody(IdleReason::NotAsked) => Doing::NotAsked,
        DecidedBy::Nobody(IdleReason::NoMap | IdleReason::MapLoading) => Doing::NoMap,
        DecidedBy::Nobody(IdleReason::OffTheMap) => Doing::OffTheMap,
        DecidedBy::Nobody(IdleReason::NobodyThere) => Doing::NobodyThere,
        DecidedBy::Nobody(IdleReason::NobodySeen) => Doing::NobodySeen,
        DecidedBy::Nobody(IdleReason::Captured) => Doing::Captured,
        DecidedBy::Nobody(IdleReason::Immobile) => Doing::Immobile,
        DecidedBy::Game => Doing::Game,
        _ => Doing::Decided,
    }
}

// ---- captures

/// Installs a callback for captures, with the robber and the cop.
pub fn observe_captures(
    app: &mut App,
    note: fn(&mut bevy::ecs::world::DeferredWorld, Entity, Entity),
) {
    app.add_observer(
        move |captured: On<Captured>, mut world: bevy::ecs::world::DeferredWorld| {
            note(&mut world, captured.robber, captured.cop);
        },
    );
}

/// Moves an agent immediately, from an observer.
pub fn place_now(world: &mut bevy::ecs::world::DeferredWorld, agent: Entity, tile: Tile) {
    if let Some(mut position) = world.get_mut::<GridPosition>(agent) {
        position.0 = at(tile);
    }
}

/// Frees a captured robber, from an observer.
pub fn release_now(world: &mut bevy::ecs::world::DeferredWorld, robber: Entity) {
    world.commands().entity(robber).try_remove::<Caught>();
}

// ---- saves

pub fn save(world: &World, map: Entity) -> Option<Vec<u8>> {
    let snapshot = world.get::<LiveMap>(map)?.snapshot()?;
    postcard::to_allocvec(&snapshot).ok()
}

/// Restores a save. `entity_of` maps each saved entity to its current entity.
pub fn restore(
    world: &mut World,
    map: Entity,
    bytes: &[u8],
    entity_of: impl FnMut(Entity) -> Option<Entity>,
) -> Result<(), String> {
    let snapshot: Snapshot = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
    world
        .restore_map(map, snapshot, entity_of)
        .map_err(|error| error.to_string())
}

/// Restores a possibly damaged save into a world without entities, and runs it. Returns `false` if the
/// save is refused.
pub fn survives(bytes: &[u8]) -> bool {
    let snapshot = postcard::from_bytes::<Snapshot>(bytes).ok();
    let world = snapshot.and_then(|it| pursuit_engine::world::PursuitWorld::from_snapshot(it).ok());
    let Some(mut world) = world else {
        return false;
    };
    for _ in 0..20 {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut pursuit_engine::world::Expansions(2_000));
    }
    true
}

// ---- statistics

pub fn decisions(world: &World) -> [u64; 4] {
    let figures = &world.resource::<PursuitDiagnostics>().tick.decisions;
    let [table, stale, greedy] = [Source::Table, Source::Stale, Source::Greedy];
    [
        figures.all(),
        figures.by(table),
        figures.by(stale),
        figures.by(greedy),
    ]
}
