//! Random levels from a seed: a town of streets and houses, and one large building.
#![allow(dead_code, reason = "each example uses a part")]

use pursuit_engine::map::{Cell, Terrain, TileMap};
use pursuit_engine::search::{Dice, seed_of};

/// A map and its doors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Town {
    /// The map with all doors open.
    pub map: TileMap,
    /// The doors, row by row: cells with floor on two opposite sides and wall on the other two.
    pub doors: Vec<Cell>,
}

/// A town: streets around blocks of at most 24 x 24 cells, which contain houses with rooms and doors,
/// solid buildings, alleys and some open squares.
///
/// With all doors open, the passable cells are connected. With all doors closed, the streets, squares,
/// alleys and the halls of houses without entrance doors still are. From 64 x 64 cells on, about half
/// of the cells are passable. Time: linear in the number of cells.
///
/// # Panics
/// If the map would be larger than [`MAX_CELLS`](pursuit_engine::map::MAX_CELLS).
pub fn town(width: u16, height: u16, seed: u64) -> Town {
    let mut site = Site::new(width, height, seed);
    let ground = site.all();
    let [columns, rows] = [(ground.x, ground.width), (ground.y, ground.height)]
        .map(|(first, length)| Spans::laid_out(&mut site.dice, first, length, STREET));
    site.fill(ground, Terrain::Floor);
    let first_square = site.dice.below(SQUARE_EVERY);
    for (index, block) in blocks(&columns, &rows).into_iter().enumerate() {
        if index % SQUARE_EVERY == first_square {
            site.lay_square(block);
        } else {
            site.lay_lots(block);
        }
    }
    site.open_houses();
    site.finish()
}

/// One building: halls between blocks of rooms with doors, and furniture in the rooms.
///
/// With all doors open, the passable cells are connected; with all doors closed, the halls still are.
/// Rooms are furnished until slightly less than 3 in 5 cells are passable, about 2,400 of 64 x 64.
/// Time: linear in the number of cells.
///
/// # Panics
/// If the map would be larger than [`MAX_CELLS`](pursuit_engine::map::MAX_CELLS).
pub fn rooms(width: u16, height: u16, seed: u64) -> Town {
    let mut site = Site::new(width, height, seed);
    let inside = site.all().shrunk(1);
    let [columns, rows] = [(inside.x, inside.width), (inside.y, inside.height)]
        .map(|(first, length)| Spans::laid_out(&mut site.dice, first, length, HALL));
    site.fill(inside, Terrain::Floor);
    for block in blocks(&columns, &rows) {
        site.lay_house(block, 4);
    }
    site.open_houses();
    let cells = usize::from(width) * usize::from(height);
    site.furnish(cells * 586 / 1000);
    site.finish()
}

/// The width of streets and halls.
const STREET: u16 = 3;
const HALL: u16 = 2;

/// The maximum distance between two streets before they are shifted.
const PITCH: u16 = 21;

/// One block of this number is an open square.
const SQUARE_EVERY: usize = 17;

/// The minimum side length of a room, and of a house including its walls.
const ROOM: u16 = 3;
const HOUSE: u16 = ROOM + 2;

/// A rectangle of cells, possibly empty.
#[derive(Debug, Clone, Copy)]
struct Area {
    x: u16,
    y: u16,
    width: u16,
    height: u16,
}

impl Area {
    /// The area without a margin of this width.
    fn shrunk(self, by: u16) -> Self {
        Self {
            x: self.x + by,
            y: self.y + by,
            width: self.width.saturating_sub(2 * by),
            height: self.height.saturating_sub(2 * by),
        }
    }

    /// The part before column (or row, if `across`) `end` and the part from column or row `next` on,
    /// counted from the first one of the area.
    fn cut(self, across: bool, end: u16, next: u16) -> [Self; 2] {
        let (mut first, mut last) = (self, self);
        if across {
            first.height = end;
            last.y += next;
            last.height -= next;
        } else {
            first.width = end;
            last.x += next;
            last.width -= next;
        }
        [first, last]
    }

