//! Chooses the picture of a cell from `assets/art/tiles.png` (see `make_art.py` beside it).

use bevy_pursuit::engine::map::{Cell, PursuitLevel, Terrain};

const SHADOW_ABOVE: u32 = 1;
const SHADOW_LEFT: u32 = 2;
const WALL: u32 = 16;
const DOOR: u32 = 32;
const VOID: u32 = 36;
const TREES: u32 = 37;
const WATER: u32 = 38;
const SWAMP: u32 = 39;
const GROUND: u32 = 40;
/// A wall that is open on all sides.
#[cfg_attr(not(feature = "demo"), expect(dead_code, reason = "for the window"))]
pub const PILLAR: u32 = WALL + 15;

fn beside(level: &PursuitLevel, cell: Cell, dx: i32, dy: i32) -> Option<Terrain> {
    cell.offset(dx, dy).and_then(|c| level.map().terrain(c))
}

fn is_wall(terrain: Option<Terrain>) -> bool {
    matches!(
        terrain,
        None | Some(Terrain::Wall | Terrain::Void | Terrain::Outside)
    )
}

/// The picture of a cell at the start of the level.
pub fn tile(level: &PursuitLevel, cell: Cell) -> u32 {
    if let Some(door) = level.doors().iter().find(|d| d.cells.contains(&cell)) {
        return self::door(level, cell, door.open);
    }
    match level.map().terrain(cell) {
        Some(Terrain::Floor) => floor(level, cell),
        Some(Terrain::Ground) => GROUND,
        Some(Terrain::Swamp) => SWAMP,
        Some(Terrain::Trees) => TREES,
        Some(Terrain::Water) => WATER,
        Some(Terrain::Wall) => wall(level, cell),
        Some(Terrain::Void | Terrain::Outside) | None => {
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
            let mut around = around.map(|(dx, dy)| beside(level, cell, dx, dy));
            if around.all(is_wall) {
                VOID
            } else {
                wall(level, cell)
            }
        }
    }
}

/// Floor, in one of four variants, with the shadows of neighbouring walls.
pub fn floor(level: &PursuitLevel, cell: Cell) -> u32 {
    let above = u32::from(is_wall(beside(level, cell, 0, -1))) * SHADOW_ABOVE;
    let left = u32::from(is_wall(beside(level, cell, -1, 0))) * SHADOW_LEFT;
    // Any mixing works, as long as it is the same each time.
    let mixed = (u32::from(cell.x) * 31 + u32::from(cell.y) * 17) ^ (u32::from(cell.x) >> 1);
    mixed % 4 + 4 * (above | left)
}

fn wall(level: &PursuitLevel, cell: Cell) -> u32 {
    let sides = [(0, -1, 1), (1, 0, 2), (0, 1, 4), (-1, 0, 8)];
    let open = |&(dx, dy, bit)| u32::from(!is_wall(beside(level, cell, dx, dy))) * bit;
    WALL + sides.iter().map(open).sum::<u32>()
}

/// A door, in a wall that runs left to right or top to bottom.
pub fn door(level: &PursuitLevel, cell: Cell, open: bool) -> u32 {
    let upright = is_wall(beside(level, cell, 0, -1)) && is_wall(beside(level, cell, 0, 1));
    DOOR + 2 * u32::from(upright) + u32::from(open)
}
