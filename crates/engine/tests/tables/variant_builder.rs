//! Tests of building arenas from bad input, and of who declines their rules.

use crate::common;
use common::level::{LIMIT, rules};
use pursuit_engine::game::{Agent, Rules, Side, Speed, State, Variant};
use pursuit_engine::graph::{Digraph, Graph, Vertex};
use pursuit_engine::map::Moves;
use pursuit_engine::policy::TablePlayer;
use pursuit_engine::solve::simultaneous::SimultaneousSolver;
use pursuit_engine::table::{Arena, ArenaError, Game, SolveError, Solver};
use std::sync::Arc;

fn path(vertices: u32) -> Digraph {
    let edges: Vec<(u32, u32)> = (1..vertices).map(|to| (to - 1, to)).collect();
    Digraph::undirected(vertices, &edges).expect("a path")
}

fn assert_says(error: ArenaError, words: &str) {
    assert_eq!(error.to_string(), words);
}

#[test]
fn grounds_have_to_fit_the_base() {
    let (small, large) = (path(3), path(4));
    let error = Arena::builder(&small)
        .cops(&large)
        .build()
        .expect_err("larger");
    assert_says(
        error,
        "the ground of the cops has 4 vertices: expected 3, as the base",
    );
    let map = common::map(&["...", ".@."]);
    let graph = Graph::new(&map, Moves::Octile);
    let error = Arena::builder(&small)
        .robber(&graph)
        .build()
        .expect_err("a map");
    assert_says(
        error,
        "the ground of the robber is a map: expected a graph, as the base",
    );
    let wider = Graph::new(&common::map(&["...", "..."]), Moves::Octile);
    let error = Arena::builder(&graph)
        .cops(&wider)
        .build()
        .expect_err("another cell");
    assert_says(
        error,
        "the ground of the cops has the cell (1, 1), which is none of the base",
    );
    let narrower = Graph::new(&common::map(&["...", ".@@"]), Moves::Orthogonal);
    let arena = Arena::builder(&graph)
        .cops(&narrower)
        .build()
        .expect("a part");
    let beyond = pursuit_engine::map::Cell::new(2, 1);
    let beyond = graph.vertex(beyond).expect("floor");
    assert!(!arena.may_stand(Side::Cops, beyond) && arena.may_stand(Side::Robber, beyond));
}

#[test]
fn somebody_has_to_stand_somewhere() {
    let path = path(2);
    let all: Vec<Vertex> = path.iter().collect();
    let error = Arena::builder(&path)
        .bar_cops(&all)
        .build()
        .expect_err("empty");
    assert_says(error, "the ground of the cops is empty");
    let error = Arena::builder(&path)
        .bar_robber(&all)
        .build()
        .expect_err("empty");
    assert_eq!(error, ArenaError::EmptyGround { side: Side::Robber });
    let none = Digraph::undirected(0, &[]).expect("empty");
    assert!(Arena::builder(&none).build().is_err());
}

#[test]
fn lists_name_vertices_of_the_base() {
    let path = path(3);
    let beyond = Vertex::from_index(7);
    let at = |number| path.vertex(number).expect("a vertex");
    let error = Arena::builder(&path)
        .exits(&[beyond])
        .build()
        .expect_err("no vertex");
    assert_says(error, "the exits name vertex 7, which is none of the base");
    let pairs = vec![(at(0), beyond)];
    let error = Arena::builder(&path)
        .captures(pairs)
        .build()
        .expect_err("no vertex");
    assert_says(
        error,
        "the pairs of captures name vertex 7, which is none of the base",
    );
    let error = Arena::builder(&path)
        .bar_cops(&[beyond])
        .build()
        .expect_err("no vertex");
    assert_says(
        error,
        "the vertices barred to the cops name vertex 7, which is none of the base",
    );
    let builder = Arena::builder(&path).bar_robber(&[at(1)]).exits(&[at(1)]);
    let error = builder.build().expect_err("an exit that nobody reaches");
    assert_says(error, "the exit at vertex 1 is off the robber's ground");
}

