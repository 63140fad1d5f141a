//! The changes that a level can go through in play: each door that opens or closes, and each link that closes.

use pursuit_engine::map::{MapEdit, PursuitLevel, Terrain, TileMap};

/// A change of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelChange {
    /// What changes: the name of the door, or the character of the link.
    pub name: String,
    /// Whether it opens. Otherwise it closes.
    pub opens: bool,
    /// The map after the change, with everything else as at the start of the level.
    pub map: TileMap,
}

/// One change for each door of a level and for each legend character that is a link, in this order.
///
/// Memory: a copy of the map for each.
#[must_use]
pub fn level_changes(level: &PursuitLevel) -> Vec<LevelChange> {
    let doors = level.doors().iter().map(|door| {
        let mut map = level.initial_map();
        let terrain = if door.open {
            Terrain::Wall
        } else {
            Terrain::Floor
        };
        door.cells.iter().for_each(|&cell| map.set(cell, terrain));
        LevelChange {
            name: format!("door `{}`", door.name),
            opens: !door.open,
            map,
        }
    });
    let links = level.links().iter().map(|link| {
        let mut map = level.initial_map();
        for &(from, to) in &link.steps {
            let open = false;
            map.rules_mut().apply(MapEdit::Link { from, to, open });
        }
        LevelChange {
            name: format!("link {:?}", link.symbol),
            opens: false,
            map,
        }
    });
    doors.chain(links).collect()
}
