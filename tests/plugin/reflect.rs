//! Everything public is reflected and registered, including the types of the core.

use crate::common;
use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent, ReflectResource};
use bevy::prelude::*;
use bevy::reflect::serde::{TypedReflectDeserializer, TypedReflectSerializer};
use bevy::reflect::{GetPath, PartialReflect, TypePath};
use bevy_pursuit::debug::*;
use bevy_pursuit::engine::game::{Outcome, Turns, Value};
use bevy_pursuit::engine::map::{HexLayout, Moves, TileMap};
use bevy_pursuit::tables::*;
use bevy_pursuit::*;
use common::app::*;
use serde::de::DeserializeSeed;
use std::any::TypeId;

fn is_registered<T: 'static>(app: &App) -> bool {
    let registry = app.world().resource::<AppTypeRegistry>().read();
    registry.contains(TypeId::of::<T>())
}

macro_rules! assert_registered {
    ($app:expr, $($name:ty),* $(,)?) => {
        $(assert!(is_registered::<$name>($app), stringify!($name));)*
    };
}

#[test]
fn all_that_can_be_reflected_is_registered() {
    let app = &app();
    assert_registered!(
        app,
        Cop,
        Robber,
        GridPosition,
        NextStep,
        PlannedPath,
        PursuitSpeed,
        TicksPerStep,
        Sight,
        Mistakes,
        Reaction,
        Difficulty,
        Pursuit,
        AgentControl,
        OnMap,
        MapAgents,
        MapNumber,
        MapStatus,
        PursuitMap,
        Moves,
        PursuitTables,
        Activity,
        MapGeometry,
        TileShape,
        HexLayout,
        SpawnLevel,
        TableHandle,
        SettingsFile,
        InPursuit,
        PursuitAgents,
        MoveOrder,
        Dash,
        Target,
        Caught,
        TurnClock,
        PursuitState,
        PursuitSettings,
        PursuitDiagnostics,
        PursuitFigures,
        Decisions,
        TableSettings,
        TableTiming,
        TableSchedule,
        TickBudget,
        PursuitClock,
        Tactics,
        RobberPlanner,
        DecidedBy,
        IdleReason,
        Reason,
        FreeFor,
        Source,
        Value,
        Outcome,
        Turns,
        Captured,
        MapReady,
        Arrived,
        NoWay,
        Obstacle,
        OrderRefused,
        Duty,
        Leash,
        Patience,
        Nerve,
        GaveUp,
        GiveUp,
        PatrolOrder,
        LastSeen,
        OutOfReach,
        WithinReach,
        Sighted,
        LostSight,
        MapChanged,
        PlanInvalidated,
        TableStatusChanged,
        TableStatus,
    );
    #[cfg(feature = "tilemap")]
    assert_registered!(app, Glide, DesiredMotion, LayerTiles, Passable);
}

#[test]
fn settings_and_states_of_the_core_are_a_resource_and_a_component() {
    let mut app = app();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let of = |id| registry.get(id).expect("registered");
    let settings = of(TypeId::of::<PursuitSettings>());
    let state = of(TypeId::of::<PursuitState>());
    assert!(settings.data::<ReflectDefault>().is_some());
    // As a scene inserts them.
    let agent = app.world_mut().spawn_empty().id();
    let component = state.data::<ReflectComponent>().expect("a component");
    let caught = PursuitState::of(DecidedBy::Nobody(IdleReason::Captured));
    component.insert(&mut app.world_mut().entity_mut(agent), &caught, &registry);
    assert_eq!(app.world().get::<PursuitState>(agent), Some(&caught));
    // As an inspector changes them.
    assert!(settings.data::<ReflectResource>().is_some());
    assert!(settings.data::<ReflectComponent>().is_some());
    let mut settings = app.world_mut().resource_mut::<PursuitSettings>();
    let ticks = settings.path_mut::<u32>(".ticks_per_turn");
    *ticks.expect("a field") = 5;
    assert_eq!(app.world().resource::<PursuitSettings>().ticks_per_turn, 5);
    let map = yard(&mut app);
    app.update();
    let map = app.world().get::<LiveMap>(map).expect("a map");
    assert_eq!(map.world().expect("a world").settings().ticks_per_turn, 5);
}

