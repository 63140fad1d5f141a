//! The free-running clock, sight and diagnostics in apps.

use crate::common;
use bevy::diagnostic::{DiagnosticPath, DiagnosticsPlugin, DiagnosticsStore};
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::debug::{DecidedBy, PursuitDiagnostics, Reason, Source};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSchedule, TableSettings, TableTiming};
use common::app::*;

/// Tables that soon come into use, even on a busy machine.
fn in_lockstep() -> TableSettings {
    let schedule = TableSchedule {
        ticks_per_second: Some(64),
        ..default()
    };
    TableSettings {
        timing: TableTiming::Lockstep(schedule),
        ..default()
    }
}

/// Steps of 7 and 5 ticks, on the free-running clock.
#[test]
fn everybody_has_a_time_of_its_own_on_the_free_running_clock() {
    let mut app = app();
    app.insert_resource(PursuitSettings {
        clock: PursuitClock::FreeRunning,
        tables: in_lockstep(),
        ..default()
    });
    let map = yard(&mut app);
    let robber = robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut().entity_mut(robber).insert(TicksPerStep(7));
    app.world_mut().entity_mut(cop).insert(TicksPerStep(5));
    let agents = [(robber, 7), (cop, 5)];
    let mut before = agents.map(|(agent, _)| (at(&app, agent), NextStep::default()));
    let mut steps = [0; 2];
    let mut guided = 0;
    for _ in 0..600 {
        app.update();
        let tick = app.world().get::<LiveMap>(map).expect("a map").tick();
        for (index, (agent, length)) in agents.into_iter().enumerate() {
            let (place, step) = (
                at(&app, agent),
                app.world().get::<NextStep>(agent).unwrap().clone(),
            );
            let (was, last) = &before[index];
            if place != *was {
                assert!(place.chebyshev_distance(*was) == 1);
                assert!(passable(&app, map, place));
                assert_eq!(Some(place), last.target(), "where it went");
                assert_eq!(tick, last.arrives, "when it was to arrive");
                steps[index] += 1;
            }
            if !step.path.is_empty() {
                assert_eq!(step.path.len(), 1);
                assert_eq!(step.arrives - step.departs, length);
                assert!(step.departs <= tick && tick < step.arrives);
                assert_eq!(step.from, place);
            }
            guided += usize::from(state(&app, agent) == DecidedBy::Policy(Source::Guide));
            before[index] = (place, step);
        }
        if app.world().get::<Caught>(robber).is_some() {
            break;
        }
    }
    assert!(
        app.world().get::<Caught>(robber).is_some(),
        "five ticks are fewer than seven: {steps:?}"
    );
    assert!(steps[0] > 3 && steps[1] > steps[0], "{steps:?}");
    assert!(guided > 0, "a table of whole-number speeds is a guide");
    assert_eq!(app.world().resource::<Captures>().0.len(), 1);
}

#[test]
fn a_step_without_a_time_of_its_own_takes_a_turn_divided_by_the_speed() {
    let mut app = app();
    app.insert_resource(PursuitSettings {
        clock: PursuitClock::FreeRunning,
        ticks_per_turn: 12,
        ..default()
    });
    yard(&mut app);
    let walker = cop(&mut app, 0, 0, 3);
    app.world_mut()
        .entity_mut(walker)
        .insert(AgentControl::Steer(IVec2::X));
    app.update();
    for x in 0..4 {
        assert_eq!(at(&app, walker), IVec2::new(x, 0));
        run(&mut app, 4);
    }
    app.world_mut().entity_mut(walker).insert(TicksPerStep(2));
    run(&mut app, 4); // the current step keeps its duration
    assert_eq!(at(&app, walker), IVec2::new(5, 0));
    run(&mut app, 2);
    assert_eq!(at(&app, walker), IVec2::new(6, 0));
}

#[derive(Resource, Default)]
struct Seen(Vec<(Entity, bool)>);

