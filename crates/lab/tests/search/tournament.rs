//! Tournaments: against games known by hand, the optimum, and a slow best response.

use crate::common;
use crate::common::level;
use crate::field;
use crate::slow_response::{slow_exploitability, slow_responses};
use common::{any_moves, map, random_map};
use field::Field;
use level::{LIMIT, rules};
use proptest::prelude::*;
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::{Decision, Ground, SharedTable, Source};
use pursuit_lab::eval::CopKind;
use pursuit_lab::eval::{
    Contest, CopExploitability, Draw, ExperimentError, ExploitError, Played, Players, Score, Start,
    Tournament, cop_exploitability,
};
use pursuit_lab::robber::{OptimalRobber, RobberKind};
use pursuit_lab::search::{Cover, CoverRule};
use pursuit_lab::{CopPolicy, RobberPolicy};
use std::num::NonZeroU8;
use std::sync::Arc;

const KINDS: [CopKind; 11] = [
    CopKind::Optimal,
    CopKind::Team,
    CopKind::TeamMemoryless,
    CopKind::Unguided,
    CopKind::UnguidedMemoryless,
    CopKind::Endgame,
    CopKind::Interception,
    CopKind::InterceptionMap,
    CopKind::Straight,
    CopKind::Chase,
    CopKind::Cover,
];

pub(crate) fn table(field: &Field) -> SharedTable {
    Arc::clone(&field.solution).into()
}

/// A tournament on a field whose table it knows.
pub(crate) fn known<'a>(field: &'a Field, table: &'a SharedTable) -> Tournament<'a> {
    Tournament {
        table: Some(table),
        ..unknown(&field.graph, field.solution.rules())
    }
}

/// A tournament without a table.
fn unknown(graph: &Graph, rules: Rules) -> Tournament<'_> {
    Tournament {
        ground: graph.into(),
        rules,
        table: None,
        turns: None,
        seed: 3,
    }
}

fn optimal_robber(table: &SharedTable) -> Box<dyn RobberPolicy> {
    let SharedTable { times, arena } = table.clone();
    Box::new(OptimalRobber::new(times, arena))
}

fn named_robber(name: &str) -> Box<dyn RobberPolicy> {
    let kind: RobberKind = name.parse().expect("a robber");
    kind.policy()
}

/// Makes both sides of a game.
fn pair(
    cops: impl Fn() -> Option<Box<dyn CopPolicy>>,
    robber: impl Fn() -> Option<Box<dyn RobberPolicy>>,
) -> impl Fn() -> Option<Players<'static>> {
    move || {
        Some(Players {
            cops: cops()?,
            robber: robber()?,
        })
    }
}

/// The games of a cop policy against an optimal robber.
pub(crate) fn against_optimal(
    tournament: &Tournament<'_>,
    contest: &Contest,
    cops: CopKind,
) -> Vec<Played> {
    let table = tournament.table.expect("a table");
    let tables = [table.clone()];
    let cops = || cops.policy(tournament.rules.cops, &tables);
    let robber = || Some(optimal_robber(table));
    let games = tournament.run(contest, pair(cops, robber), || 0, |_| true);
    games.expect("legal moves")
}

fn corridor(length: usize) -> TileMap {
    map(&[&".".repeat(length)])
}

/// A block to run round.
fn pillar() -> TileMap {
    map(&["....", ".@@.", ".@@.", "...."])
}