#[test]
fn exits_everywhere_and_more_cops_than_places_are_games() {
    let path = path(3);
    let all: Vec<Vertex> = path.iter().collect();
    let arena = Arena::builder(&path).exits(&all).build().expect("exits");
    let mut solver = Solver::new(arena.into(), rules(2, 1, 1), LIMIT).expect("memory");
    assert!(solver.run(|_| true).done);
    let solution = solver.finish().expect("done");
    assert_eq!(solution.histogram(), [3 * 9 - 3 * 4]);
    assert_eq!(solution.away_histogram(), [3 * 4]);
    let distinct = Variant {
        distinct: true,
        ..Variant::default()
    };
    let arena = Arena::builder(&path)
        .variant(distinct)
        .build()
        .expect("distinct");
    let mut solver = Solver::new(arena.into(), rules(4, 1, 1), LIMIT).expect("memory");
    assert!(solver.run(|_| true).done);
    assert_eq!(solver.finish().expect("done").positions(), 0);
}

#[test]
fn the_memory_of_the_turns_until_the_robber_is_away_counts() {
    let path = path(200);
    let plain =
        Solver::new(Arena::of_digraph(&path).into(), rules(2, 1, 1), 1).expect_err("little");
    let exit = path.vertex(0).expect("a vertex");
    let arena = || {
        Arena::builder(&path)
            .exits(&[exit])
            .build()
            .expect("an exit")
    };
    let more = Solver::new(arena().into(), rules(2, 1, 1), 1).expect_err("little");
    let needed = |error| match error {
        SolveError::TooLarge { needed, .. } => needed,
        other => panic!("{other}"),
    };
    let (plain, more) = (needed(plain), needed(more));
    assert!(more > plain);
    assert!(Solver::new(arena().into(), rules(2, 1, 1), plain).is_err());
    assert!(Solver::new(arena().into(), rules(2, 1, 1), more).is_ok());
}

#[test]
fn predators_and_prey_decline_other_rules() {
    let path = path(3);
    let exit = path.vertex(0).expect("a vertex");
    let arena = Arena::builder(&path)
        .exits(&[exit])
        .build()
        .expect("an exit");
    let error = Solver::with_game(arena.into(), Rules::default(), LIMIT, Game::PredatorPrey);
    let error = error.expect_err("another game").to_string();
    assert!(
        error.starts_with("tables of predators and prey do not know exits"),
        "{error}"
    );
}

#[test]
fn players_on_maps_and_simultaneous_moves_decline_other_rules() {
    let graph = Graph::new(&common::map(&["....", ".@.."]), Moves::Octile);
    let at: Vec<Vertex> = graph.iter().collect();
    let built = Arena::builder(&graph).exits(&at[..1]).build();
    let arena = Arc::new(built.expect("an exit"));
    let mut solver = Solver::new(Arc::clone(&arena), rules(1, 1, 1), LIMIT).expect("memory");
    assert!(solver.run(|_| true).done);
    let solution = solver.finish().expect("done");
    let agent = |at| Agent {
        at,
        speed: Speed::ONE,
    };
    let state = State {
        robber: agent(at[2]),
        cops: &[agent(at[5])],
        to_move: Side::Cops,
    };
    let mut player = TablePlayer::default();
    assert_eq!(player.value(&solution, &arena, &graph, &state), None);
    assert!(!player.cops(&solution, &arena, &graph, &state, &mut Vec::new()));
    assert_eq!(
        player.all_robber_moves(&solution, &arena, &graph, &state),
        None
    );
    // Its own arena does not help either.
    let own = Arena::of_map(&graph);
    assert_eq!(player.value(&solution, &own, &graph, &state), None);

    let error = SimultaneousSolver::new(&solution, 0.01, LIMIT).err();
    let words = "simultaneous moves do not know exits, which the arena has";
    assert_eq!(error.map(|error| error.to_string()).as_deref(), Some(words));
}
