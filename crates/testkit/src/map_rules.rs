//! Closed edges, links, corners and opacity: random ones, and what they mean by their definition.

use crate::hexagons;
use pursuit_engine::map::{
    BodySize, Cell, Corners, Kinds, MapEdit, Moves, Opacity, Terrain, TileMap, Walker,
};
use pursuit_engine::search::Dice;
use std::collections::BTreeSet;

/// A random change of a map, which may have no effect or be none that fits the map.
pub fn any_edit(map: &TileMap, dice: &mut Dice) -> MapEdit {
    let mut cell = || {
        let (width, height) = (usize::from(map.width()), usize::from(map.height()));
        Cell::new(dice.below(width + 1) as u16, dice.below(height + 1) as u16)
    };
    let (from, other) = (cell(), cell());
    let beside = [(-1, 0), (1, 0), (0, -1), (0, 1), (1, 1)][dice.below(5)];
    let beside = from.offset(beside.0, beside.1).unwrap_or(from);
    let open = dice.below(3) == 0;
    match dice.below(15) {
        0..3 => MapEdit::Cell {
            at: from,
            passable: dice.below(3) > 0,
        },
        3..7 => MapEdit::Edge {
            from,
            to: beside,
            open,
        },
        7..9 => MapEdit::Link {
            from,
            to: other,
            open: dice.below(3) > 0,
        },
        9 => MapEdit::Diagonals {
            at: from,
            allowed: open,
        },
        10..12 => {
            let opacity = [Opacity::LikeWalls, Opacity::Opaque, Opacity::Transparent];
            MapEdit::Sight {
                at: from,
                opacity: opacity[dice.below(3)],
            }
        }
        12 => MapEdit::Exit {
            at: from,
            kinds: [Kinds::ALL, any_kinds(dice)][dice.below(2)],
        },
        _ => MapEdit::Kinds {
            at: from,
            kinds: [Kinds::ALL, any_kinds(dice)][dice.below(2)],
        },
    }
}

/// Some of two kinds, or none.
pub fn any_kinds(dice: &mut Dice) -> Kinds {
    Kinds::from_bits(dice.below(4) as u32)
}

/// An agent of some of two kinds, or none, and of up to three by three cells.
pub fn any_walker(dice: &mut Dice) -> Walker {
    let sizes = [BodySize::ONE, BodySize::ONE, BodySize::TWO, BodySize::THREE];
    Walker {
        kinds: any_kinds(dice),
        size: sizes[dice.below(4)],
    }
}

/// Changes a map as a graph of squares does.
pub fn apply(map: &mut TileMap, edit: MapEdit) {
    apply_with(map, edit, Moves::Octile);
}

/// Changes a map as a graph with these moves does.
pub fn apply_with(map: &mut TileMap, edit: MapEdit, moves: Moves) {
    match edit {
        MapEdit::Cell { at, passable } => {
            let terrain = if passable {
                Terrain::Floor
            } else {
                Terrain::Wall
            };
            map.set(at, terrain);
        }
        edit if edit.fits_with(map.width(), map.height(), moves) => {
            map.rules_mut().apply(edit);
        }
        _ => {}
    }
}

/// Gives a map random rules: about `many` changes, thin walls and two-way links among them.
pub fn add_rules(map: &mut TileMap, dice: &mut Dice, many: usize) {
    let corners = [
        Corners::Never,
        Corners::Never,
        Corners::OneFree,
        Corners::Always,
    ];
    map.rules_mut().set_corners(corners[dice.below(4)]);
    for _ in 0..many {
        let edit = any_edit(map, dice);
        apply(map, edit);
        if dice.below(2) == 0 {
            apply(map, reversed(edit));
        }
    }
}

/// The same change in the other direction.
pub const fn reversed(edit: MapEdit) -> MapEdit {
    match edit {
        MapEdit::Edge { from, to, open } => MapEdit::Edge {
            from: to,
            to: from,
            open,
        },
        MapEdit::Link { from, to, open } => MapEdit::Link {
            from: to,
            to: from,
            open,
        },
        edit => edit,
    }
}

