//! The right agent in the right place: clones, removed roles, pools of entities, levels that come and
//! go, and writes of the game at any moment.

use crate::common;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::debug::Source;
use bevy_pursuit::debug::{DecidedBy, IdleReason};
use bevy_pursuit::engine::game::Side;
use bevy_pursuit::engine::world::PursuitWorld;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapAgents, OrderRefused};
use common::app::*;

const STREET: [&str; 1] = [".................................."];

/// A street of 34 tiles, and turns of eight ticks.
fn street(app: &mut App) -> Entity {
    app.insert_resource(turns_of(8));
    let map = PursuitMap::new(&common::map(&STREET), Moves::Octile);
    app.world_mut().spawn(map).id()
}

fn world_of(app: &App, map: Entity) -> &PursuitWorld {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    map.world().expect("it has tiles")
}

/// The sides of an entity on a map; it should be exactly one.
fn sides(app: &App, map: Entity, agent: Entity) -> Vec<Side> {
    let agents = world_of(app, map).agents();
    let same = agents.filter(|(_, known)| known.setup().user == agent.to_bits());
    same.map(|(_, known)| known.setup().side).collect()
}

fn agents_on(app: &App, map: Entity) -> usize {
    world_of(app, map).agents().count()
}

/// Also 0 for a map that has no tiles yet.
fn agents_on_or_none(app: &App, map: Entity) -> usize {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    map.world().map_or(0, |world| world.agents().count())
}

fn step(app: &App, agent: Entity) -> &NextStep {
    app.world().get::<NextStep>(agent).expect("an agent")
}

fn put(app: &mut App, agent: Entity, x: i32, y: i32) {
    app.world_mut()
        .entity_mut(agent)
        .insert(GridPosition::new(x, y));
}

/// Ticks until the agent is in the middle of a step.
fn until_it_walks(app: &mut App, agent: Entity) {
    for _ in 0..64 {
        app.update();
        let now = step(app, agent);
        if now.departs > 0 && !now.path.is_empty() {
            run(app, 3);
            return;
        }
    }
    panic!("it does not walk: {:?}", state(app, agent));
}

#[test]
fn a_clone_of_one_who_walks_is_an_agent_of_its_own() {
    let mut app = app();
    let map = street(&mut app);
    robber(&mut app, 33, 0);
    let cop = cop(&mut app, 0, 0, 1);
    until_it_walks(&mut app, cop);
    let way = step(&app, cop).clone();
    let clone = app.world_mut().entity_mut(cop).clone_and_spawn();
    put(&mut app, clone, 20, 0);
    app.update();
    assert_eq!(step(&app, cop), &way, "the original goes on");
    assert_eq!(at(&app, clone), IVec2::new(20, 0));
    assert_eq!(sides(&app, map, clone), [Side::Cops]);
    assert_eq!(agents_on(&app, map), 3);
    run(&mut app, 16);
    assert_ne!(at(&app, clone), IVec2::new(20, 0), "it plays");
    assert_eq!(at(&app, cop), IVec2::new(2, 0));
}

#[test]
fn a_clone_of_a_captured_robber_is_captured_until_it_is_let_go() {
    let mut app = app();
    let map = yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    cop(&mut app, 9, 6, 1);
    run(&mut app, 2);
    assert!(app.world().get::<Caught>(robber).is_some());
    let clone = app.world_mut().entity_mut(robber).clone_and_spawn();
    run(&mut app, 2);
    assert_eq!(state(&app, clone), DecidedBy::Nobody(IdleReason::Captured));
    app.world_mut().entity_mut(clone).remove::<Caught>();
    put(&mut app, clone, 0, 0);
    run(&mut app, 2);
    assert_ne!(state(&app, clone), DecidedBy::Nobody(IdleReason::Captured));
    assert_eq!(state(&app, robber), DecidedBy::Nobody(IdleReason::Captured));
    assert_eq!(agents_on(&app, map), 3);
}

#[test]
fn a_role_may_be_taken_off_and_put_on() {
    for pause in [0, 1, 5] {
        let mut app = app();
        let map = yard(&mut app);
        let robber = robber(&mut app, 9, 6);
        let cop = cop(&mut app, 0, 0, 1);
        run(&mut app, 3);
        app.world_mut().entity_mut(cop).remove::<Cop>();
        run(&mut app, pause);
        if pause > 0 {
            let nobody = DecidedBy::Nobody(IdleReason::NobodyThere);
            assert_eq!(state(&app, robber), nobody);
            assert_eq!(sides(&app, map, cop), []);
            assert_eq!(step(&app, cop).target(), None);
        }
        app.world_mut().entity_mut(cop).insert(Cop);
        let before = at(&app, cop);
        run(&mut app, 3);
        assert_ne!(at(&app, cop), before, "pause {pause}: it plays again");
        assert_eq!(sides(&app, map, cop), [Side::Cops]);
        assert_ne!(
            state(&app, robber),
            DecidedBy::Nobody(IdleReason::NobodyThere)
        );
    }
}