/// As a scene spawns it: by the name of the type and two fields.
#[test]
fn a_map_from_a_scene_has_its_moves_and_follows_its_layer() {
    let mut app = app();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let of = registry
        .get(TypeId::of::<PursuitMap>())
        .expect("registered");
    let text = r#"{"moves": "Orthogonal", "origin": [0, 0]}"#;
    let read = TypedReflectDeserializer::new(of, &registry)
        .deserialize(&mut serde_json::Deserializer::from_str(text))
        .expect("a map");
    let map = app.world_mut().spawn_empty().id();
    let component = of.data::<ReflectComponent>().expect("a component");
    component.insert(
        &mut app.world_mut().entity_mut(map),
        read.as_partial_reflect(),
        &registry,
    );
    let found = app.world().get::<PursuitMap>(map).expect("a map");
    let expected = PursuitMap::of_layer(Moves::Orthogonal);
    assert_eq!(found, &expected, "nothing else says what its tiles are");
    // Its required components were added, and an editor can combine it with a layer.
    assert_eq!(app.world().get::<MapStatus>(map), Some(&MapStatus::Empty));
    app.update();
    let mut entity = app.world_mut().entity_mut(map);
    let own = TileMap::from_rows(&["...", "..."], |_| true).expect("a map");
    entity.insert(PursuitMap::new(&own, Moves::Orthogonal));
    app.update();
    assert_eq!(app.world().get::<MapStatus>(map), Some(&MapStatus::Ready));
}

#[test]
fn a_clone_of_an_agent_has_its_state() {
    let mut app = app();
    yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    cop(&mut app, 0, 0, 1);
    run(&mut app, 3);
    let state = *app.world().get::<PursuitState>(robber).expect("a robber");
    assert_ne!(state, PursuitState::default());
    let clone = app.world_mut().entity_mut(robber).clone_and_spawn();
    assert_eq!(app.world().get::<PursuitState>(clone), Some(&state));
}

#[test]
fn settings_written_and_read_by_reflection_are_the_same() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let settings = PursuitSettings {
        budget: TickBudget::Micros(700),
        budgets_per_frame: 3,
        tactics: Tactics::Chase,
        tables: TableSettings {
            timing: TableTiming::WhenReady,
            ..default()
        },
        ..default()
    };
    let serializer = TypedReflectSerializer::new(&settings, &registry);
    let text = serde_json::to_string(&serializer).expect("text");
    let id = TypeId::of::<PursuitSettings>();
    let registration = registry.get(id).expect("registered");
    let deserializer = TypedReflectDeserializer::new(registration, &registry);
    let read = deserializer
        .deserialize(&mut serde_json::Deserializer::from_str(&text))
        .expect("settings");
    assert_eq!(settings.reflect_partial_eq(read.as_ref()), Some(true));
    assert!(PursuitSettings::type_path().starts_with("pursuit_engine::"));
}

/// Components that games put into `bsn!` and scenes can be made there, those with entities by their templates.
#[test]
fn components_of_games_have_templates() {
    fn has<T: FromTemplate>() -> &'static str {
        std::any::type_name::<T::Template>()
    }
    let plain = [
        has::<PursuitMap>(),
        has::<Cop>(),
        has::<Robber>(),
        has::<GridPosition>(),
        has::<PursuitSpeed>(),
        has::<TicksPerStep>(),
        has::<Sight>(),
        has::<Mistakes>(),
        has::<AgentControl>(),
        has::<MoveOrder>(),
        has::<Pursuit>(),
        has::<Tactics>(),
        has::<PursuitClock>(),
    ];
    assert!(plain.iter().all(|name| !name.ends_with("Template")));
    let with_entities = [has::<OnMap>(), has::<InPursuit>(), has::<Caught>()];
    assert!(with_entities.iter().all(|name| name.ends_with("Template")));
}
