//! Endgames of graphs whose links may lead one way only, against exact tables of the whole graphs.

use crate::common::endgames::{Sides, exact_on, follow, is_move, solved, state};
use crate::common::{files, reference};
use pursuit_engine::endgame::{EndgameNetwork, Endgames};
use pursuit_engine::game::Outcome;
use pursuit_engine::graph::{Digraph, Network, Vertex};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solution};
use pursuit_lab::graph::edge_list;

/// A graph of some streets: a tree with further links, most of them short. Many links lead one way only.
fn streets(dice: &mut Dice, vertices: u32) -> Digraph {
    let mut arcs = Vec::new();
    let mut link = |dice: &mut Dice, a: u32, b: u32, one_way: usize| {
        // One way in `one_way` of six cases.
        match dice.below(6) {
            case if case >= one_way => arcs.extend([(a, b), (b, a)]),
            case if case % 2 == 0 => arcs.push((a, b)),
            _ => arcs.push((b, a)),
        }
    };
    for vertex in 1..vertices {
        let parent = vertex - 1 - dice.below(4.min(vertex as usize)) as u32;
        link(dice, vertex, parent, 1);
    }
    for _ in 0..dice.below(vertices as usize) {
        let from = dice.below(vertices as usize) as u32;
        let to = (from + 2 + dice.below(7) as u32) % vertices;
        link(dice, from, to, 3);
    }
    Digraph::directed(vertices, &arcs).expect("edges in place")
}

/// What a network that lies about its links leaves out of account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blind {
    /// That a link may lead to a vertex and not back: the predecessors are said to be the successors.
    Predecessors,
    /// That a link may lead one way only: each link is said to lead both ways.
    Direction,
}

/// A network that lies about its links.
struct Liar {
    claimed: Digraph,
    blind: Blind,
}

impl Liar {
    fn new(graph: &Digraph, blind: Blind) -> Self {
        let arcs = graph.iter().flat_map(|tail| {
            let heads = graph.successors(tail).iter();
            heads.map(move |head| (tail.index() as u32, head.index() as u32))
        });
        let arcs: Vec<(u32, u32)> = arcs.collect();
        let vertices = graph.vertices() as u32;
        let claimed = match blind {
            Blind::Predecessors => Digraph::directed(vertices, &arcs),
            Blind::Direction => Digraph::undirected(vertices, &arcs),
        };
        Self {
            claimed: claimed.expect("edges in place"),
            blind,
        }
    }
}

impl Network for Liar {
    fn slots(&self) -> usize {
        self.claimed.slots()
    }

    fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        self.claimed.neighbours(vertex)
    }
}

impl EndgameNetwork for Liar {
    type Site = Vertex;

    fn predecessors(&self, vertex: Vertex) -> &[Vertex] {
        match self.blind {
            Blind::Predecessors => self.claimed.successors(vertex),
            Blind::Direction => self.claimed.predecessors(vertex),
        }
    }

    fn site(&self, vertex: Vertex) -> Vertex {
        vertex
    }
}

/// What a comparison with exact tables has found.
#[derive(Debug, Default)]
struct Found {
    /// Bounds, those of them that equal the value, those that are below it or in an escape, and those with a guard that
    /// is still on its way.
    bounds: u32,
    equal: u32,
    wrong_bounds: u32,
    waits: u32,
    /// Moves of proofs that the graph does not allow.
    illegal: u32,
    /// Safe robbers, and those of them that are captured.
    safe: u32,
    wrong_safe: u32,
    /// Positions in which a proof was followed.
    followed: usize,
}

impl Found {
    /// Looks a position up.
    fn look(
        &mut self,
        endgames: &mut Endgames,
        network: &impl EndgameNetwork,
        (graph, table, sides): (&Digraph, &Solution, Sides),
        (robber, cops): (Vertex, &[Vertex]),
    ) {
        let value = table.value(robber, cops).expect("a position");
        let agents = sides.agents(cops);
        let asked = state(sides.robber(robber), &agents);
        let is_safe = endgames.is_safe(network, &asked);
        self.safe += u32::from(is_safe);
        self.wrong_safe += u32::from(is_safe && value != Outcome::Escapes);
        if let Some(proof) = endgames.prove(network, &asked) {
            self.bounds += 1;
            self.equal += u32::from(value == Outcome::Caught(proof.bound));
            self.wrong_bounds += u32::from(value > Outcome::Caught(proof.bound));
            let is_illegal = proof.moves.iter().any(|of_cop| {
                let from = cops[of_cop.cop];
                !is_move(graph, from, &of_cop.path, sides.cop)
            });
            self.illegal += u32::from(is_illegal);
            let mut guards = proof.moves[proof.players..].iter();
            self.waits += u32::from(guards.any(|guard| !guard.path.is_empty()));
        }
    }

