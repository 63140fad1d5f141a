//! The plugin in headless apps: chases end, every agent's state has a reason, nothing is lost, nothing
//! panics.

use crate::common;
use bevy::asset::AssetPlugin;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::PlannedPath;
use bevy_pursuit::debug::{DecidedBy, IdleReason, PlanInvalidated, PursuitDiagnostics, Source};
use bevy_pursuit::engine::map::TileMap;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapChanged, OutOfReach, TurnClock, WithinReach};
use common::app::*;
use std::time::Duration;

#[test]
fn captures_are_counted_in_moves_of_the_cops() {
    let mut app = app();
    let map = PursuitMap::new(&common::map(&["......"]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    robber(&mut app, 5, 0);
    let cop = cop(&mut app, 0, 0, 1);
    run(&mut app, 4);
    // A turn: the robber can only wait, the cop needs five moves.
    assert_eq!(at(&app, cop), IVec2::new(3, 0));
    run(&mut app, 10);
    robber(&mut app, 5, 0);
    app.update();
    let turns = capture_turns(&app);
    let now = app.world().get::<TurnClock>(map).unwrap().turn;
    assert_eq!(turns, [5, now - 1]);
}

#[test]
fn nobody_is_captured_off_the_map_or_before_there_is_one() {
    let mut app = app();
    robber(&mut app, 0, 0);
    cop(&mut app, 0, 0, 1);
    robber(&mut app, 70, 70);
    cop(&mut app, 70, 70, 1);
    run(&mut app, 3);
    let map = yard(&mut app);
    app.update();
    let turns = capture_turns(&app);
    assert_eq!(turns, [0]);
    assert_eq!(app.world().get::<TurnClock>(map).unwrap().turn, 1);
}

#[test]
fn a_chase_ends_in_capture_and_says_so_once() {
    let mut app = app();
    yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    cop(&mut app, 0, 0, 2);
    run(&mut app, 60);
    let captures = &app.world().resource::<Captures>().0;
    assert_eq!(captures.len(), 1);
    assert_eq!(captures[0].0, robber);
    let caught = app
        .world()
        .get::<Caught>(robber)
        .expect("the robber is marked");
    assert_eq!(caught.turn, captures[0].1);
    assert!(
        caught.turn > 5,
        "a robber that does not run: {}",
        caught.turn
    );
    assert_eq!(state(&app, robber), DecidedBy::Nobody(IdleReason::Captured));
}

#[test]
fn a_robber_that_is_let_go_runs_again() {
    let mut app = app();
    yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    let cop = cop(&mut app, 8, 6, 2);
    run(&mut app, 5);
    assert!(app.world().get::<Caught>(robber).is_some());
    app.world_mut().get_mut::<GridPosition>(cop).unwrap().0 = IVec2::ZERO;
    app.world_mut().entity_mut(robber).remove::<Caught>();
    run(&mut app, 3);
    let decided_by = state(&app, robber);
    assert!(
        [
            DecidedBy::Policy(Source::Search),
            DecidedBy::Policy(Source::Table)
        ]
        .contains(&decided_by),
        "{decided_by:?}"
    );
}

#[test]
fn steps_are_legal_and_as_long_as_the_speed_allows() {
    let mut app = app();
    let map = yard(&mut app);
    robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 3);
    app.update();
    for turn in 0..6 {
        let step = app.world().get::<NextStep>(cop).unwrap().clone();
        assert_eq!(step.from, at(&app, cop));
        assert!(step.path.len() <= 3 && (turn > 1 || step.path.len() == 3));
        let mut before = step.from;
        for &tile in &step.path {
            assert!(passable(&app, map, tile));
            let apart = tile.chebyshev_distance(before);
            assert_eq!(apart, 1, "{before} to {tile}");
            before = tile;
        }
        app.update();
        assert_eq!(at(&app, cop), before, "arrives a turn later");
    }
}

#[test]
fn a_turn_lasts_as_many_ticks_as_the_settings_say() {
    let mut app = app();
    app.insert_resource(turns_of(10));
    let map = yard(&mut app);
    robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    let mut moves = 0;
    let mut before = at(&app, cop);
    for _ in 0..51 {
        app.update();
        moves += usize::from(at(&app, cop) != before);
        before = at(&app, cop);
    }
    assert_eq!(moves, 5);
    assert_eq!(app.world().get::<TurnClock>(map).unwrap().turn, 6);
}

#[test]
fn rows_in_text_start_at_the_top_and_positions_at_the_bottom() {
    let mut app = app();
    let map = PursuitMap::new(&common::map(&["#..", "..."]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    assert!(!passable(&app, map, IVec2::new(0, 1)));
    assert!(passable(&app, map, IVec2::new(0, 0)));
    assert!(!passable(&app, map, IVec2::new(3, 0)), "off the map");
}

#[test]
fn players_steer_walk_and_report() {
    let mut app = app();
    yard(&mut app);
    let agent = robber(&mut app, 0, 0);
    let cop = cop(&mut app, 9, 6, 1);
    let control = |app: &mut App, control| {
        app.world_mut().entity_mut(agent).insert(control);
    };
    control(&mut app, AgentControl::Steer(IVec2::Y));
    run(&mut app, 4);
    assert_eq!(at(&app, agent), IVec2::new(0, 3), "up is up");
    assert_eq!(state(&app, agent), DecidedBy::Game);
    control(&mut app, AgentControl::WalkTo(IVec2::new(3, 2)));
    app.world_mut()
        .entity_mut(cop)
        .insert(AgentControl::Steer(IVec2::ZERO));
    run(&mut app, 7);
    assert_eq!(at(&app, agent), IVec2::new(3, 2));
    control(&mut app, AgentControl::External);
    app.world_mut().get_mut::<GridPosition>(agent).unwrap().0 = IVec2::new(9, 5);
    run(&mut app, 3);
    assert_eq!(
        at(&app, agent),
        IVec2::new(9, 5),
        "the plugin leaves it alone"
    );
    app.world_mut().get_mut::<GridPosition>(agent).unwrap().0 = at(&app, cop);
    app.update();
    assert!(app.world().get::<Caught>(agent).is_some());
}

#[test]
fn agents_come_and_go_and_every_one_has_a_reason() {
    let mut app = app();
    let lonely = cop(&mut app, 0, 0, 1);
    run(&mut app, 2);
    assert_eq!(state(&app, lonely), DecidedBy::Nobody(IdleReason::NoMap));
    let map = yard(&mut app);
    run(&mut app, 2);
    assert_eq!(
        state(&app, lonely),
        DecidedBy::Nobody(IdleReason::NobodyThere)
    );
    let robber_id = robber(&mut app, 9, 6);
    let stray = robber(&mut app, 50, 50);
    run(&mut app, 2);
    assert_eq!(state(&app, lonely), DecidedBy::Policy(Source::Search));
    assert_eq!(state(&app, robber_id), DecidedBy::Policy(Source::Search));
    assert_eq!(state(&app, stray), DecidedBy::Nobody(IdleReason::OffTheMap));
    app.world_mut().despawn(robber_id);
    run(&mut app, 2);
    assert_eq!(
        state(&app, lonely),
        DecidedBy::Nobody(IdleReason::NobodyThere)
    );
    let robber_id = robber(&mut app, 9, 6);
    app.world_mut().despawn(lonely);
    run(&mut app, 2);
    assert_eq!(
        state(&app, robber_id),
        DecidedBy::Nobody(IdleReason::NobodyThere)
    );
    app.world_mut().despawn(map);
    run(&mut app, 2);
    assert_eq!(state(&app, robber_id), DecidedBy::Nobody(IdleReason::NoMap));
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
    let robbers = maps.map(|map| {
        let robber = (Robber, GridPosition::new(0, 0), OnMap(map));
        app.world_mut().spawn(robber).id()
    });
    let cop = cop(&mut app, 0, 0, 1);
    app.update();
    let nowhere = DecidedBy::Nobody(IdleReason::NoMap);
    assert_eq!(state(&app, cop), nowhere, "which of the two?");
    app.world_mut().entity_mut(cop).insert(OnMap(maps[1]));
    app.update();
    assert!(app.world().get::<Caught>(robbers[0]).is_none());
    assert!(app.world().get::<Caught>(robbers[1]).is_some());
    app.world_mut().entity_mut(cop).insert(OnMap(robbers[0]));
    app.update();
    assert_eq!(state(&app, cop), nowhere, "an entity that is no map");
}

#[test]
fn several_robbers_are_chased_by_those_that_reach_them_first() {
    let mut app = app();
    app.world_mut().resource_mut::<PursuitSettings>().tactics = Tactics::Chase;
    yard(&mut app);
    let robber = [robber(&mut app, 9, 6), robber(&mut app, 0, 6)];
    let cops = [cop(&mut app, 8, 0, 2), cop(&mut app, 1, 0, 2)];
    app.update();
    for (cop, robber) in cops.into_iter().zip(robber) {
        let plan = &app.world().get::<PlannedPath>(cop).unwrap().path;
        let flees_to = app.world().get::<NextStep>(robber).unwrap().target();
        assert_eq!(plan.last(), Some(&flees_to.unwrap_or(at(&app, robber))));
    }
    run(&mut app, 60);
    assert_eq!(app.world().resource::<Captures>().0.len(), 2);
}

/// The positions of the robber and the cops at each turn; the cops in the order of their tiles.
fn trail(updates_per_second: Option<f64>, spawn_order: [usize; 4], turns: u64) -> Vec<Vec<IVec2>> {
    let mut app = app();
    app.insert_resource(turns_of(4));
    if let Some(rate) = updates_per_second {
        let frame = Duration::from_secs_f64(1.0 / rate);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    }
    let map = yard(&mut app);
    // Entities that are freed, so that the agents get theirs in another order.
    let used: Vec<Entity> = (0..5).map(|_| app.world_mut().spawn_empty().id()).collect();
    for index in spawn_order {
        app.world_mut().despawn(used[index]);
    }
    let mut agents = [Entity::PLACEHOLDER; 4];
    for index in spawn_order {
        agents[index] = match index {
            0 => robber(&mut app, 9, 6),
            1 => cop(&mut app, 0, 0, 1),
            2 => cop(&mut app, 0, 6, 1),
            _ => cop(&mut app, 4, 3, 1),
        };
    }
    let mut trail = Vec::new();
    let mut turn = 0;
    while turn < turns {
        app.update();
        let now = app.world().get::<TurnClock>(map).unwrap().turn;
        if now != turn {
            turn = now;
            let mut places = agents.map(|agent| at(&app, agent)).to_vec();
            places[1..].sort_by_key(IVec2::to_array);
            trail.push(places);
        }
    }
    trail
}

#[test]
fn the_same_start_gives_the_same_chase_at_any_frame_rate_and_with_any_entities() {
    let order = [0, 1, 2, 3];
    let steady = trail(None, order, 40);
    assert_eq!(trail(None, order, 40), steady);
    assert_eq!(trail(Some(144.0), order, 40), steady);
    assert_eq!(
        trail(Some(50.0), order, 40),
        steady,
        "a tick a frame or two"
    );
    for order in [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        assert_eq!(trail(None, order, 40), steady, "{order:?}");
    }
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
    let robber = robber(&mut app, 9, 6);
    cop(&mut app, 0, 0, 2);
    run(&mut app, 60);
    assert!(app.world().get::<Caught>(robber).is_some());
    assert_eq!(app.world().resource::<PursuitDiagnostics>().total.ticks, 60);
}

/// An app before its first update, in which an ambiguous order of systems is an error.
fn strict_app() -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        PursuitPlugin::default(),
    ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    for schedule in [First.intern(), FixedUpdate.intern(), PostUpdate.intern()] {
        app.edit_schedule(schedule, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..default()
            });
        });
    }
    app
}

