//! A town: streets, squares with pillars, houses of rooms with doors. A simple one of this bench.

use bevy_pursuit::map::{Cell, Terrain, TileMap};
use bevy_pursuit::search::Dice;

/// A map and the cells on it that open and close.
pub struct Town {
    pub map: TileMap,
    pub doors: Vec<Cell>,
}

/// The width of a street.
const STREET: u16 = 3;
/// A house and the street beside it.
const BLOCK: u16 = 24;
/// Rooms are split while a side is at least this long.
const LARGE: u16 = 9;

/// A rectangle of cells.
#[derive(Clone, Copy)]
struct Area {
    x: u16,
    y: u16,
    width: u16,
    height: u16,
}

/// A town with all doors open; `None` where there can be no such map.
pub fn town(width: u16, height: u16, seed: u64) -> Option<Town> {
    let mut builder = Builder {
        map: TileMap::filled(width, height, Terrain::Floor)?,
        doors: Vec::new(),
        dice: Dice::new(seed),
    };
    let side = BLOCK - STREET;
    for y in (STREET..height.saturating_sub(side)).step_by(BLOCK.into()) {
        for x in (STREET..width.saturating_sub(side)).step_by(BLOCK.into()) {
            let narrower = builder.dice.below(5) as u16;
            let lower = builder.dice.below(5) as u16;
            let block = Area {
                x,
                y,
                width: side - narrower,
                height: side - lower,
            };
            if builder.dice.below(8) == 0 {
                builder.square(block);
            } else {
                builder.house(block);
            }
        }
    }
    let Builder { map, doors, .. } = builder;
    Some(Town { map, doors })
}

struct Builder {
    map: TileMap,
    doors: Vec<Cell>,
    dice: Dice,
}

impl Builder {
    fn wall(&mut self, x: u16, y: u16) {
        self.map.set(Cell::new(x, y), Terrain::Wall);
    }

    fn is_floor(&self, x: u16, y: u16) -> bool {
        self.map.is_passable(Cell::new(x, y))
    }

    /// A gap in a wall: a door, or one time in three just a gap.
    fn gap(&mut self, x: u16, y: u16) {
        let cell = Cell::new(x, y);
        self.map.set(cell, Terrain::Floor);
        if self.dice.below(3) > 0 {
            self.doors.push(cell);
        }
    }

    fn square(&mut self, area: Area) {
        for y in (2..area.height).step_by(4) {
            for x in (2..area.width).step_by(4) {
                self.wall(area.x + x, area.y + y);
            }
        }
    }

    fn house(&mut self, area: Area) {
        let (right, bottom) = (area.x + area.width - 1, area.y + area.height - 1);
        for x in area.x..=right {
            self.wall(x, area.y);
            self.wall(x, bottom);
        }
        for y in area.y..=bottom {
            self.wall(area.x, y);
            self.wall(right, y);
        }
        self.split(Area {
            x: area.x + 1,
            y: area.y + 1,
            width: area.width - 2,
            height: area.height - 2,
        });
        // A way out on each side, where there is no wall behind it.
        for (x, inner) in [(area.x, area.x + 1), (right, right - 1)] {
            let free: Vec<u16> = (area.y + 1..bottom)
                .filter(|&y| self.is_floor(inner, y))
                .collect();
            if let Some(y) = self.dice.pick(&free) {
                self.gap(x, y);
            }
        }
        for (y, inner) in [(area.y, area.y + 1), (bottom, bottom - 1)] {
            let free: Vec<u16> = (area.x + 1..right)
                .filter(|&x| self.is_floor(x, inner))
                .collect();
            if let Some(x) = self.dice.pick(&free) {
                self.gap(x, y);
            }
        }
    }

    /// Splits a room by a wall with one or two gaps, and its halves.
    fn split(&mut self, room: Area) {
        let upright = room.width >= room.height;
        let (long, across) = if upright {
            (room.width, room.height)
        } else {
            (room.height, room.width)
        };
        if long < LARGE {
            return;
        }
        let cell = |along: u16, across: u16| {
            if upright {
                (room.x + along, room.y + across)
            } else {
                (room.x + across, room.y + along)
            }
        };
        // The wall must not end at a gap of another one.
        let ends_free = |builder: &Self, at: u16| {
            let (first, last) = if upright {
                ((room.x + at, room.y - 1), (room.x + at, room.y + across))
            } else {
                ((room.x - 1, room.y + at), (room.x + across, room.y + at))
            };
            !builder.is_floor(first.0, first.1) && !builder.is_floor(last.0, last.1)
        };
        let places: Vec<u16> = (3..long - 3).filter(|&at| ends_free(self, at)).collect();
        let Some(at) = self.dice.pick(&places) else {
            return;
        };
        for step in 0..across {
            let (x, y) = cell(at, step);
            self.wall(x, y);
        }
        for _ in 0..=u16::from(across > LARGE) {
            let (x, y) = cell(at, self.dice.below(across.into()) as u16);
            if !self.is_floor(x, y) {
                self.gap(x, y);
            }
        }
        let (before, after) = (at, long - at - 1);
        let (x, y) = cell(at + 1, 0);
        if upright {
            self.split(Area {
                width: before,
                ..room
            });
            self.split(Area {
                x,
                y,
                width: after,
                ..room
            });
        } else {
            self.split(Area {
                height: before,
                ..room
            });
            self.split(Area {
                x,
                y,
                height: after,
                ..room
            });
        }
    }
}
