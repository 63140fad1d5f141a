//! Errands end, and the game is told once, whenever and however often it sends them.

use crate::common;
use bevy::ecs::resource::IsResource;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapNumber, Obstacle};
use common::app::*;

#[derive(Resource, Default)]
struct Told(Vec<Result<Entity, Obstacle>>);

/// Errands to places behind a wall, in a wall and off the map, and to one that can be reached.
#[test]
fn errands_end_and_are_told_once() {
    use PursuitClock::{FreeRunning, Simultaneous, Turns};
    let cases = [Turns, FreeRunning, Simultaneous].map(|clock| [(clock, false), (clock, true)]);
    for (clock, in_the_tick) in cases.into_iter().flatten() {
        let mut app = app();
        app.world_mut().resource_mut::<PursuitSettings>().clock = clock;
        let map = PursuitMap::new(&common::map(&[".....#.", ".....#."]), Moves::Octile);
        app.world_mut().spawn(map);
        app.init_resource::<Told>()
            .add_observer(|on: On<Arrived>, mut told: ResMut<Told>| told.0.push(Ok(on.agent)))
            .add_observer(|on: On<NoWay>, mut told: ResMut<Told>| told.0.push(Err(on.because)));
        let between = send
            .after(PursuitSystems::Arrive)
            .before(PursuitSystems::Decide);
        app.init_resource::<Errand>()
            .add_systems(FixedUpdate, between);
        let walker = cop(&mut app, 0, 0, 1);
        app.update();
        let ends = [
            ((3, 1), Ok(walker)),
            ((5, 1), Err(Obstacle::InWall)),
            ((6, 1), Err(Obstacle::BehindWalls)),
            ((40, 1), Err(Obstacle::OffTheMap)),
            ((0, 0), Ok(walker)),
            ((40, 1), Err(Obstacle::OffTheMap)),
        ];
        for (tile, end) in ends {
            let errand = AgentControl::WalkTo(tile.into());
            let sent = Some((walker, errand)).filter(|_| in_the_tick);
            app.insert_resource(Errand(sent));
            if !in_the_tick {
                app.world_mut().entity_mut(walker).insert(errand);
            }
            run(&mut app, 12);
            let told = std::mem::take(&mut app.world_mut().resource_mut::<Told>().0);
            assert_eq!(told, [end], "{clock:?}, {in_the_tick}: to {tile:?}");
            // Sending the same errand again changes nothing.
            app.insert_resource(Errand(sent));
            if !in_the_tick {
                app.world_mut().entity_mut(walker).insert(errand);
            }
            run(&mut app, 12);
            let told = &app.world().resource::<Told>().0;
            assert_eq!(told, &[], "{clock:?}, {in_the_tick}: again to {tile:?}");
        }
    }
}

/// Behaviour trees write all that they want in each frame, whether it has changed or not.
#[test]
fn equal_values_that_are_written_in_each_tick_change_nothing() {
    use PursuitClock::{FreeRunning, Simultaneous, Turns};
    let play = |clock, writes: bool| {
        let mut app = app();
        app.world_mut().resource_mut::<PursuitSettings>().clock = clock;
        let rows = [".......#..", ".#####.#..", ".......#.."];
        let map = PursuitMap::new(&common::map(&rows), Moves::Octile);
        let home = app.world_mut().spawn((map, clock, Tactics::Chase)).id();
        app.init_resource::<Told>()
            .add_observer(|on: On<Arrived>, mut told: ResMut<Told>| told.0.push(Ok(on.agent)))
            .add_observer(|on: On<NoWay>, mut told: ResMut<Told>| told.0.push(Err(on.because)));
        let walkers = [(0, (6, 2)), (2, (8, 0)), (1, (0, 1))];
        for (y, goal) in walkers {
            let walker = cop(&mut app, 0, y, 2);
            let errand = AgentControl::WalkTo(goal.into());
            app.world_mut().entity_mut(walker).insert(errand);
        }
        let (robber, cop) = (robber(&mut app, 6, 0), cop(&mut app, 0, 2, 1));
        let pursuit = app.world_mut().spawn(Pursuit::default()).id();
        for agent in [robber, cop] {
            app.world_mut().entity_mut(agent).insert((
                InPursuit(pursuit),
                Sight(5),
                Mistakes(0.25),
                TicksPerStep(3),
            ));
        }
        if writes {
            app.add_systems(FixedUpdate, write_all.before(PursuitSystems::Sync))
                .add_systems(Update, write_all);
        }
        let mut hashes = Vec::new();
        for _ in 0..300 {
            app.update();
            let map = app.world().get::<LiveMap>(home).expect("the map");
            hashes.push(map.position_hash());
        }
        (hashes, app.world().resource::<Told>().0.len())
    };
    for clock in [Turns, FreeRunning, Simultaneous] {
        let (once, told) = play(clock, false);
        assert_eq!(told, 3, "{clock:?}: each errand ends");
        let (always, told_always) = play(clock, true);
        assert_eq!(told_always, told, "{clock:?}: each errand ends once");
        let differs = (0..once.len()).find(|&tick| once[tick] != always[tick]);
        assert_eq!(differs, None, "{clock:?}: the same run");
    }
}

fn again<T: Component + Clone>(entity: &mut EntityWorldMut) {
    if let Some(value) = entity.get::<T>().cloned() {
        entity.insert(value);
    }
}

/// Inserts anew all that a game may write, and marks what it may mutate as changed.
fn write_all(world: &mut World) {
    world.resource_mut::<PursuitSettings>().set_changed();
    let mut all = world.query_filtered::<Entity, Without<IsResource>>();
    let all: Vec<Entity> = all.iter(world).collect();
    for entity in all {
        let mut entity = world.entity_mut(entity);
        again::<Cop>(&mut entity);
        again::<Robber>(&mut entity);
        again::<GridPosition>(&mut entity);
        again::<PursuitSpeed>(&mut entity);
        again::<AgentControl>(&mut entity);
        again::<TicksPerStep>(&mut entity);
        again::<Sight>(&mut entity);
        again::<Mistakes>(&mut entity);
        again::<InPursuit>(&mut entity);
        again::<Pursuit>(&mut entity);
        again::<PursuitClock>(&mut entity);
        again::<Tactics>(&mut entity);
        again::<MapNumber>(&mut entity);
    }
}

/// An errand that is sent in the middle of a tick.
#[derive(Resource, Default)]
struct Errand(Option<(Entity, AgentControl)>);

fn send(mut errand: ResMut<Errand>, mut controls: Query<&mut AgentControl>) {
    if let Some((walker, errand)) = errand.0.take() {
        *controls.get_mut(walker).expect("a walker") = errand;
    }
}
