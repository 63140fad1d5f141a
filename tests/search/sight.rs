//! Limited sight: unseen cops and walls have no influence, and every move is legal nevertheless.

use crate::common;
use crate::common::wrapped;
use bevy_pursuit::game::{Agent, Side, Speed, State};
use bevy_pursuit::graph::{Graph, TileEdit, Vertex};
use bevy_pursuit::map::{Cell, Moves};
use bevy_pursuit::policy::robber::{Beyond, LimitedSight, SightedRobber, TrailMaxRobber};
use bevy_pursuit::policy::{Decision, RobberPolicy, Source};
use common::map;
use proptest::prelude::*;
use wrapped::{policies, random_chase};

fn any_sight() -> impl Strategy<Value = LimitedSight> {
    let beyond = prop_oneof![
        Just(Beyond::Remembered),
        Just(Beyond::Free),
        Just(Beyond::Closed)
    ];
    (0..5_u16, beyond, 0..6_u16, any::<bool>()).prop_map(
        |(radius, beyond, memory, through_walls)| LimitedSight {
            radius,
            beyond,
            memory,
            through_walls,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_move_is_legal_and_repeats(
        chase in random_chase(9, true),
        sight in any_sight(),
        seed in any::<u64>(),
    ) {
        for policy in policies() {
            let mut robber = SightedRobber::new(policy, sight);
            let first = chase.play(&mut robber, seed);
            prop_assert_eq!(first, chase.play(&mut robber, seed));
        }
    }

    #[test]
    fn who_sees_all_is_the_policy_itself(chase in random_chase(7, true), sight in any_sight()) {
        for (policy, mut same) in policies().into_iter().zip(policies()) {
            let mut robber = SightedRobber::new(policy, LimitedSight { radius: 7, through_walls: true, ..sight });
            prop_assert_eq!(chase.play(&mut robber, 7), chase.play(&mut *same, 7));
        }
    }

    #[test]
    fn the_known_map_is_what_was_seen(chase in random_chase(9, true), sight in any_sight()) {
        let cells: Vec<Cell> = chase.map.cells().collect();
        let mut model = vec![sight.beyond != Beyond::Closed; cells.len()];
        let mut robber = SightedRobber::new(TrailMaxRobber::new(1), sight);
        chase.watch(&mut robber, 0, |robber, real, at| {
            let here = real.cell(at.at);
            for (&cell, known) in cells.iter().zip(&mut model) {
                let is_near = cell.max_norm(here) <= u32::from(sight.radius.max(1));
                *known = if is_near && (sight.through_walls || real.sees(here, cell, None)) {
                    real.is_passable(cell)
                } else {
                    match sight.beyond {
                        Beyond::Remembered => *known,
                        Beyond::Free => true,
                        Beyond::Closed => false,
                    }
                };
            }
            let known = robber.known().expect("a turn was played");
            let passable: Vec<bool> = cells.iter().map(|&cell| known.is_passable(cell)).collect();
            assert_eq!(passable, model);
            for vertex in real.iter() {
                assert_eq!(known.cell(vertex), real.cell(vertex));
            }
        });
    }
}

fn agent(graph: &Graph, (x, y): (u16, u16)) -> Agent {
    Agent {
        at: graph.vertex(Cell::new(x, y)).expect("floor"),
        speed: Speed::ONE,
    }
}

/// The decision of a robber with these cops.
fn decide(
    policy: &mut dyn RobberPolicy,
    graph: &Graph,
    robber: (u16, u16),
    cops: &[(u16, u16)],
) -> Decision {
    let cops: Vec<Agent> = cops.iter().map(|&cop| agent(graph, cop)).collect();
    let state = State {
        robber: agent(graph, robber),
        cops: &cops,
        to_move: Side::Robber,
    };
    let mut decision = Decision::wait(Source::Greedy);
    policy.decide(graph.into(), &state, &mut decision);
    decision
}

fn sighted(radius: u16, memory: u16) -> SightedRobber<TrailMaxRobber> {
    let sight = LimitedSight {
        radius,
        beyond: Beyond::Remembered,
        memory,
        through_walls: true,
    };
    SightedRobber::new(TrailMaxRobber::new(1), sight)
}

#[test]
fn a_cop_out_of_sight_does_not_count() {
    let graph = Graph::new(&map(&[".".repeat(30).as_str(); 9]), Moves::Octile);
    for hidden in [(20, 4), (25, 0), (29, 8)] {
        let mut robber = sighted(5, 0);
        let alone = decide(&mut robber, &graph, (10, 4), &[hidden]);
        assert!(alone.path.is_empty(), "it knows of no cop");
        let one = decide(&mut sighted(5, 0), &graph, (10, 4), &[(7, 4)]);
        let two = decide(&mut sighted(5, 0), &graph, (10, 4), &[(7, 4), hidden]);
        assert!(!one.path.is_empty());
        assert_eq!(one.path, two.path);
    }
}

#[test]
fn a_wall_hides_a_cop_and_what_is_behind_it() {
    let rows = [
        "...........",
        "....@......",
        "....@.....@",
        "....@......",
        "...........",
    ];
    let graph = Graph::new(&map(&rows), Moves::Octile);
    let (here, hidden) = (Cell::new(3, 2), Cell::new(6, 2));
    for through_walls in [false, true] {
        let sight = LimitedSight {
            through_walls,
            ..LimitedSight::default()
        };
        let mut robber = SightedRobber::new(TrailMaxRobber::new(1), sight);
        let decision = decide(
            &mut robber,
            &graph,
            (here.x, here.y),
            &[(hidden.x, hidden.y)],
        );
        assert!(!graph.sees(here, hidden, Some(sight.radius)));
        assert_eq!(decision.path.is_empty(), !through_walls);
        let knows_wall = |x| !robber.known().expect("known").is_passable(Cell::new(x, 2));
        assert_eq!([4, 10].map(knows_wall), [true, through_walls]);
        // Past the end of the wall both see the cop.
        let decision = decide(&mut robber, &graph, (3, 0), &[(6, 0)]);
        assert!(!decision.path.is_empty());
    }
}

#[test]
fn a_cop_is_remembered_for_some_turns() {
    let graph = Graph::new(&map(&[&".".repeat(30)]), Moves::Octile);
    let mut robber = sighted(3, 2);
    let mut at = |x, cop| {
        !decide(&mut robber, &graph, (x, 0), &[(cop, 0)])
            .path
            .is_empty()
    };
    assert!(at(10, 7));
    assert!(
        at(10, 6),
        "its last place is in sight and empty: it is next to it"
    );
    assert!(at(10, 7));
    assert!(at(11, 6), "unseen for a turn");
    assert!(at(12, 6), "for two");
    assert!(!at(13, 6), "forgotten");
    assert!(at(13, 10), "seen again");
}

/// A cop that is gone from where it was seen can be wherever it can have walked unseen, and nowhere else.
#[test]
fn a_cop_behind_a_pillar_is_not_far() {
    let rows = [
        "...............",
        "...............",
        "...............",
        "......@@@......",
        "......@@@......",
        "......@@@......",
        "...............",
        "...............",
        "...............",
    ];
    let graph = Graph::new(&map(&rows), Moves::Octile);
    let sight = LimitedSight::default();
    let mut robber = SightedRobber::new(TrailMaxRobber::new(1), sight);
    // It walks round the pillar, and waits behind it.
    let way = [(9, 1), (8, 2), (7, 2), (6, 2), (5, 3), (5, 4), (5, 4)];
    let mut unseen = 0;
    for (x, y) in way {
        let is_seen = graph.sees(Cell::new(11, 4), Cell::new(x, y), Some(sight.radius));
        unseen += usize::from(!is_seen);
        let flees = !decide(&mut robber, &graph, (11, 4), &[(x, y)])
            .path
            .is_empty();
        assert!(flees, "{x}, {y}: {is_seen}");
    }
    assert!((3..way.len()).contains(&unseen), "{unseen}");
    // From a dead end in sight, it can only have been taken away.
    let graph = Graph::new(&map(&["@........."]), Moves::Octile);
    let mut robber = sighted(2, 9);
    assert!(
        !decide(&mut robber, &graph, (3, 0), &[(1, 0)])
            .path
            .is_empty()
    );
    assert!(
        decide(&mut robber, &graph, (3, 0), &[(9, 0)])
            .path
            .is_empty()
    );
}

/// A robber with a cop behind it in a room whose exit to the right has been walled up.
#[test]
fn an_unseen_wall_is_planned_through_until_it_is_seen() {
    let graph = Graph::new(
        &map(&[
            "..........@..........",
            "..........@..........",
            "..........@..........",
        ]),
        Moves::Octile,
    );
    let cells = |decision: &Decision, robber: &SightedRobber<TrailMaxRobber>| -> Vec<Cell> {
        let known = robber.known().expect("a turn was played");
        assert_eq!(known.width(), 21);
        decision.path.iter().map(|&at| graph.cell(at)).collect()
    };
    let mut robber = sighted(3, 9);
    let wall = Cell::new(10, 1);
    let before = decide(&mut robber, &graph, (5, 1), &[(3, 1)]);
    assert!(robber.known().expect("known").is_passable(wall));
    let path = cells(&before, &robber);
    assert_eq!(
        path.last().expect("a path").x,
        9,
        "straight on, cut at the wall"
    );
    assert_eq!(
        before.value, None,
        "what it thinks it is worth is not known"
    );
    let after = decide(&mut robber, &graph, (7, 1), &[(5, 1)]);
    assert!(!robber.known().expect("known").is_passable(wall));
    assert!(robber.known().expect("known").is_passable(Cell::new(15, 1)));
    let path = cells(&after, &robber);
    let by_sight = decide(&mut TrailMaxRobber::new(1), &graph, (7, 1), &[(5, 1)]);
    let exact: Vec<Cell> = by_sight.path.iter().map(|&at| graph.cell(at)).collect();
    assert_eq!(path.len(), exact.len(), "as one that knows the map");
}

#[test]
fn doors_are_noticed_when_they_are_seen() {
    let mut graph = Graph::new(&map(&[&".".repeat(20)]), Moves::Octile);
    let mut robber = sighted(4, 9);
    let knows = |robber: &SightedRobber<TrailMaxRobber>, x| {
        robber.known().expect("known").is_passable(Cell::new(x, 0))
    };
    let door = |x, passable| TileEdit {
        cell: Cell::new(x, 0),
        passable,
    };
    decide(&mut robber, &graph, (8, 0), &[(6, 0)]);
    graph.apply(&[door(10, false), door(14, false)]);
    decide(&mut robber, &graph, (8, 0), &[(6, 0)]);
    assert_eq!([10, 14].map(|x| knows(&robber, x)), [false, true]);
    // Unseen cells stay as they were last seen.
    decide(&mut robber, &graph, (3, 0), &[(1, 0)]);
    graph.apply(&[door(10, true)]);
    decide(&mut robber, &graph, (3, 0), &[(1, 0)]);
    assert!(!knows(&robber, 10));
    decide(&mut robber, &graph, (7, 0), &[(5, 0)]);
    assert!(knows(&robber, 10));
}

#[test]
fn a_wall_that_opens_for_the_first_time_keeps_what_is_known() {
    let mut graph = Graph::new(&map(&["....@....@....@...."]), Moves::Octile);
    let mut robber = sighted(2, 9);
    decide(&mut robber, &graph, (7, 0), &[(6, 0)]);
    graph.apply(&[TileEdit {
        cell: Cell::new(14, 0),
        passable: true,
    }]);
    decide(&mut robber, &graph, (6, 0), &[(5, 0)]);
    let known = robber.known().expect("known");
    let passable = [4, 9, 14].map(|x| known.is_passable(Cell::new(x, 0)));
    assert_eq!(
        passable,
        [false, false, true],
        "two seen, one taken for free"
    );
    let numbers = |graph: &Graph| -> Vec<Option<Vertex>> {
        let cells = (0..19).filter(|x| ![4, 9].contains(x));
        cells.map(|x| graph.vertex(Cell::new(x, 0))).collect()
    };
    assert_eq!(numbers(known), numbers(&graph));
}

#[test]
fn settings_are_saved_and_may_be_left_out() {
    let sight: LimitedSight =
        serde_json::from_str(r#"{"radius": 3, "beyond": "Free"}"#).expect("settings");
    assert_eq!(
        (sight.radius, sight.beyond, sight.memory),
        (3, Beyond::Free, 8)
    );
    assert!(
        sight.through_walls,
        "as files meant it before there was a choice"
    );
    assert!(!LimitedSight::default().through_walls);
    let text = serde_json::to_string(&sight).expect("text");
    assert_eq!(
        serde_json::from_str::<LimitedSight>(&text).expect("settings"),
        sight
    );
}
