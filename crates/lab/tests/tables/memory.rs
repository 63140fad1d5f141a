//! Tests of memory limits: the memory that tables take is measured and compared with the estimate.

use crate::common::map;
use allocation_counter::measure;
use pursuit_engine::game::{Rules, Speed};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Moves, Terrain, TileMap};
use pursuit_engine::solve::simultaneous::SimultaneousSolver;
use pursuit_engine::table::{
    Arena, Estimate, SolveError, Solver, Table, Verification, VerifyError,
};
use pursuit_engine::table::{Response, best_response_to_cops, best_response_to_robber};
use pursuit_lab::eval::{AnalysisError, CopNumber, Undecided, analyze, cop_number_of_map};
use pursuit_lab::patterns::Generator;
use pursuit_lab::patterns::pursuit::PursuitWindows;
use std::num::NonZeroU8;
use std::sync::Arc;

fn rules(cops: u8, cop_speed: u8, robber_speed: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("cops"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        robber_speed: Speed::new(robber_speed).expect("a speed"),
        moves: Moves::Octile,
    }
}

fn open(width: u16, height: u16) -> Graph {
    let map = TileMap::filled(width, height, Terrain::Floor);
    Graph::new(&map.expect("a map"), Moves::Octile)
}

/// The greatest number of bytes that some work held at once, in addition to what was held before.
/// All of the work runs on one thread, since the memory of other threads is not counted.
fn peak(work: impl FnOnce() + Send) -> u64 {
    std::thread::scope(|scope| {
        let measured = scope.spawn(|| {
            #[cfg(feature = "parallel")]
            {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
                let pool = pool.use_current_thread().build().expect("this thread");
                pool.install(|| measure(work)).bytes_max
            }
            #[cfg(not(feature = "parallel"))]
            {
                measure(work).bytes_max
            }
        });
        measured.join().expect("no panic")
    })
}

/// The games to solve: the size of the map, the number of cops with both speeds, and whether the
/// game takes more than half of the estimate.
const GAMES: [((u16, u16), (u8, u8, u8), bool); 18] = [
    ((50, 50), (1, 1, 1), true),
    ((50, 50), (1, 2, 1), true),
    ((50, 50), (1, 2, 2), true),
    ((50, 50), (1, 4, 3), true),
    ((50, 50), (1, 255, 1), true),
    ((17, 17), (2, 1, 1), true),
    ((17, 17), (2, 2, 2), true),
    ((17, 17), (2, 255, 1), true),
    ((7, 7), (3, 1, 1), true),
    ((7, 7), (3, 2, 1), true),
    ((10, 7), (3, 1, 1), true),
    ((5, 5), (4, 1, 1), true),
    ((5, 5), (4, 2, 1), true),
    ((4, 3), (6, 1, 1), true),
    // Capture times beyond one byte, and few positions solved in each turn.
    ((1500, 1), (1, 1, 1), true),
    ((1100, 1), (1, 1, 3), true),
    ((300, 1), (2, 1, 1), false),
    ((60, 1), (3, 1, 1), false),
];

#[test]
fn solving_takes_what_was_estimated() {
    for ((width, height), (cops, cop_speed, robber_speed), is_tight) in GAMES {
        let arena = Arc::new(Arena::of_map(&open(width, height)));
        let rules = rules(cops, cop_speed, robber_speed);
        let estimate = Estimate::new(arena.places(), &rules).expect("few vertices");
        let mut longest = 0;
        let taken = peak(|| {
            let mut solver = Solver::new(arena, rules, estimate.bytes).expect("as estimated");
            assert!(solver.run(|_| true).done);
            longest = solver.finish().expect("done").longest().0;
        });
        let text = format!(
            "{width} x {height}, {cops} cops of speed {cop_speed}, {longest} turns: {taken} of {}",
            estimate.bytes
        );
        println!("{text} {:.3}", taken as f64 / estimate.bytes as f64);
        assert!(taken <= estimate.bytes, "{text}");
        assert!(!is_tight || 2 * taken > estimate.bytes, "{text}");
        assert!(height > 1 || cops > 1 || longest > 254, "{text}");
    }
}

