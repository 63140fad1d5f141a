//! Pursuits as entities, the components that agents obey, orders, and independence of the
//! way Bevy stores entities.

use crate::common;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::entity::EntityMapper;
use bevy::ecs::reflect::ReflectComponent;
use bevy::prelude::*;
use bevy_pursuit::LastSeen;
use bevy_pursuit::PursuitAgents;
use bevy_pursuit::debug::{DecidedBy, IdleReason, Source};
use bevy_pursuit::engine::world::Snapshot;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{HeadsFor, OrderRefused, Quarry, TurnClock};
use common::app::*;

fn number(app: &App, pursuit: Entity) -> u32 {
    app.world().get::<Pursuit>(pursuit).expect("a pursuit").0
}

/// The clock and the tactics of a pursuit as its map knows them.
fn set_up(
    app: &App,
    map: Entity,
    number: u32,
) -> Option<bevy_pursuit::engine::world::PursuitSetup> {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    let pursuit = map.world().expect("a world").pursuit(number)?;
    Some(*pursuit.setup())
}

#[test]
fn a_pursuit_is_an_entity_with_a_clock_and_tactics() {
    use bevy_pursuit::engine::world;
    let mut app = app();
    let map = yard(&mut app);
    let pursuit = app
        .world_mut()
        .spawn((
            Pursuit::default(),
            PursuitClock::FreeRunning,
            related!(PursuitAgents[
                (Cop, GridPosition::new(0, 0)),
                (Robber, GridPosition::new(9, 6)),
            ]),
        ))
        .id();
    let alone = cop(&mut app, 5, 0, 1);
    run(&mut app, 3);
    assert_eq!(number(&app, pursuit), 1);
    let setup = set_up(&app, map, 1).expect("it has agents");
    assert_eq!(setup.clock, Some(world::PursuitClock::FreeRunning));
    assert_eq!(setup.tactics, None);
    assert_eq!(
        state(&app, alone),
        DecidedBy::Nobody(IdleReason::NobodyThere)
    );
    let clock = app.world().get::<TurnClock>(pursuit).expect("a clock");
    assert_eq!(clock.turn, 3);
    // Changes take effect at once, and so does removing a component.
    app.world_mut()
        .entity_mut(pursuit)
        .insert(Tactics::Chase)
        .remove::<PursuitClock>();
    app.world_mut().entity_mut(map).insert(Tactics::Chase);
    app.update();
    for number in [0, 1] {
        let setup = set_up(&app, map, number).expect("it has agents");
        assert_eq!(setup.clock, None);
        assert_eq!(setup.tactics, Some(Tactics::Chase));
    }
    let mut clock = app.world_mut().entity_mut(pursuit);
    clock.insert(PursuitClock::Turns);
    app.update();
    *app.world_mut()
        .get_mut::<PursuitClock>(pursuit)
        .expect("it has one") = PursuitClock::FreeRunning;
    app.update();
    let setup = set_up(&app, map, 1).expect("it has agents");
    assert_eq!(setup.clock, Some(world::PursuitClock::FreeRunning));
}

#[test]
fn agents_of_a_pursuit_that_is_despawned_fall_back_to_that_of_the_map() {
    let mut app = app();
    let map = yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    let pursuit = app.world_mut().spawn((Pursuit(7), Tactics::Chase)).id();
    app.world_mut().entity_mut(cop).insert(InPursuit(pursuit));
    run(&mut app, 3);
    assert_eq!(state(&app, cop), DecidedBy::Nobody(IdleReason::NobodyThere));
    app.world_mut().despawn(pursuit);
    run(&mut app, 3);
    assert!(
        [
            DecidedBy::Policy(Source::Search),
            DecidedBy::Policy(Source::Table)
        ]
        .contains(&state(&app, cop))
    );
    assert_eq!(app.world().get::<Target>(cop).unwrap().robber, Some(robber));
    assert_eq!(set_up(&app, map, 7), None, "it has gone");
}

