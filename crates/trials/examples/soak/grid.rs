//! The referee's own copy of a map and of the movement rules, independent of the plugin.

use crate::ops::{Ground, Style, Tile};
use crate::town::{rooms, town};
use pursuit_engine::search::Dice;
use std::collections::{BTreeMap, VecDeque};

/// The open tiles, row by row from the bottom left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    pub width: u32,
    pub height: u32,
    pub octile: bool,
    open: Vec<bool>,
}

impl Grid {
    pub fn closed(width: u32, height: u32, octile: bool) -> Self {
        Self {
            width,
            height,
            octile,
            open: vec![false; (width * height) as usize],
        }
    }

    /// The initial state of a map.
    pub fn of(ground: &Ground) -> Self {
        let mut grid = Self::closed(ground.width, ground.height, ground.octile);
        match ground.style {
            Style::Yard => grid.lay_yard(ground.seed),
            Style::Maze => grid.lay_maze(ground.seed),
            Style::Rooms | Style::Town => {
                let make = if ground.style == Style::Town {
                    town
                } else {
                    rooms
                };
                let town = make(ground.width as u16, ground.height as u16, ground.seed);
                for cell in town.map.cells() {
                    let at = (u32::from(cell.x), ground.height - 1 - u32::from(cell.y));
                    grid.set(at, town.map.is_passable(cell));
                }
            }
        }
        grid
    }

    fn lay_yard(&mut self, seed: u64) {
        let mut dice = Dice::new(seed);
        self.open.fill(true);
        for _ in 0..self.open.len() / 24 {
            let [x, y] = [self.width, self.height].map(|side| dice.below(side as usize) as u32);
            let [w, h] = [0; 2].map(|_: u32| 1 + dice.below(4) as u32);
            for at in (x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))) {
                self.set(at, false);
            }
        }
    }

    /// Creates a maze by random walks on the tiles with even coordinates, with some loops.
    fn lay_maze(&mut self, seed: u64) {
        let mut dice = Dice::new(seed);
        let mut trail = vec![(0_u32, 0_u32)];
        self.set((0, 0), true);
        while let Some(&(x, y)) = trail.last() {
            let ways = [(2, 0), (-2, 0), (0, 2), (0, -2)].map(|(dx, dy)| {
                let to = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
                (self.contains(to) && !self.is_open(to)).then_some(to)
            });
            let ways: Vec<Tile> = ways.into_iter().flatten().collect();
            if let Some(to) = dice.pick(&ways) {
                self.set((u32::midpoint(x, to.0), u32::midpoint(y, to.1)), true);
                self.set(to, true);
                trail.push(to);
            } else {
                trail.pop();
            }
        }
        for _ in 0..self.open.len() / 20 {
            let [x, y] = [self.width, self.height].map(|side| dice.below(side as usize) as u32);
            self.set((x, y), true);
        }
    }

    pub const fn contains(&self, (x, y): Tile) -> bool {
        x < self.width && y < self.height
    }

    const fn index(&self, (x, y): Tile) -> usize {
        (y * self.width + x) as usize
    }

    pub fn is_open(&self, at: Tile) -> bool {
        self.contains(at) && self.open[self.index(at)]
    }

    pub fn set(&mut self, at: Tile, open: bool) {
        if self.contains(at) {
            let index = self.index(at);
            self.open[index] = open;
        }
    }

    pub fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    pub fn open_tiles(&self) -> Vec<Tile> {
        self.tiles().filter(|&at| self.is_open(at)).collect()
    }

    /// Changes the size. New tiles are open.
    pub fn resized(&self, width: u32, height: u32) -> Self {
        let mut grid = Self::closed(width, height, self.octile);
        for at in grid.tiles() {
            grid.set(at, !self.contains(at) || self.is_open(at));
        }
        grid
    }

    /// Returns whether an agent may step from one tile to another. Out of a wall, it may step to any open
    /// neighbour.
    pub fn is_step(&self, from: Tile, to: Tile) -> bool {
        let (dx, dy) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        if dx.max(dy) != 1 || !self.is_open(to) {
            return false;
        }
        let is_diagonal = dx + dy == 2;
        if !self.is_open(from) || !is_diagonal {
            return true;
        }
        // Diagonal steps must not cut corners.
        self.octile && self.is_open((from.0, to.1)) && self.is_open((to.0, from.1))
    }

    /// The tiles beside a tile, also where no step leads.
    pub fn around((x, y): Tile) -> impl Iterator<Item = Tile> + use<> {
        let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
        steps.filter_map(move |(dx, dy)| {
            Some((x.checked_add_signed(dx)?, y.checked_add_signed(dy)?))
        })
    }

    /// The lengths of shortest paths to a tile, from each tile that has one.
    pub fn distances(&self, to: Tile) -> BTreeMap<Tile, u32> {
        let mut all = BTreeMap::from([(to, 0)]);
        let mut queue = VecDeque::from([to]);
        while let Some(at) = queue.pop_front() {
            let far = all[&at] + 1;
            for next in Self::around(at) {
                if self.is_open(next) && self.is_step(next, at) && !all.contains_key(&next) {
                    all.insert(next, far);
                    queue.push_back(next);
                }
            }
        }
        all
    }

    /// The number of legal steps at the start of a path.
    pub fn open_steps(&self, from: Tile, way: &[Tile]) -> usize {
        let mut before = from;
        let is_step = |&&to: &&Tile| self.is_step(std::mem::replace(&mut before, to), to);
        way.iter().take_while(is_step).count()
    }
}