#[test]
fn roles_that_are_swapped_in_mid_step_finish_the_step() {
    let mut app = app();
    let map = street(&mut app);
    let one = robber(&mut app, 20, 0);
    let other = cop(&mut app, 0, 0, 1);
    until_it_walks(&mut app, other);
    let way = step(&app, other).clone();
    let end = way.target().expect("it walks");
    app.world_mut()
        .entity_mut(other)
        .remove::<Cop>()
        .insert(Robber);
    app.world_mut()
        .entity_mut(one)
        .insert(Cop)
        .remove::<Robber>();
    app.update();
    assert_eq!(step(&app, other), &way, "nobody is pulled back");
    assert_eq!(sides(&app, map, other), [Side::Robber]);
    assert_eq!(sides(&app, map, one), [Side::Cops]);
    while at(&app, other) != end {
        app.update();
        let tick = world_of(&app, map).tick();
        assert!(tick <= way.arrives, "it arrives as it was to");
    }
    run(&mut app, 16);
    let chases = app.world().get::<Target>(one).expect("a cop").robber;
    assert_eq!(chases, Some(other));
}

#[test]
fn who_is_disabled_does_not_play_and_comes_back_where_it_stands() {
    let mut app = app();
    let map = yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    let cop = cop(&mut app, 9, 0, 1);
    run(&mut app, 2);
    app.world_mut().entity_mut(cop).insert(Disabled);
    app.update();
    assert_eq!(agents_on(&app, map), 1);
    let nobody = DecidedBy::Nobody(IdleReason::NobodyThere);
    assert_eq!(state(&app, robber), nobody);
    // A robber placed on the tile of a disabled cop is not captured.
    let here = at(&app, cop);
    put(&mut app, robber, here.x, here.y);
    run(&mut app, 3);
    assert!(app.world().get::<Caught>(robber).is_none());
    put(&mut app, cop, 0, 6);
    app.world_mut().entity_mut(cop).remove::<Disabled>();
    app.update();
    assert_eq!(sides(&app, map, cop), [Side::Cops]);
    assert_eq!(step(&app, cop).from, IVec2::new(0, 6));
    assert_ne!(state(&app, robber), nobody);
    assert_eq!(agents_on(&app, map), 2);
}

/// The agent names no map, and there are two maps when it is enabled again.
#[test]
fn who_is_disabled_comes_back_to_the_map_that_it_was_on() {
    let mut app = app();
    let map = yard(&mut app);
    robber(&mut app, 9, 6);
    let cop = cop(&mut app, 9, 0, 1);
    run(&mut app, 2);
    app.world_mut().entity_mut(cop).insert(Disabled);
    yard(&mut app);
    run(&mut app, 2);
    app.world_mut().entity_mut(cop).remove::<Disabled>();
    run(&mut app, 2);
    assert_eq!(sides(&app, map, cop), [Side::Cops]);
}

#[test]
fn an_agent_that_is_spawned_disabled_joins_when_it_is_enabled() {
    let mut app = app();
    let map = yard(&mut app);
    robber(&mut app, 9, 6);
    let pooled = (Cop, GridPosition::new(0, 0), Disabled);
    let pooled = app.world_mut().spawn(pooled).id();
    run(&mut app, 3);
    assert_eq!(agents_on(&app, map), 1);
    app.world_mut().entity_mut(pooled).remove::<Disabled>();
    run(&mut app, 2);
    assert_eq!(sides(&app, map, pooled), [Side::Cops]);
    // A disabled agent that is despawned, or gets another role, leaves nothing behind.
    app.world_mut().entity_mut(pooled).insert(Disabled);
    app.world_mut().entity_mut(pooled).remove::<Cop>();
    app.update();
    app.world_mut().despawn(pooled);
    app.update();
    assert_eq!(agents_on(&app, map), 1);
}