#[test]
fn agents_whose_pursuit_is_one_no_longer_do_not_join_the_next_one_of_its_number() {
    let mut app = app();
    let map = yard(&mut app);
    let left = cop(&mut app, 0, 0, 1);
    let pursuit = app.world_mut().spawn(Pursuit::default()).id();
    app.world_mut().entity_mut(left).insert(InPursuit(pursuit));
    run(&mut app, 2);
    app.world_mut().entity_mut(pursuit).remove::<Pursuit>();
    let next = app.world_mut().spawn(Pursuit::default()).id();
    assert_eq!(number(&app, next), 1);
    let robber = robber(&mut app, 9, 6);
    app.world_mut().entity_mut(robber).insert(InPursuit(next));
    run(&mut app, 2);
    assert_eq!(
        state(&app, left),
        DecidedBy::Nobody(IdleReason::NobodyThere)
    );
    let world = app.world().get::<LiveMap>(map).and_then(LiveMap::world);
    let setups = world
        .expect("a world")
        .agents()
        .map(|(_, agent)| *agent.setup());
    let cops: Vec<u32> = setups
        .filter(|setup| setup.user == left.to_bits())
        .map(|setup| setup.pursuit)
        .collect();
    assert_eq!(cops, [0]);
}

#[test]
fn numbers_of_pursuits_are_free_ones_and_belong_to_one() {
    let mut app = app();
    let spawn = |app: &mut App, number| app.world_mut().spawn(Pursuit(number)).id();
    let first = spawn(&mut app, 0);
    let two = spawn(&mut app, 2);
    let next = spawn(&mut app, 0);
    let taken = spawn(&mut app, 2);
    let clone = app.world_mut().entity_mut(two).clone_and_spawn();
    let all = [first, two, next, taken, clone];
    assert_eq!(all.map(|entity| number(&app, entity)), [1, 2, 3, 4, 5]);
    app.world_mut().despawn(first);
    let again = spawn(&mut app, 0);
    assert_eq!(number(&app, again), 1);
    // An entity that an agent names becomes a pursuit.
    let plain = app.world_mut().spawn_empty().id();
    app.world_mut()
        .spawn((Cop, GridPosition::new(0, 0), InPursuit(plain)));
    assert_eq!(number(&app, plain), 6);
}

#[test]
fn pursuits_come_back_with_a_save_game() {
    let mut app = app();
    let map = yard(&mut app);
    let pursuit = app
        .world_mut()
        .spawn((Pursuit(5), PursuitClock::FreeRunning))
        .id();
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut().entity_mut(cop).insert(InPursuit(pursuit));
    run(&mut app, 3);
    let snapshot = app.world().get::<LiveMap>(map).unwrap().snapshot();
    app.world_mut().despawn(pursuit);
    run(&mut app, 3);
    app.world_mut()
        .restore_map(map, snapshot.unwrap(), Some)
        .expect("a sound one");
    app.update();
    let pursuit = app.world().get::<InPursuit>(cop).expect("it is back").0;
    assert_eq!(number(&app, pursuit), 5);
    let clock = app.world().get::<PursuitClock>(pursuit);
    assert_eq!(clock, Some(&PursuitClock::FreeRunning));
}

/// An observer of a capture despawns the pursuit and loads the last save.
#[test]
fn so_they_do_in_the_middle_of_a_tick() {
    #[derive(Resource)]
    struct Load(Option<(Snapshot, Entity, Entity)>);
    let mut app = app();
    let map = yard(&mut app);
    let setup = (Pursuit(5), PursuitClock::FreeRunning, Tactics::Chase);
    let pursuit = app.world_mut().spawn(setup).id();
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut().entity_mut(cop).insert(InPursuit(pursuit));
    run(&mut app, 3);
    let saved = app.world().get::<LiveMap>(map).unwrap().snapshot();
    run(&mut app, 3);
    let load = |mut load: ResMut<Load>, mut commands: Commands| {
        if let Some((saved, map, pursuit)) = load.0.take() {
            commands.entity(pursuit).despawn();
            commands.queue(move |world: &mut World| {
                world.restore_map(map, saved, Some).expect("a sound one");
            });
        }
    };
    let midway = load
        .after(PursuitSystems::Arrive)
        .before(PursuitSystems::Decide);
    app.insert_resource(Load(saved.map(|saved| (saved, map, pursuit))))
        .add_systems(FixedUpdate, midway);
    run(&mut app, 2);
    let pursuit = app.world().get::<InPursuit>(cop).expect("it is back").0;
    assert_eq!(number(&app, pursuit), 5);
    let clock = app.world().get::<PursuitClock>(pursuit);
    assert_eq!(clock, Some(&PursuitClock::FreeRunning));
    let tactics = app.world().get::<Tactics>(pursuit);
    assert_eq!(tactics, Some(&Tactics::Chase));
}