fn at(graph: &Graph, x: u16, y: u16) -> Vertex {
    graph.vertex(Cell::new(x, y)).expect("a vertex")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn optimal_cops_realise_the_value_of_the_table(
        map in random_map(5),
        moves in any_moves(),
        speeds in (1..=2_u8, 1..=2_u8, 1..=2_u8),
    ) {
        let rules = Rules { moves, ..rules(speeds.0, speeds.1, speeds.2) };
        let field = Field::new(&map, rules);
        let table = table(&field);
        let tournament = known(&field, &table);
        let starts = field.starts();
        let contest = tournament.contest(starts.clone()).expect("positions");
        let wins: Vec<u32> = starts
            .iter()
            .filter_map(|start| field.value(start.robber, &start.cops))
            .filter(|&turns| turns > 0)
            .collect();
        let played = against_optimal(&tournament, &contest, CopKind::Optimal);
        let turns: Vec<u32> = played
            .iter()
            .map(|game| Played::turns(game.survival.expect("a capture")))
            .collect();
        prop_assert_eq!(&turns, &wins);
        prop_assert_eq!(contest.games() as u64 + contest.lost + contest.over, starts.len() as u64);
        let score = Score::of(&played);
        let ratio = score.capture_ratio().map(|ratio| (ratio.mean, ratio.low, ratio.high));
        prop_assert!(wins.is_empty() && ratio.is_none() || ratio == Some((1.0, 1.0, 1.0)));
    }

    #[test]
    fn no_cops_are_quicker_than_the_optimum_and_all_their_moves_are_legal(
        map in random_map(6),
        moves in any_moves(),
        speeds in (1..=3_u8, 1..=2_u8, 1..=2_u8),
    ) {
        let rules = Rules { moves, ..rules(speeds.0, speeds.1, speeds.2) };
        let field = Field::new(&map, Rules { cops: NonZeroU8::MIN.max(rules.cops), ..rules });
        let table = table(&field);
        let tournament = known(&field, &table);
        let starts = field.starts().into_iter().step_by(7);
        let contest = tournament.contest(starts).expect("positions");
        for kind in KINDS {
            for game in against_optimal(&tournament, &contest, kind) {
                prop_assert!(game.survival.is_none_or(|plies| Some(plies) >= game.optimum));
                let most = 10 * Played::turns(game.optimum.expect("only wins"));
                prop_assert!(game.team_times.len() <= most as usize);
            }
        }
    }

    #[test]
    fn a_best_response_to_cops_is_that_of_a_slow_search(
        map in random_map(4),
        kind in prop::sample::select(&KINDS[..]).prop_filter("memory", |kind| kind.is_memoryless()),
        cops in 1..=2_u8,
        robber_speed in 1..=2_u8,
    ) {
        // These break ties by the order of the cops, and the two searches ask in orders of their own.
        prop_assume!(!matches!(kind, CopKind::Cover | CopKind::InterceptionMap) || cops == 1);
        let field = Field::new(&map, rules(cops, 1, robber_speed));
        let table = table(&field);
        let policy = || kind.policy(field.solution.rules().cops, std::slice::from_ref(&table));
        let ground = Ground::from(&field.graph);
        let found = cop_exploitability(&table, ground, policy, 0, LIMIT, |_| true);
        let expected = slow_exploitability(&field, &mut *policy().expect("its table is there"));
        let found = found.expect("legal moves");
        prop_assert_eq!((found.positions, found.escapes), (expected.positions, expected.escapes));
        prop_assert_eq!(found.worst_ratio, expected.worst_ratio);
        let (ours, theirs) = (found.mean_ratio.unwrap_or(0.0), expected.mean_ratio.unwrap_or(0.0));
        prop_assert!((ours - theirs).abs() < 1e-9);
        from_starts_it_is_the_same(&field, &table, &policy, &expected)?;
        if kind == CopKind::Optimal {
            prop_assert!(found.escapes == 0 && found.worst_ratio.is_none_or(|worst| worst <= 1.0));
        }
    }

    #[test]
    fn cover_cops_make_one_after_the_other_the_move_that_leaves_the_robber_least(
        map in random_map(6),
        moves in any_moves(),
        places in prop::collection::vec(any::<prop::sample::Index>(), 3),
    ) {
        let graph = Graph::new(&map, moves);
        let vertices: Vec<Vertex> = graph.iter().collect();
        prop_assume!(!vertices.is_empty());
        let agent = |index: &prop::sample::Index| Agent {
            at: *index.get(&vertices),
            speed: Speed::ONE,
        };
        let (robber, mut cops) = (agent(&places[0]), places[1..].iter().map(agent).collect::<Vec<_>>());
        let state = State { robber, cops: &cops.clone(), to_move: Side::Cops };
        let mut policy = CopKind::Cover.policy(NonZeroU8::MIN, &[]).expect("no table");
        let held = |cops: &[Agent]| {
            let state = State { robber, cops, to_move: Side::Robber };
            Cover::new().count(&graph, &state, CoverRule::Redefined).robber
        };
        for (index, decision) in policy.decide((&graph).into(), &state).iter().enumerate() {
            let from = cops[index].at;
            let mut least = usize::MAX;
            for &end in graph.neighbours(from).iter().chain([&from]) {
                cops[index].at = end;
                least = least.min(held(&cops));
            }
            cops[index].at = decision.next_move().last().copied().unwrap_or(from);
            prop_assert_eq!(held(&cops), least);
        }
    }
}

