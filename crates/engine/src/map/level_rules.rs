//! What a level says about steps and sight besides its terrain: links, thin walls, one-way edges, doors and glass.

use super::level::{LevelText, Mark, RawLevel};
use super::{Cell, Corners, Kinds, MapEdit, MapError, Moves, Terrain, TileMap};
use std::collections::BTreeMap;

/// A pair of cells in a list of a level: columns and rows from 0 at the top left.
pub(super) type EdgeOfLevel = ((u16, u16), (u16, u16));

/// The links of a legend character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelLink {
    /// The character of the cells where they begin.
    pub symbol: char,
    /// The steps: from which cell to which.
    pub steps: Vec<(Cell, Cell)>,
}

/// Gives the map of a level its rules, and returns its links in the order of their characters. `cells_of` lists the cells of each legend character.
///
/// # Errors
/// The first rule that fits nothing on the map, with its position.
pub(super) fn read(
    raw: &RawLevel,
    source: &LevelText<'_>,
    cells_of: &BTreeMap<char, Vec<Cell>>,
    map: &mut TileMap,
) -> Result<Vec<LevelLink>, MapError> {
    let mut links = Vec::new();
    expect_diagonals(raw, source)?;
    map.rules_mut().set_corners(raw.corners);
    for (list, edges, both_ways) in [
        ("walls", &raw.walls, true),
        ("one_way", &raw.one_way, false),
    ] {
        for (index, &edge) in edges.iter().enumerate() {
            read_edge(map, raw.moves, edge, both_ways).map_err(|found| {
                let expected =
                    format!("entry {index} of `{list}`: two cells of the map that share a side");
                MapError::new(source.list(list), expected, found)
            })?;
        }
    }
    for (&symbol, mark) in &raw.legend {
        let cells = cells_of.get(&symbol).map_or(&[][..], Vec::as_slice);
        let error = |expected: &str, found: String| {
            Err(MapError::new(source.legend_entry(symbol), expected, found))
        };
        match mark {
            Mark::Link => {
                let &[a, b] = cells else {
                    return error(
                        "two cells that the link joins",
                        format!("{} cells", cells.len()),
                    );
                };
                links.push(link(map, symbol, vec![(a, b), (b, a)]));
            }
            Mark::LinkTo(end) => {
                let ends = cells_of.get(end).map_or(&[][..], Vec::as_slice);
                let &[to] = ends else {
                    let found = format!("{} cells with {end:?}", ends.len());
                    return error("one cell that the link leads to", found);
                };
                if *end == symbol {
                    return error("a link to another character", format!("{symbol:?} itself"));
                }
                let steps = cells.iter().map(|&from| (from, to));
                links.push(link(map, symbol, steps.collect()));
            }
            Mark::Tile {
                passable,
                sight,
                slow,
                ..
            } => {
                let kinds = kinds_of(mark, source, symbol)?;
                for &at in cells {
                    let terrain = if *passable {
                        Terrain::Floor
                    } else {
                        Terrain::Wall
                    };
                    map.set(at, terrain);
                    map.rules_mut().apply(MapEdit::Sight {
                        at,
                        opacity: *sight,
                    });
                    let times = *slow;
                    map.rules_mut().apply(MapEdit::Slow { at, times });
                    if !kinds.is_empty() {
                        map.rules_mut().apply(MapEdit::Kinds { at, kinds });
                    }
                }
            }
            Mark::Door { straight: true, .. } => {
                for &at in cells {
                    map.rules_mut()
                        .apply(MapEdit::Diagonals { at, allowed: false });
                }
            }
            Mark::Door { .. }
            | Mark::Cop { .. }
            | Mark::Robber { .. }
            | Mark::Spawn
            | Mark::Exit
            | Mark::CopsOnly
            | Mark::RobbersOnly => {}
        }
    }
    Ok(links)
}