    /// The cells of a column (or row, if `across`), counted from the first one of the area.
    fn line(self, across: bool, at: u16) -> impl Iterator<Item = Cell> {
        let length = if across { self.width } else { self.height };
        (0..length).map(move |along| {
            let (x, y) = if across { (along, at) } else { (at, along) };
            Cell::new(self.x + x, self.y + y)
        })
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.height).flat_map(move |y| self.line(true, y))
    }
}

/// The blocks along one side of a map: the first cell and the length of each.
struct Spans(Vec<(u16, u16)>);

impl Spans {
    /// Lays out blocks between streets of this width. There are streets at both ends; the others are
    /// shifted randomly.
    fn laid_out(dice: &mut Dice, first: u16, length: u16, street: u16) -> Self {
        let room = length.saturating_sub(street);
        let many = room.div_ceil(PITCH).max(1);
        let mut streets: Vec<u16> = (0..=many)
            .map(|index| (u32::from(room) * u32::from(index) / u32::from(many)) as u16)
            .collect();
        if room / many > 12 {
            for at in &mut streets[1..usize::from(many)] {
                *at += dice.below(7) as u16;
                *at -= 3;
            }
        }
        let block = |ends: &[u16]| {
            (
                first + ends[0] + street,
                (ends[1] - ends[0]).saturating_sub(street),
            )
        };
        Self(streets.windows(2).map(block).collect())
    }
}

fn blocks(columns: &Spans, rows: &Spans) -> Vec<Area> {
    let row = |&(y, height): &(u16, u16)| {
        let area = move |&(x, width): &(u16, u16)| Area {
            x,
            y,
            width,
            height,
        };
        columns.0.iter().map(area)
    };
    rows.0.iter().flat_map(row).collect()
}

/// A map under construction.
struct Site {
    map: TileMap,
    dice: Dice,
    doors: Vec<Cell>,
    /// The number of cells of all lots.
    laid: usize,
    /// The number of cells of lots with houses.
    built: usize,
    /// All houses including their walls, with their numbers of entrances.
    houses: Vec<(Area, usize)>,
    /// All rooms without their walls.
    rooms: Vec<Area>,
}

impl Site {
    /// A map of walls.
    fn new(width: u16, height: u16, seed: u64) -> Self {
        let map = TileMap::filled(width, height, Terrain::Wall);
        Self {
            map: map.expect("a size that a map may have"),
            dice: Dice::new(seed_of([seed])),
            doors: Vec::new(),
            laid: 0,
            built: 0,
            houses: Vec::new(),
            rooms: Vec::new(),
        }
    }

    fn finish(mut self) -> Town {
        self.doors.sort_unstable();
        Town {
            map: self.map,
            doors: self.doors,
        }
    }

    fn all(&self) -> Area {
        Area {
            x: 0,
            y: 0,
            width: self.map.width(),
            height: self.map.height(),
        }
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.dice.below(many) == 0
    }

    fn fill(&mut self, area: Area, terrain: Terrain) {
        for cell in area.cells() {
            self.map.set(cell, terrain);
        }
    }

    /// Plants trees, no two beside each other, so that all other cells stay connected.
    fn lay_square(&mut self, block: Area) {
        for cell in block.shrunk(1).cells() {
            if cell.x.is_multiple_of(3) && cell.y.is_multiple_of(3) && self.one_in(3) {
                self.map.set(cell, Terrain::Trees);
            }
        }
    }

    /// Lays up to four lots, with alleys between some. Each has at least two sides at a street.
    fn lay_lots(&mut self, block: Area) {
        let across = block.height > block.width;
        for half in self.part(block, across) {
            for lot in self.part(half, !across) {
                self.lay_lot(lot);
            }
        }
    }

    /// Builds a house or a solid building: with probability 3/4 the type that covers less area so far.
    fn lay_lot(&mut self, lot: Area) {
        let cells = usize::from(lot.width) * usize::from(lot.height);
        let lacks_houses = self.built * 2 <= self.laid;
        let is_usual = !self.one_in(4);
        self.laid += cells;
        if lacks_houses == is_usual {
            let entrances = 1 + self.dice.below(2);
            self.built += cells;
            self.lay_house(lot, entrances);
        } else {
            self.fill(lot, Terrain::Wall);
        }
    }