#[test]
fn a_restore_leaves_no_ghosts_and_nobody_on_two_maps() {
    let mut app = app();
    let maps = [(); 2].map(|()| yard(&mut app));
    let spawn = |app: &mut App, x, map| {
        let agent = (Cop, GridPosition::new(x, 0), OnMap(map));
        app.world_mut().spawn(agent).id()
    };
    let (gone, moved) = (spawn(&mut app, 0, maps[0]), spawn(&mut app, 4, maps[0]));
    run(&mut app, 3);
    let snapshot = app.world().get::<LiveMap>(maps[0]).unwrap().snapshot();
    app.world_mut().despawn(gone);
    app.world_mut()
        .entity_mut(moved)
        .insert((OnMap(maps[1]), GridPosition::new(9, 6)));
    app.world_mut()
        .spawn((Robber, GridPosition::new(0, 0), OnMap(maps[0])));
    run(&mut app, 3);
    app.world_mut()
        .restore_map(maps[0], snapshot.unwrap(), Some)
        .expect("a sound one");
    run(&mut app, 2);
    assert_eq!(app.world().resource::<Captures>().0, [], "by a ghost");
    let agents = maps.map(|map| {
        let map = app.world().get::<LiveMap>(map).unwrap();
        map.world().unwrap().agents().count()
    });
    assert_eq!(agents, [2, 0]);
    assert_eq!(app.world().get::<OnMap>(moved), Some(&OnMap(maps[0])));
}

#[derive(Resource, Default)]
struct Refused(Vec<(usize, IVec2)>);

#[test]
fn an_order_that_is_not_open_to_its_end_is_told() {
    let mut app = app();
    app.insert_resource(turns_of(4));
    let map = PursuitMap::new(&common::map(&["......", "####.#"]), Moves::Octile);
    app.world_mut().spawn(map);
    app.init_resource::<Refused>().add_observer(
        |on: On<OrderRefused>, mut all: ResMut<Refused>| {
            all.0.push((on.taken, on.refused));
        },
    );
    let cop = cop(&mut app, 0, 1, 2);
    app.update();
    let orders: [(&[(i32, i32)], &[(usize, IVec2)]); 4] = [
        (&[(1, 1), (2, 1)], &[]),
        (&[(3, 1), (3, 0)], &[(1, IVec2::new(3, 0))]),
        (&[(9, 9)], &[(0, IVec2::new(9, 9))]),
        (&[], &[]),
    ];
    for (way, refused) in orders {
        let way = way.iter().map(|&tile| tile.into()).collect();
        app.world_mut().entity_mut(cop).insert(MoveOrder(way));
        app.update();
        assert!(app.world().get::<MoveOrder>(cop).is_none(), "it is taken");
        run(&mut app, 7);
        let told = std::mem::take(&mut app.world_mut().resource_mut::<Refused>().0);
        assert_eq!(told, refused);
    }
    assert_eq!(at(&app, cop), IVec2::new(3, 1));
}

/// An agent that had nothing to do and then gets an order does not jump to the end of its path when
/// something happens in its pursuit.
#[test]
fn an_order_to_one_who_has_nothing_to_do_takes_its_time() {
    for happens in ["a robber comes", "it is let go"] {
        let mut app = app();
        app.insert_resource(PursuitSettings {
            clock: PursuitClock::FreeRunning,
            ..turns_of(8)
        });
        yard(&mut app);
        let robber = robber(&mut app, 0, 0);
        if happens == "it is let go" {
            app.world_mut().entity_mut(robber).insert(Caught {
                by: robber,
                turn: 0,
            });
        }
        run(&mut app, 3);
        assert!(matches!(state(&app, robber), DecidedBy::Nobody(_)));
        app.world_mut()
            .entity_mut(robber)
            .insert(MoveOrder(vec![IVec2::new(1, 0)]));
        run(&mut app, 2);
        if happens == "it is let go" {
            app.world_mut().entity_mut(robber).remove::<Caught>();
        } else {
            cop(&mut app, 9, 6, 1);
        }
        for _ in 0..6 {
            run(&mut app, 1);
            assert_eq!(at(&app, robber), IVec2::ZERO, "{happens}");
        }
        run(&mut app, 2);
        assert_ne!(at(&app, robber), IVec2::ZERO, "{happens}");
    }
}

