//! What is measured is what is played: the cops of [`WorldCops`], by which `tournament` and `eval` measure, choose the same
//! moves as those of a live world, with the same tables, guides and proofs.

use crate::common::chase::noise;
use crate::common::reference;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Moves, TileMap};
use pursuit_engine::policy::{
    Decision, Ground, GuideSolver, Merge, RetractGuideSolver, SharedTable, Source,
};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Estimate, Solver};
use pursuit_engine::world::PursuitSettings;
use pursuit_lab::eval::{Draw, LivePursuit, LiveSettings, WorldCops};
use pursuit_lab::robber::{OptimalRobber, TrailMaxRobber};
use pursuit_lab::{CopPolicy, RobberPolicy};
use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::sync::Arc;

/// More expansions in a tick than everything takes that may be worked on.
pub const PLENTY: u64 = 4_000_000;

pub fn rules(cops: u8, speed: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("cops"),
        cop_speed: Speed::new(speed).expect("a speed"),
        ..Rules::default()
    }
}

fn solve(graph: &Graph, rules: Rules) -> SharedTable {
    let mut solver = Solver::new(Arena::of_map(graph).into(), rules, 1 << 30).expect("small");
    solver.run(|_| true);
    Arc::new(solver.finish().expect("done")).into()
}

/// A game of cops, and what they may use.
struct Case {
    name: &'static str,
    cops: u8,
    speed: u8,
    /// Whether there is a table of two cops.
    has_pairs: bool,
}

const CASES: [Case; 6] = [
    case("one cop", 1, 1, false),
    case("a fast cop", 1, 2, false),
    case("two cops, a retract", 2, 1, false),
    case("three cops, a retract for pairs", 3, 1, false),
    case("three cops, a table of pairs", 3, 1, true),
    case("four cops, a table of pairs", 4, 1, true),
];

const fn case(name: &'static str, cops: u8, speed: u8, has_pairs: bool) -> Case {
    Case {
        name,
        cops,
        speed,
        has_pairs,
    }
}

/// The moves of a game that have been compared, and those that differ, by what decided in the live world.
type Compared = BTreeMap<String, [u32; 2]>;

impl Case {
    fn compare(&self, map: &TileMap, moves: u32, compared: &mut Compared) {
        let graph = &Graph::new(map, Moves::Octile);
        let hierarchy = &Hierarchy::new(graph);
        let all = rules(self.cops, self.speed);
        let pair = rules(2, self.speed);
        let estimate = |rules: &Rules| Estimate::new(graph.vertices(), rules).expect("small").bytes;
        // The settings allow a table of pairs, or no table of the map.
        let max_bytes = match (self.has_pairs, self.cops) {
            (true, _) => estimate(&pair),
            (false, 1 | 2) => estimate(&all) - 1,
            (false, _) => estimate(&pair) - 1,
        };
        let mut world = PursuitSettings::default();
        world.tables.max_bytes = max_bytes;
        world.tables.max_milliseconds = u32::MAX;
        world.near_turns = u16::MAX;
        let mut live = LivePursuit::new(LiveSettings {
            world,
            budget: PLENTY,
            moves_cops: true,
            moves_robber: false,
        });
        // A team that plays by a table of pairs is helped by a retract for three.
        let guided = if self.has_pairs { rules(3, 1) } else { pair };
        let retract = (self.cops > 1).then(|| {
            let solver = RetractGuideSolver::new(graph, guided, u64::MAX, max_bytes);
            let mut solver = solver.expect("memory")?;
            solver.run(|_| true);
            solver.finish()
        });
        let retract = retract.flatten();
        // Two cops have a level where the map does not fold.
        let level = (self.cops == 2 && retract.is_none()).then(|| {
            let solver = GuideSolver::new(hierarchy, pair, u64::MAX, max_bytes);
            let solver = solver.ok().flatten().filter(GuideSolver::helps_cops);
            let mut solver = solver?;
            solver.run(|_| true);
            solver.finish()
        });
        let level = level.flatten();
        let mut measured = WorldCops::default();
        if self.has_pairs {
            measured = measured.by_tables(vec![solve(graph, pair)], Merge::Search);
        }
        let ground = Ground {
            hierarchy: Some(hierarchy),
            guide: level.as_ref(),
            retract: retract.as_ref(),
            ..Ground::from(graph)
        };
        let table = (self.cops <= 2).then(|| solve(graph, all));
        let mut robber: Box<dyn RobberPolicy> = match &table {
            Some(SharedTable { times, arena }) => {
                Box::new(OptimalRobber::new(Arc::clone(times), Arc::clone(arena)))
            }
            None => Box::new(TrailMaxRobber::new(1)),
        };
        let draw = &mut Draw::new(graph, 7);
        let (mut number, mut seen) = (0, 0);
        while seen < moves {
            number += 1;
            let Some(start) = draw.start(number, self.cops) else {
                continue;
            };
            let cops = start.cops.iter().map(|&at| Agent {
                at,
                speed: all.cop_speed,
            });
            let game = Game {
                ground,
                robber: Agent {
                    at: start.robber,
                    speed: Speed::ONE,
                },
                cops: cops.collect(),
            };
            seen += game.play(
                self.name,
                &mut live,
                &mut measured,
                robber.as_mut(),
                compared,
            );
        }
    }
}

