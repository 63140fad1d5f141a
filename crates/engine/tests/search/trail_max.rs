//! `TrailMax` against an independent oracle of vertex sets, against reference values and against itself.

use crate::common;
use common::{any_moves, map, reference, ruled_map, trail_max_by_sets};
use proptest::prelude::*;
use proptest::sample::Index;
use pursuit_engine::game::{Agent, Outcome, Side, Speed, State, Step, Turns, is_legal_move};
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::search::{FOUND, Plan, STALE, SlicedSearch as _, TrailMax};

/// A robber and up to three cops of speeds 1 to 3 somewhere on a map.
#[derive(Debug, Clone)]
struct Game {
    map: TileMap,
    moves: Moves,
    robber: (Cell, u8),
    cops: Vec<(Cell, u8)>,
    to_move: Side,
}

fn random_game(side: u16) -> impl Strategy<Value = Game> {
    let agent = || (any::<Index>(), 1..=3_u8);
    (
        ruled_map(side),
        any_moves(),
        agent(),
        prop::collection::vec(agent(), 1..=3),
        prop_oneof![Just(Side::Cops), Just(Side::Robber)],
    )
        .prop_map(|(map, moves, robber, cops, to_move)| {
            let free: Vec<Cell> = map.cells().filter(|&c| map.is_passable(c)).collect();
            let place = |(index, speed): (Index, u8)| (*index.get(&free), speed);
            let (robber, cops) = (place(robber), cops.into_iter().map(place).collect());
            Game {
                map,
                moves,
                robber,
                cops,
                to_move,
            }
        })
}

impl Game {
    fn graph(&self) -> Graph {
        Graph::new(&self.map, self.moves)
    }

    fn agents(&self, graph: &Graph) -> (Agent, Vec<Agent>) {
        let agent = |&(cell, speed): &(Cell, u8)| agent(graph, cell, speed);
        (agent(&self.robber), self.cops.iter().map(agent).collect())
    }

    fn by_sets(&self) -> Outcome {
        let cops_to_move = self.to_move == Side::Cops;
        trail_max_by_sets(&self.map, self.moves, self.robber, &self.cops, cops_to_move)
            .map_or(Outcome::Escapes, |turns| {
                Outcome::Caught(Turns(turns as u16))
            })
    }
}

fn agent(graph: &Graph, cell: Cell, speed: u8) -> Agent {
    Agent {
        at: graph.vertex(cell).expect("a free cell"),
        speed: Speed::new(speed).expect("a speed"),
    }
}

fn solve(graph: &Graph, robber: Agent, cops: &[Agent], to_move: Side) -> Plan {
    let state = State {
        robber,
        cops,
        to_move,
    };
    TrailMax::new().solve(graph, &state).clone()
}

/// The first time at which cops can stand on a robber that keeps to the path, by simulation turn by
/// turn.
fn captured_on(game: &Game, path: &[Cell]) -> Outcome {
    let covered = |cell: Cell, turns: u32| {
        game.cops.iter().any(|&(cop, speed)| {
            let reach = turns * u32::from(speed);
            common::within(&game.map, &[cop].into(), reach, game.moves).contains(&cell)
        })
    };
    let mut at = game.robber.0;
    let mut path = path.iter().copied().peekable();
    let mut turns = 0;
    if game.to_move == Side::Cops {
        turns = 1;
    }
    loop {
        if covered(at, turns) {
            return Outcome::Caught(Turns(turns as u16));
        }
        if turns > game.map.cells().count() as u32 {
            return Outcome::Escapes;
        }
        for _ in 0..game.robber.1 {
            if let Some(next) = path.next() {
                at = next;
                assert!(!covered(at, turns), "the path runs into a cop at {at:?}");
            }
        }
        turns += 1;
    }
}

