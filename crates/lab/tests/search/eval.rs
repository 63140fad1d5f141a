//! Robbers against optimal cops, compared with a slow simulation and the optimum.

use crate::common;
use crate::common::level;
use crate::field;
use common::{any_moves, map, random_map};
use field::{Field, trail_max};
use level::{LIMIT, rules, turns};
use proptest::prelude::*;
use pursuit_engine::game::{Rules, State, Turns, Work};
use pursuit_engine::graph::Vertex;
use pursuit_engine::map::{Cell, TileMap};
use pursuit_engine::policy::{Decision, Effort, Ground, Source};
use pursuit_engine::table::SolveError;
use pursuit_engine::table::best_response_to_robber;
use pursuit_lab::RobberPolicy;
use pursuit_lab::eval::{
    Experiment, ExperimentError, ExploitError, Performance, Played, Start, exploitability,
};

// ---- robbers ----

/// Never moves, and reports that it plans on every third turn.
#[derive(Default)]
struct Lazy {
    turn: u64,
}

impl RobberPolicy for Lazy {
    fn decide(&mut self, _: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        self.turn += 1;
        decision.take(&[], state.robber.speed, Source::Greedy);
        let planned = self.turn % 3 == 1;
        let many = u64::from(planned);
        Effort {
            planned,
            work: Work {
                expansions: 2 * many,
                touched: 5 * many,
            },
        }
    }

    fn restart(&mut self, _: u64) {
        self.turn = 0;
    }
}

/// Moves at random, even onto cops.
#[derive(Default)]
struct Drunk {
    number: u64,
}

impl RobberPolicy for Drunk {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        let (mut at, mut way) = (state.robber.at, Vec::new());
        for _ in 0..state.robber.speed.steps() {
            let neighbours = ground.graph.neighbours(at);
            self.number = self.number.wrapping_mul(6_364_136_223_846_793_005) | 1;
            let choice = (self.number >> 33) as usize % (neighbours.len() + 1);
            if let Some(&next) = neighbours.get(choice) {
                way.push(next);
                at = next;
            }
        }
        decision.take(&way, state.robber.speed, Source::Greedy);
        Effort::default()
    }

    fn restart(&mut self, seed: u64) {
        self.number = seed | 1;
    }
}

/// Jumps to a vertex that need not be a neighbour.
struct Jumper(Vertex);

impl RobberPolicy for Jumper {
    fn decide(&mut self, _: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        decision.take(&[self.0], state.robber.speed, Source::Greedy);
        Effort::default()
    }
}

// ---- games ----

fn lazy() -> Box<dyn RobberPolicy> {
    Box::<Lazy>::default()
}

fn drunk() -> Box<dyn RobberPolicy> {
    Box::<Drunk>::default()
}

