//! Maps with nothing to do leave the budget to others, and many maps share it without starving.

use crate::common::app::*;
use crate::common::chase::noise;
use bevy::prelude::*;
use bevy_pursuit::MapStatus;
use bevy_pursuit::debug::PursuitDiagnostics;
use bevy_pursuit::engine::map::Terrain;
use bevy_pursuit::engine::search::Dice;
use bevy_pursuit::prelude::*;

fn idle(app: &mut App, many: usize) {
    let map = TileMap::filled(4, 4, Terrain::Floor).expect("a map");
    for _ in 0..many {
        app.world_mut().spawn(PursuitMap::new(&map, Moves::Octile));
    }
}

/// Pursuits on a map.
fn chases(app: &mut App, many: usize) -> Entity {
    let field = noise(&mut Dice::new(3), 64, 64, 12);
    let home = app
        .world_mut()
        .spawn(PursuitMap::new(&field, Moves::Octile));
    let home = home.id();
    let live = app.world().get::<LiveMap>(home).expect("a map");
    let free: Vec<IVec2> = field
        .cells()
        .filter(|&cell| field.is_passable(cell))
        .map(|cell| live.position(cell))
        .collect();
    let dice = &mut Dice::new(7);
    for _ in 0..many {
        let pursuit = app.world_mut().spawn(Pursuit::default()).id();
        for agent in 0..4 {
            let at = GridPosition(dice.pick(&free).expect("a tile"));
            let mut spawned = app.world_mut().spawn((at, OnMap(home), InPursuit(pursuit)));
            if agent == 0 {
                spawned.insert(Robber);
            } else {
                spawned.insert(Cop);
            }
        }
    }
    home
}

fn without_tables(budget: u32) -> PursuitSettings {
    let mut settings = turns_of(16);
    settings.tables.solve = false;
    settings.budget = TickBudget::Expansions(budget);
    settings
}

fn hashes(app: &mut App, map: Entity, ticks: usize) -> Vec<u64> {
    let ticks = (0..ticks).map(|_| {
        app.update();
        app.world()
            .get::<LiveMap>(map)
            .expect("a map")
            .position_hash()
    });
    ticks.collect()
}

#[test]
fn idle_maps_change_nothing_for_the_others() {
    let run_with = |maps: usize| {
        let mut app = app();
        app.insert_resource(without_tables(1_000));
        idle(&mut app, maps);
        run(&mut app, 150);
        let busy = chases(&mut app, 4);
        run(&mut app, 40);
        hashes(&mut app, busy, 100)
    };
    let alone = run_with(0);
    for maps in [1, 40] {
        assert_eq!(run_with(maps), alone, "{maps} idle maps");
    }
}

#[test]
fn what_busy_maps_leave_goes_to_those_that_wait() {
    let mut app = app();
    app.insert_resource(without_tables(4_000));
    // The first map has the most to do. The others are soon done.
    chases(&mut app, 12);
    for _ in 0..15 {
        let map = yard(&mut app);
        app.world_mut()
            .spawn((Cop, GridPosition::new(0, 0), OnMap(map)));
        app.world_mut()
            .spawn((Robber, GridPosition::new(9, 6), OnMap(map)));
    }
    run(&mut app, 64);
    let mut unused = 0;
    for _ in 0..128 {
        app.update();
        let tick = &app.world().resource::<PursuitDiagnostics>().tick;
        if tick.waiting > 0 {
            unused += usize::from(tick.expansions < 3_000);
        }
    }
    assert!(
        unused < 8,
        "in {unused} ticks agents wait and a quarter is left"
    );
}

