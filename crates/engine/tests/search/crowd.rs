//! Crowds on maps that are too large to measure all distances: exact near the robber, good paths beyond,
//! independent of slicing.

use crate::common::chase;
use crate::common::footprint::footprint_of;
use crate::common::{read_map, reference};
use chase::{is_path, maze, noise};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Side, Speed, State};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::{Dice, Distances, FOUND, Interception, SlicedSearch as _};

/// The side of a map that is too large.
const SIDE: u16 = 231;

/// The number of steps requested.
const STEPS: usize = 16;

/// The number of cops that are planned for one by one.
const LEADERS: usize = 4;

fn state(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

/// A map, a robber and 100 cops, with the distances from the robber.
fn case(seed: u64) -> (Graph, Agent, Vec<Agent>, Distances) {
    let dice = &mut Dice::new(seed);
    let map = match seed % 4 {
        0 => maze(dice, 2 * SIDE + 1, 2 * SIDE + 1),
        1 => noise(dice, SIDE, SIDE, 0),
        _ => noise(dice, SIDE, SIDE, 20),
    };
    let moves = [Moves::Octile, Moves::Orthogonal][usize::from(seed % 3 == 2)];
    let graph = Graph::new(&map, moves);
    assert!(graph.slots() > 1 << 15, "the map is too small");
    // With mixed speeds, a distant cop may arrive before a near one.
    let speeds: Vec<u8> = (0..100)
        .map(|cop| [1, 1 + cop % 3][seed as usize / 2 % 2])
        .collect();
    let (robber, cops) = chase::chase(&graph, dice, 1, &speeds).expect("a vertex");
    let mut distances = Distances::default();
    distances.measure(&graph, robber.at);
    (graph, robber, cops, distances)
}

#[test]
fn paths_are_legal_whole_and_little_longer_than_the_shortest() {
    let (mut mean, mut worst, mut far) = (0.0, 1.0_f64, 0);
    for seed in 0..8 {
        let (graph, robber, cops, distances) = case(seed);
        let hierarchy = Hierarchy::new(&graph);
        let mut search = Interception::new();
        for steps in [STEPS, usize::MAX] {
            search.solve(
                &graph,
                Some(&hierarchy),
                &state(robber, &cops),
                false,
                steps,
            );
            for (index, cop) in cops.iter().enumerate() {
                let shortest = distances.steps(cop.at);
                let path = search.path_of(index);
                assert!(is_path(&graph, cop.at, path));
                assert_eq!(search.reaches(index), shortest.is_some());
                let Some(shortest) = shortest else { continue };
                assert!(path.len() >= steps.min(shortest as usize));
                assert!(
                    path.len() == steps
                        || path.last().is_none_or(|&end| end == robber.at)
                        || path.len() > steps
                );
                if steps == usize::MAX && shortest > 0 {
                    let ratio = path.len() as f64 / f64::from(shortest);
                    (mean, worst, far) = (mean + ratio, worst.max(ratio), far + 1);
                }
                if shortest <= 24 && steps == usize::MAX {
                    assert_eq!(path.len() as u32, shortest);
                }
            }
        }
    }
    let mean = mean / f64::from(far);
    println!("{far} whole paths: {mean:.4} x the shortest, at most {worst:.3} x");
    assert!(mean < 1.06, "{mean} x");
    assert!(worst < 2.0, "{worst} x");
}

/// A cop that plans anew on its way never walks in a circle, whatever the walls: open ground, mazes, single walls between
/// thousands of pockets.
#[test]
fn every_cop_arrives() {
    let ways = ways_to_robbers(100, |dice| 1 + dice.below(8));
    let mean = ways.iter().sum::<f64>() / ways.len() as f64;
    println!("{} ways: {mean:.4} x the shortest", ways.len());
    assert!(ways.len() > 700 && mean < 1.08, "{mean} x");
}

/// Cops of small teams are the harder case, since each plan sees another part of the map: they plan anew after every step.
#[test]
fn every_cop_of_a_small_team_arrives() {
    for team in [1, 8] {
        let ways = ways_to_robbers(team, |_| 1);
        let mean = ways.iter().sum::<f64>() / ways.len() as f64;
        println!(
            "{} ways in teams of {team}: {mean:.4} x the shortest",
            ways.len()
        );
        assert!(ways.len() > 700 && mean < 1.1, "teams of {team}: {mean} x");
    }
}

/// For each of many cops that go straight for a robber at rest, the length of its path over that of the shortest one. The cops
/// plan in teams, each time after some steps.
fn ways_to_robbers(team: usize, steps: impl Fn(&mut Dice) -> usize) -> Vec<f64> {
    let mut ways = Vec::new();
    for seed in 0..12 {
        let dice = &mut Dice::new(seed);
        let map = match seed % 3 {
            0 => maze(dice, 2 * SIDE + 1, 2 * SIDE + 1),
            1 => noise(dice, SIDE, SIDE, 35),
            _ => noise(dice, SIDE, SIDE, 15),
        };
        let moves = [Moves::Octile, Moves::Orthogonal][seed as usize / 3 % 2];
        let graph = Graph::new(&map, moves);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, mut cops) = chase::chase(&graph, dice, 1, &[1; 100]).expect("a vertex");
        let mut distances = Distances::default();
        distances.measure(&graph, robber.at);
        cops.retain(|cop| distances.steps(cop.at).is_some());
        if cops.len() <= 32 {
            continue; // the robber is in a pocket
        }
        for cops in cops.chunks_mut(team) {
            let left = |cop: &Agent| distances.steps(cop.at).expect("a path");
            let shortest: Vec<u32> = cops.iter().map(left).collect();
            let most = 2 * shortest.iter().max().expect("a cop");
            let mut taken = vec![0; cops.len()];
            let mut search = Interception::new();
            while cops.iter().any(|cop| cop.at != robber.at) {
                let state = state(robber, cops);
                search.solve(&graph, Some(&hierarchy), &state, false, STEPS);
                for (index, cop) in cops.iter_mut().enumerate() {
                    let path = search.path_of(index);
                    let steps = steps(dice).min(path.len());
                    cop.at = path[..steps].last().copied().unwrap_or(cop.at);
                    taken[index] += steps as u32;
                    assert!(taken[index] <= most, "cop {index} in a circle, {seed}");
                }
            }
            let way = |(taken, shortest): (u32, u32)| {
                f64::from(taken.max(1)) / f64::from(shortest.max(1))
            };
            ways.extend(taken.into_iter().zip(shortest).map(way));
        }
    }
    ways
}

