//! The plugin in headless apps: chases end, walls hold, nothing is lost, nothing panics.
#![cfg(feature = "plugin")]

mod common;

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::map::TileMap;
use bevy_pursuit::plugin::{Idle, Plan, PursuitDiagnostics};
use bevy_pursuit::prelude::*;
use std::time::Duration;

const YARD: [&str; 7] = [
    "..........", //
    ".##.##.##.",
    ".##.##.##.",
    "..........",
    ".##.##.##.",
    ".##.##.##.",
    "..........",
];

/// An app in which each update is one fixed tick and each tick a turn.
fn app() -> App {
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

fn turns_of(ticks_per_turn: u32) -> PursuitSettings {
    PursuitSettings {
        ticks_per_turn,
        ..default()
    }
}

#[derive(Resource, Default)]
struct Captures(Vec<(Entity, u64)>);

fn yard(app: &mut App) -> Entity {
    let map = PursuitMap::new(&common::map(&YARD), Moves::Octile);
    app.world_mut().spawn(map).id()
}

fn cop(app: &mut App, x: u32, y: u32, speed: u8) -> Entity {
    let cop = (Cop, GridPosition::new(x, y), PursuitSpeed(speed));
    app.world_mut().spawn(cop).id()
}

fn robber(app: &mut App, x: u32, y: u32) -> Entity {
    app.world_mut()
        .spawn((Robber, GridPosition::new(x, y)))
        .id()
}

fn at(app: &App, agent: Entity) -> UVec2 {
    app.world().get::<GridPosition>(agent).expect("an agent").0
}

fn state(app: &App, agent: Entity) -> DecidedBy {
    app.world()
        .get::<PursuitState>(agent)
        .expect("an agent")
        .decided_by
}

fn passable(app: &App, map: Entity, at: UVec2) -> bool {
    app.world()
        .get::<PursuitMap>(map)
        .expect("a map")
        .is_passable(at)
}

fn run(app: &mut App, updates: usize) {
    for _ in 0..updates {
        app.update();
    }
}

#[test]
fn a_chase_ends_in_capture_and_says_so_once() {
    let mut app = app();
    yard(&mut app);
    let prey = robber(&mut app, 9, 6);
    cop(&mut app, 0, 0, 2);
    run(&mut app, 60);
    let captures = &app.world().resource::<Captures>().0;
    assert_eq!(captures.len(), 1);
    assert_eq!(captures[0].0, prey);
    let caught = app
        .world()
        .get::<Caught>(prey)
        .expect("the robber is marked");
    assert_eq!(caught.turn, captures[0].1);
    assert!(
        caught.turn > 5,
        "a robber that does not run: {}",
        caught.turn
    );
    assert_eq!(state(&app, prey), DecidedBy::Nobody(Idle::Captured));
}

#[test]
fn a_robber_that_is_let_go_runs_again() {
    let mut app = app();
    yard(&mut app);
    let prey = robber(&mut app, 9, 6);
    let hunter = cop(&mut app, 8, 6, 2);
    run(&mut app, 5);
    assert!(app.world().get::<Caught>(prey).is_some());
    app.world_mut().get_mut::<GridPosition>(hunter).unwrap().0 = UVec2::ZERO;
    app.world_mut().entity_mut(prey).remove::<Caught>();
    run(&mut app, 3);
    assert_eq!(state(&app, prey), DecidedBy::Search);
}

#[test]
fn steps_are_legal_and_as_long_as_the_speed_allows() {
    let mut app = app();
    let map = yard(&mut app);
    robber(&mut app, 9, 6);
    let hunter = cop(&mut app, 0, 0, 3);
    app.update();
    for _ in 0..6 {
        let step = app.world().get::<NextStep>(hunter).unwrap().clone();
        assert!(step.way.len() <= 3);
        assert!(step.way.iter().all(|&tile| passable(&app, map, tile)));
        app.update();
        if let Some(target) = step.target() {
            assert_eq!(at(&app, hunter), target, "arrives a turn later");
        }
    }
}

#[test]
fn a_turn_lasts_as_many_ticks_as_the_settings_say() {
    let mut app = app();
    app.insert_resource(turns_of(10));
    let map = yard(&mut app);
    robber(&mut app, 9, 6);
    let hunter = cop(&mut app, 0, 0, 1);
    let mut moves = 0;
    let mut before = at(&app, hunter);
    for _ in 0..51 {
        app.update();
        moves += usize::from(at(&app, hunter) != before);
        before = at(&app, hunter);
    }
    assert_eq!(moves, 5);
    assert_eq!(app.world().get::<TurnClock>(map).unwrap().turn, 6);
}

#[test]
fn a_wall_on_a_planned_way_turns_the_agent_back_in_the_same_tick() {
    let mut app = app();
    app.insert_resource(turns_of(8));
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&common::map(&["......"]), Moves::Octile))
        .id();
    robber(&mut app, 5, 0);
    let hunter = cop(&mut app, 0, 0, 2);
    run(&mut app, 3);
    let way = app.world().get::<NextStep>(hunter).unwrap().way.clone();
    assert_eq!(way, [UVec2::new(1, 0), UVec2::new(2, 0)]);
    app.world_mut()
        .get_mut::<PursuitMap>(map)
        .unwrap()
        .set_passable(UVec2::new(2, 0), false);
    app.update();
    assert!(app.world().get::<NextStep>(hunter).unwrap().way.is_empty());
    run(&mut app, 40);
    assert_eq!(
        at(&app, hunter),
        UVec2::new(1, 0),
        "waits as near as it can"
    );
    assert_eq!(state(&app, hunter), DecidedBy::Greedy);
}

