//! Random games with the rules of an arena, for the crate and for the oracle.

use crate::level::{PursuitLevel, ball};
use crate::variant_game::{VariantAgents, VariantGame, VariantValue};
use proptest::prelude::*;
use pursuit_engine::game::{Judged, Outcome, Rules, Variant};
use pursuit_engine::graph::{Digraph, Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::table::{Arena, Solution, Solver};
use std::sync::Arc;

/// A game in both shapes. The oracle's vertex `i` is `vertices[i]`.
#[derive(Clone)]
pub struct VariantLevel {
    pub arena: Arc<Arena>,
    pub vertices: Vec<Vertex>,
    pub game: VariantGame,
}

/// For proptest: the game says everything.
impl std::fmt::Debug for VariantLevel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.game.fmt(f)
    }
}

/// Which rules differ from those of cops and robber.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a rule of its own, and tests mix them"
)]
#[derive(Debug, Clone, Copy, Default)]
pub struct VariantKinds {
    /// Different steps for the two sides.
    pub steps: bool,
    /// Vertices that are barred to one side.
    pub barred: bool,
    /// A reach of 1 or 2.
    pub reach: bool,
    /// Pairs of captures at random.
    pub pairs: bool,
    pub distinct: bool,
    pub after_robber: bool,
    pub exits: bool,
}

impl VariantKinds {
    pub const ALL: Self = Self {
        steps: true,
        barred: true,
        reach: true,
        pairs: true,
        distinct: true,
        after_robber: true,
        exits: true,
    };
}

/// What a random game is made of. Numbers are taken modulo the number of vertices.
#[derive(Debug, Clone)]
struct VariantDraw {
    cop_arcs: Option<Vec<(usize, usize)>>,
    robber_arcs: Option<Vec<(usize, usize)>>,
    barred: [Vec<usize>; 2],
    exits: Vec<usize>,
    pairs: Option<Vec<(usize, usize)>>,
    variant: Variant,
}

fn draws(kinds: VariantKinds, n: usize) -> impl Strategy<Value = VariantDraw> {
    let arcs = || prop::collection::vec((0..n, 0..n), 0..=2 * n);
    let some =
        |most: usize, wanted: bool| prop::collection::vec(0..n, 0..=if wanted { most } else { 0 });
    let few = 1 + n / 4;
    let maybe = |wanted: bool| {
        prop::option::weighted(0.6, arcs()).prop_map(move |arcs| arcs.filter(|_| wanted))
    };
    let grounds = (
        maybe(kinds.steps),
        maybe(kinds.steps),
        some(few, kinds.barred),
        some(few, kinds.barred),
    );
    let pairs = maybe(kinds.pairs);
    let variant = (0..=2_u8, any::<bool>(), any::<bool>());
    let rest = (some(few, kinds.exits), pairs, variant);
    (grounds, rest).prop_map(move |(grounds, (exits, pairs, (reach, distinct, after)))| {
        let (cop_arcs, robber_arcs, cops_barred, robber_barred) = grounds;
        let mut draw = VariantDraw {
            cop_arcs,
            robber_arcs,
            barred: [cops_barred, robber_barred],
            exits,
            pairs,
            variant: Variant {
                reach: if kinds.reach { reach } else { 0 },
                distinct: kinds.distinct && distinct,
                judged: if kinds.after_robber && after {
                    Judged::AfterRobber
                } else {
                    Judged::EachMove
                },
            },
        };
        // Somebody has to be left, and the exits have to be on the robber's ground.
        for barred in &mut draw.barred {
            barred.retain(|&vertex| vertex != 0);
        }
        draw.exits.retain(|exit| !draw.barred[1].contains(exit));
        draw
    })
}

fn out_of(n: usize, arcs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); n];
    for &(tail, head) in arcs {
        if tail != head && !out[tail].contains(&head) {
            out[tail].push(head);
        }
    }
    out
}

fn digraph(slots: usize, vertices: &[Vertex], out: &[Vec<usize>]) -> Digraph {
    let number = |place: usize| vertices[place].index() as u32;
    let arcs = out.iter().enumerate();
    let arcs =
        arcs.flat_map(|(tail, heads)| heads.iter().map(move |&head| (number(tail), number(head))));
    Digraph::directed(slots as u32, &arcs.collect::<Vec<_>>()).expect("edges in place")
}