/// Checks that there is room for large agents where they start. Doors count as open.
///
/// # Errors
/// The first one for which there is none.
pub(super) fn expect_room(
    raw: &RawLevel,
    source: &LevelText<'_>,
    cells_of: &BTreeMap<char, Vec<Cell>>,
    map: &TileMap,
) -> Result<(), MapError> {
    for (&symbol, mark) in &raw.legend {
        let (Mark::Cop { size, .. } | Mark::Robber { size, .. }) = *mark else {
            continue;
        };
        if size.is_one() {
            continue;
        }
        let error = |expected: &str, found: String| {
            Err(MapError::new(source.legend_entry(symbol), expected, found))
        };
        let side = size.side();
        if let Moves::Hexagonal(_) = raw.moves {
            let found = format!("a size of {side}");
            return error("agents of one cell, as on all maps of hexagons", found);
        }
        let cells = cells_of.get(&symbol).map_or(&[][..], Vec::as_slice);
        for &at in cells {
            let mut covered = size.cells(at);
            if let Some(wall) = covered.find(|&cell| !map.is_passable(cell)) {
                let expected = format!(
                    "room for {side} x {side} cells from column {}, row {}",
                    at.x, at.y
                );
                let found = format!("no floor in column {}, row {}", wall.x, wall.y);
                return error(&expected, found);
            }
        }
    }
    Ok(())
}

/// The number of the first kind that a level may not name: the last two stand for the sides.
const FIRST_RESERVED: u8 = 30;

/// The kinds that a mark names.
///
/// # Errors
/// If a number is too large.
pub(super) fn kinds_of(
    mark: &Mark,
    source: &LevelText<'_>,
    symbol: char,
) -> Result<Kinds, MapError> {
    let (Mark::Cop { kinds: numbers, .. }
    | Mark::Robber { kinds: numbers, .. }
    | Mark::Tile { kinds: numbers, .. }) = mark
    else {
        return Ok(Kinds::NONE);
    };
    let mut all = Kinds::NONE;
    for &number in numbers {
        if number >= FIRST_RESERVED {
            return Err(MapError::new(
                source.legend_entry(symbol),
                format!("numbers of kinds below {FIRST_RESERVED}"),
                number.to_string(),
            ));
        }
        all |= Kinds::from_bits(1 << number);
    }
    Ok(all)
}

/// Refuses rules about diagonal steps where there are none because cells are hexagons.
fn expect_diagonals(raw: &RawLevel, source: &LevelText<'_>) -> Result<(), MapError> {
    let Moves::Hexagonal(_) = raw.moves else {
        return Ok(());
    };
    let error = |at, found: &str| {
        let expected = "no rule about diagonal steps, which hexagons do not have";
        Err(MapError::new(at, expected, found))
    };
    if raw.corners != Corners::Never {
        return error(source.list("corners"), "`corners`");
    }
    let is_straight = |mark: &Mark| matches!(mark, Mark::Door { straight: true, .. });
    match raw.legend.iter().find(|(_, mark)| is_straight(mark)) {
        Some((&symbol, _)) => error(source.legend_entry(symbol), "`straight: true`"),
        None => Ok(()),
    }
}

/// Closes an edge: against its direction for a one-way edge.
fn read_edge(
    map: &mut TileMap,
    moves: Moves,
    edge: EdgeOfLevel,
    both_ways: bool,
) -> Result<(), String> {
    let [a, b] = [edge.0, edge.1].map(|(x, y)| Cell::new(x, y));
    let back = MapEdit::Edge {
        from: b,
        to: a,
        open: false,
    };
    if !back.fits_with(map.width(), map.height(), moves) {
        return Err(format!("({}, {}) and ({}, {})", a.x, a.y, b.x, b.y));
    }
    map.rules_mut().apply(back);
    if both_ways {
        map.rules_mut().apply(MapEdit::Edge {
            from: a,
            to: b,
            open: false,
        });
    }
    Ok(())
}

fn link(map: &mut TileMap, symbol: char, steps: Vec<(Cell, Cell)>) -> LevelLink {
    for &(from, to) in &steps {
        let open = true;
        map.rules_mut().apply(MapEdit::Link { from, to, open });
    }
    LevelLink { symbol, steps }
}
