//! Tiles that are deadly for a time, and tiles that take longer: edits, layers, events and saves.

use crate::common;
use crate::common::app::{app, at, cop, robber, run};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{HazardError, Kinds, Struck, TileEdit};

#[derive(Resource, Default)]
struct Told(Vec<Struck>);

fn app_that_listens() -> App {
    let mut app = app();
    app.init_resource::<Told>()
        .add_observer(|event: On<Struck>, mut told: ResMut<Told>| told.0.push(*event));
    app
}

fn spawn_map(app: &mut App, rows: &[&str]) -> Entity {
    let map = PursuitMap::new(&common::map(rows), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    run(app, 1);
    map
}

fn live(app: &mut App, map: Entity) -> Mut<'_, LiveMap> {
    app.world_mut().get_mut::<LiveMap>(map).expect("a map")
}

fn told(app: &mut App) -> Vec<Struck> {
    std::mem::take(&mut app.world_mut().resource_mut::<Told>().0)
}

/// A bomb with a blast of five tiles, in a street with a niche. Who chooses its own moves leaves in time, of what kind it
/// may be; a player that stays is struck, once.
#[test]
fn who_can_leaves_a_blast_in_time_and_who_stays_is_struck_once() {
    for clock in [
        PursuitClock::Turns,
        PursuitClock::FreeRunning,
        PursuitClock::Simultaneous,
    ] {
        let mut app = app_that_listens();
        app.world_mut().resource_mut::<PursuitSettings>().clock = clock;
        let map = spawn_map(&mut app, &[".......", "###.###"]);
        let runner = robber(&mut app, 2, 1);
        let hunter = cop(&mut app, 4, 1, 1);
        let player = app
            .world_mut()
            .spawn((
                Robber,
                GridPosition::new(1, 1),
                AgentControl::Steer(IVec2::ZERO),
            ))
            .id();
        run(&mut app, 1);
        for x in 1..6 {
            let added = live(&mut app, map).add_hazard(IVec2::new(x, 1), 6, 3, Kinds::ALL);
            assert_eq!(added, Ok(()));
        }
        run(&mut app, 24);
        let struck = told(&mut app);
        let others = struck.iter().filter(|event| event.agent != player);
        assert_eq!(
            others.count(),
            0,
            "{clock:?}: {struck:?}, {runner}, {hunter}"
        );
        let of_player = struck.iter().filter(|event| event.agent == player);
        let is_captured = app.world().get::<Caught>(player).is_some();
        assert_eq!(of_player.count(), usize::from(!is_captured), "{clock:?}");
    }
}

/// A fire keeps a walker waiting, until it is put out. A saved game knows of the fire.
#[test]
fn a_fire_keeps_a_walker_waiting_until_it_is_out() {
    let mut app = app_that_listens();
    let map = spawn_map(&mut app, &["........"]);
    let fire = IVec2::new(3, 0);
    assert_eq!(
        live(&mut app, map).add_hazard(fire, 0, 10_000, Kinds::ALL),
        Ok(())
    );
    let walker = cop(&mut app, 0, 0, 1);
    let goal = IVec2::new(7, 0);
    app.world_mut()
        .entity_mut(walker)
        .insert(AgentControl::WalkTo(goal));
    run(&mut app, 20);
    assert_eq!(at(&app, walker), IVec2::new(2, 0));
    let saved = live(&mut app, map).snapshot().expect("a snapshot");
    assert!(live(&mut app, map).remove_hazards(fire));
    assert!(!live(&mut app, map).remove_hazards(fire));
    run(&mut app, 10);
    assert_eq!(at(&app, walker), goal);
    app.world_mut()
        .restore_map(map, saved, Some)
        .expect("the same game");
    run(&mut app, 20);
    assert_eq!(at(&app, walker), IVec2::new(2, 0));
    assert_eq!(told(&mut app), []);
}

#[test]
fn a_hazard_off_the_map_or_without_a_duration_is_refused() {
    let mut app = app();
    let map = spawn_map(&mut app, &["...."]);
    let mut live = live(&mut app, map);
    let off = live.add_hazard(IVec2::new(4, 0), 0, 1, Kinds::ALL);
    assert!(matches!(off, Err(HazardError::OffTheMap { .. })));
    let off = live.add_hazard(IVec2::new(-1, 0), 0, 1, Kinds::ALL);
    assert!(matches!(off, Err(HazardError::OffTheMap { .. })));
    let never = live.add_hazard(IVec2::new(1, 0), 5, 0, Kinds::ALL);
    assert!(matches!(never, Err(HazardError::Over { .. })));
    assert!(!live.remove_hazards(IVec2::new(1, 0)));
}

/// The way around takes ten steps. The way through three tiles of mud takes as long as fifteen, or as nine.
#[test]
fn a_walker_goes_around_mud_if_that_is_faster_and_through_it_if_not() {
    let mut app = app();
    app.world_mut().resource_mut::<PursuitSettings>().clock = PursuitClock::FreeRunning;
    let map = spawn_map(&mut app, &[".......", ".#####.", "......."]);
    for (times, is_around) in [(4, true), (2, false)] {
        for x in 2..5 {
            let at = IVec2::new(x, 0);
            live(&mut app, map).edit(TileEdit::Slow { at, times });
        }
        let goal = IVec2::new(6, 0);
        let walker = cop(&mut app, 0, 0, 1);
        app.world_mut()
            .entity_mut(walker)
            .insert(AgentControl::WalkTo(goal));
        let mut has_turned_off = false;
        let mut ticks = 0;
        while at(&app, walker) != goal && ticks < 60 {
            run(&mut app, 1);
            ticks += 1;
            has_turned_off |= at(&app, walker).y > 0;
        }
        assert_eq!(at(&app, walker), goal);
        assert_eq!(has_turned_off, is_around, "{times} times, {ticks} ticks");
        app.world_mut().despawn(walker);
    }
}