#[test]
fn a_disabled_map_stands_still_and_goes_on() {
    let mut app = app();
    let map = yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    run(&mut app, 3);
    let (before, tick) = (
        [at(&app, robber), at(&app, cop)],
        world_of(&app, map).tick(),
    );
    app.world_mut().entity_mut(map).insert(Disabled);
    run(&mut app, 5);
    // Another level in the meantime: agents of the first level do not appear there.
    let other = yard(&mut app);
    run(&mut app, 5);
    assert_eq!([at(&app, robber), at(&app, cop)], before);
    assert_eq!(world_of(&app, map).tick(), tick);
    assert_eq!((agents_on(&app, map), agents_on(&app, other)), (2, 0));
    app.world_mut().resource_mut::<PursuitSettings>().seed = 77;
    run(&mut app, 2);
    let changed = |app: &App| app.world().resource_ref::<PursuitSettings>().last_changed();
    let last = changed(&app);
    app.world_mut().entity_mut(map).remove::<Disabled>();
    run(&mut app, 5);
    assert_eq!(changed(&app), last, "the game has changed nothing since");
    assert_eq!(world_of(&app, map).tick(), tick + 5);
    assert_eq!(world_of(&app, map).settings().seed, 77);
    assert_ne!([at(&app, robber), at(&app, cop)], before);
}

#[test]
fn another_parent_in_mid_step_changes_nothing() {
    let mut app = app();
    street(&mut app);
    robber(&mut app, 33, 0);
    let cop = cop(&mut app, 0, 0, 1);
    until_it_walks(&mut app, cop);
    let way = step(&app, cop).clone();
    for _ in 0..3 {
        let parent = app.world_mut().spawn_empty().id();
        app.world_mut().entity_mut(cop).insert(ChildOf(parent));
        app.update();
        assert_eq!(step(&app, cop), &way);
    }
    app.world_mut().entity_mut(cop).remove::<ChildOf>();
    run(&mut app, 8);
    assert_eq!(at(&app, cop), way.target().expect("it walked"));
}

#[test]
fn an_agent_that_changes_its_map_in_mid_step_is_on_the_other_one_and_only_there() {
    let mut app = app();
    app.insert_resource(turns_of(8));
    let [first, second] = [(); 2].map(|()| yard(&mut app));
    let cop = app
        .world_mut()
        .spawn((Cop, GridPosition::new(0, 0), OnMap(first)))
        .id();
    for map in [first, second] {
        app.world_mut()
            .spawn((Robber, GridPosition::new(9, 6), OnMap(map)));
    }
    until_it_walks(&mut app, cop);
    app.world_mut()
        .entity_mut(cop)
        .insert((OnMap(second), GridPosition::new(4, 3)));
    app.update();
    assert_eq!(at(&app, cop), IVec2::new(4, 3));
    assert_eq!((agents_on(&app, first), agents_on(&app, second)), (1, 2));
    assert_eq!(step(&app, cop).from, IVec2::new(4, 3));
    let listed = app.world().get::<MapAgents>(second).expect("a map");
    assert!(listed.len() == 2 && listed.iter().any(|agent| agent == cop));
}

#[test]
fn a_level_that_is_despawned_takes_its_agents_along() {
    let mut app = app();
    let level = app.world_mut().spawn_empty().id();
    let map = PursuitMap::new(&common::map(&YARD), Moves::Octile);
    let map = app.world_mut().spawn((map, ChildOf(level))).id();
    for x in 0..5 {
        app.world_mut()
            .spawn((Cop, GridPosition::new(x, 0), OnMap(map), ChildOf(level)));
    }
    let stays = app
        .world_mut()
        .spawn((Robber, GridPosition::new(9, 6), OnMap(map)))
        .id();
    run(&mut app, 3);
    app.world_mut().despawn(level);
    // There is one map again at once. Agents of the first map must not join it.
    let next = yard(&mut app);
    run(&mut app, 3);
    assert_eq!(state(&app, stays), DecidedBy::Nobody(IdleReason::NoMap));
    assert_eq!(agents_on(&app, next), 0);
    app.world_mut().entity_mut(stays).insert(OnMap(next));
    run(&mut app, 2);
    assert_eq!(sides(&app, next, stays), [Side::Robber]);
    assert_eq!(agents_on(&app, next), 1);
}

#[test]
fn agents_that_name_no_map_stay_on_theirs_while_another_loads() {
    let mut app = app();
    let first = yard(&mut app);
    robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    run(&mut app, 3);
    let second = yard(&mut app);
    run(&mut app, 3);
    assert_eq!(state(&app, cop), DecidedBy::Policy(Source::Search));
    assert_eq!((agents_on(&app, first), agents_on(&app, second)), (2, 0));
    app.world_mut().despawn(first);
    run(&mut app, 3);
    // They were on another map, and the game has to name this one.
    assert_eq!(agents_on(&app, second), 0);
}