#[test]
fn no_system_of_ours_is_ambiguous_with_another() {
    let mut app = strict_app();
    run(&mut app, 3);
}

#[test]
#[should_panic(expected = "indeterminate execution order")]
fn an_ambiguous_system_would_be_noticed() {
    let mut app = strict_app();
    app.add_systems(FixedUpdate, |mut agents: Query<&mut GridPosition>| {
        agents.iter_mut().for_each(|mut at| at.0 += 1);
    });
    run(&mut app, 3);
}

#[test]
fn a_map_of_one_cell_and_an_app_without_agents_work() {
    let mut app = app();
    let map: TileMap = common::map(&["."]);
    app.world_mut()
        .spawn(PursuitMap::new(&map, Moves::Orthogonal));
    run(&mut app, 3);
    let robber = robber(&mut app, 0, 0);
    let cop = cop(&mut app, 0, 0, 200);
    run(&mut app, 3);
    assert!(app.world().get::<Caught>(robber).is_some());
    assert_eq!(state(&app, cop), DecidedBy::Nobody(IdleReason::NobodyThere));
}

#[test]
fn a_player_does_not_run_through_a_cop() {
    let mut app = app();
    let map = PursuitMap::new(&common::map(&["......"]), Moves::Octile);
    app.world_mut().spawn(map);
    let robber = robber(&mut app, 0, 0);
    app.world_mut()
        .entity_mut(robber)
        .insert((PursuitSpeed(4), AgentControl::Steer(IVec2::X)));
    let cop = cop(&mut app, 2, 0, 1);
    app.world_mut()
        .entity_mut(cop)
        .insert(AgentControl::Steer(IVec2::ZERO));
    run(&mut app, 2);
    assert_eq!(at(&app, robber), IVec2::new(2, 0));
    assert!(app.world().get::<Caught>(robber).is_some());
}