/// A house with two doors and a dead end.
fn house() -> TileMap {
    map(&[
        ".........", //
        ".@@@.@@@.",
        ".@.....@.",
        ".@.@@@.@.",
        ".....@...",
    ])
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let speeds = (1..=2_u8, 1..=3_u8, 1..=2_u8);
    (speeds, any_moves()).prop_map(|((cops, cop_speed, robber_speed), moves)| Rules {
        moves,
        ..rules(cops, cop_speed, robber_speed)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_optimal_robber_lasts_as_long_as_can_be(map in random_map(5), rules in any_rules()) {
        let field = Field::new(&map, rules);
        let played = field.try_run(&field.starts(), || field.optimal()).expect("legal");
        for game in &played {
            prop_assert_eq!(game.survival, game.optimum);
        }
        let performance = Performance::of(&played);
        prop_assert_eq!(performance.lost, 0);
        let mean = performance.mean_ratio();
        prop_assert!(mean.is_none() || mean == Some(1.0));
    }

    #[test]
    fn no_robber_lasts_longer_than_the_optimum(map in random_map(5), rules in any_rules()) {
        let field = Field::new(&map, rules);
        for policy in [trail_max, lazy, drunk] {
            for game in field.run(&field.starts(), policy) {
                if let Some(optimum) = game.optimum {
                    prop_assert!(game.survival.expect("captured") <= optimum);
                    let moves = game.moves.len() as u32;
                    let plies = game.survival.expect("captured");
                    prop_assert_eq!(moves, plies / 2);
                }
            }
        }
    }

    #[test]
    fn a_robber_that_never_moves_lasts_as_in_a_slow_game(
        map in random_map(5),
        moves in any_moves(),
        speed in 1..=3_u8,
    ) {
        let field = Field::new(&map, Rules { moves, ..rules(1, speed, 1) });
        let starts = field.starts();
        let on_cop = |start: &&Start| start.robber != start.cops[0];
        let starts: Vec<Start> = starts.iter().filter(on_cop).cloned().collect();
        let played = field.run(&starts, lazy);
        prop_assert_eq!(played.len(), starts.len());
        for (start, game) in starts.iter().zip(played) {
            let (robber, cop) = (start.robber, start.cops[0]);
            prop_assert_eq!(game.optimum, field.value(robber, &[cop]).map(|turns| 2 * turns - 1));
            prop_assert_eq!(game.survival, slow_game(&field, robber, cop), "{:?}", start);
        }
    }
}

/// The length of the shortest path of at most `steps` steps, in thousandths of a straight step.
fn way(field: &Field, from: Vertex, to: Vertex, steps: u32) -> Option<u32> {
    if from == to {
        return Some(0);
    }
    let fewer = steps.checked_sub(1)?;
    let graph = &field.graph;
    let ways = graph.neighbours(from).iter().filter_map(|&next| {
        let step = graph.cell(from).squared_distance(graph.cell(next));
        Some(way(field, next, to, fewer)? + if step == 2 { 1414 } else { 1000 })
    });
    ways.min()
}

/// The plies in which a robber that never moves is captured, by the literal convention: the cop starts
/// with staying and changes only for a strictly smaller value; its candidates are ordered by the length
/// of the path, the longest first, later ones before earlier ones, and waiting last.
fn slow_game(field: &Field, robber: Vertex, mut cop: Vertex) -> Option<u32> {
    let speed = u32::from(field.solution.rules().cop_speed.steps());
    let after = |cop: Vertex| {
        if cop == robber {
            return Some(0);
        }
        let ends = field.graph.neighbours(robber).iter().chain([&robber]);
        let values: Option<Vec<u32>> = ends.map(|&end| field.value(end, &[cop])).collect();
        values.and_then(|values| values.into_iter().max())
    };
    // Every turn brings the capture nearer. If there is no capture, the cop stays.
    for turn in 1..100 {
        let mut best = (after(cop), cop);
        let mut candidates = vec![(cop, 0)];
        let mut next = 0;
        while let Some(&(from, distance)) = candidates.get(next) {
            next += 1;
            for &to in field.graph.neighbours(from) {
                if distance < speed && candidates.iter().all(|&(known, _)| known != to) {
                    candidates.push((to, distance + 1));
                }
            }
        }
        candidates.reverse();
        candidates.sort_by_key(|&(to, _)| std::cmp::Reverse(way(field, cop, to, speed)));
        for (to, _) in candidates {
            let smaller = match (after(to), best.0) {
                (Some(value), Some(least)) => value < least,
                (value, least) => value.is_some() && least.is_none(),
            };
            if smaller {
                best = (after(to), to);
            }
        }
        cop = best.1;
        if cop == robber {
            return Some(2 * turn - 1);
        }
    }
    None
}

#[test]
fn running_into_a_cop_counts_the_robbers_move() {
    let field = Field::new(&map(&["....."]), rules(1, 1, 1));
    let at = |x| field.graph.vertex(Cell::new(x, 0)).expect("a vertex");
    // The cop's first move ends beside the robber; the robber's second move ends on the cop.
    let starts = [(2, 0), (1, 0), (0, 0)].map(|(robber, cop)| Start {
        robber: at(robber),
        cops: vec![at(cop)],
    });
    let goal = at(1);
    let played = field.try_run(&starts, || Box::new(Jumper(goal)));
    let played = played.expect("legal");
    let survival: Vec<_> = played
        .iter()
        .map(|game| (game.survival, game.optimum))
        .collect();
    assert_eq!(survival, [(Some(2), Some(7)), (Some(1), Some(1))]);
}

#[test]
fn what_counts_and_what_does_not() {
    // One cop of the robber's speed around a pillar: endless, unless the robber stays.
    let pillar = map(&["...", ".@.", "..."]);
    let field = Field::new(&pillar, rules(1, 1, 1));
    let played = field.run(&field.starts(), lazy);
    let found = Performance::of(&played);
    let beside = 8 * 2;
    assert_eq!(found.games, beside, "captured with the first move");
    assert_eq!(found.endless, 8 * 7 - beside);
    assert_eq!(found.lost, 0, "cops that cannot force a capture stay");
    assert_eq!(found.mean_ratio(), Some(1.0));
    assert_eq!(
        (found.decisions, found.per_call(1), found.call_time(50)),
        (0, None, None)
    );
    let drunk = Performance::of(&field.run(&field.starts(), drunk));
    assert!(drunk.lost > 0);
    assert_eq!(Performance::of(&[]).mean_ratio(), None);
}

#[test]
fn efforts_and_times_are_those_of_calls_and_decisions() {
    let taken = |planned: u64, nanoseconds| pursuit_lab::eval::Taken {
        effort: Effort {
            planned: planned > 0,
            work: Work {
                expansions: 10 * planned,
                touched: 30 * planned,
            },
        },
        nanoseconds,
    };
    let game = Played {
        optimum: Some(9),
        survival: Some(7),
        moves: vec![taken(1, 400), taken(0, 8), taken(3, 200)],
        team_times: Vec::new(),
    };
    let endless = Played {
        optimum: None,
        survival: Some(4),
        moves: vec![taken(1, 1 << 40)],
        team_times: Vec::new(),
    };
    let found = Performance::of(&[game, endless]);
    assert_eq!((found.games, found.endless, found.lost), (1, 1, 1));
    assert_eq!((found.decisions, found.calls), (3, 2));
    assert_eq!(found.mean_ratio(), Some(7.0 / 9.0));
    assert_eq!(found.per_call(found.expansions), Some(20.0));
    assert_eq!(found.per_decision(found.touched), Some(40.0));
    assert_eq!(found.mean_call_time(), Some(300.0));
    assert_eq!(found.mean_decision_time(), Some(608.0 / 3.0));
    let percentiles = [1, 50, 51, 99, 100].map(|percent| found.call_time(percent));
    assert_eq!(percentiles, [200, 200, 400, 400, 400].map(Some));
}

#[test]
fn illegal_moves_and_wrong_starts_are_named() {
    let field = Field::new(&house(), rules(1, 1, 1));
    let at = |x, y| field.graph.vertex(Cell::new(x, y)).expect("a vertex");
    let starts = [Start {
        robber: at(8, 0),
        cops: vec![at(0, 0)],
    }];
    let corner = at(8, 4);
    let error = field.try_run(&starts, || Box::new(Jumper(corner)));
    assert_eq!(
        error.expect_err("too far").to_string(),
        "the move (8, 4) is not legal with the robber at (8, 0), cops at (0, 0)"
    );
    let lonely = Start {
        robber: at(0, 0),
        cops: Vec::new(),
    };
    let error = field.try_run(&[starts[0].clone(), lonely], lazy);
    assert_eq!(error, Err(ExperimentError::NoPosition { game: 1 }));
    let solution = &field.solution;
    let ground = Ground::from(&field.graph);
    let jumper = || Box::new(Jumper(corner)) as _;
    let error = exploitability(solution, ground, jumper, 0, LIMIT, |_| true);
    let is_illegal = |error: &ExploitError| matches!(error, ExploitError::Move(_));
    assert!(is_illegal(&error.expect_err("too far")));
}

#[test]
fn who_asks_can_stop() {
    let field = Field::new(&house(), rules(1, 2, 1));
    let experiment = Experiment {
        ground: (&field.graph).into(),
        times: &*field.solution,
        arena: field.solution.arena(),
        seed: 0,
    };
    let starts = field.starts();
    let mut asked = Vec::new();
    let stopped = experiment.run(
        &starts,
        lazy,
        || 0,
        |at| {
            asked.push(at);
            at.solved < 64
        },
    );
    assert_eq!(stopped, Err(ExperimentError::Cancelled));
    let (first, last) = (asked[0], asked[asked.len() - 1]);
    assert_eq!(first.solved, 0);
    // Only a few games more than the limit were played: those that each thread had in progress.
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    assert!((64..136 + 32 * threads).contains(&last.solved), "{last:?}");
    let games = starts.iter();
    let games = games.filter(|start| !start.cops.contains(&start.robber));
    assert_eq!((last.positions, last.done), (games.count() as u64, false));
    let mut last = None;
    let all = experiment.run(
        &starts,
        lazy,
        || 0,
        |at| last.replace(at).is_none_or(|at| !at.done),
    );
    assert!(all.is_ok() && last.is_some_and(|last| last.done));
}

#[test]
fn games_that_take_long_are_stopped_in_between() {
    let field = Field::new(&house(), rules(1, 1, 1));
    let experiment = Experiment {
        ground: (&field.graph).into(),
        times: &*field.solution,
        arena: field.solution.arena(),
        seed: 0,
    };
    // A clock on which each move takes a second.
    let clock = std::sync::atomic::AtomicU64::new(0);
    let tick = || clock.fetch_add(1_000_000_000, std::sync::atomic::Ordering::Relaxed);
    let start = field.starts().into_iter();
    let start = start.max_by_key(|start| field.value(start.robber, &start.cops));
    let start = [start.expect("a start")];
    let whole = experiment.run(&start, || field.optimal(), || 0, |_| true);
    let mut looks = 0;
    let sliced = experiment.run(
        &start,
        || field.optimal(),
        tick,
        |_| {
            looks += 1;
            true
        },
    );
    let (whole, mut sliced) = (whole.expect("legal"), sliced.expect("legal"));
    let moves = sliced[0].moves.len();
    assert!(moves > 2 && looks > moves, "{looks} looks at {moves} moves");
    for taken in &mut sliced[0].moves {
        taken.nanoseconds = 0;
    }
    sliced[0].team_times.fill(0);
    assert_eq!(sliced, whole, "the looks make no difference");
    let mut looks = 0;
    let stopped = experiment.run(
        &start,
        || field.optimal(),
        tick,
        |_| {
            looks += 1;
            looks < 4
        },
    );
    assert_eq!((stopped, looks), (Err(ExperimentError::Cancelled), 4));
}

#[test]
fn an_exploitability_tells_of_each_of_its_parts_and_is_stopped_in_any() {
    let field = Field::new(&house(), rules(2, 1, 1));
    let (solution, ground) = (&field.solution, Ground::from(&field.graph));
    let run = |last: usize| {
        let mut told = Vec::new();
        let found = exploitability(solution, ground, lazy, 0, LIMIT, |at| {
            told.push(at);
            told.len() <= last
        });
        (found, told)
    };
    let (found, told) = run(usize::MAX);
    assert!(found.is_ok());
    // First the decisions, with interchangeable cops counted once, then the comparison of all positions.
    let places = solution.arena().places() as u64;
    let asked = told
        .iter()
        .filter(|at| at.positions == places * places * (places + 1) / 2);
    let asked = asked.count();
    let (first, compared) = (told.len() - (places * places) as usize, told.iter().rev());
    let compared = compared.take_while(|at| at.solved > 0 && at.turn == Turns(0));
    assert!(
        asked > 10 && compared.count() + 1 == told.len() - first,
        "{asked} {told:?}"
    );
    assert!(told[asked..first].iter().any(|at| at.turn > Turns(1)));
    for last in [0, 1, asked - 1, asked, asked + 1, first, told.len() - 1] {
        let (stopped, told) = run(last);
        assert_eq!(
            (stopped, told.len()),
            (Err(ExploitError::Cancelled), last + 1)
        );
    }
}

#[test]
fn nobody_on_a_map_without_floor_exploits_anything() {
    for rules in [rules(1, 1, 1), rules(2, 2, 1)] {
        let field = Field::new(&common::map(&["##", "##"]), rules);
        let ground = Ground::from(&field.graph);
        let found = exploitability(&field.solution, ground, lazy, 0, LIMIT, |_| true);
        let found = found.expect("nothing to do");
        assert_eq!((found.positions, found.endless), (0, 0));
        assert!(found.exploitability().abs() < 1e-12);
    }
}

#[test]
fn results_do_not_depend_on_the_threads_or_on_other_games() {
    let field = Field::new(&house(), rules(1, 2, 1));
    let starts = field.starts();
    let all = field.run(&starts, drunk);
    assert_ne!(Performance::of(&all).mean_ratio(), Some(1.0));
    let first = field.run(&starts[..100], drunk);
    assert_eq!(first, all[..first.len()]);
    #[cfg(feature = "parallel")]
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let again = pool.expect("threads").install(|| field.run(&starts, drunk));
        assert_eq!(again, all, "{threads} threads");
    }
}

// ---- exploitability ----

#[test]
fn exploitability_is_a_mean_over_positions() {
    for rules in [rules(1, 2, 1), rules(2, 1, 1), rules(1, 1, 1)] {
        let field = Field::new(&house(), rules);
        let (solution, ground) = (&field.solution, Ground::from(&field.graph));
        let found = |policy: &dyn Fn() -> Box<dyn RobberPolicy>| {
            exploitability(solution, ground, policy, 1, LIMIT, |_| true).expect("legal")
        };
        let best = found(&|| field.optimal());
        assert!(best.exploitability().abs() < 1e-12, "{best:?}");
        assert_eq!((best.lost, best.endless), (0, solution.escapes()));

        let player = || |at: Vertex, _: &[Vertex]| Ok::<_, SolveError>(at);
        let response = best_response_to_robber(solution.arena(), rules, LIMIT, player, |_| Ok(()));
        let response = response.expect("legal");
        let (mut positions, mut lost, mut ratios) = (0, 0, 0.0);
        let vertices: Vec<Vertex> = field.graph.iter().collect();
        let all_cops: Vec<Vec<Vertex>> = if rules.cops.get() == 1 {
            vertices.iter().map(|&cop| vec![cop]).collect()
        } else {
            let pairs = |&a: &Vertex| vertices.iter().map(move |&b| vec![a, b]);
            vertices.iter().flat_map(pairs).collect()
        };
        for cops in &all_cops {
            for &robber in &vertices {
                let lazy = response.value(robber, cops).expect("a position");
                match (field.value(robber, cops), turns(lazy)) {
                    (Some(optimum @ 2..), Some(lazy)) => {
                        positions += 1;
                        ratios += f64::from(2 * lazy - 1) / f64::from(2 * optimum - 1);
                    }
                    (None, lazy) => lost += u64::from(lazy.is_some()),
                    _ => {}
                }
            }
        }
        let lazy = found(&lazy);
        assert_eq!((lazy.positions, lazy.lost), (positions, lost));
        assert!((lazy.mean_ratio - ratios / positions as f64).abs() < 1e-9);
    }
}