#[test]
fn nobody_starves_where_there_are_more_maps_than_expansions() {
    for ticks_per_turn in [1, 4] {
        let mut app = app();
        app.insert_resource(turns_of(4));
        let maps: Vec<(Entity, Entity)> = (0..60)
            .map(|_| {
                let map = yard(&mut app);
                app.world_mut()
                    .spawn((Cop, GridPosition::new(0, 0), OnMap(map)));
                app.world_mut()
                    .spawn((Cop, GridPosition::new(9, 0), OnMap(map)));
                let robber = (Robber, GridPosition::new(9, 6), OnMap(map));
                (map, app.world_mut().spawn(robber).id())
            })
            .collect();
        run(&mut app, 12);
        app.insert_resource(PursuitSettings {
            ticks_per_turn,
            ..without_tables(40)
        });
        let mut planned = vec![false; maps.len()];
        for _ in 0..4_000 {
            app.update();
            for (&(map, robber), planned) in maps.iter().zip(&mut planned) {
                let world = app.world().get::<LiveMap>(map).and_then(LiveMap::world);
                let report = world.expect("a world").report();
                // In turns of one tick, agents have moved on before a plan is ready. The maps get their share all the same.
                *planned |= report.plans > 0 || ticks_per_turn == 1 && report.spent > 0;
                // Where the robber has been captured meanwhile, nobody needs a plan.
                *planned |= app.world().get::<Caught>(robber).is_some();
            }
            if planned.iter().all(|&planned| planned) {
                break;
            }
        }
        let starved = planned.iter().filter(|&&planned| !planned).count();
        assert_eq!(starved, 0, "{ticks_per_turn} ticks a turn");
    }
}

#[test]
fn maps_that_are_built_together_keep_to_the_budget() {
    for budget in [1_000, 10_000] {
        let mut app = app();
        app.insert_resource(without_tables(budget));
        let map = TileMap::filled(32, 32, Terrain::Floor).expect("a map");
        let maps: Vec<Entity> = (0..100)
            .map(|_| {
                app.world_mut()
                    .spawn(PursuitMap::new(&map, Moves::Octile))
                    .id()
            })
            .collect();
        let (mut ticks, mut most) = (0, 0);
        let mut before = Vec::new();
        while before.len() < maps.len() {
            app.update();
            ticks += 1;
            assert!(ticks < 1_000, "{} maps are ready", before.len());
            most = most.max(app.world().resource::<PursuitDiagnostics>().tick.expansions);
            let is_ready =
                |&map: &Entity| app.world().get::<MapStatus>(map) == Some(&MapStatus::Ready);
            let ready: Vec<usize> = (0..maps.len()).filter(|&at| is_ready(&maps[at])).collect();
            assert!(before.iter().all(|at| ready.contains(at)));
            before = ready;
        }
        // At most a piece more.
        assert!(most <= u64::from(budget) + 600, "{most} of {budget}");
    }
}

/// Tables come into use as if idle maps were not there.
#[test]
fn idle_maps_do_not_delay_tables() {
    let first_table = |maps: usize| {
        let mut app = app();
        let home = yard(&mut app);
        idle(&mut app, maps);
        run(&mut app, 40);
        app.world_mut()
            .spawn((Cop, GridPosition::new(0, 0), OnMap(home)));
        app.world_mut()
            .spawn((Robber, GridPosition::new(9, 6), OnMap(home)));
        (0..3_000_u32).find(|_| {
            app.update();
            let map = app.world().get::<LiveMap>(home);
            let world = map.and_then(LiveMap::world);
            world.is_some_and(|world| world.table_values(0).is_some())
        })
    };
    let soon = first_table(0).expect("a table");
    for maps in [1, 63] {
        assert_eq!(first_table(maps), Some(soon), "{maps} idle maps");
    }
}

/// Whatever the game lets `Time<Virtual>` make up for, tables come.
#[test]
fn tables_come_whatever_the_longest_step_of_time() {
    use std::time::Duration;
    let first_use = |most: Duration, hertz: f64| {
        let mut app = app();
        let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
        time.set_max_delta(most);
        app.insert_resource(Time::<Fixed>::from_hz(hertz));
        yard(&mut app);
        cop(&mut app, 0, 0, 1);
        robber(&mut app, 9, 6);
        let map = app.world_mut().query_filtered::<Entity, With<LiveMap>>();
        let map = { map }.single(app.world()).expect("a map");
        (0..4_000_u32).find(|_| {
            app.update();
            let map = app.world().get::<LiveMap>(map);
            let world = map.and_then(LiveMap::world);
            world.is_some_and(|world| world.table_values(0).is_some())
        })
    };
    for hertz in [1.0, 10.0, 64.0, 1_000.0] {
        let usual = first_use(Duration::from_millis(250), hertz).expect("a table");
        for most in [Duration::from_secs(10), Duration::MAX] {
            let found = first_use(most, hertz);
            // A second at once, and no more.
            let latest = usual + hertz as u32 + 1;
            assert!(
                found.is_some_and(|tick| tick <= latest),
                "{most:?} {hertz}: {found:?}, usually {usual}"
            );
        }
    }
}
