use super::*;
use crate::abstraction::Hierarchy;
use crate::game::{Speed, Step};
use crate::graph::Graph;
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::search::{Dice, SlicedSearch as _};

/// A part of the cells, in per cent, are walls.
fn rough(dice: &mut Dice, side: u16, walls: usize) -> Graph {
    let mut map = TileMap::filled(side, side, Terrain::Floor).expect("a map");
    for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
        if dice.below(100) < walls {
            map.set(cell, Terrain::Wall);
        }
    }
    Graph::new(&map, Moves::Octile)
}

/// Plans for all cops, with a new race for each of them, and returns the expansions and how many paths differ from those
/// of `kept`.
fn race_anew(
    kept: &Interception,
    fresh: &mut Interception,
    Maps { graph, hierarchy }: Maps<'_>,
    state: &State<'_>,
) -> (u64, usize) {
    fresh.begin(graph, hierarchy, state, true, 16);
    loop {
        fresh.trails.iter_mut().for_each(|trail| trail.rivals = 0);
        fresh.flight.forget_coarse();
        if fresh.advance(graph, hierarchy, 1) != Step::Working {
            break;
        }
    }
    let differs = |&cop: &usize| kept.path_of(cop) != fresh.path_of(cop);
    let differ = (0..state.cops.len()).filter(differs).count();
    (fresh.work().expansions, differ)
}

#[test]
fn a_cop_that_is_late_everywhere_hardly_changes_the_path_of_the_robber() {
    let dice = &mut Dice::new(1);
    let (mut kept, mut fresh) = (Interception::new(), Interception::new());
    let (mut paths, mut differing, mut saved) = ([0, 0], [0, 0], [0, 0]);
    for round in 0..240 {
        let graph = rough(dice, 40 + 4 * (round % 20) as u16, [5, 15, 30][round % 3]);
        let hierarchy = (round % 2 == 0).then(|| Hierarchy::new(&graph));
        let vertices: Vec<Vertex> = graph.iter().collect();
        let mut agent = |speed| Agent {
            at: dice.pick(&vertices).expect("a vertex"),
            speed: Speed::new(speed).expect("a speed"),
        };
        // Some teams have cops of two speeds.
        let robber = agent(1);
        let fast = 1 + u8::from(round % 5 == 0);
        let cops: Vec<Agent> = (0..3 + round % 6)
            .map(|cop| agent(if cop % 3 == 0 { fast } else { 1 }))
            .collect();
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let maps = Maps::new(&graph, hierarchy.as_ref());
        kept.solve(&graph, hierarchy.as_ref(), &state, true, 16);
        let (expansions, differ) = race_anew(&kept, &mut fresh, maps, &state);
        let place = usize::from(hierarchy.is_some());
        paths[place] += cops.len();
        differing[place] += differ;
        saved[place] += expansions - kept.work().expansions;
    }
    // The late cop may end the robber's wait sooner, and then another path may be longer.
    for (differing, paths) in differing.into_iter().zip(paths) {
        assert!(differing * 20 <= paths, "{differing} of {paths}");
    }
    assert!(saved.iter().all(|&saved| saved > 1000), "{saved:?}");
}
