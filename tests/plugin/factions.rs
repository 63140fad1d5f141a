//! Factions: agents that hunt some factions and flee from others, and swaps for some time.

use crate::common;
use crate::common::app::{app, run};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Faction, FactionSwap};

#[derive(Resource, Default)]
struct Told(Vec<Captured>);

fn app_that_listens(clock: PursuitClock) -> App {
    let mut app = app();
    app.world_mut().resource_mut::<PursuitSettings>().clock = clock;
    app.init_resource::<Told>()
        .add_observer(|event: On<Captured>, mut told: ResMut<Told>| told.0.push(*event));
    app
}

fn spawn_map(app: &mut App, rows: &[&str]) -> Entity {
    let map = PursuitMap::new(&common::map(rows), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    run(app, 1);
    map
}

fn spawn(app: &mut App, faction: Faction, x: i32, control: AgentControl) -> Entity {
    let at = GridPosition::new(x, 0);
    app.world_mut().spawn((faction, at, control)).id()
}

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

/// The hunter is between its prey and what hunts it: a fox with no fear captures the hen, and is captured by the snake.
#[test]
fn a_hunter_may_be_prey() {
    for clock in CLOCKS {
        let mut app = app_that_listens(clock);
        let map = spawn_map(&mut app, &["..............."]);
        let [fox, hen, snake] =
            [(0, 1), (1, 2), (2, 0)].map(|(own, prey)| Faction::new(own, [prey]));
        let still = AgentControl::Steer(IVec2::ZERO);
        let hen = spawn(&mut app, hen, 14, still);
        let fox = spawn(
            &mut app,
            Faction { fears: 0, ..fox },
            8,
            AgentControl::Policy,
        );
        let snake = spawn(&mut app, snake, 0, AgentControl::Policy);
        run(&mut app, 600);
        let told = std::mem::take(&mut app.world_mut().resource_mut::<Told>().0);
        let told: Vec<_> = told
            .iter()
            .map(|it| (it.robber, it.cop, it.map, it.pursuit))
            .collect();
        assert_eq!(
            told,
            [(hen, fox, map, map), (fox, snake, map, map)],
            "{clock:?}"
        );
        assert!(app.world().entity(fox).contains::<Cop>());
    }
}

/// A swap ends by itself: its component goes. Who was captured meanwhile stays captured, and hunts again when the game
/// frees it. Saved and restored, the same happens.
#[test]
fn a_swap_ends_and_revives_nobody() {
    for restores in [false, true] {
        let mut app = app_that_listens(PursuitClock::Turns);
        let map = spawn_map(&mut app, &["..............."]);
        let pac = spawn(&mut app, Faction::new(0, [2]), 4, AgentControl::External);
        let ghost = spawn(&mut app, Faction::new(1, [0]), 10, AgentControl::Policy);
        run(&mut app, 1);
        let until = app.world().get::<LiveMap>(map).expect("a map").tick() + 480;
        let swap = FactionSwap {
            faction: Faction::new(2, []),
            until,
        };
        app.world_mut().entity_mut(ghost).insert(swap);
        run(&mut app, 1);
        if restores {
            let saved = app.world().get::<LiveMap>(map).expect("a map").snapshot();
            let saved = saved.expect("a world");
            app.world_mut()
                .entity_mut(ghost)
                .remove::<(Faction, FactionSwap)>();
            app.world_mut().entity_mut(pac).insert(Faction::new(5, []));
            run(&mut app, 1);
            app.world_mut()
                .restore_map(map, saved, Some)
                .expect("its own");
            let restored = app.world().get::<FactionSwap>(ghost);
            assert_eq!(restored, Some(&swap));
            assert_eq!(app.world().get::<Faction>(pac), Some(&Faction::new(0, [2])));
        }
        // It is on its way, and arrives where the hunter waits.
        let at = GridPosition(app.world().get::<NextStep>(ghost).expect("there").end());
        app.world_mut().entity_mut(pac).insert(at);
        run(&mut app, 20);
        assert!(app.world().entity(ghost).contains::<Caught>());
        run(&mut app, 450);
        assert!(app.world().entity(ghost).contains::<FactionSwap>());
        run(&mut app, 10);
        assert!(!app.world().entity(ghost).contains::<FactionSwap>());
        assert!(app.world().entity(ghost).contains::<Caught>());
        let far = GridPosition::new(at.0.x - 8, 0);
        app.world_mut().entity_mut(pac).insert(far);
        app.world_mut().entity_mut(ghost).remove::<Caught>();
        run(&mut app, 600);
        let told = &app.world().resource::<Told>().0;
        let told: Vec<_> = told.iter().map(|it| (it.robber, it.cop)).collect();
        assert_eq!(told, [(ghost, pac), (pac, ghost)], "restores: {restores}");
    }
}
