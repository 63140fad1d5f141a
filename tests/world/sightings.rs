//! Sightings when the map is replaced.

use bevy_pursuit::game::Side;
use bevy_pursuit::map::{Cell, Moves, Terrain, TileMap};
use bevy_pursuit::world::{AgentSetup, Expansions, MapLoader, PursuitSettings, PursuitWorld};

#[test]
fn sightings_are_forgotten_on_a_map_of_another_size() {
    let room = |height| TileMap::filled(9, height, Terrain::Floor).expect("a map");
    for (height, is_kept) in [(5, true), (6, false)] {
        let settings = PursuitSettings::default();
        let mut world = PursuitWorld::new(&room(5), Moves::Octile, settings);
        world.insert(AgentSetup::new(Side::Robber, Cell::new(8, 4)));
        let cop = world.insert(AgentSetup {
            sight: Some(20),
            ..AgentSetup::new(Side::Cops, Cell::new(0, 0))
        });
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(1000));
        let sighting = |world: &PursuitWorld| world.target_of(cop).map(|(_, sighting)| sighting);
        assert!(matches!(sighting(&world), Some(Some(_))));
        world.take_map(MapLoader::new(room(height), Moves::Octile));
        let known = sighting(&world).expect("a target");
        assert_eq!(known.is_some(), is_kept, "{height} rows");
    }
}