/// Cops beyond the vertices that a crowd measures on the map all chase, also those that arrive first.
#[test]
fn distant_cops_do_not_cut_the_robber_off() {
    for seed in 0..8 {
        let (graph, robber, mut cops, distances) = case(seed);
        let hierarchy = Hierarchy::new(&graph);
        let Some(&last) = distances.reachable().get(1 << 13) else {
            continue;
        };
        cops.retain(|cop| distances.steps(cop.at) > distances.steps(last));
        assert!(cops.len() > 32, "no crowd");
        let [mut chase, mut team] = [Interception::new(), Interception::new()];
        for (search, cut_off) in [(&mut chase, false), (&mut team, true)] {
            let state = state(robber, &cops);
            search.solve(&graph, Some(&hierarchy), &state, cut_off, STEPS);
        }
        for cop in 0..cops.len() {
            assert_eq!(team.path_of(cop), chase.path_of(cop), "cop {cop}, {seed}");
        }
    }
}

#[test]
fn any_slicing_gives_the_same_plans() {
    for seed in 0..8 {
        let (graph, robber, cops, _) = case(seed);
        let hierarchy = Hierarchy::new(&graph);
        let dice = &mut Dice::new(seed);
        let (mut whole, mut sliced) = (Interception::new(), Interception::new());
        whole.keep_footprint();
        sliced.keep_footprint();
        let (all, state) = (Some(&hierarchy), state(robber, &cops));
        whole.solve(&graph, all, &state, true, STEPS);
        sliced.begin(&graph, all, &state, true, STEPS);
        loop {
            let budget = dice.below(40) as u32;
            let before = sliced.work().expansions;
            if sliced.advance(&graph, all, budget) == FOUND {
                break;
            }
            assert!(sliced.work().expansions - before <= u64::from(budget) + 500);
        }
        assert_eq!(sliced.work().expansions, whole.work().expansions);
        for cop in 0..cops.len() {
            assert_eq!(sliced.path_of(cop), whole.path_of(cop));
        }
        assert_eq!(footprint_of(&sliced, &graph), footprint_of(&whole, &graph));
        let footprint = footprint_of(&whole, &graph);
        let cells = (0..cops.len()).flat_map(|cop| whole.path_of(cop));
        assert!(
            cells
                .map(|&at| graph.cell(at))
                .all(|cell| footprint.contains(cell))
        );
    }
}

