//! Random maps of several kinds.

use pursuit_engine::map::{Cell, Terrain, TileMap};
use pursuit_engine::search::Dice;

/// The kinds of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No walls.
    Open,
    /// Single walls at random, up to a third of the map.
    Scattered,
    /// Streets between blocks of houses, one or two tiles wide.
    Streets,
    /// A maze, some of whose walls are open.
    Maze,
    /// Rooms with doors in most of their walls.
    Rooms,
    /// Caves.
    Caves,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Open,
        Self::Scattered,
        Self::Streets,
        Self::Maze,
        Self::Rooms,
        Self::Caves,
    ];

    /// A random map of this kind and size; `None` if there is no such map.
    pub fn map(self, dice: &mut Dice, (width, height): (u16, u16)) -> Option<TileMap> {
        let mut map = TileMap::filled(width, height, Terrain::Floor)?;
        match self {
            Self::Open => {}
            Self::Scattered => {
                let percent = 5 + dice.below(30);
                wall_where(&mut map, |_| dice.below(100) < percent);
            }
            Self::Streets => {
                let (street, block) = (1 + dice.below(2) as u16, 3 + dice.below(5) as u16);
                let is_block = |at: u16| at % (street + block) >= street;
                wall_where(&mut map, |cell| is_block(cell.x) && is_block(cell.y));
            }
            Self::Maze => carve_maze(&mut map, dice),
            Self::Rooms => build_rooms(&mut map, dice),
            Self::Caves => dig_caves(&mut map, dice),
        }
        Some(map)
    }
}

/// Puts walls where `is_wall` says so.
fn wall_where(map: &mut TileMap, mut is_wall: impl FnMut(Cell) -> bool) {
    for cell in map.cells() {
        if is_wall(cell) {
            map.set(cell, Terrain::Wall);
        }
    }
}

/// Carves a maze whose paths lie on odd columns and rows, and opens some more of its walls.
fn carve_maze(map: &mut TileMap, dice: &mut Dice) {
    wall_where(map, |_| true);
    let mut path = vec![Cell::new(1, 1)];
    while let Some(&from) = path.last() {
        map.set(from, Terrain::Floor);
        let ways = [(2, 0), (-2, 0), (0, 2), (0, -2)].into_iter();
        let ways = ways.filter(|&(dx, dy)| {
            let is_wall = |cell| map.terrain(cell) == Some(Terrain::Wall);
            from.offset(dx, dy).is_some_and(is_wall)
        });
        let Some((dx, dy)) = dice.pick(&ways.collect::<Vec<_>>()) else {
            path.pop();
            continue;
        };
        if let Some((between, to)) = from.offset(dx / 2, dy / 2).zip(from.offset(dx, dy)) {
            map.set(between, Terrain::Floor);
            path.push(to);
        }
    }
    let percent = dice.below(20);
    for cell in map.cells() {
        if (cell.x + cell.y) % 2 == 1 && dice.below(100) < percent {
            map.set(cell, Terrain::Floor);
        }
    }
}

/// Builds rooms of equal size.
fn build_rooms(map: &mut TileMap, dice: &mut Dice) {
    let side = 5 + dice.below(9) as u16;
    wall_where(map, |cell| {
        let (x, y) = (cell.x % side, cell.y % side);
        let is_door = (x == 0) != (y == 0) && (x == side / 2 || y == side / 2);
        (x == 0 || y == 0) && !(is_door && dice.below(100) < 85)
    });
}

/// Digs caves: random walls, of which those with many walls around them stay.
fn dig_caves(map: &mut TileMap, dice: &mut Dice) {
    wall_where(map, |_| dice.below(100) < 45);
    for _ in 0..4 {
        let before = map.clone();
        let is_wall = |cell: Option<Cell>| !cell.is_some_and(|cell| before.is_passable(cell));
        for cell in before.cells() {
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
            let walls = around.filter(|&(dx, dy)| is_wall(cell.offset(dx, dy)));
            let many = walls.count() >= 5;
            map.set(cell, if many { Terrain::Wall } else { Terrain::Floor });
        }
    }
}
