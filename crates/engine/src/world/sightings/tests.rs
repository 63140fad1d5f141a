//! Sightings against a model, and where searches for lost opponents look.

use super::{Sighting, Sightings, search_goal, search_radius};
use crate::graph::{Graph, TileEdit};
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::search::{Dice, seed_of};
use allocation_counter::measure;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A map of up to 30 x 30 cells with random walls, few or many.
fn any_map(dice: &mut Dice) -> TileMap {
    let [width, height] = [(); 2].map(|()| 1 + dice.below(30) as u16);
    let walls = [0, 8, 30, 60][dice.below(4)];
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for cell in map.cells() {
        if dice.below(100) < walls {
            map.set(cell, Terrain::Wall);
        }
    }
    map
}

#[derive(Debug, Clone, Copy)]
enum Event {
    Note(u64, Cell),
    Lose(u64),
    Forget(u64),
    Expire(u64),
}

fn any_event() -> impl Strategy<Value = Event> {
    let key = prop_oneof![0..6_u64, Just(u64::MAX)];
    let cell = (0..9_u16, 0..9_u16).prop_map(|(x, y)| Cell::new(x, y));
    prop_oneof![
        4 => (key.clone(), cell).prop_map(|(key, cell)| Event::Note(key, cell)),
        2 => key.clone().prop_map(Event::Lose),
        1 => key.prop_map(Event::Forget),
        1 => (0..20_u64).prop_map(Event::Expire),
    ]
}

proptest! {
    #[test]
    fn sightings_are_a_map(events in prop::collection::vec(any_event(), 0..60)) {
        let mut model: BTreeMap<u64, Sighting> = BTreeMap::new();
        let mut sightings = Sightings::default();
        for (tick, event) in (0..).zip(events) {
            match event {
                Event::Note(key, cell) => {
                    sightings.note(key, cell, tick);
                    model.insert(key, Sighting { cell, tick, sees_now: true, checked: false });
                }
                Event::Lose(key) => {
                    let known = model.get_mut(&key);
                    let was_seen = known.is_some_and(|known| std::mem::take(&mut known.sees_now));
                    prop_assert_eq!(sightings.lose(key), was_seen);
                }
                Event::Forget(key) => prop_assert_eq!(sightings.forget(key), model.remove(&key)),
                Event::Expire(ticks) => {
                    let before = tick.saturating_sub(ticks);
                    sightings.expire(before);
                    model.retain(|_, known| known.sees_now || known.tick >= before);
                }
            }
            for key in [0, 1, 2, 3, 4, 5, 6, u64::MAX] {
                prop_assert_eq!(sightings.get(key), model.get(&key).copied());
            }
            prop_assert!(sightings.entries.iter().copied().eq(model.iter().map(|(&key, &known)| (key, known))));
        }
        let text = ron::to_string(&sightings).expect("text");
        prop_assert_eq!(ron::from_str::<Sightings>(&text).expect("sightings"), sightings);
    }

    #[test]
    fn goals_are_live_vertices_within_the_radius(
        seed in any::<u64>(),
        since in prop_oneof![0..30_u32, Just(u32::MAX)],
        x in prop_oneof![0..30_u16, Just(u16::MAX)],
        y in 0..30_u16,
    ) {
        let dice = &mut Dice::new(seed);
        let map = any_map(dice);
        let mut graph = Graph::new(&map, Moves::Octile);
        let mut edits = Vec::new();
        for cell in map.cells() {
            if dice.below(20) == 0 {
                edits.push(TileEdit { cell, passable: dice.below(2) == 0 });
            }
        }
        graph.apply(&edits);
        let around = Cell::new(x, y);
        let radius = search_radius(since);
        let is_near = |cell: Cell| cell != around && cell.max_norm(around) <= radius;
        let goal = search_goal(&graph, around, since, seed);
        prop_assert_eq!(search_goal(&graph, around, since, seed), goal);
        let places: Vec<Cell> = map.cells().filter(|&cell| is_near(cell)).collect();
        let live = places.iter().filter(|&&cell| graph.is_passable(cell)).count();
        match goal {
            Some(goal) => {
                prop_assert!(graph.is_live(goal));
                prop_assert!(places.contains(&graph.cell(goal)));
            }
            // 64 draws miss a third of the cells less than once in 10^11 times.
            None => prop_assert!(3 * live < places.len() + 1, "no goal of {live}"),
        }
    }
}

