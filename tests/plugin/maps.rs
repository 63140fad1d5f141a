//! Several maps: the one that an agent is on, and their shares of the budget.

use crate::common::app::*;
use crate::pursuits::mark;
use bevy::ecs::entity_disabling::Disabled;
use bevy_pursuit::engine::map::Terrain;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapNumber, MapStatus};

/// An agent waits for the map that the game has named last, even if the game names none any more.
#[test]
fn an_agent_goes_to_the_map_that_it_names_as_soon_as_that_is_ready() {
    for is_disabled in [false, true] {
        let mut app = app();
        let first = yard(&mut app);
        let agent = cop(&mut app, 0, 0, 1);
        run(&mut app, 3);
        app.world_mut().resource_mut::<PursuitSettings>().budget = TickBudget::Expansions(2000);
        let large = TileMap::filled(300, 300, Terrain::Floor).expect("a map");
        let second = PursuitMap::new(&large, Moves::Octile);
        let second = app.world_mut().spawn(second).id();
        let mut entity = app.world_mut().entity_mut(agent);
        entity.insert(OnMap(second));
        if is_disabled {
            entity.insert(Disabled);
        }
        run(&mut app, 2);
        let status = *app.world().get::<MapStatus>(second).expect("a map");
        assert_ne!(status, MapStatus::Ready, "the map has to be large enough");
        let mut entity = app.world_mut().entity_mut(agent);
        entity.remove::<Disabled>();
        while *app.world().get::<MapStatus>(second).expect("a map") != MapStatus::Ready {
            app.update();
        }
        run(&mut app, 2);
        let agents = [first, second].map(|map| {
            let map = app.world().get::<LiveMap>(map).expect("a map");
            map.world().expect("a world").agents().count()
        });
        assert_eq!(agents, [0, 1], "{is_disabled}");
    }
}

/// Three maps, each of which gets the part of a small budget that the maps before it have left.
fn shares(kinds: [usize; 3], numbers: Option<[u32; 3]>) -> Vec<[u64; 3]> {
    let mut app = app();
    app.insert_resource(PursuitSettings {
        budget: TickBudget::Expansions(60),
        ..turns_of(4)
    });
    let maps = [0, 1, 2].map(|index: usize| {
        let map = yard(&mut app);
        mark(&mut app, map, kinds[index]);
        if let Some(numbers) = numbers {
            let number = MapNumber(numbers[index]);
            app.world_mut().entity_mut(map).insert(number);
        }
        for (x, y) in [(0, 0), (9, 0), (4, 3)] {
            app.world_mut()
                .spawn((Cop, GridPosition::new(x, y), OnMap(map)));
        }
        let x = 9 - index as i32;
        app.world_mut()
            .spawn((Robber, GridPosition::new(x, 6), OnMap(map)));
        map
    });
    let mut all = Vec::new();
    for _ in 0..60 {
        app.update();
        all.push(maps.map(|map| app.world().get::<LiveMap>(map).unwrap().position_hash()));
    }
    all
}

#[test]
fn maps_share_the_budget_in_the_order_of_their_numbers() {
    let steady = shares([0, 0, 0], None);
    assert_eq!(shares([2, 1, 0], None), steady, "how maps are stored");
    assert_eq!(shares([1, 0, 2], Some([10, 11, 12])), steady);
    assert_ne!(shares([0, 0, 0], Some([12, 11, 10])), steady, "it matters");
}