/// What a search keeps from one plan to the next does not outlive the map.
#[test]
fn plans_do_not_depend_on_earlier_maps() {
    for seed in 0..6 {
        let (mut graph, robber, mut cops, _) = case(seed);
        let mut hierarchy = Hierarchy::new(&graph);
        let dice = &mut Dice::new(seed);
        let mut kept = Interception::new();
        for _ in 0..12 {
            let mut fresh = Interception::new();
            for search in [&mut kept, &mut fresh] {
                search.solve(&graph, Some(&hierarchy), &state(robber, &cops), true, STEPS);
            }
            assert_eq!(kept.work().expansions, fresh.work().expansions);
            for (index, cop) in cops.iter_mut().enumerate() {
                assert_eq!(kept.path_of(index), fresh.path_of(index));
                cop.at = kept.path_of(index).get(5).copied().unwrap_or(cop.at);
            }
            // Doors on and beside the ways of some cops.
            let is_free = |at: &Vertex| robber.at != *at && cops.iter().all(|cop| cop.at != *at);
            let ways = (0..cops.len()).flat_map(|cop| kept.path_of(cop).iter().skip(8));
            let doors: Vec<Vertex> = ways.copied().filter(is_free).collect();
            for _ in 0..20 {
                let Some(door) = dice.pick(&doors) else { break };
                let cell = graph.cell(door);
                let passable = !graph.is_passable(cell);
                let delta = graph.apply(&[TileEdit { cell, passable }]);
                hierarchy.apply(&graph, &delta);
            }
        }
    }
}

/// In a city, cops that plan anew after every eight steps take paths little longer than the shortest. Crowds of both sizes
/// measure a different part of the city on the map.
#[test]
fn a_crowd_crosses_a_city_on_short_paths() {
    let Some(folder) = reference("a_crowd_crosses_a_city_on_short_paths") else {
        return;
    };
    let map = read_map(&folder.join("maps/city/Berlin_1_1024.map"));
    let cases = [
        (Moves::Octile, 100, 4),
        (Moves::Octile, 500, 2),
        (Moves::Orthogonal, 100, 4),
    ];
    for (moves, crowd, games) in cases {
        let graph = Graph::new(&map, moves);
        let hierarchy = Hierarchy::new(&graph);
        let mut ratios = Vec::new();
        for seed in 0..games {
            ratios.extend(ratios_of_walks(
                (&graph, &hierarchy),
                crowd,
                true,
                1 + seed as u64,
            ));
        }
        let far = ratios.len();
        let mean = ratios.iter().sum::<f64>() / far as f64;
        let worst = ratios.iter().copied().fold(1.0, f64::max);
        println!(
            "{moves:?}, {crowd} cops, {far} paths: {mean:.4} x the shortest, at most {worst:.3} x"
        );
        assert!(4 * far > 3 * crowd * games && mean < 1.02 && worst < 1.6);
    }
}

/// With orthogonal moves, too, cops cross open ground on shortest paths.
#[test]
fn crowds_and_small_teams_cross_open_ground_on_shortest_paths() {
    let map = TileMap::filled(300, 300, Terrain::Floor).expect("a map");
    for moves in [Moves::Octile, Moves::Orthogonal] {
        let graph = Graph::new(&map, moves);
        let hierarchy = Hierarchy::new(&graph);
        for (crowd, games) in [(4, 10), (100, 1)] {
            let walks = |seed| ratios_of_walks((&graph, &hierarchy), crowd, false, seed);
            let ratios: Vec<f64> = (0..games).flat_map(walks).collect();
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            assert!(ratios.len() > 20 && mean < 1.01, "{moves:?}: {mean} x");
        }
    }
}

