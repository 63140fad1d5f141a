//! `TeamSearch` and its policy: legal on any map, independent of slicing and of the order of the cops, and
//! nearer to the optimum than `Interception`.

use crate::common::chase::{any_map, chase, edits, is_path, noise};
use crate::common::{read_map, reference};
use crate::field::Field;
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns, is_legal_move};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::policy::{Decision, Ground, Source, TablePlayer, TieBreak};
use pursuit_engine::search::{
    Dice, FOUND, Interception, Pressure, STALE, SlicedSearch as _, TeamSearch,
};
use pursuit_lab::cop::LevelInterceptor;
use pursuit_lab::eval::WorldCops;
use pursuit_lab::robber::TrailMaxRobber;
use pursuit_lab::{CopPolicy, RobberPolicy as _};

/// The number of steps requested.
const STEPS: usize = 16;

fn team(dice: &mut Dice) -> (u8, Vec<u8>) {
    let robber = 1 + dice.below(3) as u8;
    let most = [1, 2, 2, 3, 5, 16, 100][dice.below(7)];
    let cops = (0..most).map(|_| 1 + dice.below(3) as u8);
    (robber, cops.collect())
}

fn any_moves(dice: &mut Dice) -> Moves {
    [Moves::Octile, Moves::Octile, Moves::Orthogonal][dice.below(3)]
}

fn state(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn paths_are_legal_and_a_capture_is_not_missed_while_the_map_changes(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let mut graph = Graph::new(&any_map(dice, 40), moves);
        let mut hierarchy = Hierarchy::new(&graph);
        let mut search = TeamSearch::new();
        for _ in 0..4 {
            let (robber_speed, speeds) = team(dice);
            let Some((robber, cops)) = chase(&graph, dice, robber_speed, &speeds) else {
                break;
            };
            let levels = [Some(&hierarchy), None][dice.below(2)];
            let pressure = [0, 400, 100_000][dice.below(3)];
            let state = state(robber, &cops);
            search.solve(&graph, levels, &state, pressure, 1 + dice.below(20));
            let mut captures = false;
            let mut can_capture = false;
            for (index, cop) in cops.iter().enumerate() {
                let path = search.path_of(index);
                prop_assert!(is_path(&graph, cop.at, path));
                prop_assert_eq!(search.reaches(index), hierarchy.connected(cop.at, robber.at));
                let steps = path.len().min(cop.speed.steps().into());
                captures |= path[..steps].last().copied().unwrap_or(cop.at) == robber.at;
                // Paths of that length onto the robber exist if a breadth-first search finds one.
                let mut distances = pursuit_engine::search::Distances::default();
                distances.measure(&graph, cop.at);
                let near = distances.steps(robber.at);
                can_capture |= near.is_some_and(|steps| steps <= u32::from(cop.speed.steps()));
            }
            prop_assert_eq!(captures, can_capture);
            let many = dice.below(9);
            let delta = graph.apply(&edits(&graph, dice, many));
            hierarchy.apply(&graph, &delta);
            let is_changed = !delta.opened().is_empty() || !delta.closed().is_empty();
            if is_changed {
                let progress = search.advance(&graph, Some(&hierarchy), 1);
                prop_assert_eq!(progress, STALE);
            }
        }
    }

    #[test]
    fn any_slicing_gives_the_same_plans(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let graph = Graph::new(&any_map(dice, 100), moves);
        let hierarchy = Hierarchy::new(&graph);
        let (mut whole, mut sliced) = (TeamSearch::new(), TeamSearch::new());
        for levels in [Some(&hierarchy), None] {
            let (robber_speed, speeds) = team(dice);
            let (robber, cops) = chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
            let state = state(robber, &cops);
            let pressure = dice.below(500) as u32;
            whole.solve(&graph, levels, &state, pressure, STEPS);
            sliced.begin(&graph, levels, &state, pressure, STEPS);
            let most = 1 + dice.below(200);
            loop {
                let budget = dice.below(most + 1) as u32;
                let before = sliced.work().expansions;
                if sliced.advance(&graph, levels, budget) == FOUND {
                    break;
                }
                let spent = sliced.work().expansions - before;
                prop_assert!(spent <= u64::from(budget) + 600, "{} for {}", spent, budget);
                prop_assert_eq!(sliced.path_of(0), &[]);
            }
            for cop in 0..cops.len() {
                prop_assert_eq!(sliced.path_of(cop), whole.path_of(cop));
                prop_assert_eq!(sliced.is_complete(cop), whole.is_complete(cop));
            }
        }
    }

    #[test]
    fn the_order_of_the_cops_says_nothing(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let graph = Graph::new(&any_map(dice, 40), moves);
        let hierarchy = Hierarchy::new(&graph);
        let (robber_speed, speeds) = team(dice);
        let (robber, cops) = chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
        let mut backwards = cops.clone();
        backwards.reverse();
        let (mut first, mut second) = (TeamSearch::new(), TeamSearch::new());
        first.solve(&graph, Some(&hierarchy), &state(robber, &cops), 0, STEPS);
        second.solve(&graph, Some(&hierarchy), &state(robber, &backwards), 0, STEPS);
        // Cops that stand on one vertex with the same speed may change their roles.
        let mut ways: Vec<_> = (0..cops.len()).map(|cop| (cops[cop], first.path_of(cop))).collect();
        let mut others: Vec<_> =
            (0..cops.len()).map(|cop| (backwards[cop], second.path_of(cop))).collect();
        let key = |way: &(Agent, &[Vertex])| (way.0.at, way.0.speed, way.1.to_vec());
        ways.sort_by_key(key);
        others.sort_by_key(key);
        prop_assert_eq!(ways, others);
    }

    #[test]
    fn a_cop_alone_plays_as_the_interception_does(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&any_map(dice, 40), Moves::Octile);
        let speed = 1 + dice.below(3) as u8;
        let (robber, cops) = chase(&graph, dice, 1, &[speed]).expect("a vertex");
        let (mut search, mut base) = (TeamSearch::new(), Interception::new());
        search.solve(&graph, None, &state(robber, &cops), 0, STEPS);
        base.solve(&graph, None, &state(robber, &cops), true, STEPS);
        prop_assert_eq!(search.path_of(0), base.path_of(0));
    }
}