#[test]
fn a_way_that_the_game_orders_counts_as_far_as_it_is_open() {
    let mut app = app();
    app.insert_resource(turns_of(4));
    let map = PursuitMap::new(&common::map(&["......", "####.#"]), Moves::Octile);
    app.world_mut().spawn(map);
    let robber = robber(&mut app, 5, 1);
    let cop = cop(&mut app, 0, 1, 3);
    let send = move |app: &mut App, way: &[(i32, i32)]| {
        let way = way.iter().map(|&tile| tile.into()).collect();
        app.world_mut().entity_mut(cop).insert(MoveOrder(way));
    };
    app.update();
    let planned = app.world().get::<NextStep>(cop).unwrap().clone();
    assert_eq!(planned.path.len(), 3);
    send(&mut app, &[(1, 1), (1, 0), (2, 0)]);
    run(&mut app, 4);
    assert_eq!(at(&app, cop), IVec2::new(1, 1), "the rest is wall");
    send(&mut app, &[]);
    run(&mut app, 4);
    assert_eq!(at(&app, cop), IVec2::new(1, 1), "ordered to wait");
    send(&mut app, &[(3, 1)]);
    run(&mut app, 4);
    assert_eq!(at(&app, cop), IVec2::new(1, 1), "not a step");
    run(&mut app, 4);
    assert_ne!(at(&app, cop), IVec2::new(1, 1), "the plugin goes on");
    let _ = robber;
}