/// Writes of the game to this component are overwritten.
#[test]
fn the_next_step_is_output_only() {
    let mut app = app();
    app.insert_resource(turns_of(4));
    yard(&mut app);
    robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    run(&mut app, 2);
    let end = app.world().get::<NextStep>(cop).unwrap().end();
    let mut step = app.world_mut().get_mut::<NextStep>(cop).unwrap();
    step.path.clear();
    run(&mut app, 3);
    assert_eq!(at(&app, cop), end);
    assert!(app.world().get::<NextStep>(cop).unwrap().target().is_some());
}

#[test]
fn a_cop_shows_whom_it_chases_and_what_was_last_seen() {
    let mut app = app();
    let map = common::map(&["............", ".##########.", "............"]);
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&map, Moves::Octile))
        .id();
    let robber = robber(&mut app, 8, 0);
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut().entity_mut(cop).insert(Sight(30));
    app.world_mut()
        .entity_mut(robber)
        .insert(AgentControl::Steer(IVec2::ZERO));
    run(&mut app, 2);
    let tick = app.world().get::<LiveMap>(map).unwrap().tick();
    let seen = LastSeen {
        at: IVec2::new(8, 0),
        tick,
        in_sight: true,
    };
    let target = Target {
        robber: Some(robber),
        last_seen: Some(seen),
    };
    assert_eq!(app.world().get::<Target>(cop), Some(&target));
    app.world_mut()
        .entity_mut(robber)
        .insert(GridPosition::new(6, 2));
    run(&mut app, 2);
    let target = app.world().get::<Target>(cop).expect("a cop");
    let last_seen = LastSeen {
        in_sight: false,
        ..seen
    };
    assert_eq!(target.last_seen, Some(last_seen));
}

/// A component that only changes how Bevy stores an entity.
#[derive(Component)]
struct Mark<const N: usize>;

pub(crate) fn mark(app: &mut App, entity: Entity, kind: usize) {
    let mut entity = app.world_mut().entity_mut(entity);
    match kind % 3 {
        0 => entity.insert(Mark::<0>),
        1 => entity.insert(Mark::<1>),
        _ => entity.insert((Mark::<0>, Mark::<1>)),
    };
}

/// The hashes of a game in which many agents join and change in one tick; `order` is the order in which
/// they are spawned, `kinds` decides how they are stored.
fn hashes(order: &[usize], kinds: usize) -> Vec<u64> {
    let mut app = app();
    app.insert_resource(turns_of(4));
    let map = yard(&mut app);
    let pursuits: Vec<Entity> = [(); 3]
        .map(|()| app.world_mut().spawn(Pursuit::default()).id())
        .into();
    let mut agents = vec![Entity::PLACEHOLDER; order.len()];
    for (turn, &index) in order.iter().enumerate() {
        let place = GridPosition::new((index / 3) as i32 % 10, 0);
        let mut agent = app
            .world_mut()
            .spawn((place, InPursuit(pursuits[index % 3])));
        // Several stand on one tile and differ in a single property.
        match index % 5 {
            0 => agent.insert(Robber),
            1 => agent.insert((Cop, Sight(3))),
            2 => agent.insert((Cop, Sight(9))),
            3 => agent.insert((Cop, AgentControl::WalkTo(IVec2::new(9, 6)))),
            _ => agent.insert((Cop, TicksPerStep(3))),
        };
        agents[index] = agent.id();
        let entity = agents[index];
        mark(&mut app, entity, kinds * turn);
    }
    let mut hashes = Vec::new();
    for tick in 0..80 {
        if tick % 10 == 5 {
            // All join at once, in the order of their entities, and change in any order.
            for (index, &agent) in agents.iter().enumerate() {
                let into = pursuits[(index + tick) % 3];
                if index % 2 == 0 {
                    app.world_mut().entity_mut(agent).insert(InPursuit(into));
                    mark(&mut app, agent, kinds * (index + tick));
                }
            }
        }
        app.update();
        hashes.push(app.world().get::<LiveMap>(map).unwrap().position_hash());
    }
    hashes
}