/// Makes the steps of a map two-way: opens the other direction of links and of closed edges.
pub fn make_two_way(map: &mut TileMap) {
    let closed: Vec<(Cell, Cell)> = map.rules().closed_edges().collect();
    let links: Vec<(Cell, Cell)> = map.rules().links().collect();
    for (to, from) in closed {
        map.rules_mut().apply(MapEdit::Edge {
            from,
            to,
            open: false,
        });
    }
    for (to, from) in links {
        map.rules_mut().apply(MapEdit::Link {
            from,
            to,
            open: true,
        });
    }
}

/// Where a step leads an agent of no kind from a cell, straight from the definition.
pub fn steps(map: &TileMap, moves: Moves, from: Cell) -> BTreeSet<Cell> {
    steps_of(map, moves, Kinds::NONE, from)
}

/// The cells that an agent covers on a cell.
pub fn covered(size: BodySize, at: Cell) -> Vec<Cell> {
    let side = u16::from(size.side());
    let rows = at.y..at.y + side;
    rows.flat_map(|y| (at.x..at.x + side).map(move |x| Cell::new(x, y)))
        .collect()
}

/// Returns whether an agent can stand on a cell, straight from the definition: everything that it covers admits it, and no
/// thin wall stands in between.
pub fn may_enter(map: &TileMap, walker: impl Into<Walker>, at: Cell) -> bool {
    let Walker { kinds, size } = walker.into();
    let all = covered(size, at);
    let closed: BTreeSet<(Cell, Cell)> = map.rules().closed_edges().collect();
    let is_wall = |a: Cell, b: Cell| closed.contains(&(a, b)) && closed.contains(&(b, a));
    let has_walls = all
        .iter()
        .any(|&a| all.iter().any(|&b| a != b && is_wall(a, b)));
    !has_walls && all.iter().all(|&cell| admits(map, kinds, cell))
}

fn admits(map: &TileMap, kinds: Kinds, cell: Cell) -> bool {
    let mut restricted = map.rules().restricted();
    let of_tile = restricted.find(|&(other, _)| other == cell);
    let is_for = |tile: Kinds| tile == Kinds::ALL || tile.bits() & kinds.bits() != 0;
    map.is_passable(cell) && of_tile.is_none_or(|(_, tile)| is_for(tile))
}

/// Where a step leads an agent from a cell, straight from the definition.
pub fn steps_of(
    map: &TileMap,
    moves: Moves,
    walker: impl Into<Walker>,
    from: Cell,
) -> BTreeSet<Cell> {
    let walker = walker.into();
    let is_one = walker.size == BodySize::ONE;
    if matches!(moves, Moves::Hexagonal(_)) && !is_one {
        return BTreeSet::new();
    }
    let rules = map.rules();
    let closed: BTreeSet<(Cell, Cell)> = rules.closed_edges().collect();
    let straight: BTreeSet<Cell> = rules.straight_cells().collect();
    let links: BTreeSet<(Cell, Cell)> = rules.links().collect();
    // Each cell that it covers takes the step.
    let is_unbarred = |from: Cell, to: Cell| {
        let mut steps = covered(walker.size, from)
            .into_iter()
            .zip(covered(walker.size, to));
        !steps.any(|step| closed.contains(&step))
    };
    let is_step = |to: &Cell| {
        let to = *to;
        if to == from || !may_enter(map, walker, to) || !may_enter(map, walker, from) {
            return false;
        }
        if links.contains(&(from, to)) {
            return true;
        }
        if let Moves::Hexagonal(layout) = moves {
            return hexagons::are_beside(layout, from, to) && !closed.contains(&(from, to));
        }
        if from.squared_distance(to) == 1 {
            return is_unbarred(from, to);
        }
        if from.squared_distance(to) != 2 || moves != Moves::Octile {
            return false;
        }
        let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        if [from, to, sides[0], sides[1]]
            .iter()
            .flat_map(|&cell| covered(walker.size, cell))
            .any(|cell| straight.contains(&cell))
        {
            return false;
        }
        let is_unbarred = |&by: &Cell| is_unbarred(from, by) && is_unbarred(by, to);
        let is_free = |by: &Cell| may_enter(map, walker, *by) && is_unbarred(by);
        match rules.corners() {
            Corners::OneFree => sides.iter().any(is_free),
            Corners::Always => sides.iter().any(is_unbarred),
            _ => sides.iter().all(is_free),
        }
    };
    map.cells().filter(is_step).collect()
}
