//! Random chases from a seed: maps of several kinds, agents and edits.

use pursuit_engine::game::{Agent, Outcome, Side, Speed, State, Turns, is_legal_move};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Terrain, TileMap};
use pursuit_engine::search::{Dice, Distances};

/// A map of one of several kinds, with at least one free cell.
pub fn any_map(dice: &mut Dice, side: u16) -> TileMap {
    let mut size = || 1 + dice.below(side.into()) as u16;
    let (width, height) = (size(), size());
    match dice.below(6) {
        0 => noise(dice, width, height, 0),
        1 => noise(dice, width, height, 8),
        2 => noise(dice, width, height, 30),
        3 => noise(dice, 1, height, 10),
        4 => noise(dice, width, 1, 10),
        _ => maze(dice, width, height),
    }
}

/// Random walls, in per cent of the cells.
pub fn noise(dice: &mut Dice, width: u16, height: u16, walls: usize) -> TileMap {
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for cell in map.cells() {
        if dice.below(100) < walls {
            map.set(cell, Terrain::Wall);
        }
    }
    map.set(Cell::new(0, 0), Terrain::Floor);
    map
}

/// A tree of corridors, with some shortcuts.
pub fn maze(dice: &mut Dice, width: u16, height: u16) -> TileMap {
    let mut map = TileMap::filled(width, height, Terrain::Wall).expect("some cells");
    let mut trail = vec![Cell::new(0, 0)];
    map.set(trail[0], Terrain::Floor);
    while let Some(&at) = trail.last() {
        let steps = [(2, 0), (-2, 0), (0, 2), (0, -2)];
        let ahead = steps.iter().filter_map(|&(dx, dy)| {
            let (wall, next) = (at.offset(dx / 2, dy / 2)?, at.offset(dx, dy)?);
            (map.contains(next) && !map.is_passable(next)).then_some((wall, next))
        });
        let ahead: Vec<(Cell, Cell)> = ahead.collect();
        let Some((wall, next)) = dice.pick(&ahead) else {
            trail.pop();
            continue;
        };
        map.set(wall, Terrain::Floor);
        map.set(next, Terrain::Floor);
        trail.push(next);
    }
    for cell in map.cells() {
        if dice.below(100) < 4 {
            map.set(cell, Terrain::Floor);
        }
    }
    map
}

/// Edits of random cells, each of which changes its cell.
pub fn edits(graph: &Graph, dice: &mut Dice, many: usize) -> Vec<TileEdit> {
    let cell = |dice: &mut Dice| {
        let x = dice.below(graph.width().into()) as u16;
        Cell::new(x, dice.below(graph.height().into()) as u16)
    };
    let cells: Vec<Cell> = (0..many).map(|_| cell(dice)).collect();
    let flip = |&cell| TileEdit {
        cell,
        passable: !graph.is_passable(cell),
    };
    cells.iter().map(flip).collect()
}

/// A robber and cops at random places; `None` if no vertex is left.
pub fn chase(
    graph: &Graph,
    dice: &mut Dice,
    robber_speed: u8,
    cop_speeds: &[u8],
) -> Option<(Agent, Vec<Agent>)> {
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut agent = |speed| {
        Some(Agent {
            at: dice.pick(&vertices)?,
            speed: Speed::new(speed).expect("a speed"),
        })
    };
    let robber = agent(robber_speed)?;
    let cops: Option<_> = cop_speeds.iter().map(|&speed| agent(speed)).collect();
    Some((robber, cops?))
}

/// Returns whether `path` is a path on the map, of any length, from the given vertex.
pub fn is_path(graph: &Graph, from: Vertex, path: &[Vertex]) -> bool {
    let starts = std::iter::once(from).chain(path.iter().copied());
    let mut steps = starts.zip(path.iter().copied());
    steps.all(|(from, to)| is_legal_move(graph, from, &[to], Speed::ONE))
}

/// The time of capture of a robber that follows a path and waits at its end, against cops that know the
/// path.
///
/// # Panics
/// If the path is not legal, or leads onto a cell that the cops reach before the robber.
pub fn captured_on(graph: &Graph, state: &State<'_>, path: &[Vertex]) -> Outcome {
    assert!(is_path(graph, state.robber.at, path), "{path:?} is no path");
    // For each vertex, the number of the move with which the first cop gets there.
    let mut arrival = vec![u32::MAX; graph.slots()];
    let mut distances = Distances::default();
    for cop in state.cops {
        distances.measure(graph, cop.at);
        for vertex in graph.iter() {
            if let Some(steps) = distances.steps(vertex) {
                let turns = steps.div_ceil(cop.speed.steps().into());
                arrival[vertex.index()] = arrival[vertex.index()].min(turns);
            }
        }
    }
    let mut at = state.robber.at;
    let mut turns = u32::from(state.to_move == Side::Cops);
    for steps in path.chunks(state.robber.speed.steps().into()) {
        if arrival[at.index()] <= turns {
            return Outcome::Caught(Turns(turns as u16));
        }
        for &next in steps {
            assert!(arrival[next.index()] > turns, "{path:?} runs into a cop");
            at = next;
        }
        turns += 1;
    }
    match arrival[at.index()].max(turns) {
        u32::MAX => Outcome::Escapes,
        turns => Outcome::Caught(Turns(turns as u16)),
    }
}