#[test]
fn ten_thousand_agents_come_and_go_at_once() {
    let mut app = app();
    let map = yard(&mut app);
    let many: Vec<Entity> = (0..10_000)
        .map(|n| {
            let place = GridPosition::new(n % 10, 0);
            app.world_mut().spawn((Cop, place, OnMap(map))).id()
        })
        .collect();
    app.update();
    assert_eq!(agents_on(&app, map), 10_000);
    for agent in many {
        app.world_mut().despawn(agent);
    }
    app.update();
    assert_eq!(agents_on(&app, map), 0);
    assert!(app.world().get::<MapAgents>(map).is_none());
}

/// The recipe of the README.
#[test]
fn who_is_moved_away_and_let_go_in_the_observer_is_captured_once() {
    for (ticks, move_cop) in [(1, false), (8, false), (1, true), (8, true)] {
        let mut app = app();
        app.insert_resource(turns_of(ticks));
        yard(&mut app);
        app.add_observer(
            move |captured: On<Captured>,
                  mut places: Query<&mut GridPosition>,
                  mut commands: Commands| {
                let agent = if move_cop {
                    captured.cop
                } else {
                    captured.robber
                };
                places.get_mut(agent).expect("an agent").0 = IVec2::new(0, 6);
                commands.entity(captured.robber).remove::<Caught>();
            },
        );
        let robber = robber(&mut app, 9, 0);
        let cop = cop(&mut app, 9, 0, 1);
        app.world_mut()
            .entity_mut(if move_cop { robber } else { cop })
            .insert(AgentControl::Steer(IVec2::ZERO));
        run(&mut app, 4);
        let captures = app.world().resource::<Captures>().0.len();
        assert_eq!(captures, 1, "{ticks} ticks a turn, cop moved: {move_cop}");
        assert!(app.world().get::<Caught>(robber).is_none());
    }
}

/// When a game writes.
#[derive(Debug, Clone, Copy)]
enum When {
    BeforeSync,
    AfterSync,
    AfterArrive,
    AfterDecide,
}

/// A teleport takes effect whichever system writes it, even in the tick in which the agent sets out or
/// arrives.
#[test]
fn a_position_that_the_game_writes_is_never_lost() {
    use PursuitSystems::{Arrive, Decide, Sync};
    use When::{AfterArrive, AfterDecide, AfterSync, BeforeSync};
    for when in [BeforeSync, AfterSync, AfterArrive, AfterDecide] {
        for tick in 1..=18 {
            let mut app = app();
            let map = street(&mut app);
            robber(&mut app, 33, 0);
            let cop = cop(&mut app, 0, 0, 1);
            let write = move |maps: Query<&LiveMap>, mut places: Query<&mut GridPosition>| {
                if maps.get(map).is_ok_and(|map| map.tick() == tick) {
                    places.get_mut(cop).expect("a cop").0 = IVec2::new(20, 0);
                }
            };
            match when {
                BeforeSync => app.add_systems(FixedUpdate, write.before(Sync)),
                AfterSync => app.add_systems(FixedUpdate, write.after(Sync).before(Arrive)),
                AfterArrive => app.add_systems(FixedUpdate, write.after(Arrive).before(Decide)),
                AfterDecide => app.add_systems(FixedUpdate, write.after(Decide)),
            };
            run(&mut app, tick as usize + 1);
            let place = at(&app, cop);
            assert!(
                [20, 21].contains(&place.x),
                "{when:?}, tick {tick}: it is at {place}"
            );
            let mut agents = world_of(&app, map).agents();
            let agent = agents.find(|(_, agent)| agent.setup().side == Side::Cops);
            let known = i32::from(agent.expect("the cop").1.setup().cell.x);
            assert_eq!(known, place.x, "{when:?}, tick {tick}");
        }
    }
}

#[test]
fn writing_the_same_tile_again_is_no_teleport() {
    let mut app = app();
    street(&mut app);
    robber(&mut app, 33, 0);
    let cop = cop(&mut app, 0, 0, 1);
    until_it_walks(&mut app, cop);
    let way = step(&app, cop).clone();
    let here = at(&app, cop);
    put(&mut app, cop, here.x, here.y);
    app.update();
    assert_eq!(step(&app, cop), &way);
}

/// Positions count from the bottom: an agent in the bottom row stays in the bottom row of a higher map.
#[test]
fn agents_keep_their_tiles_when_their_map_is_replaced_by_a_higher_one() {
    let mut app = app();
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(
            &common::map(&["...", "..."]),
            Moves::Octile,
        ))
        .id();
    let cop = cop(&mut app, 2, 0, 1);
    run(&mut app, 2);
    let higher = PursuitMap::new(&common::map(&["...", "...", "...", "..."]), Moves::Octile);
    app.world_mut().entity_mut(map).insert(higher);
    run(&mut app, 3);
    assert_eq!(at(&app, cop), IVec2::new(2, 0));
    assert_eq!(sides(&app, map, cop), [Side::Cops]);
}

