//! Whole games of cops that intercept over levels: as good at capturing as the policy that searches the whole map.

use crate::common;
use crate::interception::{at, state};
use common::{read_map, reference};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Speed, State, is_legal_move};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, PursuitLevel};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::search::{Dice, Distances};
use pursuit_lab::cop::{Interceptor, LevelInterceptor};
use pursuit_lab::robber::TrailMaxRobber;
use pursuit_lab::{CopPolicy, RobberPolicy};

/// Cops that move by a policy.
struct Cops {
    policy: Box<dyn CopPolicy>,
    hierarchy: Option<Hierarchy>,
}

impl Cops {
    /// Cops that plan over levels.
    fn over_levels(graph: &Graph) -> Self {
        Self {
            policy: Box::new(LevelInterceptor::default()),
            hierarchy: Some(Hierarchy::new(graph)),
        }
    }

    /// Cops that search the whole map.
    fn on_the_map() -> Self {
        Self {
            policy: Box::new(Interceptor::default()),
            hierarchy: None,
        }
    }

    fn decide(&mut self, graph: &Graph, state: &State<'_>) -> Vec<Decision> {
        let ground = Ground {
            hierarchy: self.hierarchy.as_ref(),
            ..graph.into()
        };
        self.policy.decide(ground, state)
    }

    /// Turns until capture, or `most` if there is none.
    fn chase(&mut self, graph: &Graph, robber: Agent, team: &[Agent], most: u32) -> u32 {
        let (mut robber, mut team) = (robber, team.to_vec());
        let mut policy = TrailMaxRobber::default();
        let mut decision = Decision::wait(Source::Greedy);
        let is_capture = |robber: Agent, team: &[Agent]| state(robber, team).is_capture();
        for turn in 0..most {
            if is_capture(robber, &team) {
                return turn;
            }
            let decisions = self.decide(graph, &state(robber, &team));
            for (cop, decision) in team.iter_mut().zip(decisions) {
                assert!(is_legal_move(
                    graph,
                    cop.at,
                    decision.next_move(),
                    cop.speed
                ));
                cop.at = decision.next_move().last().copied().unwrap_or(cop.at);
            }
            if is_capture(robber, &team) {
                return turn + 1;
            }
            policy.decide(graph.into(), &state(robber, &team), &mut decision);
            robber.at = decision.next_move().last().copied().unwrap_or(robber.at);
        }
        most
    }
}

/// Games from random places on the largest component of a map: the number of games that end before
/// `most` turns, and the turns of all games.
fn games(graph: &Graph, cops: &mut Cops, speeds: &[u8], games: u64, most: u32) -> (u32, u32) {
    let mut distances = Distances::default();
    let middle = graph.iter().nth(graph.vertices() / 2).expect("a vertex");
    distances.measure(graph, middle);
    let part = distances.reachable();
    let (mut captures, mut turns) = (0, 0);
    for seed in 0..games {
        let dice = &mut Dice::new(seed);
        let mut agent = |speed| Agent {
            at: dice.pick(part).expect("a vertex"),
            speed: Speed::new(speed).expect("a speed"),
        };
        let robber = agent(1);
        let team: Vec<Agent> = speeds.iter().map(|&speed| agent(speed)).collect();
        let took = cops.chase(graph, robber, &team, most);
        captures += u32::from(took < most);
        turns += took;
    }
    (captures, turns)
}

fn harbour() -> (Graph, Vec<Cell>) {
    let level = PursuitLevel::parse(include_str!("../../../../assets/levels/harbour.level.ron"));
    let level = level.expect("our level");
    let graph = Graph::new(&level.initial_map(), level.moves());
    (graph, level.spawns().to_vec())
}

#[test]
fn cops_of_the_robbers_speed_capture_it_in_the_harbour() {
    let (graph, _) = harbour();
    let (mut ours, mut theirs) = (0, 0);
    for many in [2, 3, 4] {
        let speeds = vec![1; many];
        let mut new = Cops::over_levels(&graph);
        let mut old = Cops::on_the_map();
        let (captures, turns) = games(&graph, &mut new, &speeds, 100, 300);
        assert_eq!(captures, 100, "{many} cops");
        ours += turns;
        theirs += games(&graph, &mut old, &speeds, 100, 300).1;
    }
    assert!(ours * 10 <= theirs * 11, "{ours} turns, were {theirs}");
}

/// Starts at the spawn points of the level, where two paths of the same length may join cops and robber.
/// Cops that mirrored the robber would never capture it.
#[test]
fn they_do_not_dance() {
    let (graph, spawns) = harbour();
    let mut cops = Cops::over_levels(&graph);
    let mut endless = 0;
    for seed in 0..100 {
        let dice = &mut Dice::new(seed);
        let mut agent = || {
            let cell = dice.pick(&spawns).expect("a spawn point");
            at(&graph, cell.x, cell.y)
        };
        let (robber, team) = (agent(), [agent(), agent(), agent(), agent()]);
        endless += u32::from(cops.chase(&graph, robber, &team, 300) == 300);
    }
    assert_eq!(endless, 0);
}

/// On maps too large to be searched completely, the chase takes little longer.
#[test]
fn large_maps_cost_few_turns() {
    let Some(folder) = reference("large_maps_cost_few_turns") else {
        return;
    };
    let (mut ours, mut theirs) = (0, 0);
    for name in ["AR0012SR", "AR0072SR", "AR0202SR", "AR0405SR", "AR0309SR"] {
        let map = read_map(&folder.join(format!("maps/bg/{name}.map")));
        let graph = Graph::new(&map, Moves::Octile);
        let mut new = Cops::over_levels(&graph);
        let mut old = Cops::on_the_map();
        let speeds = [2, 2];
        let (captures, turns) = games(&graph, &mut new, &speeds, 8, 600);
        assert_eq!(captures, 8, "{name}");
        ours += turns;
        theirs += games(&graph, &mut old, &speeds, 8, 600).1;
    }
    assert!(ours * 10 <= theirs * 11, "{ours} turns, were {theirs}");
}
