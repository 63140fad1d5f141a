//! The difficulty dial: legal at any setting, equal to the policy at the top, and stronger the higher it
//! is set.

use crate::common;
use crate::common::level;
use crate::field;
use crate::wrapped;
use common::map;
use field::Field;
use proptest::prelude::*;
use pursuit_engine::game::{Agent, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, PursuitLevel};
use pursuit_engine::policy::{Decision, Effort, Ground, Source};
use pursuit_lab::RobberPolicy;
use pursuit_lab::eval::{Performance, Start};
use pursuit_lab::robber::{DialledRobber, Difficulty, TrailMaxRobber};
use wrapped::{policies, random_chase};

/// All kinds of settings, including nonsensical ones.
fn any_difficulty() -> impl Strategy<Value = Difficulty> {
    let number = || prop_oneof![0.0..8.0_f32, 0.0..1.0_f32, any::<f32>()];
    (number(), prop::option::of(number()), number()).prop_map(|(reaction, look_ahead, mistakes)| {
        Difficulty {
            reaction,
            look_ahead,
            mistakes,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_move_is_legal_and_repeats(
        chase in random_chase(7, true),
        difficulty in any_difficulty(),
        seed in any::<u64>(),
    ) {
        for policy in policies() {
            let mut robber = DialledRobber::new(policy, difficulty);
            let first = chase.play(&mut robber, seed);
            prop_assert_eq!(first, chase.play(&mut robber, seed));
        }
    }

    #[test]
    fn at_the_top_of_the_dial_is_the_policy_itself(chase in random_chase(7, true)) {
        for (policy, mut same) in policies().into_iter().zip(policies()) {
            let mut robber = DialledRobber::new(policy, Difficulty::level(1.0));
            prop_assert_eq!(chase.play(&mut robber, 7), chase.play(&mut *same, 7));
        }
    }
}

#[test]
fn the_dial_ends_at_full_strength() {
    for level in [1.0, 2.0, f32::INFINITY, f32::NAN] {
        assert_eq!(Difficulty::level(level), Difficulty::default(), "{level}");
    }
    assert_eq!(Difficulty::level(-1.0), Difficulty::level(0.0));
}

#[test]
fn every_setting_turns_one_way() {
    let all: Vec<Difficulty> = (0..=1000)
        .map(|at| Difficulty::level(at as f32 / 1000.0))
        .collect();
    for pair in all.windows(2) {
        assert!(pair[0].reaction >= pair[1].reaction);
        assert!(pair[0].mistakes >= pair[1].mistakes);
        let far = |difficulty: &Difficulty| difficulty.look_ahead.unwrap_or(f32::INFINITY);
        assert!(far(&pair[0]) <= far(&pair[1]));
    }
}

#[test]
fn settings_are_saved_and_may_be_left_out() {
    let difficulty = Difficulty::level(0.4);
    let text = serde_json::to_string(&difficulty).expect("text");
    assert_eq!(
        serde_json::from_str::<Difficulty>(&text).expect("settings"),
        difficulty
    );
    let late: Difficulty = serde_json::from_str(r#"{"reaction": 2}"#).expect("settings");
    assert_eq!(
        (late.reaction, late.look_ahead, late.mistakes),
        (2.0, None, 0.0)
    );
}

/// Records the cops of each state, and goes left whenever possible.
#[derive(Default)]
struct Witness {
    told: Vec<Vec<Vertex>>,
}

impl RobberPolicy for &mut Witness {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        self.told
            .push(state.cops.iter().map(|cop| cop.at).collect());
        let cell = ground.graph.cell(state.robber.at).offset(-1, 0);
        let left = cell.and_then(|cell| ground.graph.vertex(cell));
        decision.take(left.as_slice(), state.robber.speed, Source::Search);
        Effort::default()
    }
}

/// The cops that the policy is shown, and the robber's columns, while a cop moves through these columns
/// of a corridor.
fn corridor(difficulty: Difficulty, robber: u16, cops: &[u16]) -> (Vec<Option<u16>>, Vec<u16>) {
    let graph = Graph::new(&map(&[&".".repeat(40)]), Moves::Octile);
    let agent = |x| Agent {
        at: graph.vertex(Cell::new(x, 0)).expect("floor"),
        speed: Speed::ONE,
    };
    let mut witness = Witness::default();
    let mut player = DialledRobber::new(&mut witness, difficulty);
    let (mut ends, mut decision) = (Vec::new(), Decision::wait(Source::Greedy));
    for &cop in cops {
        let state = State {
            robber: agent(robber),
            cops: &[agent(cop)],
            to_move: Side::Robber,
        };
        player.decide((&graph).into(), &state, &mut decision);
        let end = decision
            .next_move()
            .last()
            .copied()
            .unwrap_or(state.robber.at);
        ends.push(graph.cell(end).x);
    }
    let column = |told: &Vec<Vertex>| told.first().map(|&cop| graph.cell(cop).x);
    (witness.told.iter().map(column).collect(), ends)
}

#[test]
fn cops_are_where_they_were() {
    let late = Difficulty {
        reaction: 2.0,
        ..Difficulty::default()
    };
    let (told, _) = corridor(late, 20, &[1, 2, 3, 4, 5]);
    assert_eq!(told, [1, 1, 1, 2, 3].map(Some));
    // A cop never appears on the robber's cell, but at its first later place that is free.
    let (told, _) = corridor(late, 20, &[20, 21, 22, 23, 24]);
    assert_eq!(told, [20, 21, 21, 21, 22].map(Some));
}

#[test]
fn cops_that_are_far_away_do_not_exist() {
    let short = Difficulty {
        look_ahead: Some(3.0),
        ..Difficulty::default()
    };
    let (told, ends) = corridor(short, 20, &[25, 24, 23, 22, 30]);
    assert_eq!(told, [23, 22].map(Some), "it is not asked without cops");
    assert_eq!(ends, [20, 20, 19, 19, 20]);
}

#[test]
fn no_robber_runs_into_a_cop_unseen() {
    let late = Difficulty {
        reaction: 8.0,
        ..Difficulty::default()
    };
    let (told, ends) = corridor(late, 20, &[1, 19]);
    assert_eq!(told, [1, 1].map(Some));
    assert_eq!(
        ends,
        [19, 21],
        "left is the cop, as it is at the last moment"
    );
}

#[test]
fn a_mistake_is_the_next_best_move() {
    let wrong = Difficulty {
        mistakes: 1.0,
        ..Difficulty::default()
    };
    // The policy would go left, so that waiting is the best of the other moves.
    let (_, ends) = corridor(wrong, 20, &[25, 24]);
    assert_eq!(ends, [20, 20]);
    let (_, ends) = corridor(wrong, 20, &[15, 16]);
    assert_eq!(ends, [21, 21]);
}

#[test]
fn survival_rises_with_the_dial() {
    let text = include_str!("../../../../assets/levels/harbour.level.ron");
    let level = PursuitLevel::parse(text).expect("a level");
    let field = Field::new(&level.initial_map(), level::rules(1, 2, 1));
    let vertices: Vec<Vertex> = field.graph.iter().collect();
    let start = |game: usize| Start {
        robber: vertices[game * 7 % vertices.len()],
        cops: vec![vertices[game * 61 % vertices.len()]],
    };
    let starts: Vec<Start> = (1..=160).map(start).collect();
    let survival = |tenth: u8| {
        let level = f32::from(tenth) / 10.0;
        let robber = || {
            let policy = TrailMaxRobber::new(1);
            Box::new(DialledRobber::new(policy, Difficulty::level(level))) as _
        };
        let played = field.try_run(&starts, robber).expect("legal moves");
        Performance::of(&played).mean_ratio().expect("games")
    };
    let curve: Vec<f64> = (0..=10).map(survival).collect();
    assert!(
        curve.windows(2).all(|pair| pair[1] > pair[0] - 0.005),
        "{curve:?}"
    );
    assert!(
        curve[0] < 0.8 && curve[5] < 0.93 && curve[10] > 0.97,
        "{curve:?}"
    );
}
