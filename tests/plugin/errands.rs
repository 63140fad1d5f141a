//! Errands end, and the game is told once, whenever it sends them.

use crate::common;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
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
            // Sending the same errand again is a new errand, even if it is already fulfilled.
            ((0, 0), Ok(walker)),
            ((40, 1), Err(Obstacle::OffTheMap)),
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
        }
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
