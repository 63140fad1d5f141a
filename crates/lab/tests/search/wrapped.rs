//! Random chases on maps that change, for robbers that wrap a policy: every move has to be legal.

use crate::common::{any_moves, random_map};
use proptest::prelude::*;
use proptest::sample::Index;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Side, Speed, State, is_legal_move};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_lab::RobberPolicy;
use pursuit_lab::robber::RobberKind;

/// A chase before it is played. Indices are resolved to cells and vertices during play.
#[derive(Debug, Clone)]
pub struct Chase {
    pub map: TileMap,
    pub moves: Moves,
    robber: (Index, u8),
    cops: Vec<(Index, u8)>,
    /// For each turn, a cell that changes, if any, and the index of the cops' steps.
    turns: Vec<(Option<Index>, Index)>,
}

pub fn random_chase(side: u16, edits: bool) -> impl Strategy<Value = Chase> {
    let agent = || (any::<Index>(), 1..=3_u8);
    let share = if edits { 0.5 } else { 0.0 };
    let turn = (
        prop::option::weighted(share, any::<Index>()),
        any::<Index>(),
    );
    (
        random_map(side),
        any_moves(),
        agent(),
        prop::collection::vec(agent(), 1..=3),
        prop::collection::vec(turn, 1..24),
    )
        .prop_map(|(map, moves, robber, cops, turns)| Chase {
            map,
            moves,
            robber,
            cops,
            turns,
        })
}

impl Chase {
    /// The robber's vertex after each turn. A capture does not end the chase.
    pub fn play(&self, policy: &mut dyn RobberPolicy, seed: u64) -> Vec<Vertex> {
        self.watch(policy, seed, |_, _, _| {})
    }

    /// Plays, and passes the policy, the map and the robber to `shown` after each decision.
    pub fn watch<P: RobberPolicy + ?Sized>(
        &self,
        policy: &mut P,
        seed: u64,
        mut shown: impl FnMut(&P, &Graph, Agent),
    ) -> Vec<Vertex> {
        let mut graph = Graph::new(&self.map, self.moves);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let agent = |&(at, speed): &(Index, u8)| Agent {
            at: *at.get(&vertices),
            speed: Speed::new(speed).expect("a speed"),
        };
        let (mut robber, mut cops) = (agent(&self.robber), Vec::new());
        cops.extend(self.cops.iter().map(agent));
        policy.restart(seed);
        let mut decision = Decision::wait(Source::Greedy);
        let mut trail = Vec::new();
        for (edit, step) in &self.turns {
            if let Some(index) = edit {
                self.flip(&mut graph, *index, robber, &cops);
            }
            for cop in &mut cops {
                let neighbours = graph.neighbours(cop.at);
                cop.at = neighbours.get(step.index(9)).copied().unwrap_or(cop.at);
            }
            let hierarchy = Hierarchy::new(&graph);
            let ground = Ground {
                hierarchy: Some(&hierarchy),
                ..Ground::from(&graph)
            };
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Robber,
            };
            policy.decide(ground, &state, &mut decision);
            shown(policy, &graph, robber);
            let slots = graph.slots();
            assert!(decision.path.iter().all(|vertex| vertex.index() < slots));
            let way = decision.next_move();
            assert!(is_legal_move(&graph, robber.at, way, robber.speed));
            robber.at = way.last().copied().unwrap_or(robber.at);
            trail.push(robber.at);
        }
        trail
    }

    /// Changes a cell that no agent stands on.
    fn flip(&self, graph: &mut Graph, index: Index, robber: Agent, cops: &[Agent]) {
        let cells: Vec<Cell> = self.map.cells().collect();
        let cell = *index.get(&cells);
        let agents = cops.iter().chain([&robber]);
        if agents
            .map(|agent| graph.cell(agent.at))
            .all(|at| at != cell)
        {
            let passable = !graph.is_passable(cell);
            graph.apply(&[TileEdit { cell, passable }]);
        }
    }
}

/// Robbers of each kind: with and without plans, on the map and on its abstraction.
pub fn policies() -> Vec<Box<dyn RobberPolicy>> {
    let names = [
        "trailmax:1",
        "trailmax:4",
        "datrailmax:2:3",
        "guided",
        "greedy-perfect",
        "cover",
        "minimax:3",
    ];
    let kinds = names.map(|name| name.parse::<RobberKind>().expect("a robber"));
    kinds.iter().map(RobberKind::policy).collect()
}
