//! The example graphs for Cover from C. Moldenhauer, *Game tree search algorithms for the game of cops
//! and robber*, sections 5.3 and 5.5.3, as far as the text and the tables of expansions determine them.
//! Vertices have the letters of the thesis.

use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::{Digraph, Vertex};
use pursuit_engine::table::{Arena, Solver};
use pursuit_lab::search::{Cover, CoverRule, Covered};

/// A graph whose vertices are letters.
struct Figure {
    names: Vec<char>,
    graph: Digraph,
}

impl Figure {
    /// Builds the graph from paths and cycles: each pair of consecutive letters is an edge.
    fn new(walks: &[&str]) -> Self {
        let mut names: Vec<char> = walks.iter().flat_map(|walk| walk.chars()).collect();
        names.sort_unstable();
        names.dedup();
        let number = |name| names.iter().position(|&n| n == name).unwrap() as u32;
        let edges: Vec<(u32, u32)> = walks
            .iter()
            .flat_map(|walk| walk.chars().zip(walk.chars().skip(1)))
            .map(|(a, b)| (number(a), number(b)))
            .collect();
        let graph = Digraph::undirected(names.len() as u32, &edges).unwrap();
        Self { names, graph }
    }

    fn vertex(&self, name: char) -> Vertex {
        let number = self.names.iter().position(|&n| n == name).unwrap();
        self.graph.vertex(number as u32).unwrap()
    }

    fn cover(
        &self,
        rule: CoverRule,
        robber: char,
        (cop, speed): (char, u8),
        to_move: Side,
    ) -> (Covered, String) {
        let agent = |name, speed| Agent {
            at: self.vertex(name),
            speed: Speed::new(speed).unwrap(),
        };
        let state = State {
            robber: agent(robber, 1),
            cops: &[agent(cop, speed)],
            to_move,
        };
        let mut cover = Cover::new();
        let covered = cover.count(&self.graph, &state, rule);
        let is_robbers = |name: &&char| cover.is_robbers(self.vertex(**name));
        (covered, self.names.iter().filter(is_robbers).collect())
    }

    /// The optimal value in turns with the cop to move, both of speed 1.
    fn value(&self, robber: char, cop: char) -> Outcome {
        let arena = Arena::of_digraph(&self.graph).into();
        let mut solver = Solver::new(arena, Rules::default(), 1 << 20).unwrap();
        solver.run(|_| true);
        let solution = solver.finish().unwrap();
        let value = solution.value(self.vertex(robber), &[self.vertex(cop)]);
        value.unwrap()
    }
}

const fn counts(cops: usize, robber: usize) -> Covered {
    Covered { robber, cops }
}

#[test]
fn figure_5_4_the_original_stays_and_the_redefinition_runs() {
    let path = Figure::new(&["uvw"]);
    let cover = |rule, robber| path.cover(rule, robber, ('u', 1), Side::Cops).1;
    // First after staying on v, then after going to w.
    assert_eq!(cover(CoverRule::Original, 'v'), "vw");
    assert_eq!(cover(CoverRule::Original, 'w'), "w");
    assert_eq!(cover(CoverRule::Redefined, 'v'), "v");
    assert_eq!(cover(CoverRule::Redefined, 'w'), "vw");
}

#[test]
fn figure_5_5_a_faster_cop_takes_what_the_robber_cannot_reach() {
    // Turn by turn the table has the cop on d and e, f and g, r and then h and i, k and l, and the
    // robber on g, h and i, on k, and on l.
    let graph = Figure::new(&["cdefgr", "rhk", "rik", "klm"]);
    let (covered, robbers) = graph.cover(CoverRule::Original, 'r', ('c', 2), Side::Cops);
    assert_eq!(covered, counts(4, 7));
    assert_eq!(robbers, "ghiklmr", "the cop has c, d, e and f");
    let (covered, robbers) = graph.cover(CoverRule::Redefined, 'r', ('c', 2), Side::Cops);
    assert_eq!(covered.robber, 6);
    assert_eq!(robbers, "ghiklr", "and m");
}

/// Figure 5.23 (a): a path of five vertices above f, nine vertices below e in three rows of three.
fn figure_5_23_a() -> Figure {
    Figure::new(&[
        "cbdc",
        "abra",
        "bfr",
        "afb",
        "rder",
        "rbd",    // the middle
        "fABCDE", // above f
        "e1e2e3",
        "12312",
        "1415162425263435361",
        "45645", // below e
        "4748495758596768694",
        "78978",
    ])
}

#[test]
fn figure_5_23_a_cover_that_begins_with_the_cop() {
    let graph = figure_5_23_a();
    // In the thesis it is the robber's turn.
    let cover = |cop| {
        graph
            .cover(CoverRule::Original, 'r', (cop, 1), Side::Cops)
            .0
    };
    assert_eq!(cover('b'), counts(10, 11));
    assert_eq!(cover('d'), counts(13, 8));
    assert_eq!(graph.value('r', 'c'), Outcome::Caught(Turns(6)));
}

#[test]
fn figure_5_23_b_cover_that_begins_with_who_moves() {
    // Three vertices above g, four below i.
    let graph = Figure::new(&[
        "cabdc", "cb", "aebfd", "ef", "agehfid", "ghi", "gkhli", "krlk", // the middle
        "gABC", "i1234",
    ]);
    let cover = |cop| {
        graph
            .cover(CoverRule::Original, 'r', (cop, 1), Side::Robber)
            .0
    };
    assert_eq!(cover('a'), counts(10, 9));
    assert_eq!(cover('d'), counts(11, 8));
    assert_eq!(cover('b'), counts(6, 13));
    assert_eq!(graph.value('r', 'c'), Outcome::Caught(Turns(5)));
}
