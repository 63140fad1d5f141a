//! `Interception`: legal on any map, independent of slicing and of the order of the cops, and exact near the robber.

use crate::common;
use crate::common::chase;
use crate::common::footprint::{footprint_of, is_touched};
use chase::{any_map, edits, is_path, maze, noise};
use common::map;
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Side, Speed, State, Step};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::{
    Dice, Distances, FOUND, Interception, STALE, SlicedSearch as _, TrailMax,
};
use pursuit_lab::CopPolicy;
use pursuit_lab::cop::Interceptor;

/// The number of steps requested.
const STEPS: usize = 16;

/// Cells nearer than this are joined by shortest paths, if a search finds these among [`FEW`] cells.
const NEAR: u16 = 24;

/// The number of cells that the path of one cop is searched among.
const FEW: usize = 300;

fn speeds(dice: &mut Dice) -> (u8, Vec<u8>) {
    let robber = 1 + dice.below(3) as u8;
    // A crowd now and then.
    let count = if dice.below(6) == 0 { 33 } else { 0 } + dice.below(5);
    let cops = (0..count).map(|_| 1 + dice.below(3) as u8);
    (robber, cops.collect())
}

fn any_moves(dice: &mut Dice) -> Moves {
    [Moves::Octile, Moves::Octile, Moves::Orthogonal][dice.below(3)]
}

/// The results for each cop.
fn answers(search: &Interception, cops: usize) -> Vec<(Vec<Vertex>, bool)> {
    let answer = |cop| (search.path_of(cop).to_vec(), search.reaches(cop));
    (0..cops).map(answer).collect()
}

