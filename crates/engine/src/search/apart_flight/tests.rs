use super::*;
use crate::game::{Agent, Side, Speed, Turns};
use crate::map::{BodySize, Kinds, MapEdit, Moves, Terrain, TileMap};
use crate::search::Dice;

/// A map with tiles for some kinds.
fn any_map(dice: &mut Dice) -> TileMap {
    let (width, height) = (2 + dice.below(8) as u16, 2 + dice.below(8) as u16);
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        match dice.below(8) {
            0 => map.set(at, Terrain::Wall),
            1 | 2 => {
                let kinds = Kinds::from_bits(dice.below(4) as u32);
                map.rules_mut().apply(MapEdit::Kinds { at, kinds });
            }
            _ => {}
        }
    }
    map
}

fn spread(graph: &Graph, from: &[bool], speed: Speed) -> Vec<bool> {
    let mut all = from.to_vec();
    for _ in 0..speed.steps() {
        let before = all.clone();
        for at in graph.iter().filter(|at| before[at.index()]) {
            graph
                .neighbours(at)
                .iter()
                .for_each(|next| all[next.index()] = true);
        }
    }
    all
}

/// The number of turns that a robber survives which runs from cops that know its path, by sets of vertices turn by turn:
/// `None` if it survives for ever. Robbers and cops have speed 1.
/// Cops take what they overlap.
fn survived(robber: &Graph, cops: &[(&Graph, Agent)], from: Vertex) -> Option<u16> {
    let slots = robber.slots();
    let only = |at: Vertex| {
        let mut all = vec![false; slots];
        all[at.index()] = true;
        all
    };
    let mut free = only(from);
    let mut reached: Vec<Vec<bool>> = cops.iter().map(|(_, cop)| only(cop.at)).collect();
    for turn in 1..=2 * slots as u16 + 2 {
        free = spread(robber, &free, Speed::ONE);
        let takes = |graph: &Graph, all: &[bool], at: usize| {
            let here = robber.cell(Vertex::from_index(at));
            let (own, size) = (robber.walker().size, graph.walker().size);
            let mut reached = graph.iter().filter(|cop| all[cop.index()]);
            reached.any(|cop| own.overlaps(here, graph.cell(cop), size))
        };
        let is_taken = |reached: &[Vec<bool>], at: usize| {
            let mut all = reached.iter().zip(cops);
            all.any(|(all, (graph, _))| takes(graph, all, at))
        };
        (0..slots).for_each(|at| free[at] &= !is_taken(&reached, at));
        for (all, (graph, cop)) in reached.iter_mut().zip(cops) {
            *all = spread(graph, all, cop.speed);
        }
        (0..slots).for_each(|at| free[at] &= !is_taken(&reached, at));
        if free.iter().all(|&is_free| !is_free) {
            return Some(turn);
        }
    }
    None
}

#[test]
fn a_robber_survives_as_long_as_any_path_of_its_ground_allows() {
    let dice = &mut Dice::new(7);
    let (mut caught, mut safe, mut apart, mut large) = (0, 0, 0, 0);
    for _ in 0..20_000 {
        let own = Graph::new(
            &any_map(dice),
            [Moves::Octile, Moves::Orthogonal][dice.below(2)],
        );
        let walkers: Vec<Walker> = (0..3)
            .flat_map(|bits| {
                let sizes = [BodySize::ONE, BodySize::TWO, BodySize::THREE];
                let kinds = Kinds::from_bits(bits);
                sizes.map(|size| Walker { kinds, size })
            })
            .collect();
        let all: Vec<Graph> = walkers.iter().map(|&of| own.for_walker(of)).collect();
        let maps = |walker: Walker| {
            let index = walkers.iter().position(|&of| of == walker);
            Maps::new(&all[index.expect("one of them")], None)
        };
        let most = [1, 3][dice.below(2)];
        let agent = |dice: &mut Dice| {
            let kinds = walkers[3 * dice.below(3) + dice.below(most)];
            let vertices: Vec<Vertex> = maps(kinds).graph.iter().collect();
            let at = dice.pick(&vertices)?;
            let speed = Speed::new(1 + dice.below(2) as u8).unwrap_or_default();
            Some((kinds, Agent { at, speed }))
        };
        let Some((ground, robber)) = agent(dice) else {
            continue;
        };
        let robber = Agent {
            speed: Speed::ONE,
            ..robber
        };
        let team: Vec<(Walker, Agent)> = (0..=dice.below(3)).filter_map(|_| agent(dice)).collect();
        let cops: Vec<Agent> = team.iter().map(|&(_, cop)| cop).collect();
        let grounds: Vec<Walker> = team.iter().map(|&(kinds, _)| kinds).collect();
        let touches = |&(of, cop): &(Walker, Agent)| {
            let [here, there] = [robber.at, cop.at].map(|at| own.cell(at));
            ground.size.overlaps(here, there, of.size)
        };
        if cops.is_empty() || team.iter().any(touches) {
            continue;
        }
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Robber,
        };
        let agents = ApartAgents {
            state: &state,
            robber: ground,
            cops: &grounds,
            reach: 0,
        };
        let mut flight = ApartFlight::default();
        flight.begin(&maps, agents, 0);
        while flight
            .advance_on(&maps, 1 + dice.below(5) as u32)
            .is_working()
        {}
        let on: Vec<(&Graph, Agent)> = team
            .iter()
            .map(|&(kinds, cop)| (maps(kinds).graph, cop))
            .collect();
        let expected = survived(maps(ground).graph, &on, robber.at);
        let outcome = expected.map_or(Outcome::Escapes, |turns| Outcome::Caught(Turns(turns)));
        assert_eq!(
            flight.outcome(),
            Some(outcome),
            "{state:?} on {ground:?}, {grounds:?}"
        );
        let mut at = robber.at;
        for &next in flight.path_of(0) {
            assert!(maps(ground).graph.are_adjacent(at, next));
            at = next;
        }
        if expected.is_none() {
            let out_of_reach = |(graph, cop): &(&Graph, Agent)| {
                let mut touching = graph.vertices_touching(own.cell(at), ground.size);
                touching.all(|at| {
                    at != cop.at && crate::search::shortest_path(graph, cop.at, at).is_none()
                })
            };
            assert!(on.iter().all(out_of_reach), "the path leads to safety");
        }
        caught += u32::from(expected.is_some());
        safe += u32::from(expected.is_none() && !flight.path_of(0).is_empty());
        apart += u32::from(grounds.iter().any(|&of| of != ground));
        large += u32::from(!ground.size.is_one() && expected.is_some());
    }
    assert!(
        caught > 2000 && safe > 300 && apart > 5000 && large > 500,
        "{caught} {safe} {apart} {large}"
    );
}