#[derive(Resource, Default, Debug, PartialEq, Eq)]
struct Reached(Vec<(Entity, bool)>);

fn app_that_notes_reach() -> App {
    let mut app = app();
    app.init_resource::<Reached>()
        .add_observer(|out: On<OutOfReach>, mut all: ResMut<Reached>| {
            all.0.push((out.robber, false));
        })
        .add_observer(|within: On<WithinReach>, mut all: ResMut<Reached>| {
            all.0.push((within.robber, true));
        });
    app
}

#[test]
fn a_door_that_shuts_a_robber_in_or_lets_it_out_is_told() {
    let mut app = app_that_notes_reach();
    let map = PursuitMap::new(&common::map(&["......", "####.#", "......"]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let edits = app.world().get::<LiveMap>(map).expect("a map").edits();
    let robber = robber(&mut app, 0, 0);
    let cop = cop(&mut app, 0, 2, 1);
    app.world_mut()
        .entity_mut(robber)
        .insert(AgentControl::Steer(IVec2::ZERO));
    app.update();
    let mut dropped = MessageCursorOf::<PlanInvalidated>::default();
    let mut changed = MessageCursorOf::<MapChanged>::default();
    dropped.read(&app);
    changed.read(&app);
    let door = IVec2::new(4, 1);
    // From another thread, like a task.
    let shut = edits.clone();
    std::thread::spawn(move || shut.set_passable(door, false))
        .join()
        .expect("an edit");
    app.update();
    let told = MapChanged {
        map,
        opened: 0,
        closed: 1,
        rebuilt: false,
    };
    assert_eq!(changed.read(&app), [told]);
    assert_eq!(dropped.read(&app), [PlanInvalidated { map, agent: cop }]);
    run(&mut app, 3);
    let reached = std::mem::take(&mut *app.world_mut().resource_mut::<Reached>());
    assert_eq!(reached, Reached(vec![(robber, false)]));
    edits.set_passable(door, true);
    app.update();
    let told = MapChanged {
        opened: 1,
        closed: 0,
        ..told
    };
    assert_eq!(changed.read(&app), [told]);
    run(&mut app, 3);
    let reached = std::mem::take(&mut *app.world_mut().resource_mut::<Reached>());
    assert_eq!(reached, Reached(vec![(robber, true)]));
}

#[test]
fn a_robber_that_leaves_its_cell_for_another_floor_is_told_to_be_within_reach() {
    let mut app = app_that_notes_reach();
    let cells = common::map(&["..#...", "..#..."]);
    let floor = || PursuitMap::new(&cells, Moves::Octile);
    let [first, second] = [0, 1].map(|_| app.world_mut().spawn(floor()).id());
    let agent = |map, x| (GridPosition::new(x, 0), OnMap(map), AgentControl::External);
    app.world_mut().spawn((Cop, agent(first, 5)));
    app.world_mut().spawn((Cop, agent(second, 5)));
    let robber = app.world_mut().spawn((Robber, agent(first, 0))).id();
    run(&mut app, 3);
    let mut moves_to = |map, x| {
        let mut robber = app.world_mut().entity_mut(robber);
        robber.insert((OnMap(map), GridPosition::new(x, 0)));
        run(&mut app, 3);
    };
    moves_to(second, 0);
    moves_to(second, 3);
    moves_to(first, 0);
    moves_to(second, 3);
    let told = [false, true, false, true].map(|within| (robber, within));
    assert_eq!(app.world().resource::<Reached>().0, told);
}

/// Reads the messages of an app.
struct MessageCursorOf<M: Message>(bevy::ecs::message::MessageCursor<M>);

impl<M: Message> Default for MessageCursorOf<M> {
    fn default() -> Self {
        Self(bevy::ecs::message::MessageCursor::default())
    }
}

impl<M: Message + Copy> MessageCursorOf<M> {
    fn read(&mut self, app: &App) -> Vec<M> {
        let messages = app.world().resource::<Messages<M>>();
        self.0.read(messages).copied().collect()
    }
}

#[test]
fn pursuits_on_a_map_take_no_notice_of_each_other() {
    let mut app = app();
    yard(&mut app);
    let robber = robber(&mut app, 4, 0);
    let cop = cop(&mut app, 3, 0, 1);
    let seven = app.world_mut().spawn(Pursuit(7)).id();
    app.world_mut().entity_mut(cop).insert(InPursuit(seven));
    run(&mut app, 4);
    let nobody = DecidedBy::Nobody(IdleReason::NobodyThere);
    assert_eq!([state(&app, robber), state(&app, cop)], [nobody; 2]);
    assert!(app.world().get::<Caught>(robber).is_none());
    app.world_mut().entity_mut(robber).insert(InPursuit(seven));
    app.update();
    assert_ne!(state(&app, robber), nobody);
    assert_ne!(state(&app, cop), nobody);
}

#[test]
fn a_captured_robber_that_becomes_a_cop_is_not_caught_any_more() {
    let mut app = app();
    yard(&mut app);
    let tagged = robber(&mut app, 1, 0);
    cop(&mut app, 0, 0, 1);
    let other = robber(&mut app, 9, 6);
    for _ in 0..20 {
        app.update();
        if app.world().get::<Caught>(tagged).is_some() {
            break;
        }
    }
    assert!(app.world().get::<Caught>(tagged).is_some());
    let mut agent = app.world_mut().entity_mut(tagged);
    agent.remove::<Robber>().insert(Cop);
    run(&mut app, 2);
    assert!(app.world().get::<Caught>(tagged).is_none());
    // It plays on when it joins again, and as a robber.
    app.world_mut().entity_mut(tagged).insert(Disabled);
    run(&mut app, 2);
    app.world_mut().entity_mut(tagged).remove::<Disabled>();
    run(&mut app, 2);
    assert!(matches!(state(&app, tagged), DecidedBy::Policy(_)));
    assert_eq!(
        app.world().get::<Target>(tagged).expect("a cop").robber,
        Some(other)
    );
}