/// Best responses from starts are those of the slow search, from all starts and from single ones.
fn from_starts_it_is_the_same(
    field: &Field,
    table: &SharedTable,
    policy: &impl Fn() -> Option<Box<dyn CopPolicy>>,
    expected: &CopExploitability,
) -> Result<(), TestCaseError> {
    let tournament = known(field, table);
    let answers = slow_responses(field, &mut *policy().expect("its table is there"));
    let start = |(robber, cops): &(Vertex, Vec<Vertex>)| Start {
        robber: *robber,
        cops: cops.clone(),
    };
    let respond = |starts: Vec<Start>| {
        let contest = tournament.contest(starts).expect("positions");
        let found = tournament.response_from_starts(&contest, policy, LIMIT, |_| true);
        found.expect("legal moves")
    };
    let found = respond(answers.iter().map(|(at, _)| start(at)).collect());
    prop_assert_eq!(
        (found.positions, found.escapes),
        (expected.positions, expected.escapes)
    );
    prop_assert_eq!(found.worst_ratio, expected.worst_ratio);
    for (at, turns) in answers.iter().step_by(answers.len() / 9 + 1) {
        if let Some(optimum) = field.value(at.0, &at.1) {
            let found = respond(vec![start(at)]);
            let ratio = turns.map(|turns| f64::from(turns) / f64::from(optimum));
            prop_assert_eq!((found.positions, found.mean_ratio), (1, ratio));
            prop_assert_eq!(found.escapes, u64::from(turns.is_none()));
        }
    }
    Ok(())
}

#[test]
fn a_corridor_is_known_by_hand() {
    let field = Field::new(&corridor(9), rules(1, 1, 1));
    let table = table(&field);
    let tournament = known(&field, &table);
    let start = |robber, cop| Start {
        robber: at(&field.graph, robber, 0),
        cops: vec![at(&field.graph, cop, 0)],
    };
    // The robber runs to the end: the cop needs as many moves as it is away from there.
    let contest = tournament.contest([start(4, 0), start(8, 5), start(3, 3)]);
    let contest = contest.expect("positions");
    assert_eq!((contest.games(), contest.lost, contest.over), (2, 0, 1));
    for kind in KINDS {
        let played = against_optimal(&tournament, &contest, kind);
        let turns: Vec<_> = played.iter().map(|game| game.survival).collect();
        assert_eq!(turns, [Some(2 * 8 - 1), Some(2 * 3 - 1)], "{kind}");
        let score = Score::of(&played);
        assert_eq!(score.games, 2);
        assert_eq!(score.capture_rate().map(|rate| rate.mean), Some(1.0));
        assert_eq!(score.worst_ratio(), Some(1.0));
        assert_eq!(score.survival_ratio().map(|ratio| ratio.mean), Some(1.0));
        assert_eq!(score.mean_turns(), Some(5.5));
        assert_eq!(score.captured_within(7), Some(0.5));
    }
}

#[test]
fn games_end_at_the_turn_limit() {
    let field = Field::new(&pillar(), rules(1, 1, 1));
    let start = Start {
        robber: at(&field.graph, 3, 3),
        cops: vec![at(&field.graph, 0, 0)],
    };
    let table = table(&field);
    let contest = known(&field, &table).contest([start.clone()]);
    let contest = contest.expect("a position");
    assert_eq!(
        (contest.games(), contest.lost),
        (0, 1),
        "the robber escapes"
    );
    assert_eq!(Score::of(&[]).capture_rate(), None);
    // Who does not know that plays on.
    for (turns, expected) in [(Some(7), 7), (None, 600)] {
        let tournament = Tournament {
            turns,
            ..unknown(&field.graph, field.solution.rules())
        };
        let contest = tournament.contest([start.clone()]).expect("a position");
        let cops = || CopKind::Chase.policy(NonZeroU8::MIN, &[]);
        let robber = || Some(named_robber("trailmax"));
        let played = tournament.run(&contest, pair(cops, robber), || 0, |_| true);
        let played = played.expect("legal moves");
        assert_eq!((played[0].survival, played[0].optimum), (None, None));
        assert_eq!(played[0].team_times.len(), expected);
        let score = Score::of(&played);
        assert_eq!(score.capture_rate().map(|rate| rate.mean), Some(0.0));
        assert_eq!(
            (score.capture_ratio(), score.survival_ratio()),
            (None, None)
        );
    }
    // Two cops catch it, but not both from behind: ten times the optimum is the limit.
    let field = Field::new(&pillar(), rules(2, 1, 1));
    let corner = at(&field.graph, 0, 0);
    let start = Start {
        robber: at(&field.graph, 3, 3),
        cops: vec![corner, corner],
    };
    let optimum = field.value(start.robber, &start.cops).expect("a capture");
    let table = self::table(&field);
    let tournament = known(&field, &table);
    let contest = tournament.contest([start]).expect("a position");
    let played = &against_optimal(&tournament, &contest, CopKind::Chase)[0];
    assert_eq!(played.survival, None);
    assert_eq!(played.team_times.len() as u32, 10 * optimum);
    let score = Score::of(std::slice::from_ref(played));
    assert_eq!(score.survival_ratio().map(|ratio| ratio.mean), Some(10.0));
}

