//! Headless apps with the plugin, and short helpers to control and query them.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::debug::DecidedBy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSchedule, TableSettings, TableTiming};

/// Blocks with streets around them.
pub const YARD: [&str; 7] = [
    "..........", //
    ".##.##.##.",
    ".##.##.##.",
    "..........",
    ".##.##.##.",
    ".##.##.##.",
    "..........",
];

/// An app in which each update is one fixed tick and each tick a turn.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(turns_of(1))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Captures>()
        .add_observer(|captured: On<Captured>, mut captures: ResMut<Captures>| {
            captures.0.push((captured.robber, captured.turn));
        });
    app.update(); // the first update starts time and has no tick yet
    app
}

/// Settings for turns of this length. Tests run far more ticks a second than a game, so that a table may be late on a
/// busy machine. The game waits for it, and takes the same course on every machine.
pub fn turns_of(ticks_per_turn: u32) -> PursuitSettings {
    let tables = TableSettings {
        timing: TableTiming::Lockstep(TableSchedule::default()),
        ..default()
    };
    PursuitSettings {
        ticks_per_turn,
        tables,
        ..default()
    }
}

#[derive(Resource, Default)]
pub struct Captures(pub Vec<(Entity, u64)>);

pub fn capture_turns(app: &App) -> Vec<u64> {
    let captures = &app.world().resource::<Captures>().0;
    captures.iter().map(|&(_, turn)| turn).collect()
}

pub fn yard(app: &mut App) -> Entity {
    let map = PursuitMap::new(&super::map(&YARD), Moves::Octile);
    app.world_mut().spawn(map).id()
}

pub fn cop(app: &mut App, x: i32, y: i32, speed: u8) -> Entity {
    let cop = (Cop, GridPosition::new(x, y), PursuitSpeed(speed));
    app.world_mut().spawn(cop).id()
}

pub fn robber(app: &mut App, x: i32, y: i32) -> Entity {
    app.world_mut()
        .spawn((Robber, GridPosition::new(x, y)))
        .id()
}

pub fn at(app: &App, agent: Entity) -> IVec2 {
    app.world().get::<GridPosition>(agent).expect("an agent").0
}

pub fn state(app: &App, agent: Entity) -> DecidedBy {
    app.world()
        .get::<PursuitState>(agent)
        .expect("an agent")
        .decided_by
}

pub fn passable(app: &App, map: Entity, at: IVec2) -> bool {
    app.world()
        .get::<LiveMap>(map)
        .expect("a map")
        .is_passable(at)
}

pub fn run(app: &mut App, updates: usize) {
    for _ in 0..updates {
        app.update();
    }
}