#[test]
fn doors_that_swing_at_random_are_never_walked_through() {
    let mut app = app();
    app.insert_resource(turns_of(3));
    let map = yard(&mut app);
    let agents = [
        robber(&mut app, 9, 6),
        cop(&mut app, 0, 0, 1),
        cop(&mut app, 9, 0, 2),
    ];
    // A small generator of our own: the test wants to be repeatable, not random.
    let mut seed = 1_u32;
    let mut next = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    for _ in 0..3000 {
        let tile = UVec2::new(next(10), next(7));
        let stood_on = agents.iter().any(|&agent| at(&app, agent) == tile);
        let open = next(2) == 0 || stood_on;
        app.world_mut()
            .get_mut::<PursuitMap>(map)
            .unwrap()
            .set_passable(tile, open);
        let before = agents.map(|agent| at(&app, agent));
        app.update();
        for (agent, before) in agents.into_iter().zip(before) {
            let here = at(&app, agent);
            assert!(
                here == before || passable(&app, map, here),
                "{here} is a wall"
            );
            let far = here.as_ivec2().chebyshev_distance(before.as_ivec2());
            assert!(far <= 2, "{before} to {here}");
        }
        for caught in agents {
            app.world_mut().entity_mut(caught).remove::<Caught>();
        }
    }
}

#[test]
fn edits_come_from_any_thread() {
    let mut app = app();
    let map = yard(&mut app);
    let edits = app.world().get::<PursuitMap>(map).unwrap().edits();
    std::thread::spawn(move || {
        edits.set_passable(UVec2::new(0, 0), false);
        edits.set_passable(UVec2::new(1, 1), true);
        edits.set_passable(UVec2::new(99, 99), true);
    })
    .join()
    .expect("the thread ends");
    app.update();
    assert!(!passable(&app, map, UVec2::new(0, 0)));
    assert!(passable(&app, map, UVec2::new(1, 1)));
    let messages = app.world().resource::<Messages<MapChanged>>();
    let told: Vec<_> = messages.get_cursor().read(messages).copied().collect();
    let (opened, closed) = (1, 1);
    assert_eq!(
        told,
        [MapChanged {
            map,
            opened,
            closed
        }]
    );
}