#[test]
fn a_robber_at_the_end_of_a_corridor_is_caught_there() {
    let map = map(&["......."]);
    let graph = Graph::new(&map, Moves::Octile);
    let robber = agent(&graph, Cell::new(4, 0), 1);
    let cop = agent(&graph, Cell::new(0, 0), 1);
    let plan = solve(&graph, robber, &[cop], Side::Cops);
    assert_eq!(plan.outcome, Outcome::Caught(Turns(6)));
    let path: Vec<u16> = plan.path.iter().map(|&v| graph.cell(v).x).collect();
    assert_eq!(path, [5, 6]);
    let faster = agent(&graph, Cell::new(0, 0), 2);
    let plan = solve(&graph, robber, &[faster], Side::Cops);
    assert_eq!(plan.outcome, Outcome::Caught(Turns(3)));
}

#[test]
fn a_robber_between_two_cops_of_different_speed_runs_from_both() {
    let map = map(&["..........."]);
    let graph = Graph::new(&map, Moves::Octile);
    let robber = agent(&graph, Cell::new(5, 0), 1);
    let cops = [
        agent(&graph, Cell::new(0, 0), 1),
        agent(&graph, Cell::new(10, 0), 2),
    ];
    let value = |cops: &[Agent]| solve(&graph, robber, cops, Side::Robber).outcome;
    assert_eq!(
        value(&cops[..1]),
        Outcome::Caught(Turns(10)),
        "away from the slow one"
    );
    assert_eq!(
        value(&cops[1..]),
        Outcome::Caught(Turns(5)),
        "away from the fast one"
    );
    assert_eq!(value(&cops), Outcome::Caught(Turns(3)), "both close in");
}

#[test]
fn nobody_chases_or_nobody_can_come() {
    let map = map(&["..#.."]);
    let graph = Graph::new(&map, Moves::Octile);
    let robber = agent(&graph, Cell::new(0, 0), 1);
    let cop = agent(&graph, Cell::new(4, 0), 1);
    for cops in [&[][..], &[cop]] {
        for to_move in [Side::Cops, Side::Robber] {
            let plan = solve(&graph, robber, cops, to_move);
            assert_eq!((plan.outcome, plan.path.len()), (Outcome::Escapes, 0));
        }
    }
}

#[test]
fn a_cop_on_the_robber_has_captured_it() {
    let graph = Graph::new(&map(&["."]), Moves::Octile);
    let one = agent(&graph, Cell::new(0, 0), 1);
    let plan = solve(&graph, one, &[one], Side::Robber);
    assert_eq!(
        (plan.outcome, plan.path.len()),
        (Outcome::Caught(Turns(0)), 0)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn agrees_with_the_equation_by_sets(game in random_game(8)) {
        let graph = game.graph();
        let (robber, cops) = game.agents(&graph);
        let plan = solve(&graph, robber, &cops, game.to_move);
        prop_assert_eq!(plan.outcome, game.by_sets());
    }

    #[test]
    fn the_path_is_worth_what_it_promises(game in random_game(8)) {
        let graph = game.graph();
        let (robber, cops) = game.agents(&graph);
        let plan = solve(&graph, robber, &cops, game.to_move);
        let longest = Speed::new(u8::MAX).unwrap();
        prop_assert!(is_legal_move(&graph, robber.at, &plan.path, longest));
        if plan.outcome > Outcome::Caught(Turns(0)) {
            let path: Vec<Cell> = plan.path.iter().map(|&v| graph.cell(v)).collect();
            prop_assert_eq!(captured_on(&game, &path), plan.outcome);
        }
    }

    #[test]
    fn any_slicing_and_any_memory_gives_the_same_plan(
        games in prop::collection::vec(random_game(10), 1..4),
        slices in prop::collection::vec(1..9_u32, 1..9),
    ) {
        let mut used = TrailMax::new();
        for game in games {
            let graph = game.graph();
            let (robber, cops) = game.agents(&graph);
            let whole = solve(&graph, robber, &cops, game.to_move);
            used.begin(&graph, &State { robber, cops: &cops, to_move: game.to_move });
            let mut budgets = slices.iter().copied().cycle();
            let mut granted = 0;
            while used.plan().is_none() {
                let budget = budgets.next().unwrap();
                granted += u64::from(budget);
                let progress = used.advance(&graph, None, budget);
                prop_assert_eq!(progress == FOUND, used.plan().is_some());
                prop_assert!(used.work().expansions <= granted, "spent more than the budget");
            }
            prop_assert_eq!(used.plan(), Some(&whole));
        }
    }
}

/// A row of a CSV file of numbers.
fn rows(path: &std::path::Path) -> Vec<Vec<u16>> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let numbers = |line: &str| {
        line.split(',')
            .map(|n| n.parse().expect("a number"))
            .collect()
    };
    text.lines().skip(1).map(numbers).collect()
}

