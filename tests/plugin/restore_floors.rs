//! Restoring one or both of two maps that share a pursuit.

use crate::common::app::*;
use crate::restore_midway::{TURN, chase, hall, map_of, restore, snapshot};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;

/// Two maps of equal size in one pursuit.
struct TwoFloors {
    app: App,
    floors: [Entity; 2],
    agents: [[Entity; 3]; 2],
}

fn two_floors() -> TwoFloors {
    let mut app = app();
    app.insert_resource(turns_of(TURN));
    let floors = [(); 2].map(|()| {
        let map = PursuitMap::new(&hall(), Moves::Octile);
        app.world_mut().spawn(map).id()
    });
    let pursuit = app
        .world_mut()
        .spawn((Pursuit::default(), Tactics::Chase))
        .id();
    let agents = floors.map(|floor| {
        let agents = chase(&mut app, floor);
        for agent in agents {
            app.world_mut().entity_mut(agent).insert(InPursuit(pursuit));
        }
        agents
    });
    TwoFloors {
        app,
        floors,
        agents,
    }
}

impl TwoFloors {
    fn hashes(&self) -> [u64; 2] {
        self.floors
            .map(|map| map_of(&self.app, map).position_hash())
    }

    /// Those who are on each floor, by the world of the floor.
    fn on(&self) -> [Vec<u64>; 2] {
        self.floors.map(|map| {
            let world = map_of(&self.app, map).world().expect("a world");
            world
                .agents()
                .map(|(_, agent)| agent.setup().user)
                .collect()
        })
    }

    fn play(&mut self, ticks: usize) -> Vec<[u64; 2]> {
        let hash = |_| {
            self.app.update();
            self.hashes()
        };
        (0..ticks).map(hash).collect()
    }

    /// Everybody takes the stairs.
    fn change_floors(&mut self) {
        let [lower, upper] = self.floors;
        for (agents, floor) in self.agents.into_iter().zip([upper, lower]) {
            for agent in agents {
                self.app.world_mut().entity_mut(agent).insert(OnMap(floor));
            }
        }
    }
}

#[test]
fn of_two_maps_with_one_pursuit_each_goes_back_with_its_own_agents() {
    let mut house = two_floors();
    house.play(30);
    let saved = house.floors.map(|map| snapshot(&house.app, map));
    let on = house.on();
    let went = house.play(40);
    // Everybody is on the other floor when both are restored.
    house.change_floors();
    house.play(5);
    assert_ne!(house.on(), on);
    let floors = house.floors;
    for (floor, saved) in floors.into_iter().zip(saved.clone()) {
        restore(&mut house.app, floor, saved);
    }
    assert_eq!(house.play(40), went);
    assert_eq!(house.on(), on);
    // Only one of them is restored: the other one goes on.
    restore(&mut house.app, floors[1], saved[1].clone());
    let one = house.play(40);
    let of_upper = |hashes: &[[u64; 2]]| -> Vec<u64> { hashes.iter().map(|of| of[1]).collect() };
    assert_eq!(of_upper(&one), of_upper(&went));
    assert_eq!(map_of(&house.app, floors[0]).tick(), 30 + 80);
    assert_eq!(house.on(), on);
    // The save of one floor is loaded on the other one: nobody is on two.
    restore(&mut house.app, floors[0], saved[1].clone());
    house.play(3);
    let [lower, upper] = house.on();
    assert_eq!((lower.len(), upper.len()), (6, 0));
    assert!(on.concat().iter().all(|agent| lower.contains(agent)));
    // The pursuit is one of both maps, and has its tactics.
    for floor in floors {
        let world = map_of(&house.app, floor).world().expect("a world");
        let setup = world.pursuits().first().map(|pursuit| *pursuit.setup());
        assert!(setup.is_none_or(|setup| setup.tactics == Some(Tactics::Chase)));
    }
}