#[test]
fn rows_in_text_start_at_the_top_and_positions_at_the_bottom() {
    let mut app = app();
    let map = PursuitMap::new(&common::map(&["#..", "..."]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    assert!(!passable(&app, map, UVec2::new(0, 1)));
    assert!(passable(&app, map, UVec2::new(0, 0)));
    assert!(!passable(&app, map, UVec2::new(3, 0)), "off the map");
}

#[test]
fn players_steer_walk_and_report() {
    let mut app = app();
    yard(&mut app);
    let agent = robber(&mut app, 0, 0);
    let hunter = cop(&mut app, 9, 6, 1);
    let control = |app: &mut App, control| {
        app.world_mut().entity_mut(agent).insert(control);
    };
    control(&mut app, Control::Steer(IVec2::Y));
    run(&mut app, 4);
    assert_eq!(at(&app, agent), UVec2::new(0, 3), "up is up");
    assert_eq!(state(&app, agent), DecidedBy::Game);
    control(&mut app, Control::WalkTo(UVec2::new(3, 2)));
    app.world_mut()
        .entity_mut(hunter)
        .insert(Control::Steer(IVec2::ZERO));
    run(&mut app, 7);
    assert_eq!(at(&app, agent), UVec2::new(3, 2));
    control(&mut app, Control::External);
    app.world_mut().get_mut::<GridPosition>(agent).unwrap().0 = UVec2::new(9, 5);
    run(&mut app, 3);
    assert_eq!(
        at(&app, agent),
        UVec2::new(9, 5),
        "the plugin leaves it alone"
    );
    app.world_mut().get_mut::<GridPosition>(agent).unwrap().0 = at(&app, hunter);
    app.update();
    assert!(app.world().get::<Caught>(agent).is_some());
}

#[test]
fn agents_come_and_go_and_every_one_has_a_reason() {
    let mut app = app();
    let lonely = cop(&mut app, 0, 0, 1);
    run(&mut app, 2);
    assert_eq!(state(&app, lonely), DecidedBy::Nobody(Idle::NoMap));
    let map = yard(&mut app);
    run(&mut app, 2);
    assert_eq!(state(&app, lonely), DecidedBy::Nobody(Idle::NobodyThere));
    let prey = robber(&mut app, 9, 6);
    let stray = robber(&mut app, 50, 50);
    run(&mut app, 2);
    assert_eq!(state(&app, lonely), DecidedBy::Search);
    assert_eq!(state(&app, prey), DecidedBy::Search);
    assert_eq!(state(&app, stray), DecidedBy::Nobody(Idle::OffTheMap));
    app.world_mut().despawn(prey);
    run(&mut app, 2);
    assert_eq!(state(&app, lonely), DecidedBy::Nobody(Idle::NobodyThere));
    let prey = robber(&mut app, 9, 6);
    app.world_mut().despawn(lonely);
    run(&mut app, 2);
    assert_eq!(state(&app, prey), DecidedBy::Nobody(Idle::NobodyThere));
    app.world_mut().despawn(map);
    run(&mut app, 2);
    assert_eq!(state(&app, prey), DecidedBy::Nobody(Idle::NoMap));
}

#[test]
fn a_robber_that_disappears_while_it_is_captured_hurts_nobody() {
    let mut app = app();
    yard(&mut app);
    app.add_observer(|captured: On<Captured>, mut commands: Commands| {
        commands.entity(captured.robber).despawn();
        commands.entity(captured.cop).try_despawn();
    });
    for x in 0..4 {
        robber(&mut app, x, 0);
        cop(&mut app, x, 0, 1);
    }
    run(&mut app, 3);
    assert_eq!(app.world().resource::<Captures>().0.len(), 4);
}

#[test]
fn two_maps_in_one_app_do_not_meet() {
    let mut app = app();
    let maps = [yard(&mut app), yard(&mut app)];
    let prey = maps.map(|map| {
        let robber = (Robber, GridPosition::new(0, 0), OnMap(map));
        app.world_mut().spawn(robber).id()
    });
    let hunter = cop(&mut app, 0, 0, 1);
    app.update();
    let nowhere = DecidedBy::Nobody(Idle::NoMap);
    assert_eq!(state(&app, hunter), nowhere, "which of the two?");
    app.world_mut().entity_mut(hunter).insert(OnMap(maps[1]));
    app.update();
    assert!(app.world().get::<Caught>(prey[0]).is_none());
    assert!(app.world().get::<Caught>(prey[1]).is_some());
    app.world_mut().entity_mut(hunter).insert(OnMap(prey[0]));
    app.update();
    assert_eq!(state(&app, hunter), nowhere, "an entity that is no map");
}

#[test]
fn a_step_that_the_game_made_up_is_taken_only_if_it_is_legal() {
    let mut app = app();
    yard(&mut app);
    let hunter = cop(&mut app, 0, 0, 1);
    let mut go = |x, y| {
        let way = vec![UVec2::new(x, y)];
        app.world_mut().entity_mut(hunter).insert(NextStep { way });
        app.update();
        at(&app, hunter)
    };
    assert_eq!(go(0, 2), UVec2::new(0, 0), "too far");
    assert_eq!(go(1, 1), UVec2::new(0, 0), "a wall");
    assert_eq!(go(77, 0), UVec2::new(0, 0), "off the map");
    assert_eq!(go(1, 0), UVec2::new(1, 0));
}

#[test]
fn several_robbers_are_chased_by_those_that_reach_them_first() {
    let mut app = app();
    yard(&mut app);
    let prey = [robber(&mut app, 9, 6), robber(&mut app, 0, 6)];
    let hunters = [cop(&mut app, 8, 0, 2), cop(&mut app, 1, 0, 2)];
    app.update();
    for (hunter, prey) in hunters.into_iter().zip(prey) {
        let plan = &app.world().get::<Plan>(hunter).unwrap().path;
        assert_eq!(plan.last(), Some(&at(&app, prey)));
    }
    run(&mut app, 60);
    assert_eq!(app.world().resource::<Captures>().0.len(), 2);
}

fn trail(updates_per_second: Option<f64>, turns: u64) -> Vec<[UVec2; 4]> {
    let mut app = app();
    app.insert_resource(turns_of(4));
    if let Some(rate) = updates_per_second {
        let frame = Duration::from_secs_f64(1.0 / rate);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    }
    let map = yard(&mut app);
    let agents = [
        robber(&mut app, 9, 6),
        cop(&mut app, 0, 0, 1),
        cop(&mut app, 0, 6, 1),
        cop(&mut app, 4, 3, 1),
    ];
    let mut trail = Vec::new();
    let mut turn = 0;
    while turn < turns {
        app.update();
        let now = app.world().get::<TurnClock>(map).unwrap().turn;
        if now != turn {
            turn = now;
            trail.push(agents.map(|agent| at(&app, agent)));
        }
    }
    trail
}

#[test]
fn the_same_start_gives_the_same_chase_at_any_frame_rate() {
    let steady = trail(None, 40);
    assert_eq!(trail(None, 40), steady);
    assert_eq!(trail(Some(144.0), 40), steady);
    assert_eq!(trail(Some(50.0), 40), steady, "still a tick a frame or two");
}

#[test]
fn settings_of_the_user_are_kept() {
    let mut app = App::new();
    app.insert_resource(turns_of(99))
        .add_plugins((MinimalPlugins, PursuitPlugin::default()));
    assert_eq!(app.world().resource::<PursuitSettings>().ticks_per_turn, 99);
}

#[test]
fn runs_in_another_schedule() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Update)))
        .insert_resource(turns_of(1));
    yard(&mut app);
    let prey = robber(&mut app, 9, 6);
    cop(&mut app, 0, 0, 2);
    run(&mut app, 60);
    assert!(app.world().get::<Caught>(prey).is_some());
    assert_eq!(app.world().resource::<PursuitDiagnostics>().ticks, 60);
}