#[test]
fn verifying_takes_no_more_than_it_may() {
    for (side, cops, robber_speed) in [(30, 1, 1), (30, 1, 3), (9, 2, 1), (9, 2, 2), (4, 3, 1)] {
        let graph = open(side, side);
        let rules = rules(cops, 2, robber_speed);
        let arena = Arc::new(Arena::of_map(&graph));
        let mut solver = Solver::new(arena, rules, u64::MAX).expect("memory");
        solver.run(|_| true);
        let table = Table::of(&solver.finish().expect("done"));
        // Counting the memory that is needed, place by place, can be stopped, too.
        let stopped = table.verify(&graph, 1, |_| false);
        assert_eq!(stopped, Ok(Verification::default()));
        let refused = table.verify(&graph, 1, |_| true).expect_err("too little");
        let VerifyError::Memory(SolveError::TooLarge { needed, .. }) = refused else {
            panic!("{refused}");
        };
        // The lists of places come in addition.
        let a_place = 100 + 8 * u64::from(robber_speed);
        let rest = a_place * graph.vertices() as u64 + 10_000;
        let mut least = u64::MAX;
        for limit in [needed, 3 * needed, 10 * needed, u64::MAX] {
            let mut found = None;
            let taken = peak(|| found = table.verify(&graph, limit, |_| true).ok());
            let found = found.unwrap_or_else(|| panic!("{limit} bytes are enough"));
            assert!(found.is_right() && found.positions > 0);
            assert!(
                taken <= limit.saturating_add(rest),
                "{taken} of {limit} bytes, {side} {cops}"
            );
            least = least.min(taken);
        }
        assert!(2 * least > needed, "{least} taken, {needed} needed");
        let refused = table.verify(&graph, needed - 1, |_| true);
        assert!(matches!(refused, Err(VerifyError::Memory(_))));
    }
}

#[test]
fn best_responses_take_what_was_said() {
    for (side, cops, speed, is_tight) in [
        (25, 1, 1, true),
        (25, 1, 6, true),
        // Shared lists of places take less than the estimate.
        (25, 1, 255, false),
        (9, 2, 1, true),
        (6, 2, 255, false),
        (4, 3, 1, false),
    ] {
        let arena = Arc::new(Arena::of_map(&open(side, side)));
        let rules = rules(cops, speed, 1);
        let robbers = |limit| {
            let player = || |robber: Vertex, _: &[Vertex]| Ok::<_, SolveError>(robber);
            best_response_to_robber(&arena, rules, limit, player, |_| Ok(()))
        };
        let cops = |limit| {
            let player = || |_: Vertex, _: &[Vertex], _: &mut [Vertex]| Ok::<_, SolveError>(());
            best_response_to_cops(&arena, rules, limit, player, |_| Ok(()))
        };
        let needed = |response: Result<Response, SolveError>| match response {
            Err(SolveError::TooLarge { needed, .. }) => needed,
            other => panic!("{other:?}"),
        };
        let limits = [needed(robbers(0)), needed(cops(0))];
        let robbers = peak(|| assert!(robbers(limits[0]).is_ok()));
        let cops = peak(|| assert!(cops(limits[1]).is_ok()));
        for (taken, limit) in [robbers, cops].into_iter().zip(limits) {
            println!("{side} {speed}: {taken} of {limit}");
            assert!(taken <= limit, "{taken} of {limit} bytes");
            assert!(!is_tight || 2 * taken > limit, "{taken} of {limit} bytes");
        }
    }
}