    /// Splits a block into two parts. The second is empty if the block is too small for two.
    fn part(&mut self, block: Area, across: bool) -> [Area; 2] {
        let length = if across { block.height } else { block.width };
        let alley = u16::from(self.one_in(4));
        let Some(spare) = length.checked_sub(2 * HOUSE + 2 + alley) else {
            return block.cut(across, length, length);
        };
        let end = HOUSE + 1 + self.dice.below(usize::from(spare) + 1) as u16;
        block.cut(across, end, end + alley)
    }

    /// Builds a house with rooms and up to this number of entrances, or a solid building if there is no
    /// space for a room. Every wall between two rooms gets a door or, less often, a gap.
    fn lay_house(&mut self, lot: Area, entrances: usize) {
        self.fill(lot, Terrain::Wall);
        let inside = lot.shrunk(1);
        if inside.width < ROOM || inside.height < ROOM {
            return;
        }
        self.fill(inside, Terrain::Floor);
        let mut walls = Vec::new();
        self.divide(inside, &mut walls);
        // Doors are placed after all walls are complete.
        for (part, across, at) in walls {
            let is_door = !self.one_in(6);
            self.break_through(part, across, at, is_door);
        }
        self.houses.push((lot, entrances));
    }

    /// Divides a house by walls until all rooms are small, and collects the walls.
    fn divide(&mut self, part: Area, walls: &mut Vec<(Area, bool, u16)>) {
        let across = part.height > part.width;
        let length = part.height.max(part.width);
        let is_room = match length {
            0..7 => true,
            7 | 8 => self.one_in(2),
            _ => false,
        };
        if is_room {
            self.rooms.push(part);
            return;
        }
        let spare = length - 2 * ROOM;
        let at = ROOM + self.dice.below(spare.into()) as u16;
        for cell in part.line(across, at) {
            self.map.set(cell, Terrain::Wall);
        }
        walls.push((part, across, at));
        for side in part.cut(across, at, at + 1) {
            self.divide(side, walls);
        }
    }

    /// Makes a door, or a gap that never closes, at a random cell of a wall along a column (or row, if
    /// `across`) with floor on both sides. Returns whether such a cell exists.
    fn break_through(&mut self, part: Area, across: bool, at: u16, is_door: bool) -> bool {
        let beside = |cell: Cell, side| {
            let (dx, dy) = if across { (0, side) } else { (side, 0) };
            cell.offset(dx, dy)
        };
        let joins = |cell: &Cell| {
            // Other gaps consist of ground, not floor, so no two doors are beside each other.
            let is_floor = |cell| self.map.terrain(cell) == Some(Terrain::Floor);
            let sides = [-1, 1].map(|side| beside(*cell, side));
            sides.into_iter().all(|side| side.is_some_and(is_floor))
        };
        let places: Vec<Cell> = part.line(across, at).filter(joins).collect();
        let Some(gap) = self.dice.pick(&places) else {
            return false;
        };
        self.map.set(gap, Terrain::Ground);
        if is_door {
            self.doors.push(gap);
        }
        true
    }

    /// Makes the entrances of all houses, each in a different wall. The entrances of one house in four
    /// have no doors.
    fn open_houses(&mut self) {
        for (lot, entrances) in std::mem::take(&mut self.houses) {
            let is_shut = !self.one_in(4);
            let walls = [
                (false, 0),
                (true, 0),
                (false, lot.width - 1),
                (true, lot.height - 1),
            ];
            let first = self.dice.below(walls.len());
            let mut left = entrances;
            for (across, at) in walls.into_iter().cycle().skip(first).take(walls.len()) {
                if left > 0 && self.break_through(lot, across, at, is_shut) {
                    left -= 1;
                }
            }
        }
    }

    /// Furnishes random rooms, in the middle, so that agents can walk around the furniture, until only
    /// `passable` cells are passable or all rooms are furnished.
    fn furnish(&mut self, passable: usize) {
        let cells = self.map.cells();
        let mut excess = cells.filter(|&cell| self.map.is_passable(cell)).count();
        excess = excess.saturating_sub(passable);
        let mut rooms = std::mem::take(&mut self.rooms);
        while !rooms.is_empty() {
            let room = rooms.swap_remove(self.dice.below(rooms.len()));
            for cell in room.shrunk(1).cells().take(excess) {
                self.map.set(cell, Terrain::Wall);
                excess -= 1;
            }
        }
    }
}
