//! The other algorithms of the thesis against the reference program: the same games against the optimal
//! cop of speed 2.

use crate::common;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_lab::RobberPolicy;
use pursuit_lab::robber::RobberKind;
use std::path::Path;

const COP_SPEED: u8 = 2;

/// A map with all values, and for each place the ends of the cop's moves in the reference program's
/// order: farthest first, waiting last.
struct Field {
    graph: Graph,
    hierarchy: Hierarchy,
    solution: Solution,
    cop_moves: Vec<Vec<Vertex>>,
}

impl Field {
    fn new(path: &Path) -> Self {
        let graph = Graph::new(&common::read_map(path), Moves::Octile);
        let rules = Rules {
            cop_speed: Speed::new(COP_SPEED).unwrap(),
            ..Rules::default()
        };
        let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, 1 << 30).unwrap();
        solver.run(|_| true);
        let solution = solver.finish().unwrap();
        let cop_moves = graph
            .iter()
            .map(|vertex| cop_moves(&graph, vertex))
            .collect();
        Self {
            hierarchy: Hierarchy::new(&graph),
            graph,
            solution,
            cop_moves,
        }
    }

    /// The value in plies with the robber to move.
    fn after_cop(&self, robber: Vertex, cop: Vertex) -> u32 {
        if robber == cop {
            return 0;
        }
        let ends = self.graph.neighbours(robber).iter().chain([&robber]);
        let turns = ends.map(|&end| match self.solution.value(end, &[cop]) {
            Some(Outcome::Caught(Turns(turns))) => u32::from(turns),
            _ => 1 << 20,
        });
        2 * turns.max().unwrap()
    }

    /// The plies that the robber survives, with the cop to move first.
    fn survival(&self, policy: &mut dyn RobberPolicy, mut robber: Vertex, mut cop: Vertex) -> u32 {
        let ground = Ground {
            graph: &self.graph,
            hierarchy: Some(&self.hierarchy),
            guide: None,
            retract: None,
        };
        let mut decision = Decision::wait(Source::Search);
        let mut plies = 0;
        while robber != cop {
            let mut best = (self.after_cop(robber, cop), cop);
            for &end in &self.cop_moves[cop.index()] {
                let value = self.after_cop(robber, end);
                if value < best.0 {
                    best = (value, end);
                }
            }
            cop = best.1;
            plies += 1;
            if robber == cop {
                break;
            }
            let agent = |at, speed| Agent {
                at,
                speed: Speed::new(speed).unwrap(),
            };
            let state = State {
                robber: agent(robber, 1),
                cops: &[agent(cop, COP_SPEED)],
                to_move: Side::Robber,
            };
            policy.decide(ground, &state, &mut decision);
            robber = decision.next_move().last().copied().unwrap_or(robber);
            plies += 1;
        }
        plies
    }
}

/// The ends of the moves of a cop of speed 2, in the order in which the optimal cop tries them: the
/// longest path first, diagonal steps being longer, then later ones first, and waiting last.
///
/// That the reference program measures "farthest first" by the length of the path is an inference: of
/// several dozen orders tried on the games of original Cover on two maps, this one leaves the fewest
/// differences (7 of 200; the order by number of steps leaves at least 24). The reference program's
/// order among paths of the same length is unknown. With the order by number of steps, as neighbours are
/// listed, the means of set 1 are higher by 1.6 (original Cover) and 0.5 points (Cover), and the others
/// change by at most 0.4.
fn cop_moves(graph: &Graph, from: Vertex) -> Vec<Vertex> {
    let length = |a: Vertex, b: Vertex| {
        let squared = graph.cell(a).squared_distance(graph.cell(b));
        if squared == 2 { 1414_u32 } else { 1000 }
    };
    let mut ends: Vec<(u32, Vertex)> = Vec::new();
    let mut find = |end: Vertex, way: u32| match ends.iter_mut().find(|(_, old)| *old == end) {
        Some((shortest, _)) => *shortest = way.min(*shortest),
        None => ends.push((way, end)),
    };
    let near = graph.neighbours(from);
    for &vertex in near {
        find(vertex, length(from, vertex));
    }
    for &vertex in near {
        for &end in graph.neighbours(vertex).iter().filter(|&&end| end != from) {
            find(end, length(from, vertex) + length(vertex, end));
        }
    }
    ends.reverse();
    ends.sort_by_key(|&(way, _)| std::cmp::Reverse(way));
    ends.into_iter().map(|(_, end)| end).chain([from]).collect()
}