/// Keeps the steps that stay on the ground.
fn on_ground(out: &mut [Vec<usize>], ground: &[bool]) {
    for (place, out) in out.iter_mut().enumerate() {
        out.retain(|&to| ground[place] && ground[to]);
    }
}

impl VariantLevel {
    /// A game on a graph given by its arcs.
    fn on_graph(level: PursuitLevel, draw: &VariantDraw) -> Self {
        let n = level.vertices.len();
        let base = digraph(n, &level.vertices, &level.out);
        let grounds = [&draw.cop_arcs, &draw.robber_arcs];
        let outs = grounds.map(|arcs| arcs.as_ref().map(|arcs| out_of(n, arcs)));
        let given = outs
            .clone()
            .map(|out| out.map(|out| digraph(n, &level.vertices, &out)));
        let mut builder = Arena::builder(&base);
        if let Some(cops) = &given[0] {
            builder = builder.cops(cops);
        }
        if let Some(robber) = &given[1] {
            builder = builder.robber(robber);
        }
        let game = VariantGame {
            cop_out: outs[0].clone().unwrap_or_else(|| level.out.clone()),
            robber_out: outs[1].clone().unwrap_or_else(|| level.out.clone()),
            cop_ground: vec![true; n],
            robber_ground: vec![true; n],
            ..VariantGame::default()
        };
        Self::build(builder, level.vertices, game, draw)
    }

    /// A game on a map. If both sides have maps of their own, those are given as maps.
    fn on_map(map: &TileMap, maps: [&TileMap; 2], moves: [Moves; 2], draw: &VariantDraw) -> Self {
        let base = Graph::new(map, Moves::Octile);
        let grounds = [0, 1].map(|side| Graph::new(maps[side], moves[side]));
        let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let vertices = cells
            .iter()
            .map(|&cell| base.vertex(cell).expect("a vertex"));
        let vertices: Vec<Vertex> = vertices.collect();
        let number = |cell| cells.binary_search(&cell).expect("a cell of the base");
        let out = |side: usize| -> Vec<Vec<usize>> {
            let near = cells.iter().map(|&cell| {
                let free = maps[side].is_passable(cell);
                let next = crate::neighbours(maps[side], cell, moves[side]);
                next.into_iter().filter(|_| free).map(number).collect()
            });
            near.collect()
        };
        let stands = |side: usize| {
            cells
                .iter()
                .map(|&cell| maps[side].is_passable(cell))
                .collect()
        };
        let game = VariantGame {
            cop_out: out(0),
            robber_out: out(1),
            cop_ground: stands(0),
            robber_ground: stands(1),
            ..VariantGame::default()
        };
        let builder = Arena::builder(&base).cops(&grounds[0]).robber(&grounds[1]);
        Self::build(builder, vertices, game, draw)
    }

    fn build(
        builder: pursuit_engine::table::ArenaBuilder<'_>,
        vertices: Vec<Vertex>,
        mut game: VariantGame,
        draw: &VariantDraw,
    ) -> Self {
        let n = vertices.len();
        draw.barred[0]
            .iter()
            .for_each(|&place| game.cop_ground[place] = false);
        draw.barred[1]
            .iter()
            .for_each(|&place| game.robber_ground[place] = false);
        on_ground(&mut game.cop_out, &game.cop_ground);
        on_ground(&mut game.robber_out, &game.robber_ground);
        let exits: Vec<usize> = draw
            .exits
            .iter()
            .copied()
            .filter(|&at| game.robber_ground[at])
            .collect();
        game.exits = (0..n).map(|place| exits.contains(&place)).collect();
        game.distinct = draw.variant.distinct;
        game.after_robber = draw.variant.judged == Judged::AfterRobber;
        game.captures = vec![vec![false; n]; n];
        for cop in 0..n {
            let within = ball(&game.cop_out, cop, draw.variant.reach);
            let pairs = draw.pairs.iter().flatten().filter(|pair| pair.0 == cop);
            let pairs = pairs.map(|pair| pair.1).chain([cop]);
            let captured: Vec<usize> = match draw.pairs {
                Some(_) => pairs.collect(),
                None => within,
            };
            for robber in captured {
                game.captures[cop][robber] = true;
            }
        }
        let at = |places: &[usize]| {
            places
                .iter()
                .map(|&place| vertices[place])
                .collect::<Vec<_>>()
        };
        let mut builder = builder
            .bar_cops(&at(&draw.barred[0]))
            .bar_robber(&at(&draw.barred[1]))
            .exits(&at(&exits))
            .variant(draw.variant);
        if let Some(pairs) = &draw.pairs {
            let pairs = pairs
                .iter()
                .map(|&(cop, robber)| (vertices[cop], vertices[robber]));
            builder = builder.captures(pairs.collect());
        }
        Self {
            arena: builder.build().expect("valid rules").into(),
            vertices,
            game,
        }
    }