pub(crate) fn state(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

pub(crate) fn at(graph: &Graph, x: u16, y: u16) -> Agent {
    Agent {
        at: graph.vertex(Cell::new(x, y)).expect("free"),
        speed: Speed::ONE,
    }
}

/// The number of cells that a path of this length could lead through, if there were no walls between the cell and its end.
fn cells_between(graph: &Graph, from: Vertex, to: Vertex, length: u32) -> usize {
    let mut distances = Distances::default();
    distances.measure(graph, from);
    let end = graph.cell(to);
    let is_between = |&&at: &&Vertex| {
        let Cell { x, y } = graph.cell(at);
        let (dx, dy) = (x.abs_diff(end.x), y.abs_diff(end.y));
        let rest = match graph.moves() {
            Moves::Octile => dx.max(dy),
            Moves::Orthogonal => dx + dy,
            other => panic!("no distance for {other:?}"),
        };
        distances
            .steps(at)
            .is_some_and(|steps| steps + u32::from(rest) <= length)
    };
    distances.reachable().iter().filter(is_between).count()
}

/// The length of a shortest path.
fn steps(graph: &Graph, from: Vertex, to: Vertex) -> Option<u32> {
    let mut distances = Distances::default();
    distances.measure(graph, from);
    distances.steps(to)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn paths_are_legal_and_lead_somewhere_while_the_map_changes(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let mut graph = Graph::new(&any_map(dice, 60), moves);
        let mut hierarchy = Hierarchy::new(&graph);
        let mut search = Interception::new();
        if dice.below(2) == 0 {
            search.keep_footprint();
        }
        for _ in 0..4 {
            let (robber_speed, speeds) = speeds(dice);
            let Some((robber, cops)) = chase::chase(&graph, dice, robber_speed, &speeds) else {
                break;
            };
            let levels = [Some(&hierarchy), None][dice.below(2)];
            let cut_off = dice.below(3) > 0;
            let state = state(robber, &cops);
            search.solve(&graph, levels, &state, cut_off, 1 + dice.below(20));
            for (index, cop) in cops.iter().enumerate() {
                let path = search.path_of(index);
                prop_assert!(is_path(&graph, cop.at, path));
                let joined = hierarchy.connected(cop.at, robber.at);
                prop_assert_eq!(search.reaches(index), joined);
                // A cop that goes straight for the robber sets out; one that cuts it off may already be
                // at its goal.
                let goes = joined && !cut_off && cop.at != robber.at;
                prop_assert!(!goes || !path.is_empty());
            }
            // At least one cop chases.
            let chases = (0..cops.len()).any(|cop| search.reaches(cop));
            let waits = (0..cops.len()).all(|cop| !search.reaches(cop) || search.path_of(cop).is_empty());
            prop_assert!(!chases || !waits || state.is_capture());
            let many = dice.below(9);
            let delta = graph.apply(&edits(&graph, dice, many));
            hierarchy.apply(&graph, &delta);
        }
    }

    #[test]
    fn any_slicing_gives_the_same_plans(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let graph = Graph::new(&any_map(dice, 90), moves);
        let hierarchy = Hierarchy::new(&graph);
        let (mut whole, mut sliced) = (Interception::new(), Interception::new());
        whole.keep_footprint();
        sliced.keep_footprint();
        for levels in [Some(&hierarchy), None] {
            let (robber_speed, speeds) = speeds(dice);
            let (robber, cops) =
                chase::chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
            let (state, cut_off) = (state(robber, &cops), dice.below(3) > 0);
            whole.solve(&graph, levels, &state, cut_off, STEPS);
            sliced.begin(&graph, levels, &state, cut_off, STEPS);
            let most = 1 + dice.below(40);
            loop {
                let budget = dice.below(most + 1) as u32;
                let before = sliced.work().expansions;
                if sliced.advance(&graph, levels, budget) == FOUND {
                    break;
                }
                let spent = sliced.work().expansions - before;
                prop_assert!(spent <= u64::from(budget) + 500, "{} for {}", spent, budget);
                prop_assert_eq!(sliced.path_of(0), &[]);
            }
            prop_assert_eq!(answers(&sliced, cops.len()), answers(&whole, cops.len()));
            prop_assert_eq!(footprint_of(&sliced, &graph), footprint_of(&whole, &graph));
        }
    }

    #[test]
    fn the_order_of_the_cops_says_nothing(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&any_map(dice, 90), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (robber_speed, speeds) = speeds(dice);
        let (robber, mut cops) =
            chase::chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
        let plans = |cops: &[Agent]| {
            let mut search = Interception::new();
            search.solve(&graph, Some(&hierarchy), &state(robber, cops), true, STEPS);
            let mut all: Vec<_> = cops.iter().map(|cop| (cop.at, cop.speed))
                .zip(answers(&search, cops.len()))
                .collect();
            all.sort();
            all
        };
        let before = plans(&cops);
        for index in (1..cops.len()).rev() {
            cops.swap(index, dice.below(index + 1));
        }
        prop_assert_eq!(plans(&cops), before);
    }

    #[test]
    fn a_cop_near_its_robber_takes_a_shortest_way(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let walls = dice.below(20);
        let moves = any_moves(dice);
        let graph = Graph::new(&noise(dice, NEAR, NEAR, walls), moves);
        let hierarchy = Hierarchy::new(&graph);
        let crowd = [1; 40];
        let speeds = [&[1][..], &[1, 2, 1], &crowd][dice.below(3)];
        let (robber, cops) = chase::chase(&graph, dice, 1, speeds).expect("a vertex");
        let mut search = Interception::new();
        let steps_wanted = usize::from(NEAR);
        search.solve(&graph, Some(&hierarchy), &state(robber, &cops), false, steps_wanted);
        for (index, cop) in cops.iter().enumerate() {
            let shortest = steps(&graph, cop.at, robber.at);
            let path = search.path_of(index);
            prop_assert_eq!(search.reaches(index), shortest.is_some());
            let Some(shortest) = shortest.filter(|&steps| steps <= u32::from(NEAR)) else {
                continue;
            };
            // On so small a map, several cops share exact distances.
            if cops.len() > 1 || cells_between(&graph, cop.at, robber.at, shortest) <= FEW {
                prop_assert_eq!(path.len() as u32, shortest);
                prop_assert!(shortest == 0 || path.last() == Some(&robber.at));
            }
        }
    }

    #[test]
    fn in_the_open_they_decide_as_the_interceptor_does(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let size = 2 + dice.below(15) as u16;
        let graph = Graph::new(&noise(dice, size, size, 0), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = chase::chase(&graph, dice, 1, &[1]).expect("a vertex");
        let state = state(robber, &cops);
        let mut search = Interception::new();
        for levels in [Some(&hierarchy), None] {
            search.solve(&graph, levels, &state, true, STEPS);
            let theirs = Interceptor::default().decide((&graph).into(), &state);
            prop_assert_eq!(search.path_of(0), &theirs[0].path);
        }
    }

    /// Without a hierarchy everything is done on the map: the second cop takes a shortest path to the
    /// first place where it is no later than the robber, on the path of a robber that runs from the
    /// first cop.
    #[test]
    fn the_second_cop_meets_the_robber_where_it_can_first(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let walls = [10, 25, 35][dice.below(3)];
        let moves = any_moves(dice);
        let graph = Graph::new(&noise(dice, 30, 30, walls), moves);
        let speed = 1 + dice.below(2) as u8;
        let (robber, cops) = chase::chase(&graph, dice, speed, &[1, 2]).expect("a vertex");
        let turns = |cop: &Agent| {
            let far = steps(&graph, cop.at, robber.at)?;
            Some(far.div_ceil(cop.speed.steps().into()))
        };
        let order = match (turns(&cops[0]), turns(&cops[1])) {
            (Some(one), Some(two)) if 0 < one && one < two => [0, 1],
            (Some(one), Some(two)) if 0 < two && two < one => [1, 0],
            // After a capture, and between cops of equal distance, other rules decide.
            _ => return Ok(()),
        };
        let mut search = Interception::new();
        search.solve(&graph, None, &state(robber, &cops), true, STEPS);
        let [chaser, second] = order.map(|index| cops[index]);
        prop_assert_eq!(search.path_of(order[0]).last(), Some(&robber.at));
        let flight = TrailMax::new().solve(&graph, &state(robber, &[chaser])).path.clone();
        let stride = usize::from(robber.speed.steps());
        let stops = flight.chunks(stride).map(|turn| turn[turn.len() - 1]);
        let mut distances = Distances::default();
        distances.measure(&graph, second.at);
        let places = std::iter::once(robber.at).chain(stops);
        let meeting = places.zip(1..).find_map(|(place, turn)| {
            let steps = distances.steps(place)?;
            (steps <= turn * u32::from(second.speed.steps())).then_some((place, steps))
        });
        if let Some((place, steps)) = meeting {
            let path = search.path_of(order[1]);
            prop_assert_eq!(path.last().copied().unwrap_or(second.at), place);
            prop_assert_eq!(path.len() as u32, steps);
        }
    }

    #[test]
    fn who_has_no_way_goes_nearest_to_the_robber(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&noise(dice, 40, 40, 42), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = chase::chase(&graph, dice, 1, &[1, 1, 1, 1]).expect("a vertex");
        let mut search = Interception::new();
        search.solve(&graph, Some(&hierarchy), &state(robber, &cops), true, usize::MAX);
        let mut distances = Distances::default();
        let kept_away = (0..cops.len()).filter(|&cop| !search.reaches(cop)).count();
        prop_assert!(search.work().expansions >= kept_away as u64, "each looks around");
        for (index, cop) in cops.iter().enumerate() {
            if search.reaches(index) {
                continue;
            }
            distances.measure(&graph, cop.at);
            let far = |vertex: Vertex| {
                graph.cell(vertex).squared_distance(graph.cell(robber.at))
            };
            let nearest = distances.reachable().iter().map(|&vertex| far(vertex)).min();
            let end = search.path_of(index).last().copied().unwrap_or(cop.at);
            prop_assert_eq!(Some(far(end)), nearest);
        }
    }

    #[test]
    fn edits_outside_of_the_footprint_leave_the_plans_as_they_are(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let map = if dice.below(2) == 0 { noise(dice, 150, 150, 10) } else { maze(dice, 151, 151) };
        let mut graph = Graph::new(&map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let crowd = [1; 40];
        let speeds = [&[1, 2], &crowd[..]][dice.below(2)];
        let (robber, cops) = chase::chase(&graph, dice, 1, speeds).expect("a vertex");
        let state = state(robber, &cops);
        let mut search = Interception::new();
        search.keep_footprint();
        // The whole of each path.
        search.solve(&graph, Some(&hierarchy), &state, true, usize::MAX);
        let footprint = footprint_of(&search, &graph);
        for (index, cop) in cops.iter().enumerate() {
            let own = graph.cell(cop.at);
            prop_assert!(search.path_of(index).iter().all(|&on| footprint.contains(graph.cell(on))));
            prop_assert!(search.path_of(index).is_empty() || footprint.contains(own));
        }
        let batch: Vec<TileEdit> = edits(&graph, dice, 40)
            .into_iter()
            .filter(|edit| !is_touched(&footprint, edit.cell))
            .collect();
        graph.apply(&batch);
        for (index, cop) in cops.iter().enumerate() {
            prop_assert!(is_path(&graph, cop.at, search.path_of(index)));
        }
    }
}

/// The robber of an open map stays free for longer than the race on the map looks ahead.
#[test]
fn a_near_cop_cuts_off_a_robber_that_runs_far_only_where_it_would_follow_the_chaser() {
    let dice = &mut Dice::new(11);
    let (mut straight, mut elsewhere) = ([0, 0], [0, 0]);
    for _ in 0..60 {
        let graph = Graph::new(&noise(dice, 200, 200, 3), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let mut cell_at = |least: usize, most: usize| {
            loop {
                let [x, y] = [0; 2].map(|_| 100 - most + dice.below(2 * most + 1));
                let cell = Cell::new(x as u16, y as u16);
                let is_far = cell.max_norm(Cell::new(100, 100)) >= least as u32;
                if is_far && graph.vertex(cell).is_some() {
                    return cell;
                }
            }
        };
        let [robber, chaser, second] =
            [(0, 2), (15, 20), (26, 32)].map(|(least, most)| cell_at(least, most));
        let agents = [robber, chaser, second].map(|cell| at(&graph, cell.x, cell.y));
        let (robber, cops) = (agents[0], &agents[1..]);
        let mut search = Interception::new();
        search.solve(&graph, Some(&hierarchy), &state(robber, cops), true, STEPS);
        let path = search.path_of(1);
        let end = path.last().copied().unwrap_or(cops[1].at);
        let [before, after] =
            [cops[1].at, end].map(|from| steps(&graph, from, robber.at).expect("a path"));
        let follows = second.max_norm(chaser) < second.max_norm(graph.cell(robber.at));
        // Paths of this length may be a few steps longer than the shortest.
        if path.len() >= STEPS && after + STEPS as u32 <= before + 2 {
            straight[usize::from(follows)] += 1;
        } else {
            elsewhere[usize::from(follows)] += 1;
        }
    }
    // The race on the map can be short enough all the same.
    let found = format!("straight: {straight:?}, elsewhere: {elsewhere:?}");
    assert!(straight[0] > 10 * elsewhere[0], "{found}");
    assert!(3 * elsewhere[1] > straight[1], "{found}");
}

#[test]
fn a_crowd_goes_along_shortest_paths_behind_its_leaders() {
    let dice = &mut Dice::new(7);
    for _ in 0..20 {
        let graph = Graph::new(&noise(dice, 70, 70, 20), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = chase::chase(&graph, dice, 1, &[1; 100]).expect("a vertex");
        let mut search = Interception::new();
        search.solve(&graph, Some(&hierarchy), &state(robber, &cops), true, STEPS);
        let mut straight = 0;
        let mut reaching = 0;
        for (index, cop) in cops.iter().enumerate() {
            let Some(shortest) = steps(&graph, cop.at, robber.at) else {
                continue;
            };
            reaching += 1;
            let path = search.path_of(index);
            let end = path.last().copied().unwrap_or(cop.at);
            let rest = steps(&graph, end, robber.at).expect("a path");
            straight += usize::from(rest + path.len() as u32 == shortest);
        }
        assert!(straight + 4 > reaching, "{straight} of {reaching}");
    }
}

#[test]
fn a_changed_map_is_noticed() {
    let dice = &mut Dice::new(3);
    let mut graph = Graph::new(&noise(dice, 60, 60, 20), Moves::Octile);
    let mut hierarchy = Hierarchy::new(&graph);
    let (robber, cops) = chase::chase(&graph, dice, 1, &[1, 1]).expect("a vertex");
    let mut search = Interception::new();
    search.begin(&graph, Some(&hierarchy), &state(robber, &cops), true, STEPS);
    assert_eq!(search.advance(&graph, Some(&hierarchy), 1), Step::Working);
    assert_eq!(search.advance(&graph, None, 1), STALE);
    let cell = graph.cell(robber.at);
    let edit = |passable| TileEdit { cell, passable };
    let delta = graph.apply(&[edit(false)]);
    assert_eq!(search.advance(&graph, Some(&hierarchy), 1), STALE);
    hierarchy.apply(&graph, &delta);
    // The map is the same as before, but the groups may have other numbers.
    let delta = graph.apply(&[edit(true)]);
    hierarchy.apply(&graph, &delta);
    assert_eq!(search.advance(&graph, Some(&hierarchy), 1), STALE);
}

#[test]
fn nobody_or_a_cop_on_the_robber() {
    let graph = Graph::new(&map(&["......", "......"]), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let mut search = Interception::new();
    let robber = at(&graph, 2, 0);
    for levels in [Some(&hierarchy), None] {
        search.solve(&graph, levels, &state(robber, &[]), true, STEPS);
        assert_eq!((search.path_of(0), search.reaches(0)), (&[][..], false));
        let cops = [robber, at(&graph, 5, 1)];
        search.solve(&graph, levels, &state(robber, &cops), true, STEPS);
        assert_eq!((search.path_of(0), search.reaches(0)), (&[][..], true));
        assert!(search.reaches(1));
    }
}

#[test]
fn a_walled_in_robber_is_waited_for() {
    let rows = [
        "............",
        "...#####....",
        "...#...#....",
        "...#...#....",
        "...#####....",
        "............",
    ];
    let graph = Graph::new(&map(&rows), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let robber = at(&graph, 5, 2);
    let cops = [at(&graph, 11, 5), at(&graph, 5, 0), at(&graph, 4, 3)];
    let mut search = Interception::new();
    for levels in [Some(&hierarchy), None] {
        search.solve(&graph, levels, &state(robber, &cops), true, STEPS);
        // Straight above it, beyond the wall.
        let end = search.path_of(0).last().map(|&end| graph.cell(end));
        assert_eq!(end, Some(Cell::new(5, 0)));
        assert_eq!(search.path_of(1), []);
        assert_eq!(
            [0, 1, 2].map(|cop| search.reaches(cop)),
            [false, false, true]
        );
    }
}