/// A policy of the reference program with its parameters, the policy of this crate, and the number of
/// percentage points by which the means may differ.
///
/// On the three maps of set 3, `DATrailMax(5, 10)` survives 0.6 points longer than the reference
/// program, `DATrailMax(1, 10)` 0.4: in both programs the choice among equally good abstract paths is
/// arbitrary. Beacons survive longer in this crate; the bound only detects a change of that.
const RIVALS: [(&str, &str, &str, f64); 10] = [
    ("improved_cover", "", "cover", 0.5),
    ("original_cover", "", "cover-original", 0.5),
    ("greedy", "", "greedy", 1.5),
    ("minimax", "d=5", "minimax:5", 1.5),
    ("dam", "q=0.5 d=3", "dam:0.5:3", 1.5),
    ("dam1", "q=0.5 d=3", "dam1:0.5:3", 1.5),
    ("datrailmax", "m=1 l=10", "datrailmax:1:10", 0.5),
    ("datrailmax", "m=5 l=10", "datrailmax:5:10", 0.8),
    ("datrailmax", "m=10 l=10", "datrailmax:10:10", 0.5),
    ("randombeacons", "b=40 m=1", "randombeacons:40:1", 5.0),
];

/// The means over a set, with one game per position, of survival divided by the optimum.
#[derive(Debug, Clone, Copy, Default)]
struct Means {
    games: u32,
    differ: u32,
    ours: f64,
    theirs: f64,
}

impl Means {
    /// Plays the games of a file that belong to an algorithm.
    fn play(
        &mut self,
        field: &Field,
        rows: &str,
        (algorithm, params): (&str, &str),
        policy: &mut dyn RobberPolicy,
    ) {
        for line in rows.lines().skip(1) {
            let columns: Vec<&str> = line.split(',').collect();
            if columns[4] != algorithm || columns[5] != params {
                continue;
            }
            let number = |index: usize| columns[index].parse::<u16>().expect("a number");
            let vertex = |x| field.graph.vertex(Cell::new(number(x), number(x + 1)));
            policy.restart(u64::from(self.games));
            let ours = field.survival(policy, vertex(0).unwrap(), vertex(2).unwrap());
            let (theirs, optimal) = (u32::from(number(6)), f64::from(number(7)));
            self.games += 1;
            self.differ += u32::from(ours != theirs);
            self.ours += f64::from(ours) / optimal;
            self.theirs += f64::from(theirs) / optimal;
        }
    }
}

#[test]
fn rivals_last_as_long_as_the_reference_programs() {
    let Some(folder) = common::reference("rivals_last_as_long_as_the_reference_programs") else {
        return;
    };
    let golden = folder.join("golden");
    let files = common::files(&golden.join("survival"), "csv");
    for set in 1..=3 {
        let mut means = [Means::default(); RIVALS.len()];
        let names = files
            .iter()
            .map(|file| file.file_stem().unwrap().to_str().unwrap());
        let folder_of_set = golden.join(format!("positions/set{set}"));
        let is_of_set = |name: &&str| folder_of_set.join(format!("{name}.csv")).exists();
        for name in names.filter(is_of_set) {
            let field = Field::new(&folder.join(format!("maps/bg/{name}.map")));
            let rows =
                std::fs::read_to_string(golden.join(format!("survival/{name}.csv"))).unwrap();
            for ((algorithm, params, kind, _), means) in RIVALS.iter().zip(&mut means) {
                let kind: RobberKind = kind.parse().expect("a kind");
                means.play(&field, &rows, (algorithm, params), &mut *kind.policy());
            }
        }
        for ((_, _, kind, most), means) in RIVALS.iter().zip(&means) {
            let mean = |sum: f64| 100.0 * sum / f64::from(means.games);
            let (ours, theirs) = (mean(means.ours), mean(means.theirs));
            let Means { games, differ, .. } = means;
            let row = format!(
                "set {set}, {kind}: {ours:.2} %, reference {theirs:.2} %, \
                 {games} games, {differ} differ"
            );
            println!("{row}");
            assert!((ours - theirs).abs() < *most, "{row}");
        }
    }
}