#[test]
fn who_joins_and_changes_together_does_so_in_no_order_of_entities() {
    let order: Vec<usize> = (0..40).collect();
    let steady = hashes(&order, 0);
    let back: Vec<usize> = (0..40).rev().collect();
    let mixed: Vec<usize> = (0..40).map(|index| index * 7 % 40).collect();
    for (order, kinds) in [(&order, 1), (&back, 0), (&back, 1), (&mixed, 2)] {
        let other = hashes(order, kinds);
        let differs = steady.iter().zip(&other).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{kinds}: the first tick that differs");
    }
}

struct Swap(EntityHashMap<Entity>);

impl EntityMapper for Swap {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.get(&source).copied().unwrap_or(source)
    }

    fn set_mapped(&mut self, source: Entity, target: Entity) {
        self.0.insert(source, target);
    }
}

#[test]
fn entities_in_components_are_mapped() {
    let [old, new] = [1, 2].map(|bits| Entity::from_raw_u32(bits).expect("an entity"));
    let mut swap = Swap([(old, new)].into_iter().collect());
    let mut on = OnMap(old);
    OnMap::map_entities(&mut on, &mut swap);
    assert_eq!(on, OnMap(new));
    let mut pursuit = InPursuit(old);
    InPursuit::map_entities(&mut pursuit, &mut swap);
    assert_eq!(pursuit, InPursuit(new));
    let mut caught = Caught { by: old, turn: 3 };
    Caught::map_entities(&mut caught, &mut swap);
    assert_eq!(caught.by, new);
    let mut target = Target {
        robber: Some(old),
        last_seen: None,
    };
    Target::map_entities(&mut target, &mut swap);
    assert_eq!(target.robber, Some(new));
}

/// Everything by reflection, as in a scene.
#[test]
fn agents_and_pursuits_can_be_spawned_by_reflection() {
    let mut app = app();
    let map = yard(&mut app);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let insert = |app: &mut App, entity: Entity, component: &dyn PartialReflect| {
        let registry = registry.read();
        let info = component.get_represented_type_info().expect("a type");
        let data = registry.get_type_data::<ReflectComponent>(info.type_id());
        let data = data.unwrap_or_else(|| panic!("{} is not registered", info.type_path()));
        data.insert(
            &mut app.world_mut().entity_mut(entity),
            component,
            &registry,
        );
    };
    let [pursuit, one, other] = [(); 3].map(|()| app.world_mut().spawn_empty().id());
    insert(&mut app, pursuit, &Pursuit(4));
    insert(&mut app, pursuit, &PursuitClock::FreeRunning);
    insert(&mut app, pursuit, &Tactics::Chase);
    for (agent, x) in [(one, 0), (other, 9)] {
        insert(&mut app, agent, &GridPosition::new(x, 0));
        insert(&mut app, agent, &OnMap(map));
        insert(&mut app, agent, &InPursuit(pursuit));
    }
    insert(&mut app, one, &Cop);
    insert(&mut app, other, &Robber);
    run(&mut app, 8);
    assert_eq!(app.world().get::<Target>(one).unwrap().robber, Some(other));
    assert!(set_up(&app, map, 4).is_some_and(|setup| setup.clock.is_some()));
    // The outputs of the plugin and the orders of the game are also known by name.
    let registry = registry.read();
    for name in [
        "MoveOrder",
        "NextStep",
        "PlannedPath",
        "PursuitState",
        "TurnClock",
        "MapAgents",
        "PursuitAgents",
        "MapNumber",
        "Caught",
        "Sight",
        "Mistakes",
        "TicksPerStep",
        "PursuitSpeed",
        "AgentControl",
    ] {
        assert!(registry.get_with_short_type_path(name).is_some(), "{name}");
    }
}