#[test]
fn scores_and_their_intervals_are_those_of_a_calculation_by_hand() {
    let game = |survival, times: &[u64]| Played {
        optimum: Some(9),
        survival,
        moves: Vec::new(),
        team_times: times.to_vec(),
    };
    // 7, 5 and 10 turns, and 50 without a capture; the optimum is 5.
    let games = [
        game(Some(13), &[5_000, 1_000]),
        game(Some(9), &[3_000]),
        game(Some(20), &[]),
        game(None, &[7_000; 50]),
    ];
    let score = Score::of(&games);
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-4, "{found}, not {expected}");
    };
    let rate = score.capture_rate().expect("games");
    // Wilson's score interval of 3 out of 4.
    near(rate.mean, 0.75);
    near(rate.low, 0.30064);
    near(rate.high, 0.95441);
    let ratio = score.capture_ratio().expect("captures");
    // 1.4, 1 and 2: the standard deviation is 0.50332.
    near(ratio.mean, 4.4 / 3.0);
    near(ratio.high - ratio.mean, 1.95996 * 0.50332 / 3.0_f64.sqrt());
    near(ratio.mean - ratio.low, ratio.high - ratio.mean);
    near(score.survival_ratio().expect("games").mean, 14.4 / 4.0);
    assert_eq!(score.worst_ratio(), Some(2.0));
    assert_eq!(score.mean_turns(), Some(22.0 / 3.0));
    let single = Score::of(&games[..1]).capture_ratio().expect("a capture");
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!((single.low, single.mean, single.high), (low, 1.4, high));
    let within = [4, 5, 7, 9, 10].map(|turns| score.captured_within(turns));
    assert_eq!(within, [0.0, 0.25, 0.5, 0.5, 0.75].map(Some));
    near(score.mean_time().expect("decisions"), 359_000.0 / 53.0);
    let times = [1, 5, 100].map(|percent| score.time(percent));
    assert_eq!(times, [1_000, 5_000, 7_000].map(Some));
}

#[test]
fn the_same_seed_draws_the_same_starts_and_only_those_that_are_won() {
    let field = Field::new(&pillar(), rules(1, 1, 1));
    let table = table(&field);
    let tournament = known(&field, &table);
    let contest = tournament.draw(20).expect("positions");
    let played = against_optimal(&tournament, &contest, CopKind::Optimal);
    assert_eq!((contest.games(), played.len()), (20, 20));
    assert!(contest.lost > 0 && played.iter().all(|game| game.survival.is_some()));
    let again = tournament.draw(20).expect("positions");
    assert_eq!(format!("{contest:?}"), format!("{again:?}"));
    let other = Tournament {
        seed: 4,
        ..tournament
    };
    let other = other.draw(20).expect("positions");
    assert_ne!(format!("{contest:?}"), format!("{other:?}"));

    // The map has two parts: cops are drawn in that of the robber.
    let halves = Graph::new(&map(&["..@..."]), Moves::Octile);
    let mut draw = Draw::new(&halves, 1);
    for number in 0..50 {
        let mut start = draw.start(number, 2).expect("vertices");
        let half = |vertex| halves.cell(vertex).x > 2;
        draw.complete(number + 50, &mut start, 3);
        assert_eq!(start.cops.len(), 3);
        let is_near = |cop: &Vertex| half(*cop) == half(start.robber) && *cop != start.robber;
        assert!(start.cops.iter().all(is_near), "{start:?}");
    }
    let walls = Graph::new(&map(&["@@"]), Moves::Octile);
    assert_eq!(Draw::new(&walls, 1).start(0, 1), None);
}