#[test]
fn pressure_grows_while_positions_repeat_and_fades_afterwards() {
    let mut pressure = Pressure::default();
    pressure.note(1);
    pressure.note(2);
    assert_eq!(pressure.hundredths(), 0);
    // A plan that is made anew in the same position is no repetition.
    pressure.note(2);
    assert_eq!(pressure.hundredths(), 0);
    pressure.note(1);
    let once = pressure.hundredths();
    pressure.note(2);
    let twice = pressure.hundredths();
    assert!(once > 0 && twice > once);
    pressure.note(3);
    assert!(pressure.hundredths() < twice);
    // Positions are forgotten in the end.
    for position in 10..200 {
        pressure.note(position);
    }
    assert_eq!(pressure.hundredths(), 0);
    pressure.note(1);
    assert_eq!(pressure.hundredths(), 0);
    pressure.note(150);
    assert!(pressure.hundredths() > 0);
    pressure.forget();
    assert_eq!(pressure, Pressure::default());
}

/// The sum of turns over the optimum, and how many games were won, of games against an optimal robber.
fn play(field: &Field, cops: &mut dyn CopPolicy, games: usize) -> (f64, f64, usize) {
    let hierarchy = Hierarchy::new(&field.graph);
    let ground = Ground {
        graph: &field.graph,
        hierarchy: Some(&hierarchy),
        guide: None,
        retract: None,
    };
    let dice = &mut Dice::new(7);
    let (mut sum, mut worst, mut won, mut played) = (0.0, 0.0_f64, 0, 0);
    while played < games {
        let (robber, team) = chase(&field.graph, dice, 1, &[1, 1]).expect("a vertex");
        let at: Vec<Vertex> = team.iter().map(|cop| cop.at).collect();
        let Some(optimum) = field.value(robber.at, &at).filter(|&turns| turns > 0) else {
            continue;
        };
        played += 1;
        cops.restart(0);
        let flee = optimal(field);
        if let Some(turns) = captured_after(ground, cops, (robber, team), 10 * optimum, flee) {
            won += 1;
            let ratio = f64::from(turns) / f64::from(optimum);
            sum += ratio;
            worst = worst.max(ratio);
        }
    }
    (sum / won as f64, worst, won)
}

/// Where an optimal robber of two cops goes.
fn optimal(field: &Field) -> impl FnMut(&State<'_>) -> Vertex {
    let mut player = TablePlayer::new(TieBreak::SearchOrder);
    let mut flight = Decision::wait(Source::Greedy);
    move |state| {
        let (times, arena) = (&*field.solution, field.solution.arena());
        assert!(player.robber(times, arena, &field.graph, state, &mut flight));
        flight
            .next_move()
            .last()
            .copied()
            .unwrap_or(state.robber.at)
    }
}