#[test]
fn saved_sightings_that_are_out_of_order_are_refused() {
    let entry = |key: u64| {
        format!("({key}, (cell: (x: 1, y: 2), tick: 3, sees_now: false, checked: false))")
    };
    let read = |keys: &[u64]| {
        let entries: Vec<String> = keys.iter().map(|&key| entry(key)).collect();
        ron::from_str::<Sightings>(&format!("[{}]", entries.join(", ")))
    };
    assert_eq!(read(&[1, 4, 9]).expect("in order").entries.len(), 3);
    for keys in [&[1, 1][..], &[2, 1], &[1, 5, 4]] {
        let error = read(keys).expect_err("out of order").to_string();
        assert!(error.contains("in order of their keys"), "{error}");
    }
}

#[test]
fn known_enemies_come_and_go_without_memory() {
    let mut sightings = Sightings::default();
    let mut game = || {
        for tick in 0..100 {
            sightings.note(tick * 7 % 20, Cell::new(tick as u16, 3), tick);
            sightings.lose(tick * 3 % 20);
            sightings.forget(tick * 11 % 20);
            sightings.expire(tick.saturating_sub(15));
        }
    };
    assert!(measure(&mut game).count_total > 0);
    assert_eq!(measure(&mut game).count_total, 0);
}

/// Cops with consecutive numbers, as in games, draw goals in consecutive ticks.
#[test]
#[expect(clippy::disallowed_methods, reason = "statistics")]
fn searchers_spread_over_all_of_the_place() {
    let map = TileMap::filled(64, 64, Terrain::Floor).expect("some cells");
    let graph = Graph::new(&map, Moves::Octile);
    let around = Cell::new(30, 33);
    let side = 2 * search_radius(6) as usize + 1;
    let mut counts = vec![0_usize; side * side];
    let mut same = 0;
    let draws = 20_000_u64;
    for tick in 0..draws / 4 {
        let goals = (0..4).map(|cop| {
            let goal = search_goal(&graph, around, 6, seed_of([1, cop, tick]));
            graph.cell(goal.expect("a floor"))
        });
        let goals: Vec<Cell> = goals.collect();
        for goal in &goals {
            let [x, y] = [goal.x - 20, goal.y - 23].map(usize::from);
            counts[y * side + x] += 1;
        }
        same += usize::from(goals.iter().collect::<BTreeSet<_>>().len() < 4);
    }
    assert_eq!(counts[10 * side + 10], 0, "it is not where it was");
    counts.remove(10 * side + 10);
    // Chi squared of 440 equally likely cells: 439 on average, with a deviation of 30.
    let expected = draws as f64 / counts.len() as f64;
    let squares = counts
        .iter()
        .map(|&count| (count as f64 - expected).powi(2) / expected);
    let chi_squared: f64 = squares.sum();
    assert!((300.0..600.0).contains(&chi_squared), "{chi_squared}");
    // Four random cells contain a cell twice in about one of 73 cases.
    assert!((30..110).contains(&same), "{same} of 5000");
}

#[test]
fn the_place_to_search_grows_with_the_turns() {
    let map = TileMap::filled(200, 200, Terrain::Floor).expect("some cells");
    let graph = Graph::new(&map, Moves::Octile);
    let around = Cell::new(100, 100);
    let far = |since| {
        let goals = (0..2_000).filter_map(|seed| search_goal(&graph, around, since, seed));
        goals.map(|goal| graph.cell(goal).max_norm(around)).max()
    };
    for since in [0, 1, 5, 40] {
        assert_eq!(far(since), Some(search_radius(since)), "{since} turns");
    }
    assert_eq!(far(1_000), Some(100), "up to the sides of the map");
}

#[test]
fn where_there_is_nothing_but_walls_there_is_no_goal() {
    let map = TileMap::filled(20, 20, Terrain::Wall).expect("some cells");
    let mut graph = Graph::new(&map, Moves::Octile);
    let around = Cell::new(10, 10);
    assert_eq!(search_goal(&graph, around, 3, 1), None);
    let passable = true;
    graph.apply(&[TileEdit {
        cell: around,
        passable,
    }]);
    assert_eq!(
        search_goal(&graph, around, 3, 1),
        None,
        "not the cell itself"
    );
}