/// Cops that go to a vertex from anywhere.
struct Jumpers(Vertex);

impl CopPolicy for Jumpers {
    fn decide(&mut self, _: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let jump = |cop: &Agent| Decision::along(vec![self.0], cop.speed, Source::Greedy);
        state.cops.iter().map(jump).collect()
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let field = Field::new(&corridor(9), rules(1, 1, 1));
    let (graph, rules) = (&field.graph, field.solution.rules());
    let table = table(&field);
    let start = Start {
        robber: at(graph, 4, 0),
        cops: vec![at(graph, 0, 0)],
    };
    let alone = Start {
        cops: Vec::new(),
        ..start.clone()
    };
    for tournament in [known(&field, &table), unknown(graph, rules)] {
        let error = tournament.contest([start.clone(), alone.clone()]);
        assert!(matches!(
            error,
            Err(ExperimentError::NoPosition { game: 1 })
        ));
        let contest = tournament.contest([start.clone()]).expect("a position");
        let robber = || Some(named_robber("greedy"));
        let none = || CopKind::Optimal.policy(rules.cops, &[]);
        let none = tournament.run(&contest, pair(none, robber), || 0, |_| true);
        assert_eq!(none, Err(ExperimentError::NoTable));
        let end = at(graph, 8, 0);
        let jump = || Some(Box::new(Jumpers(end)) as Box<dyn CopPolicy>);
        let illegal = tournament.run(&contest, pair(jump, robber), || 0, |_| true);
        let error = illegal.expect_err("too far").to_string();
        assert_eq!(
            error,
            "the move (8, 0) is not legal with the robber at (4, 0), cops at (0, 0)"
        );
        let chase = || CopKind::Chase.policy(rules.cops, &[]);
        let stopped = tournament.run(&contest, pair(chase, robber), || 0, |_| false);
        assert_eq!(stopped, Err(ExperimentError::Cancelled));
    }
    let ground = Ground::from(graph);
    let jumpers = || Some(Box::new(Jumpers(at(graph, 8, 0))) as Box<dyn CopPolicy>);
    let error = cop_exploitability(&table, ground, jumpers, 0, LIMIT, |_| true);
    assert!(matches!(error, Err(ExploitError::Move(_))));
    let none = || CopKind::Optimal.policy(rules.cops, &[]);
    let error = cop_exploitability(&table, ground, none, 0, LIMIT, |_| true);
    assert_eq!(error, Err(ExploitError::NoTable));
    let chase = || CopKind::Chase.policy(rules.cops, &[]);
    let mut reports = Vec::new();
    let found = cop_exploitability(&table, ground, chase, 0, LIMIT, |at| {
        reports.push(at.turn.0);
        true
    });
    // Each of the three phases reports, and can be stopped by each report.
    assert!(found.is_ok());
    assert!(matches!(reports[..], [0, .., 0]) && reports.iter().any(|&turn| turn > 0));
    for stop in 0..reports.len() {
        let mut reports = 0..stop;
        let go_on = |_| reports.next().is_some();
        let error = cop_exploitability(&table, ground, chase, 0, LIMIT, go_on);
        assert_eq!(error, Err(ExploitError::Cancelled));
    }
    // A table of other rules does not say who wins.
    let other = Tournament {
        rules: level::rules(2, 1, 1),
        ..known(&field, &table)
    };
    let pair = Start {
        cops: vec![start.cops[0]; 2],
        ..start
    };
    assert!(other.contest([pair]).is_err());
}

#[test]
fn cops_have_names() {
    let error = "walrus".parse::<CopKind>().expect_err("no cop");
    assert!(error.to_string().contains("optimal; pairs; "), "{error}");
    let names: Vec<&str> = error.expected["one of: ".len()..].split("; ").collect();
    assert!(KINDS.len() < names.len());
    for name in names {
        assert_eq!(name.parse::<CopKind>().expect("a cop").to_string(), name);
    }
    let old = ["guided", "guided-memoryless", "pairs-guided"];
    let new = ["team", "team-memoryless", "pairs"];
    for (old, new) in old.into_iter().zip(new) {
        assert_eq!(old.parse::<CopKind>(), new.parse());
    }
}