/// For each cop of a crowd that starts far from the robber, the length of its path over that of the shortest one.
fn ratios_of_walks(
    (graph, hierarchy): (&Graph, &Hierarchy),
    crowd: usize,
    cuts_off: bool,
    seed: u64,
) -> Vec<f64> {
    let mut distances = Distances::default();
    let middle = graph.iter().nth(graph.vertices() / 2).expect("a vertex");
    distances.measure(graph, middle);
    let part: Vec<Vertex> = distances.reachable().to_vec();
    let dice = &mut Dice::new(seed);
    let mut agent = || Agent {
        at: dice.pick(&part).expect("a vertex"),
        speed: Speed::ONE,
    };
    let robber = agent();
    let mut cops: Vec<Agent> = (0..crowd).map(|_| agent()).collect();
    distances.measure(graph, robber.at);
    // Leaders may cut the robber off; these stay where they are.
    let near = distances.reachable()[20];
    cops.extend([Agent { at: near, ..robber }; LEADERS]);
    let left = |at| distances.steps(at).expect("a path");
    let start: Vec<u32> = cops.iter().map(|cop| left(cop.at)).collect();
    let mut taken = vec![0; cops.len()];
    let mut search = Interception::new();
    for _ in 0..400 {
        search.solve(
            graph,
            Some(hierarchy),
            &state(robber, &cops),
            cuts_off,
            STEPS,
        );
        for (index, cop) in cops.iter_mut().enumerate() {
            if left(cop.at) > 64 {
                cop.at = search.path_of(index)[7];
                taken[index] += 8;
            }
        }
    }
    let walks = cops.iter().zip(&start).zip(&taken);
    let ratio = |((cop, &start), &taken): ((&Agent, _), _)| {
        let left = left(cop.at);
        assert!(left <= 64, "a cop is lost");
        (start > 100).then(|| f64::from(taken) / f64::from(start - left))
    };
    walks.filter_map(ratio).collect()
}

/// This cop walked in a circle for ever when only the walls decided where it walked: each of two groups of cells
/// led it into the other one.
#[test]
fn a_cop_does_not_walk_in_a_circle() {
    let Some(folder) = reference("a_cop_does_not_walk_in_a_circle") else {
        return;
    };
    let map = read_map(&folder.join("maps/city/Berlin_1_1024.map"));
    let graph = Graph::new(&map, Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let agent = |x, y| Agent {
        at: graph.vertex(Cell::new(x, y)).expect("floor"),
        speed: Speed::ONE,
    };
    let robber = agent(768, 478);
    let mut distances = Distances::default();
    distances.measure(&graph, robber.at);
    let near = distances.reachable()[20];
    let mut cops = vec![Agent { at: near, ..robber }; 40];
    cops.push(agent(273, 527));
    let left = |cops: &[Agent]| distances.steps(cops[40].at).expect("a path");
    let start = left(&cops);
    let mut search = Interception::new();
    let mut taken = 0;
    while left(&cops) > 64 {
        assert!(taken < 2 * start, "the cop walks in a circle");
        search.solve(&graph, Some(&hierarchy), &state(robber, &cops), true, STEPS);
        cops[40].at = search.path_of(40)[7];
        taken += 8;
    }
}

/// A search that is given up while it measures distances on a level leaves nothing to the next one.
#[test]
fn an_unfinished_search_costs_the_next_one_nothing() {
    for seed in [2, 3, 6] {
        let (graph, robber, cops, _) = case(seed);
        let hierarchy = Hierarchy::new(&graph);
        let all = Some(&hierarchy);
        let few = &cops[..40];
        let mut whole = Interception::new();
        whole.solve(&graph, all, &state(robber, &cops), false, STEPS);
        let mut fresh = Interception::new();
        fresh.solve(&graph, None, &state(robber, few), false, STEPS);
        for part in (0..64).map(|part| part * whole.work().expansions / 64) {
            let mut kept = Interception::new();
            kept.begin(&graph, all, &state(robber, &cops), false, STEPS);
            kept.advance(&graph, all, part as u32);
            // Without levels, so that no distances are measured on one.
            kept.solve(&graph, None, &state(robber, few), false, STEPS);
            assert_eq!(
                kept.work().expansions,
                fresh.work().expansions,
                "{seed}, {part}"
            );
        }
    }
}