#[test]
fn a_pursuit_that_is_spawned_again_in_the_same_frame_begins_anew() {
    let mut app = app();
    yard(&mut app);
    let spawn = |app: &mut App| {
        let members = related!(PursuitAgents[
            (Cop, GridPosition::new(0, 0), AgentControl::External),
            (Robber, GridPosition::new(9, 6), AgentControl::External),
        ]);
        app.world_mut().spawn((Pursuit::default(), members)).id()
    };
    let turn = |app: &App, pursuit| {
        app.world()
            .get::<TurnClock>(pursuit)
            .map(|clock| clock.turn)
    };
    let before = spawn(&mut app);
    run(&mut app, 5);
    assert_eq!(turn(&app, before), Some(5));
    let agents = app.world().get::<PursuitAgents>(before);
    let agents: Vec<Entity> = agents.expect("two agents").iter().collect();
    for entity in agents.into_iter().chain([before]) {
        app.world_mut().despawn(entity);
    }
    let after = spawn(&mut app);
    assert_eq!(number(&app, after), 1, "the number is free again");
    run(&mut app, 2);
    assert_eq!(turn(&app, after), Some(2));
    // The same entity may get its own number again.
    app.world_mut().entity_mut(after).insert(Pursuit(1));
    app.update();
    assert_eq!(turn(&app, after), Some(3));
}

#[test]
fn a_cop_chases_the_quarry_that_the_game_sets_also_in_a_restored_game() {
    let mut app = app();
    let map = PursuitMap::new(
        &common::map(&["................................"; 3]),
        Moves::Octile,
    );
    let map = app.world_mut().spawn(map).id();
    let robbers = [0, 31].map(|x| {
        let robber = robber(&mut app, x, 1);
        app.world_mut().entity_mut(robber).insert(PursuitSpeed(0));
        robber
    });
    let hunter = cop(&mut app, 8, 1, 1);
    app.world_mut()
        .entity_mut(hunter)
        .insert(Quarry(robbers[1]));
    run(&mut app, 3);
    let target = |app: &App, cop| app.world().get::<Target>(cop).expect("a cop").robber;
    assert_eq!(target(&app, hunter), Some(robbers[1]));
    let live = app.world().get::<LiveMap>(map).expect("a map");
    let saved = live.snapshot().expect("a snapshot");
    app.world_mut().entity_mut(hunter).remove::<Quarry>();
    run(&mut app, 3);
    assert_eq!(target(&app, hunter), Some(robbers[0]), "the nearest one");
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("the same game");
    run(&mut app, 3);
    assert_eq!(target(&app, hunter), Some(robbers[1]));
    let quarry = app.world().get::<Quarry>(hunter);
    assert_eq!(quarry, Some(&Quarry(robbers[1])));
    // A quarry that is gone is nobody's.
    app.world_mut().despawn(robbers[1]);
    run(&mut app, 3);
    assert_eq!(target(&app, hunter), Some(robbers[0]));
}

#[test]
fn a_cop_with_tactics_of_the_game_heads_for_its_tile_also_in_a_restored_game() {
    let mut app = app();
    let map = PursuitMap::new(&common::map(&["................"; 5]), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let robber = robber(&mut app, 15, 0);
    app.world_mut().entity_mut(robber).insert(PursuitSpeed(0));
    let cop = cop(&mut app, 0, 0, 1);
    let [first, second] = [IVec2::new(3, 4), IVec2::new(8, 1)];
    app.world_mut()
        .entity_mut(cop)
        .insert((Tactics::Custom, HeadsFor(first)));
    run(&mut app, 8);
    assert_eq!(at(&app, cop), first);
    let live = app.world().get::<LiveMap>(map).expect("a map");
    let saved = live.snapshot().expect("a snapshot");
    app.world_mut().entity_mut(cop).insert(HeadsFor(second));
    run(&mut app, 10);
    assert_eq!(at(&app, cop), second);
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("the same game");
    run(&mut app, 10);
    assert_eq!(at(&app, cop), first);
    assert_eq!(app.world().get::<HeadsFor>(cop), Some(&HeadsFor(first)));
    app.world_mut().entity_mut(cop).remove::<HeadsFor>();
    run(&mut app, 20);
    assert!(app.world().get::<Caught>(robber).is_some());
}
