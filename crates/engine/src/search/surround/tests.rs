//! Crowds on random maps: sliced as unsliced, legal paths, and no two cops that end their moves on one vertex.

use super::{Role, Surround, TeamParameters, cover::end_of_move};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, Side, Speed, State};
use crate::graph::{Graph, TileEdit, Vertex};
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::search::{Dice, FOUND, Maps, STALE, SlicedSearch as _};

/// A map with single walls, a robber, and cops among the first vertices.
fn case(dice: &mut Dice, side: u16, cops: usize) -> (Graph, Agent, Vec<Agent>) {
    let mut map = TileMap::filled(side, side, Terrain::Floor).expect("a map");
    for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
        if dice.below(100) < 15 {
            map.set(cell, Terrain::Wall);
        }
    }
    let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
    let graph = Graph::new(&map, moves);
    let all: Vec<Vertex> = graph.iter().collect();
    let some = [all.len(), all.len() / 3, 20][dice.below(3)];
    let fastest = 1 + dice.below(3);
    let mut agent = |some: usize| Agent {
        at: all[dice.below(some)],
        speed: Speed::new(1 + dice.below(fastest) as u8).expect("a speed"),
    };
    let robber = agent(all.len());
    let cops = (0..cops).map(|_| agent(some)).collect();
    (graph, robber, cops)
}

const fn parameters(joint: bool) -> TeamParameters {
    TeamParameters {
        joint,
        cut_off: true,
        steps: 16,
        pressure: 0,
    }
}

#[test]
fn any_slicing_gives_the_same_legal_paths() {
    let dice = &mut Dice::new(1);
    let (mut whole, mut sliced) = (Surround::default(), Surround::default());
    for round in 0..60 {
        // The largest maps are larger than the surroundings of a robber.
        let side = if round % 10 == 0 { 150 } else { 20 + round };
        let crowd = 1 + dice.below(100);
        let (graph, robber, cops) = case(dice, side, crowd);
        let hierarchy = (round % 3 > 0).then(|| Hierarchy::new(&graph));
        let maps = Maps::new(&graph, hierarchy.as_ref());
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let parameters = TeamParameters {
            pressure: [0, 400, 50_000][usize::from(round % 3)],
            ..parameters(round % 4 < 2)
        };
        whole.begin(maps, &state, parameters);
        whole.finish(maps.graph, maps.hierarchy);
        sliced.begin(maps, &state, parameters);
        while sliced.advance(maps.graph, maps.hierarchy, dice.below(200) as u32) != FOUND {
            assert!(sliced.path_of(0).is_empty());
        }
        for (index, cop) in cops.iter().enumerate() {
            let path = whole.path_of(index);
            assert_eq!(sliced.path_of(index), path, "{round}");
            assert_eq!(sliced.reaches(index), whole.reaches(index));
            let mut at = cop.at;
            for &next in path {
                assert!(graph.are_adjacent(at, next), "{round}");
                at = next;
            }
        }
    }
}

#[test]
fn cops_that_cover_do_not_end_their_moves_on_one_vertex() {
    let dice = &mut Dice::new(2);
    let mut search = Surround::default();
    let (mut covering, mut stuck, mut wrong) = (0, 0, 0);
    for round in 0..60 {
        let crowd = 6 + dice.below(60);
        let (graph, robber, mut cops) = case(dice, 30 + round % 20, crowd);
        for _ in 0..12 {
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Cops,
            };
            search.begin(Maps::new(&graph, None), &state, parameters(true));
            search.finish(&graph, None);
            let ends = cops.iter().enumerate();
            let ends: Vec<Vertex> = ends
                .map(|(cop, &agent)| end_of_move(agent, search.path_of(cop)))
                .collect();
            for (cop, &agent) in cops.iter().enumerate() {
                if search.roles[cop] != Role::Covers {
                    continue;
                }
                covering += 1;
                let is_taken = |end: Vertex| ends.iter().filter(|&&other| other == end).count();
                // A cop shares a vertex only if there is none beside it for its own. A cop whose path goes through a
                // crowd may find that out too late.
                let beside = graph.neighbours(agent.at).iter();
                let has_room = beside.chain([&agent.at]).any(|&at| is_taken(at) == 0);
                stuck += u32::from(is_taken(ends[cop]) > 1);
                wrong += u32::from(is_taken(ends[cop]) > 1 && has_room);
            }
            for (cop, end) in cops.iter_mut().zip(ends) {
                cop.at = end;
            }
        }
    }
    assert!(
        covering > 10_000 && 10 * stuck < covering,
        "{stuck} of {covering}"
    );
    assert!(100 * wrong < covering, "{wrong} of {covering}");
}

#[test]
fn a_crowd_plans_anew_after_an_edit() {
    let dice = &mut Dice::new(3);
    for budget in [1, 300, 1_000_000] {
        let (mut graph, robber, cops) = case(dice, 40, 30);
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let mut search = Surround::default();
        search.begin(Maps::new(&graph, None), &state, parameters(true));
        search.advance(&graph, None, budget);
        let cell = Cell::new(0, 0);
        let passable = !graph.is_passable(cell);
        graph.apply(&[TileEdit { cell, passable }]);
        assert_eq!(search.advance(&graph, None, 1), STALE);
    }
}
