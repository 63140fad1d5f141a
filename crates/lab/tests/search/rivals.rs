//! The other algorithms of C. Moldenhauer's thesis, chapter 5, on random maps and against slow
//! implementations of their definitions.

use crate::common;
use common::{any_moves, map, random_map};
use proptest::prelude::*;
use proptest::sample::Index;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Side, Speed, State, is_legal_move};
use pursuit_engine::graph::{Graph, Network, TileEdit, Vertex};
use pursuit_engine::map::{Moves, TileMap};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_lab::RobberPolicy;
use pursuit_lab::robber::RobberKind;
use pursuit_lab::search::{Cover, CoverRule, Minimax};

/// A robber and up to three cops of speeds 1 to 3 somewhere on a map.
#[derive(Debug, Clone)]
struct Scene {
    map: TileMap,
    moves: Moves,
    robber: (Index, u8),
    cops: Vec<(Index, u8)>,
}

fn random_scene(side: u16, cops: usize, speed: u8) -> impl Strategy<Value = Scene> {
    let agent = move || (any::<Index>(), 1..=speed);
    (
        random_map(side),
        any_moves(),
        agent(),
        prop::collection::vec(agent(), 1..=cops),
    )
        .prop_map(|(map, moves, robber, cops)| Scene {
            map,
            moves,
            robber,
            cops,
        })
}

impl Scene {
    fn agents(&self, graph: &Graph) -> (Agent, Vec<Agent>) {
        let vertices: Vec<Vertex> = graph.iter().collect();
        let place = |&(index, speed): &(Index, u8)| Agent {
            at: *index.get(&vertices),
            speed: Speed::new(speed).unwrap(),
        };
        (place(&self.robber), self.cops.iter().map(place).collect())
    }
}

/// The vertices within some steps of a vertex, along paths that avoid `blocked` vertices.
fn ball(
    graph: &impl Network,
    from: Vertex,
    steps: u8,
    blocked: impl Fn(Vertex) -> bool,
) -> Vec<Vertex> {
    let mut ball = vec![from];
    for _ in 0..steps {
        for vertex in ball.clone() {
            for &next in graph.neighbours(vertex) {
                if !blocked(next) && !ball.contains(&next) {
                    ball.push(next);
                }
            }
        }
    }
    ball
}

// ---- all policies ----

const KINDS: [&str; 12] = [
    "greedy",
    "greedy-perfect",
    "minimax:2",
    "wary-rules",
    "wary-patterns",
    "wary-both",
    "cover",
    "cover-original",
    "dam:1:2",
    "dam1:0.5:2",
    "randombeacons:5:3",
    "trailmax:2",
];

/// A policy with its decisions.
struct Player {
    policy: Box<dyn RobberPolicy>,
    decision: Decision,
}