/// A street, and a robber that goes round a corner.
#[test]
fn a_cop_that_loses_its_robber_goes_where_it_saw_it_last_and_searches() {
    let mut app = app();
    app.init_resource::<Seen>()
        .add_observer(|seen: On<Sighted>, mut all: ResMut<Seen>| all.0.push((seen.robber, true)))
        .add_observer(|lost: On<LostSight>, mut all: ResMut<Seen>| {
            all.0.push((lost.robber, false));
        });
    let map = common::map(&[
        "............", // the back street
        ".##########.",
        ".##########.",
        ".##########.",
        "............",
    ]);
    app.world_mut().spawn(PursuitMap::new(&map, Moves::Octile));
    let robber = robber(&mut app, 11, 0);
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut().entity_mut(cop).insert(Sight(30));
    app.world_mut()
        .entity_mut(robber)
        .insert(AgentControl::Steer(IVec2::ZERO));
    app.update();
    let seen = |app: &mut App| std::mem::take(&mut app.world_mut().resource_mut::<Seen>().0);
    assert_eq!(seen(&mut app), [(robber, true)], "along the street");
    run(&mut app, 3);
    assert_eq!(seen(&mut app), []);
    // Round the corner: the cop is still far.
    app.world_mut()
        .entity_mut(robber)
        .insert(AgentControl::WalkTo(IVec2::new(11, 4)));
    let mut last = at(&app, robber);
    while seen(&mut app).is_empty() {
        last = at(&app, robber);
        app.update();
    }
    assert_ne!(last, at(&app, robber));
    let lost = at(&app, cop);
    assert!(lost.x < 8, "{lost}");
    let mut came = None;
    let (mut searched, mut looked_around) = (0, 0);
    for tick in 0..200 {
        let now = *app.world().get::<PursuitState>(cop).expect("a cop");
        let sees = !seen(&mut app).is_empty();
        if sees || app.world().get::<Caught>(robber).is_some() {
            break;
        }
        assert_eq!(now.reason, Reason::OutOfSight, "{now:?} in tick {tick}");
        // The decision is counted as looking around, not as greedy.
        let decided = app.world().resource::<PursuitDiagnostics>().tick.decisions;
        assert_eq!(decided.by(Source::Greedy), 0, "{decided:?} in tick {tick}");
        let looks = now.decided_by == DecidedBy::Policy(Source::LookAround);
        assert_eq!(decided.by(Source::LookAround), u64::from(looks));
        looked_around += u64::from(looks);
        let here = at(&app, cop);
        if here.chebyshev_distance(last) <= 1 && came.is_none() {
            came = Some(tick);
        }
        if came.is_some() {
            searched += 1;
        }
        app.update();
    }
    let came = came.expect("it goes where it saw it last");
    assert!(came <= 2 + last.chebyshev_distance(lost), "without detours");
    assert!(searched > 0);
    assert!(looked_around > 0);
    let total = app.world().resource::<PursuitDiagnostics>().total;
    assert!(total.decisions.by(Source::LookAround) >= looked_around);
    // The cop finds the robber eventually, and an event reports it.
    for _ in 0..400 {
        app.update();
    }
    assert!(app.world().get::<Caught>(robber).is_some());
}

#[test]
fn a_robber_that_sees_nobody_waits_and_one_that_sees_a_cop_runs() {
    let mut app = app();
    let map = common::map(&["..................."]);
    app.world_mut().spawn(PursuitMap::new(&map, Moves::Octile));
    let robber = robber(&mut app, 12, 0);
    app.world_mut().entity_mut(robber).insert(Sight(4));
    let cop = cop(&mut app, 0, 0, 1);
    app.world_mut()
        .entity_mut(cop)
        .insert(AgentControl::Steer(IVec2::ZERO));
    run(&mut app, 5);
    assert_eq!(
        state(&app, robber),
        DecidedBy::Nobody(bevy_pursuit::debug::IdleReason::NobodySeen)
    );
    assert_eq!(at(&app, robber), IVec2::new(12, 0));
    app.world_mut()
        .entity_mut(cop)
        .insert(GridPosition::new(9, 0));
    run(&mut app, 5);
    assert!(at(&app, robber).x > 12);
}

#[test]
fn what_a_tick_takes_is_told_to_bevys_diagnostics() {
    let mut app = app();
    app.add_plugins(DiagnosticsPlugin);
    app.world_mut().resource_mut::<PursuitSettings>().tables = in_lockstep();
    yard(&mut app);
    robber(&mut app, 9, 6);
    cop(&mut app, 0, 0, 1);
    run(&mut app, 12);
    let ours = app.world().resource::<PursuitDiagnostics>();
    assert_eq!(ours.total.ticks, 12);
    let store = app.world().resource::<DiagnosticsStore>();
    for path in [
        PursuitDiagnostics::TICK_TIME,
        PursuitDiagnostics::EXPANSIONS,
        PursuitDiagnostics::PLANS,
        PursuitDiagnostics::DROPPED_PLANS,
        PursuitDiagnostics::share(Source::Table),
        PursuitDiagnostics::OLDEST_PLAN,
        PursuitDiagnostics::WAITING,
        PursuitDiagnostics::PENDING_EDITS,
    ]
    .into_iter()
    .chain(Source::ALL.map(PursuitDiagnostics::share))
    {
        let diagnostic = store.get(&path).expect("registered");
        let measured = diagnostic.values().count();
        assert_eq!(measured, 12, "{path:?}");
    }
    let sum = |path: DiagnosticPath| store.get(&path).expect("registered").values().sum::<f64>();
    assert!(sum(PursuitDiagnostics::TICK_TIME) > 0.0);
    assert!(sum(PursuitDiagnostics::EXPANSIONS) > 0.0);
    assert!(sum(PursuitDiagnostics::PLANS) >= 2.0);
    let hits = sum(PursuitDiagnostics::share(Source::Table));
    assert!(
        hits > 0.0 && hits < 12.0,
        "the table is not there at once: {hits}"
    );
}