/// How many turns a robber lasts that goes where `flee` says.
fn captured_after(
    ground: Ground<'_>,
    cops: &mut dyn CopPolicy,
    (mut robber, mut team): (Agent, Vec<Agent>),
    most: u32,
    mut flee: impl FnMut(&State<'_>) -> Vertex,
) -> Option<u32> {
    for turn in 1..=most {
        let decisions = cops.decide(ground, &state(robber, &team));
        for (cop, decision) in team.iter_mut().zip(&decisions) {
            assert!(is_legal_move(
                ground.graph,
                cop.at,
                decision.next_move(),
                cop.speed
            ));
            cop.at = decision.next_move().last().copied().unwrap_or(cop.at);
        }
        if team.iter().any(|cop| cop.at == robber.at) {
            return Some(turn);
        }
        robber.at = flee(&State {
            to_move: Side::Robber,
            ..state(robber, &team)
        });
        if team.iter().any(|cop| cop.at == robber.at) {
            return Some(turn);
        }
    }
    None
}

fn two_cops() -> Rules {
    Rules {
        cops: 2.try_into().expect("cops"),
        ..Rules::default()
    }
}

#[test]
fn two_cops_are_nearer_to_the_optimum_than_by_interception() {
    let dice = &mut Dice::new(3);
    let (mut better, mut ratios) = (0, 0.0);
    for _ in 0..4 {
        let field = Field::new(&noise(dice, 13, 13, 20), two_cops());
        let team = play(&field, &mut WorldCops::default().unguided(), 60);
        let base = play(&field, &mut LevelInterceptor::default(), 60);
        // A few games on such maps are danced by both.
        assert!(team.2 >= 58 && team.2 >= base.2, "{} {}", team.2, base.2);
        better += usize::from(team.0 < base.0);
        ratios += team.0 / 4.0;
    }
    assert!(better == 4 && ratios < 1.2, "{better} {ratios}");
}

#[test]
fn two_cops_are_near_the_optimum_on_a_map_of_a_game() {
    let Some(folder) = reference("two_cops_are_near_the_optimum_on_a_map_of_a_game") else {
        return;
    };
    let field = Field::new(&read_map(&folder.join("maps/bg/AR0082SR.map")), two_cops());
    let (mean, worst, won) = play(&field, &mut WorldCops::default().unguided(), 100);
    assert_eq!(won, 100);
    assert!(mean < 1.03 && worst < 1.6, "{mean} {worst}");
}

/// A ring of corridors: a robber that steps to and fro opposite of the cops keeps cops without memory busy.
#[test]
fn no_robber_dances_with_the_team_for_ever() {
    let rows = [
        "...............",
        ".#############.",
        ".#############.",
        ".#############.",
        ".......#.......",
        ".#############.",
        ".#############.",
        "...............",
    ];
    let map = TileMap::from_rows(&rows, |symbol| symbol != '#').expect("a map");
    let field = Field::new(&map, two_cops());
    let (mean, _, won) = play(&field, &mut WorldCops::default().unguided(), 200);
    assert_eq!(won, 200);
    assert!(mean < 1.5, "{mean}");
    let at = |x, y| field.graph.vertex(Cell::new(x, y)).expect("free");
    let optimum = field.solution.value(at(7, 7), &[at(0, 0), at(14, 0)]);
    assert!(matches!(optimum, Some(Outcome::Caught(Turns(1..)))));
}

#[test]
fn more_cops_are_not_worse_on_average() {
    const COUNTS: [usize; 7] = [1, 2, 3, 4, 6, 8, 16];
    let dice = &mut Dice::new(5);
    let graph = &Graph::new(&noise(dice, 24, 20, 20), Moves::Octile);
    let hierarchy = Hierarchy::new(graph);
    let ground = Ground {
        hierarchy: Some(&hierarchy),
        ..Ground::from(graph)
    };
    let (mut robber_policy, mut flight) =
        (TrailMaxRobber::default(), Decision::wait(Source::Greedy));
    let mut sums = [0; COUNTS.len()];
    for _ in 0..30 {
        let (robber, cops) = chase(graph, dice, 1, &[1; 16]).expect("a vertex");
        for (sum, count) in sums.iter_mut().zip(COUNTS) {
            let start = (robber, cops[..count].to_vec());
            let flee = |state: &State<'_>| {
                robber_policy.decide(ground, state, &mut flight);
                flight
                    .next_move()
                    .last()
                    .copied()
                    .unwrap_or(state.robber.at)
            };
            let most = 300;
            let turns = captured_after(
                ground,
                &mut WorldCops::default().unguided(),
                start,
                most,
                flee,
            );
            *sum += turns.unwrap_or(most);
        }
    }
    assert!(sums.is_sorted_by(|fewer, more| fewer >= more), "{sums:?}");
    assert!(sums[0] > sums[6], "{sums:?}");
}

#[test]
fn a_smaller_map_is_another_game() {
    let mut cops = WorldCops::default().unguided();
    for width in [20, 3] {
        let map = TileMap::filled(width, width, Terrain::Floor).expect("a map");
        let graph = Graph::new(&map, Moves::Octile);
        let agent = |x, y| Agent {
            at: graph.vertex(Cell::new(x, y)).expect("floor"),
            speed: Speed::ONE,
        };
        let team = [agent(0, 0), agent(0, 1)];
        let state = state(agent(width - 1, width - 1), &team);
        assert_eq!(cops.decide(Ground::from(&graph), &state).len(), 2);
    }
}