struct Game<'a> {
    ground: Ground<'a>,
    robber: Agent,
    cops: Vec<Agent>,
}

impl Game<'_> {
    fn state(&self, to_move: Side) -> State<'_> {
        State {
            robber: self.robber,
            cops: &self.cops,
            to_move,
        }
    }

    fn is_over(&self) -> bool {
        self.cops.iter().any(|cop| cop.at == self.robber.at)
    }

    /// Plays a game of at most 40 turns, and returns the number of joint moves that were compared.
    fn play(
        mut self,
        name: &str,
        live: &mut LivePursuit,
        measured: &mut WorldCops,
        robber: &mut dyn RobberPolicy,
        compared: &mut Compared,
    ) -> u32 {
        let mut flight = Decision::wait(Source::Greedy);
        let mut seen = 0;
        while !self.is_over() && seen < 40 {
            let state = self.state(Side::Cops);
            let played = CopPolicy::decide(live, self.ground, &state);
            // What is solved ahead depends on the work of earlier ticks.
            if let Some(endgames) = live.endgames() {
                measured.know(self.ground, &state, endgames);
            }
            let expected = measured.decide(self.ground, &state);
            seen += 1;
            let source =
                |all: &[Decision]| all.first().map_or("nobody", |first| first.source.name());
            let sources = format!("{name}, {} / {}", source(&played), source(&expected));
            let count = compared.entry(sources).or_default();
            count[0] += 1;
            // Cops that keep on course have announced nothing against which an endgame is weighed, so they follow it.
            let is_proven = source(&played) == "endgame" && source(&expected) == "search";
            if ends(&self.cops, &played) != ends(&self.cops, &expected) && !is_proven {
                count[1] += 1;
            }
            let to = ends_in_order(&self.cops, &played);
            for (cop, end) in self.cops.iter_mut().zip(to) {
                cop.at = end;
            }
            if self.is_over() {
                break;
            }
            robber.decide(self.ground, &self.state(Side::Robber), &mut flight);
            self.robber.at = flight.next_move().last().copied().unwrap_or(self.robber.at);
        }
        seen
    }
}

/// Where the cops go.
pub fn ends_in_order(cops: &[Agent], decisions: &[Decision]) -> Vec<Vertex> {
    let end = |(cop, decision): (&Agent, &Decision)| {
        decision.next_move().last().copied().unwrap_or(cop.at)
    };
    cops.iter().zip(decisions).map(end).collect()
}

/// The same without regard to which cop goes where: they are alike.
fn ends(cops: &[Agent], decisions: &[Decision]) -> Vec<Vertex> {
    let mut ends = ends_in_order(cops, decisions);
    ends.sort_unstable();
    ends
}

/// Maps of some kinds that the repository has, and maps of games where they are at hand.
pub fn maps() -> Vec<TileMap> {
    let dice = &mut Dice::new(8);
    let mut maps: Vec<TileMap> = [6, 12, 25].map(|walls| noise(dice, 14, 12, walls)).into();
    for name in ["corridors", "doors", "maze", "noise", "open", "pillars"] {
        let path = format!(
            "{}/../../benches/rooms/{name}.map",
            env!("CARGO_MANIFEST_DIR")
        );
        let text = std::fs::read_to_string(path).expect("a map");
        maps.push(TileMap::parse(&text).expect("a map"));
    }
    if let Some(folder) = reference("what_is_measured_is_what_is_played") {
        for name in [
            "bg/AR0082SR",
            "mazes1/problem_set1_map1",
            "mazes1/problem_set1_map9",
        ] {
            let path = folder.join(format!("maps/{name}.map"));
            let text = std::fs::read_to_string(path).expect("a map");
            maps.push(TileMap::parse(&text).expect("a map"));
        }
    }
    maps
}

#[test]
fn what_is_measured_is_what_is_played() {
    let mut compared = Compared::new();
    for map in maps() {
        for case in &CASES {
            case.compare(&map, 40, &mut compared);
        }
    }
    let differ: u32 = compared.values().map(|count| count[1]).sum();
    assert_eq!(differ, 0, "{compared:#?}");
}