#[test]
fn an_agent_errs_as_often_as_its_component_says() {
    let mut app = app();
    yard(&mut app);
    robber(&mut app, 9, 6);
    let cop = cop(&mut app, 0, 0, 1);
    let mistakes = |app: &mut App| {
        let before = app.world().resource::<PursuitDiagnostics>().total.decisions;
        run(app, 200);
        let after = app.world().resource::<PursuitDiagnostics>().total.decisions;
        after.by(Source::Mistake) - before.by(Source::Mistake)
    };
    assert_eq!(mistakes(&mut app), 0);
    app.world_mut().entity_mut(cop).insert(Mistakes(1.0));
    let all = mistakes(&mut app);
    assert!(all > 0);
    // Shares beyond the range count as its end, and NaN as 0.
    app.world_mut().entity_mut(cop).insert(Mistakes(7.5));
    assert_eq!(mistakes(&mut app), all);
    app.world_mut().entity_mut(cop).insert(Mistakes(f32::NAN));
    assert_eq!(mistakes(&mut app), 0);
    app.world_mut().entity_mut(cop).insert(Mistakes(0.5));
    let half = mistakes(&mut app);
    assert!((1..all).contains(&half), "{half} of {all}");
    app.world_mut().entity_mut(cop).remove::<Mistakes>();
    assert_eq!(mistakes(&mut app), 0);
}

/// Ways of a robber out of its map.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Exit {
    /// It hides in a locker.
    Locker,
    /// It takes the stairs to another map, where a guard sees it at once.
    Stairs,
    /// It crawls into a vent, to a tile off the map.
    Vent,
    /// The game despawns it.
    Despawned,
    /// It does not play any more.
    NoRole,
}

#[test]
fn guards_lose_a_robber_that_vanishes_and_search_for_it() {
    for exit in [
        Exit::Locker,
        Exit::Stairs,
        Exit::Vent,
        Exit::Despawned,
        Exit::NoRole,
    ] {
        let mut app = app();
        app.init_resource::<Seen>()
            .add_observer(|seen: On<Sighted>, mut all: ResMut<Seen>| {
                all.0.push((seen.robber, true));
            })
            .add_observer(|lost: On<LostSight>, mut all: ResMut<Seen>| {
                all.0.push((lost.robber, false));
            });
        let map = common::map(&["...................."; 9]);
        let maps = [(); 2].map(|()| {
            let map = PursuitMap::new(&map, Moves::Octile);
            app.world_mut().spawn(map).id()
        });
        let guards = maps.map(|map| {
            let cop = cop(&mut app, 2, 4, 1);
            app.world_mut()
                .entity_mut(cop)
                .insert((Sight(12), OnMap(map)));
            cop
        });
        let robber = robber(&mut app, 12, 4);
        app.world_mut()
            .entity_mut(robber)
            .insert((OnMap(maps[1]), AgentControl::External));
        run(&mut app, 2);
        let seen = |app: &mut App| std::mem::take(&mut app.world_mut().resource_mut::<Seen>().0);
        assert_eq!(seen(&mut app), [(robber, true)], "{exit:?}");
        let mut entity = app.world_mut().entity_mut(robber);
        match exit {
            Exit::Locker => {
                entity.insert(Disabled);
            }
            Exit::Stairs => {
                entity.insert(OnMap(maps[0]));
            }
            Exit::Vent => {
                entity.insert(GridPosition::new(500, 500));
            }
            Exit::NoRole => {
                entity.remove::<Robber>();
            }
            Exit::Despawned => entity.despawn(),
        }
        run(&mut app, 2);
        let expected: &[(Entity, bool)] = match exit {
            Exit::Stairs => &[(robber, false), (robber, true)],
            Exit::Despawned => &[],
            _ => &[(robber, false)],
        };
        assert_eq!(seen(&mut app), expected, "{exit:?}");
        // The guard goes there.
        let mut farthest = 0;
        for _ in 0..40 {
            app.update();
            farthest = farthest.max(at(&app, guards[1]).x);
        }
        let target = *app.world().get::<Target>(guards[1]).expect("a cop");
        let last = target.last_seen.expect("a sighting");
        assert_eq!((last.at, last.in_sight), (IVec2::new(12, 4), false));
        assert!(farthest >= 8, "{exit:?}: {farthest}");
        assert_ne!(
            state(&app, guards[1]),
            DecidedBy::Nobody(bevy_pursuit::debug::IdleReason::NobodyThere)
        );
        if exit == Exit::Locker {
            app.world_mut().entity_mut(robber).remove::<Disabled>();
            run(&mut app, 2);
            assert_eq!(seen(&mut app), [(robber, true)]);
            let target = *app.world().get::<Target>(guards[1]).expect("a cop");
            assert_eq!(target.robber, Some(robber));
        }
    }
}