/// With several maps, a map that is replaced keeps its agents, including those that do not name it.
#[test]
fn agents_that_name_no_map_stay_on_theirs_when_it_is_replaced() {
    let mut app = app();
    let first = yard(&mut app);
    robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    run(&mut app, 3);
    let second = yard(&mut app);
    run(&mut app, 3);
    for size in [12, 300] {
        let rows = vec![".".repeat(size); size];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let other = PursuitMap::new(&common::map(&rows), Moves::Octile);
        app.world_mut().entity_mut(first).insert(other);
        let mut ticks = 0;
        while agents_on_or_none(&app, first) == 0 {
            run(&mut app, 1);
            ticks += 1;
            assert!(ticks < 200, "{size}: {:?}", state(&app, cop));
        }
        run(&mut app, 3);
        let by = state(&app, cop);
        let by_search = [Source::Search, Source::Endgame].map(DecidedBy::Policy);
        assert!(by_search.contains(&by), "{by:?}");
        assert_eq!((agents_on(&app, first), agents_on(&app, second)), (2, 0));
    }
}

/// A prefab: a level with its agents, which is copied.
#[test]
fn a_copy_of_a_level_has_agents_of_its_own() {
    let mut app = app();
    let level = yard(&mut app);
    let pursuit = app
        .world_mut()
        .spawn((
            Pursuit::default(),
            PursuitClock::FreeRunning,
            ChildOf(level),
        ))
        .id();
    for place in [0, 9] {
        let agent = (
            GridPosition::new(place, 0),
            OnMap(level),
            InPursuit(pursuit),
        );
        let mut agent = app.world_mut().spawn((agent, ChildOf(level)));
        if place == 0 {
            agent.insert(Cop);
        } else {
            agent.insert(Robber);
        }
    }
    run(&mut app, 3);
    let copy = app.world_mut().spawn_empty().id();
    bevy::ecs::entity::EntityCloner::build_opt_out(app.world_mut())
        .linked_cloning(true)
        .clone_entity(level, copy);
    let map = PursuitMap::new(&common::map(&YARD), Moves::Octile);
    app.world_mut().entity_mut(copy).insert(map);
    run(&mut app, 3);
    assert_eq!((agents_on(&app, level), agents_on(&app, copy)), (2, 2));
    let numbers = |map| -> Vec<u32> {
        let agents = world_of(&app, map).agents();
        agents.map(|(_, agent)| agent.setup().pursuit).collect()
    };
    assert_eq!((numbers(level), numbers(copy)), (vec![1, 1], vec![2, 2]));
}

#[test]
fn an_agent_that_plays_names_its_map_and_leaves_it_without_the_name() {
    let mut app = app();
    let first = yard(&mut app);
    let agent = cop(&mut app, 0, 0, 1);
    run(&mut app, 3);
    assert_eq!(app.world().get::<OnMap>(agent), Some(&OnMap(first)));
    app.world_mut().entity_mut(agent).remove::<OnMap>();
    run(&mut app, 3);
    assert_eq!(
        app.world().get::<OnMap>(agent),
        Some(&OnMap(first)),
        "the only map"
    );
    let second = yard(&mut app);
    app.world_mut().entity_mut(agent).remove::<OnMap>();
    run(&mut app, 3);
    // It would not know which of them.
    assert_eq!([first, second].map(|map| agents_on(&app, map)), [0, 0]);
    assert_eq!(state(&app, agent), DecidedBy::Nobody(IdleReason::NoMap));
    app.world_mut().despawn(first);
    run(&mut app, 3);
    assert_eq!(agents_on(&app, second), 1, "the only map");
    assert_eq!(app.world().get::<OnMap>(agent), Some(&OnMap(second)));
}

#[test]
fn where_an_observer_puts_an_agent_in_the_middle_of_a_tick_it_is() {
    let mut app = app();
    street(&mut app);
    app.add_observer(|refused: On<OrderRefused>, mut commands: Commands| {
        let there = GridPosition::new(20, 0);
        commands.entity(refused.agent).insert(there);
    });
    let cop = app.world_mut().spawn((Cop, GridPosition::new(5, 0))).id();
    run(&mut app, 2);
    let beside = MoveOrder(vec![IVec2::new(9, 0)]);
    app.world_mut().entity_mut(cop).insert(beside);
    run(&mut app, 2);
    assert_eq!(at(&app, cop), IVec2::new(20, 0));
}