impl Player {
    fn new(kind: &str, seed: u64) -> Self {
        let kind: RobberKind = kind.parse().expect("a kind");
        let mut policy = kind.policy();
        policy.restart(seed);
        Self {
            policy,
            decision: Decision::wait(Source::Greedy),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn moves_are_legal_and_repeat_whatever_doors_do(
        scene in random_scene(9, 3, 3),
        with_hierarchy in any::<bool>(),
        seed in any::<u64>(),
        turns in prop::collection::vec((any::<Index>(), any::<Index>(), any::<Index>()), 1..6),
    ) {
        for kind in KINDS {
            let mut graph = Graph::new(&scene.map, scene.moves);
            let cells: Vec<_> = scene.map.cells().collect();
            let (mut robber, mut cops) = scene.agents(&graph);
            let mut players = [Player::new(kind, seed), Player::new(kind, seed)];
            for (edited, cop, end) in &turns {
                let hierarchy = with_hierarchy.then(|| Hierarchy::new(&graph));
                let ground = Ground { hierarchy: hierarchy.as_ref(), ..Ground::from(&graph) };
                let state = State { robber, cops: &cops, to_move: Side::Robber };
                for Player { policy, decision } in &mut players {
                    policy.decide(ground, &state, decision);
                    let way = decision.next_move();
                    prop_assert!(
                        is_legal_move(&graph, robber.at, way, robber.speed),
                        "{kind}: {:?}", way
                    );
                }
                prop_assert_eq!(&players[0].decision, &players[1].decision, "{}", kind);
                robber.at = players[0].decision.next_move().last().copied().unwrap_or(robber.at);
                let cell = *edited.get(&cells);
                let passable = !graph.is_passable(cell);
                graph.apply(&[TileEdit { cell, passable }]);
                let cop = cop.index(cops.len());
                let ends = ball(&graph, cops[cop].at, cops[cop].speed.steps(), |_| false);
                cops[cop].at = *end.get(&ends);
            }
        }
    }
}

#[test]
fn kinds_have_names_with_the_defaults_of_the_thesis() {
    for (name, whole) in [
        ("trailmax", "trailmax:1"),
        ("greedy", "greedy"),
        ("greedy-perfect", "greedy-perfect"),
        ("minimax", "minimax:5"),
        ("minimax:7", "minimax:7"),
        ("cover", "cover"),
        ("cover-original", "cover-original"),
        ("dam", "dam:0.5:3"),
        ("dam1:0.75", "dam1:0.75:3"),
        ("randombeacons", "randombeacons:40:1"),
        ("randombeacons:10:20", "randombeacons:10:20"),
    ] {
        let kind: RobberKind = name.parse().expect(name);
        assert_eq!(kind.to_string(), whole);
        assert_eq!(whole.parse(), Ok(kind));
    }
}

#[test]
fn wrong_kinds_are_told_what_was_expected() {
    for (name, expected) in [
        ("minimax:0", "minimax:D (D from 1 to 255)"),
        ("minimax:x", "minimax:D (D from 1 to 255)"),
        ("dam:1.5", "dam:F:D (F from 0 to 1, D from 1 to 255)"),
        ("dam:NaN", "dam:F:D (F from 0 to 1, D from 1 to 255)"),
        ("greedy:1", "greedy"),
        ("randombeacons:1:2:3", "randombeacons:B:M (B and M from 1)"),
    ] {
        let error = name.parse::<RobberKind>().expect_err(name);
        assert_eq!(
            (error.expected.as_str(), error.found.as_str()),
            (expected, name)
        );
    }
    let error = "idler".parse::<RobberKind>().expect_err("no such kind");
    assert!(error.expected.contains("cover-original; "), "{error}");
}

#[test]
fn greedy_runs_towards_a_cop_behind_a_wall_but_not_with_perfect_distances() {
    // The cop below the wall comes from the right.
    let map = map(&[
        "..........", //
        "#########.",
        "..........",
    ]);
    let graph = Graph::new(&map, Moves::Octile);
    let vertex = |x, y| graph.vertex(pursuit_engine::map::Cell::new(x, y)).unwrap();
    let agent = |at| Agent {
        at,
        speed: Speed::ONE,
    };
    let state = State {
        robber: agent(vertex(8, 0)),
        cops: &[agent(vertex(5, 2))],
        to_move: Side::Robber,
    };
    for (kind, end) in [("greedy", vertex(9, 0)), ("greedy-perfect", vertex(7, 0))] {
        let mut player = Player::new(kind, 0);
        player
            .policy
            .decide(Ground::from(&graph), &state, &mut player.decision);
        assert_eq!(player.decision.next_move(), [end], "{kind}");
    }
}

// ---- minimax ----

/// The turns a cop needs by the maximum norm.
fn turns(graph: &Graph, robber: Vertex, cop: Agent) -> u32 {
    let steps = graph.cell(robber).max_norm(graph.cell(cop.at));
    steps.div_ceil(u32::from(cop.speed.steps()))
}

/// The value in plies by definition, without pruning and without a table, and the value of each move.
fn minimax(graph: &Graph, state: &State<'_>, depth: u8) -> (u32, Vec<(Vertex, u32)>) {
    let nearest = state
        .cops
        .iter()
        .map(|cop| turns(graph, state.robber.at, *cop))
        .min()
        .unwrap();
    let is_cops = state.to_move == Side::Cops;
    if nearest == 0 || depth == 0 {
        return ((2 * nearest).saturating_sub(u32::from(is_cops)), Vec::new());
    }
    if is_cops {
        let mut joint: Vec<Vec<Agent>> = vec![Vec::new()];
        for cop in state.cops {
            let ends = ball(graph, cop.at, cop.speed.steps(), |_| false);
            let with = |cops: &Vec<Agent>| -> Vec<Vec<Agent>> {
                let moved = |&at: &Vertex| [cops.as_slice(), &[Agent { at, ..*cop }]].concat();
                ends.iter().map(moved).collect()
            };
            joint = joint.iter().flat_map(with).collect();
        }
        let value = |cops: &Vec<Agent>| {
            let after = State {
                cops,
                to_move: Side::Robber,
                ..*state
            };
            1 + minimax(graph, &after, depth - 1).0
        };
        return (joint.iter().map(value).min().unwrap(), Vec::new());
    }
    let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
    let mut ends = ball(graph, state.robber.at, state.robber.speed.steps(), is_cop);
    ends.rotate_left(1); // waiting last
    let value = |at| {
        let robber = Agent { at, ..state.robber };
        let after = State {
            robber,
            to_move: Side::Cops,
            ..*state
        };
        1 + minimax(graph, &after, depth - 1).0
    };
    let values: Vec<(Vertex, u32)> = ends.into_iter().map(|end| (end, value(end))).collect();
    (
        values.iter().map(|&(_, value)| value).max().unwrap(),
        values,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn alpha_beta_with_a_table_is_plain_minimax(
        scenes in prop::collection::vec((random_scene(6, 2, 2), 1..=4_u8), 1..4),
    ) {
        let mut used = Minimax::new();
        for (scene, depth) in scenes {
            let graph = Graph::new(&scene.map, scene.moves);
            let (robber, cops) = scene.agents(&graph);
            let depth = if cops.len() > 1 { depth.min(3) } else { depth };
            let state = State { robber, cops: &cops, to_move: Side::Robber };
            let (value, moves) = minimax(&graph, &state, depth);
            let found = used.solve(&graph, &state, depth, |robber, cop| {
                turns(&graph, robber, *cop)
            });
            prop_assert_eq!(found, value);
            let first = moves.iter().find(|(_, of_move)| *of_move == value);
            prop_assert_eq!(used.line().first(), first.map(|(end, _)| end), "the first best");
        }
    }
}

// ---- cover ----

/// The number of steps from a vertex to each vertex, `None` if there is no path.
fn distances(graph: &impl Network, from: Vertex, all: &[Vertex]) -> Vec<(Vertex, u64)> {
    let reached = |steps| ball(graph, from, steps, |_| false);
    let mut steps_to = Vec::new();
    for steps in 0..=u8::try_from(all.len()).unwrap() {
        for vertex in reached(steps) {
            if !steps_to.iter().any(|&(known, _)| known == vertex) {
                steps_to.push((vertex, u64::from(steps)));
            }
        }
    }
    steps_to
}

/// The vertices that the robber covers by the redefinition: it reaches them over vertices that no cop
/// can have reached by the time it leaves them.
fn redefined(graph: &impl Network, all: &[Vertex], state: &State<'_>) -> usize {
    if state.is_capture() {
        return 0;
    }
    let robber_speed = u64::from(state.robber.speed.steps());
    let cops: Vec<_> = state
        .cops
        .iter()
        .map(|cop| (distances(graph, cop.at, all), u64::from(cop.speed.steps())))
        .collect();
    // Returns whether a cop can be there by the time of `steps` steps of the robber.
    let is_taken = |vertex: Vertex, steps: u64| {
        cops.iter().any(|(distances, speed)| {
            let distance = distances.iter().find(|(known, _)| *known == vertex);
            distance.is_some_and(|&(_, distance)| {
                let (cop, robber) = (distance * robber_speed, steps * speed);
                cop < robber || cop == robber && state.to_move == Side::Cops
            })
        })
    };
    let mut arrivals = vec![(state.robber.at, 0)];
    let mut done = 0;
    while let Some(&(vertex, steps)) = arrivals.get(done) {
        done += 1;
        if is_taken(vertex, steps + 1) {
            continue;
        }
        for &next in graph.neighbours(vertex) {
            if !arrivals.iter().any(|&(known, _)| known == next) {
                arrivals.push((next, steps + 1));
            }
        }
    }
    arrivals.len()
}

/// The vertices that each side covers by the original definition: one vertex at a time goes to the side
/// that first gets there from its own vertices.
fn original(graph: &impl Network, all: &[Vertex], state: &State<'_>) -> (usize, usize) {
    if state.is_capture() {
        return (0, 0);
    }
    // At equal times the side to move comes first, and among cops the one whose speed is listed first.
    let rank = |index: usize| match (index, state.to_move) {
        (0, Side::Robber) => 0,
        (0, Side::Cops) => usize::MAX,
        (cop, _) => {
            let speed = state.cops[cop - 1].speed;
            1 + state
                .cops
                .iter()
                .position(|other| other.speed == speed)
                .unwrap()
        }
    };
    let agents: Vec<Agent> = [&[state.robber], state.cops].concat();
    // Several cops may start from one vertex.
    let starts = agents.iter().enumerate();
    let mut owned: Vec<(Vertex, usize, u64)> =
        starts.map(|(index, agent)| (agent.at, index, 0)).collect();
    loop {
        // 6 is a multiple of all speeds up to 3.
        let next = owned.iter().flat_map(|&(vertex, owner, time)| {
            let time = time + 6 / u64::from(agents[owner].speed.steps());
            graph
                .neighbours(vertex)
                .iter()
                .map(move |&next| (time, owner, next))
        });
        let free = |&(_, _, next): &(u64, usize, Vertex)| {
            !owned.iter().any(|&(vertex, ..)| vertex == next)
        };
        let best = next
            .filter(free)
            .min_by_key(|&(time, owner, _)| (time, rank(owner)));
        let Some((time, owner, vertex)) = best else {
            break;
        };
        owned.push((vertex, owner, time));
    }
    let owns = |vertex: Vertex, robber: bool| {
        let owner = owned.iter().find(|&&(other, ..)| other == vertex);
        owner.is_some_and(|&(_, owner, _)| (owner == 0) == robber)
    };
    let count = |robber| all.iter().filter(|&&vertex| owns(vertex, robber)).count();
    (count(true), count(false))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn cover_agrees_with_its_definitions(
        scenes in prop::collection::vec((random_scene(7, 3, 3), any::<bool>()), 1..4),
    ) {
        let mut used = Cover::new();
        for (scene, cops_move) in scenes {
            let graph = Graph::new(&scene.map, scene.moves);
            let all: Vec<Vertex> = graph.iter().collect();
            let (robber, cops) = scene.agents(&graph);
            let to_move = if cops_move { Side::Cops } else { Side::Robber };
            let state = State { robber, cops: &cops, to_move };
            let covered = used.count(&graph, &state, CoverRule::Redefined);
            prop_assert_eq!(covered.robber, redefined(&graph, &all, &state));
            let covered = used.count(&graph, &state, CoverRule::Original);
            let expected = original(&graph, &all, &state);
            prop_assert_eq!((covered.robber, covered.cops), expected);
        }
    }
}