    /// A game that the oracle does not know.
    pub fn of_arena(arena: Arena) -> Self {
        Self {
            vertices: (0..arena.places())
                .map(|place| arena.vertex(place))
                .collect(),
            arena: arena.into(),
            game: VariantGame::default(),
        }
    }

    pub fn solve(&self, rules: Rules) -> Solution {
        let arena = Arc::clone(&self.arena);
        let mut solver = Solver::new(arena, rules, crate::level::LIMIT).expect("small enough");
        assert!(solver.run(|_| true).done);
        solver.finish().expect("done")
    }

    /// All values in the order of the oracle.
    pub fn values(
        &self,
        cops: usize,
        value: impl Fn(Vertex, &[Vertex]) -> Option<Outcome>,
    ) -> Vec<VariantValue> {
        let positions = self.game.positions(cops);
        let values = positions.map(|(robber, cops)| {
            let cops: Vec<Vertex> = cops.iter().map(|&cop| self.vertices[cop]).collect();
            value_of(value(self.vertices[robber], &cops))
        });
        values.collect()
    }
}

/// A value of the crate in the terms of the oracle.
pub fn value_of(outcome: Option<Outcome>) -> VariantValue {
    match outcome {
        None => VariantValue::Illegal,
        Some(Outcome::Caught(turns)) => VariantValue::Caught(turns.0.into()),
        Some(Outcome::Escapes) => VariantValue::Free,
        Some(Outcome::Away(turns)) => VariantValue::Away(turns.0.into()),
    }
}

/// The numbers of some rules for the oracle.
pub fn agents(rules: Rules) -> VariantAgents {
    VariantAgents {
        cops: rules.cops.get().into(),
        cop_speed: rules.cop_speed.steps(),
        robber_speed: rules.robber_speed.steps(),
    }
}

/// Random graphs, directed and undirected, with random rules.
pub fn random_variant(
    vertices: impl Strategy<Value = usize>,
    degree: usize,
    kinds: VariantKinds,
) -> impl Strategy<Value = VariantLevel> {
    let level = crate::level::random_level(vertices, degree);
    level.prop_flat_map(move |level| {
        let draw = draws(kinds, level.vertices.len());
        draw.prop_map(move |draw| VariantLevel::on_graph(level.clone(), &draw))
    })
}

/// Random maps on which the sides have maps and kinds of steps of their own.
pub fn random_variant_map(side: u16, kinds: VariantKinds) -> impl Strategy<Value = VariantLevel> {
    let walls = || prop::collection::vec(0..64_usize, 0..4);
    let map = (
        crate::random_map(side),
        walls(),
        walls(),
        any::<(bool, bool)>(),
    );
    map.prop_flat_map(move |(map, cop_walls, robber_walls, (cops, robber))| {
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let with_walls = |walls: &[usize]| {
            let mut map = map.clone();
            // The first cell stays free, for everybody.
            for wall in walls
                .iter()
                .filter(|&&wall| kinds.steps && wall % free.len() > 0)
            {
                map.set(free[wall % free.len()], pursuit_engine::map::Terrain::Wall);
            }
            map
        };
        let maps = [with_walls(&cop_walls), with_walls(&robber_walls)];
        let of = |orthogonal| {
            if orthogonal {
                Moves::Orthogonal
            } else {
                Moves::Octile
            }
        };
        let moves = [of(cops), of(robber && kinds.steps || cops && !kinds.steps)];
        let draw = draws(
            VariantKinds {
                steps: false,
                ..kinds
            },
            free.len(),
        );
        let base = map.clone();
        draw.prop_map(move |draw| VariantLevel::on_map(&base, [&maps[0], &maps[1]], moves, &draw))
    })
}