#[test]
fn reference_values_of_the_papers_program_with_a_cop_of_speed_2() {
    let Some(folder) = reference("reference_values_of_the_papers_program") else {
        return;
    };
    let mut positions = 0;
    let mut search = TrailMax::new();
    for values in common::files(&folder.join("golden/trailmax"), "csv") {
        let name = values.file_stem().unwrap().to_str().unwrap().to_owned();
        let map = common::read_map(&folder.join(format!("maps/bg/{name}.map")));
        let graph = Graph::new(&map, Moves::Octile);
        for row in rows(&values) {
            let robber = agent(&graph, Cell::new(row[0], row[1]), 1);
            let cops = [agent(&graph, Cell::new(row[2], row[3]), 2)];
            for (to_move, plies) in [(Side::Robber, row[4]), (Side::Cops, row[5])] {
                let state = State {
                    robber,
                    cops: &cops,
                    to_move,
                };
                let turns = plies.div_ceil(2);
                let found = search.solve(&graph, &state).outcome;
                assert_eq!(
                    found,
                    Outcome::Caught(Turns(turns)),
                    "{name} {row:?} {to_move:?}"
                );
                positions += 1;
            }
        }
    }
    assert!(positions > 0, "no values in {}", folder.display());
}

#[test]
fn is_optimal_on_one_cop_win_mazes() {
    // C. Moldenhauer's thesis, theorem 5.2.
    let Some(folder) = reference("is_optimal_on_one_cop_win_mazes") else {
        return;
    };
    let mut positions = 0;
    let mut search = TrailMax::new();
    for set in ["mazes1", "mazes3"] {
        for values in common::files(&folder.join(format!("golden/onecop_{set}")), "csv") {
            let name = values.file_stem().unwrap().to_str().unwrap().to_owned();
            let map = common::read_map(&folder.join(format!("maps/{set}/{name}.map")));
            let graph = Graph::new(&map, Moves::Octile);
            for row in rows(&values) {
                let robber = agent(&graph, Cell::new(row[0], row[1]), 1);
                let cops = [agent(&graph, Cell::new(row[2], row[3]), 1)];
                let state = State {
                    robber,
                    cops: &cops,
                    to_move: Side::Cops,
                };
                let found = search.solve(&graph, &state).outcome;
                assert_eq!(found, Outcome::Caught(Turns(row[4])), "{name} {row:?}");
                positions += 1;
            }
        }
    }
    assert!(positions > 0, "no values in {}", folder.display());
}

/// The fingerprint of the map is the same afterwards, but the graph has one vertex number more.
#[test]
fn a_search_is_stale_after_a_wall_has_opened_and_closed_again() {
    let rows = [".........#", "..........", ".........."];
    let mut graph = Graph::new(&map(&rows), Moves::Orthogonal);
    let robber = agent(&graph, Cell::new(1, 1), 1);
    let cops = [agent(&graph, Cell::new(8, 1), 1)];
    let state = State {
        robber,
        cops: &cops,
        to_move: Side::Robber,
    };
    let mut search = TrailMax::new();
    search.begin(&graph, &state);
    assert_eq!(search.advance(&graph, None, 3), Step::Working);
    let before = graph.fingerprint();
    let cell = Cell::new(9, 0);
    graph.apply(&[true, false].map(|passable| TileEdit { cell, passable }));
    assert_eq!(graph.fingerprint(), before);
    assert_eq!(search.advance(&graph, None, 3), STALE);
}
