//! Bodies that cannot go on.

use crate::common;
use crate::common::app::{app, at, cop, robber, run};
use bevy::prelude::*;
use bevy_pursuit::Blocked;
use bevy_pursuit::prelude::*;

const CRATE: IVec2 = IVec2::new(4, 1);

/// Stops a body in front of the crate.
fn bump(maps: Query<&LiveMap>, agents: Query<(Entity, &NextStep)>, mut commands: Commands) {
    let tick = maps.single().map_or(0, LiveMap::tick);
    for (agent, step) in &agents {
        let ahead = step.path.get(step.walked(tick, 0.0) as usize);
        if ahead == Some(&CRATE) {
            commands.entity(agent).insert(Blocked::default());
        }
    }
}

#[test]
fn agents_go_around_what_their_bodies_run_into() {
    let mut app = app();
    app.add_systems(FixedPostUpdate, bump);
    let map = PursuitMap::new(
        &common::map(&["..........", "..........", ".........."]),
        Moves::Octile,
    );
    app.world_mut().spawn(map);
    let robber = robber(&mut app, 9, 1);
    app.world_mut().entity_mut(robber).insert(PursuitSpeed(0));
    let cop = cop(&mut app, 0, 1, 1);
    let walker = common::app::cop(&mut app, 0, 0, 1);
    let goal = IVec2::new(8, 2);
    app.world_mut()
        .entity_mut(walker)
        .insert(AgentControl::WalkTo(goal));
    let mut blocked = 0;
    for _ in 0..60 {
        run(&mut app, 1);
        for agent in [cop, walker] {
            assert_ne!(at(&app, agent), CRATE);
            blocked += usize::from(app.world().get::<Blocked>(agent).is_some());
        }
    }
    assert!(blocked > 0);
    assert!(
        app.world().get::<Blocked>(cop).is_none(),
        "the plugin has taken it"
    );
    assert_eq!(
        app.world().get::<Caught>(robber).map(|caught| caught.by),
        Some(cop)
    );
    assert_eq!(at(&app, walker), goal);
}