#[test]
fn no_system_of_ours_is_ambiguous_with_another() {
    let mut app = app();
    for schedule in [FixedUpdate.intern(), PostUpdate.intern()] {
        app.edit_schedule(schedule, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..default()
            });
        });
    }
    yard(&mut app);
    run(&mut app, 3);
}

#[test]
fn a_map_of_one_cell_and_an_app_without_agents_work() {
    let mut app = app();
    let map: TileMap = common::map(&["."]);
    app.world_mut()
        .spawn(PursuitMap::new(&map, Moves::Orthogonal));
    run(&mut app, 3);
    let prey = robber(&mut app, 0, 0);
    let hunter = cop(&mut app, 0, 0, 200);
    run(&mut app, 3);
    assert!(app.world().get::<Caught>(prey).is_some());
    assert_eq!(state(&app, hunter), DecidedBy::Nobody(Idle::NobodyThere));
}

#[test]
fn a_player_does_not_run_through_a_cop() {
    let mut app = app();
    let map = PursuitMap::new(&common::map(&["......"]), Moves::Octile);
    app.world_mut().spawn(map);
    let prey = robber(&mut app, 0, 0);
    app.world_mut()
        .entity_mut(prey)
        .insert((PursuitSpeed(4), Control::Steer(IVec2::X)));
    let hunter = cop(&mut app, 2, 0, 1);
    app.world_mut()
        .entity_mut(hunter)
        .insert(Control::Steer(IVec2::ZERO));
    run(&mut app, 2);
    assert_eq!(at(&app, prey), UVec2::new(2, 0));
    assert!(app.world().get::<Caught>(prey).is_some());
}