#[test]
fn an_analysis_of_a_large_map_takes_what_was_said() {
    let map = open(300, 300);
    let rules = rules(1, 1, 1);
    let analyze = |limit| analyze(&map, rules, limit, |_| true);
    let mut refused = None;
    let taken = peak(|| refused = analyze(5_000_000).err());
    let Some(AnalysisError::TooLarge { needed, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert!(taken < 1000, "{taken} bytes before the refusal");
    // This memory suffices to find the components, and to find that the map is too large for a
    // table.
    let taken = peak(|| refused = analyze(needed).err());
    let too_many = SolveError::TooManyVertices { vertices: 90_000 };
    assert_eq!(refused, Some(AnalysisError::Table(too_many)));
    assert!(taken <= needed, "{taken} of {needed} bytes");

    let number = |limit| cop_number_of_map(&map, limit, |_| true);
    let refused = number(needed - 1);
    assert!(matches!(
        refused,
        CopNumber::AtLeast {
            cops: 1,
            because: Undecided::TooLarge { .. }
        }
    ));
    let taken = peak(|| assert_eq!(number(needed), CopNumber::Exactly(1)));
    assert!(taken <= needed, "{taken} of {needed} bytes");

    // An open map with orthogonal moves takes the most memory, since none of its vertices can be
    // removed.
    let tiles = TileMap::filled(300, 300, Terrain::Floor).expect("a map of some size");
    let grid = Graph::new(&tiles, Moves::Orthogonal);
    let taken = peak(|| {
        let _number = cop_number_of_map(&grid, needed, |_| true);
    });
    assert!(
        taken <= needed && 2 * taken > needed,
        "{taken} of {needed} bytes"
    );
}

#[test]
fn the_game_of_simultaneous_moves_takes_what_was_estimated() {
    // The wall leaves no symmetry.
    let uneven = |width: usize, height: usize| {
        let mut rows = vec![".".repeat(width); height];
        rows[0].replace_range(1..2, "@");
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Graph::new(&map(&rows), Moves::Octile)
    };
    let games = [
        ((10, 10), (1, 1, 1)),
        ((10, 10), (1, 2, 1)),
        ((10, 10), (1, 1, 3)),
        ((10, 10), (1, 3, 3)),
        ((9, 9), (1, 2, 2)),
        ((8, 8), (1, 6, 6)),
        ((30, 2), (1, 9, 9)),
        ((5, 4), (2, 1, 1)),
        ((5, 4), (2, 2, 1)),
        ((5, 4), (2, 4, 4)),
        ((4, 3), (3, 1, 1)),
        ((4, 3), (3, 2, 2)),
    ];
    let mut fits = true;
    for ((width, height), (cops, cop_speed, robber_speed)) in games {
        let arena = Arc::new(Arena::of_map(&uneven(width, height)));
        let solver = Solver::new(arena, rules(cops, cop_speed, robber_speed), u64::MAX);
        let mut solver = solver.expect("memory");
        solver.run(|_| true);
        let table = solver.finish().expect("done");
        // The positions are counted first; only if they fit are the moves counted, too.
        let mut needed = 0;
        while let Err(refused) = SimultaneousSolver::new(&table, 0.01, needed) {
            let SolveError::TooLarge { needed: more, .. } = refused else {
                panic!("{refused}");
            };
            assert!(more > needed);
            needed = more;
        }
        let taken = peak(|| {
            let mut solver = SimultaneousSolver::new(&table, 0.01, needed).expect("as estimated");
            // Some of the games take many more sweeps, but no more memory.
            solver.run(|at| at.sweeps < 60);
        });
        let text = format!(
            "{width} x {height}, {cops} cops of speed {cop_speed}, robber of speed {robber_speed}: {taken} of {needed}"
        );
        println!("{text} {:.3}", taken as f64 / needed as f64);
        fits &= taken <= needed;
    }
    assert!(fits);
}

#[test]
fn patterns_take_what_was_said() {
    for (moves, depth) in [(Moves::Octile, 1), (Moves::Orthogonal, 2)] {
        let game = PursuitWindows::new(moves, 1, (4, 4), 0).expect("valid");
        let generator = Generator::new(game, depth);
        let needed = generator.bytes();
        let taken = peak(|| assert!(!generator.run().patterns().is_empty()));
        // What is found, and the scratch of a placement, comes in addition.
        assert!(taken <= needed + needed / 20, "{taken} of {needed}");
    }
}