    /// Compares the endgames of some positions of a graph with its table. `network` is the graph, or lies about it.
    fn compare(
        &mut self,
        network: &impl EndgameNetwork,
        graph: &Digraph,
        sides: Sides,
        dice: &mut Dice,
    ) {
        let table = exact_on(Arena::of_digraph(graph), sides);
        let vertices: Vec<Vertex> = graph.iter().collect();
        for _ in 0..8 {
            let robber = vertices[dice.below(vertices.len())];
            // Cops from where a short way leads to the robber.
            let come = |dice: &mut Dice| {
                let ways = 1 + dice.below(8);
                (0..ways).fold(robber, |at, _| {
                    dice.pick(graph.predecessors(at)).unwrap_or(at)
                })
            };
            let cops: Vec<Vertex> = (0..sides.cops).map(|_| come(dice)).collect();
            let limit = 3 + dice.below(vertices.len());
            let mut endgames = solved(network, sides, limit, (robber, &cops));
            self.look(
                &mut endgames,
                network,
                (graph, &table, sides),
                (robber, &cops),
            );
            for _ in 0..150 {
                let any = |dice: &mut Dice| vertices[dice.below(vertices.len())];
                let robber = any(dice);
                let cops: Vec<Vertex> = (0..sides.cops).map(|_| any(dice)).collect();
                self.look(
                    &mut endgames,
                    network,
                    (graph, &table, sides),
                    (robber, &cops),
                );
            }
            let agents = sides.agents(&cops);
            let asked = state(sides.robber(robber), &agents);
            if self.wrong_bounds == 0 && endgames.bound(network, &asked).is_some() {
                let position = (robber, cops.as_slice());
                self.followed += follow(&mut endgames, network, sides, position, dice);
            }
        }
    }

    /// Compares the endgames of random graphs with their tables. `blind` is what the endgames are not told.
    fn in_streets(sides: Sides, blind: Option<Blind>) -> Self {
        let mut found = Self::default();
        let most: [usize; 4] = [40, 40, 40, 12];
        for seed in 0..80 {
            let mut dice = Dice::new(seed);
            let vertices = 8 + dice.below(most[sides.cops] - 7) as u32;
            let graph = streets(&mut dice, vertices);
            match blind {
                None => found.compare(&graph, &graph, sides, &mut dice),
                Some(blind) => {
                    let liar = Liar::new(&graph, blind);
                    // Their proofs are not to be followed.
                    found.wrong_bounds += 1;
                    found.compare(&liar, &graph, sides, &mut dice);
                    found.wrong_bounds -= 1;
                }
            }
        }
        found
    }
}

const ALL_SIDES: [(usize, u8, u8); 8] = [
    (1, 1, 1),
    (1, 2, 1),
    (1, 2, 2),
    (2, 1, 1),
    (2, 2, 1),
    (2, 1, 2),
    (2, 2, 2),
    (3, 1, 1),
];

#[test]
fn every_bound_and_every_refuge_of_one_way_streets_is_right() {
    let mut waits = 0;
    for (cops, of_cops, of_robber) in ALL_SIDES {
        let sides = Sides::new(cops, of_cops, of_robber);
        let found = Found::in_streets(sides, None);
        let wrong = [found.wrong_bounds, found.wrong_safe, found.illegal];
        assert_eq!(wrong, [0; 3], "{sides:?} {found:?}");
        let is_rich = found.bounds > 5_000 && found.equal > 1_000 && found.followed > 500;
        assert!(is_rich, "{sides:?} {found:?}");
        // Only a single cop asks whether the robber is safe.
        assert_eq!(found.safe > 0, cops == 1, "{sides:?} {found:?}");
        waits += found.waits;
    }
    assert!(waits > 100, "{waits}");
}

/// The comparison is worth something: it finds endgames that do not know the direction of links.
#[test]
fn endgames_that_ignore_the_direction_of_links_are_found_out() {
    let sides = [Sides::new(1, 1, 1), Sides::new(2, 1, 1)];
    let [one, two] = sides.map(|sides| Found::in_streets(sides, Some(Blind::Predecessors)));
    assert!(
        one.wrong_safe > 0,
        "cops come back on links that are not known: {one:?}"
    );
    assert!(two.illegal > 0, "guards come against the links: {two:?}");
    let [one, two] = sides.map(|sides| Found::in_streets(sides, Some(Blind::Direction)));
    let is_wrong = |found: &Found| found.wrong_bounds > 0 && found.illegal > 0;
    assert!(
        one.wrong_safe > 0 && is_wrong(&one) && is_wrong(&two),
        "{one:?} {two:?}"
    );
}

/// Some streets of real towns, as they are and with one-way streets.
#[test]
fn bounds_of_reference_graphs_are_never_below_the_table() {
    let Some(folder) = reference("bounds_of_reference_graphs_are_never_below_the_table") else {
        return;
    };
    for path in files(&folder.join("graphs"), "edges") {
        let text = std::fs::read_to_string(&path).expect("a readable graph");
        let graph = edge_list::parse(&text).expect("a graph");
        let mut dice = Dice::new(7);
        let arcs = graph.iter().flat_map(|tail| {
            let heads = graph.successors(tail).iter();
            heads.map(move |head| (tail.index() as u32, head.index() as u32))
        });
        let arcs: Vec<(u32, u32)> = arcs.filter(|_| dice.below(6) > 0).collect();
        let one_way = Digraph::directed(graph.vertices() as u32, &arcs).expect("edges in place");
        assert!(graph.is_symmetric() && !one_way.is_symmetric());
        for graph in [graph, one_way] {
            for cops in [1, 2] {
                let sides = Sides::new(cops, 1, 1);
                let mut found = Found::default();
                found.compare(&graph, &graph, sides, &mut dice);
                let wrong = [found.wrong_bounds, found.wrong_safe, found.illegal];
                assert_eq!(wrong, [0; 3], "{} {found:?}", path.display());
                assert!(found.bounds > 0, "{} {found:?}", path.display());
            }
        }
    }
}
