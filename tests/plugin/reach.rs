//! Robbers out of reach that leave the game and come back as others.

use crate::common;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{OutOfReach, WithinReach};
use common::app::*;

#[derive(Resource, Default)]
struct Told(Vec<bool>);

fn app_that_notes_reach() -> App {
    let mut app = app();
    app.init_resource::<Told>()
        .add_observer(|_: On<OutOfReach>, mut told: ResMut<Told>| told.0.push(false))
        .add_observer(|_: On<WithinReach>, mut told: ResMut<Told>| told.0.push(true));
    let map = PursuitMap::new(&common::map(&["..#...", "..#..."]), Moves::Octile);
    app.world_mut().spawn(map);
    app
}

/// A robber from a pool, or one that was something else for a while, begins anew: first it is out of reach, if ever.
#[test]
fn a_robber_that_comes_back_begins_within_reach() {
    for is_disabled in [false, true] {
        for (x, expected) in [(4, &[false][..]), (1, &[false, false])] {
            let mut app = app_that_notes_reach();
            app.world_mut()
                .spawn((Cop, GridPosition::new(5, 0), AgentControl::External));
            let robber = (Robber, GridPosition::new(0, 0), AgentControl::External);
            let robber = app.world_mut().spawn(robber).id();
            run(&mut app, 4);
            let mut pooled = app.world_mut().entity_mut(robber);
            if is_disabled {
                pooled.insert(Disabled);
            } else {
                pooled.remove::<Robber>();
            }
            run(&mut app, 4);
            let mut back = app.world_mut().entity_mut(robber);
            back.insert(GridPosition::new(x, 1));
            if is_disabled {
                back.remove::<Disabled>();
            } else {
                back.insert(Robber);
            }
            run(&mut app, 4);
            let told = &app.world().resource::<Told>().0;
            assert_eq!(told, expected, "{is_disabled}, column {x}");
        }
    }
}
