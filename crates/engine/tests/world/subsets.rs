//! Pursuits whose table would be too large: three and more cops play by a table of two.

use crate::common::hall::Slices;
use crate::common::map;
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Outcome, Rules, Side, Turns, Value};
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::table::Estimate;
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, Expansions, Meter, PursuitSettings, PursuitWorld, Reason,
};
use std::num::NonZeroU8;

/// Rooms with two circles around a middle door.
const ROOMS: [&str; 9] = [
    ".............",
    ".####...####.",
    ".#.........#.",
    ".#.###.###.#.",
    "......#......",
    ".#.###.###.#.",
    ".#.........#.",
    ".####...####.",
    ".............",
];
const DOOR: Cell = Cell::new(6, 3);
const ENOUGH: u64 = 200_000;

fn estimate(map: &TileMap, cops: u8) -> Estimate {
    let rules = Rules {
        cops: NonZeroU8::new(cops).expect("some cops"),
        ..Rules::default()
    };
    Estimate::new(Graph::new(map, Moves::Octile).vertices(), &rules).expect("a small map")
}

/// A world whose settings allow tables of two cops and not of three.
fn world(cops: &[(u16, u16)], robbers: &[(u16, u16)]) -> (PursuitWorld, Vec<AgentId>, AgentId) {
    let map = map(&ROOMS);
    let mut settings = PursuitSettings {
        ticks_per_turn: 4,
        stagger: false,
        ..PursuitSettings::default()
    };
    let (two, three) = (estimate(&map, 2).bytes, estimate(&map, 3).bytes);
    assert!(2 * two < three);
    settings.tables.max_bytes = 2 * two;
    settings.tables.timing = TableTiming::Lockstep(TableSchedule {
        ticks: 4,
        times: 0,
        ticks_per_second: Some(64),
    });
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let mut ids = cops
        .iter()
        .map(|&(x, y)| world.insert(AgentSetup::new(Side::Cops, Cell::new(x, y))))
        .collect::<Vec<_>>();
    ids.sort_unstable();
    let robbers = robbers
        .iter()
        .map(|&(x, y)| world.insert(AgentSetup::new(Side::Robber, Cell::new(x, y))));
    let robbers: Vec<AgentId> = robbers.collect();
    (world, ids, robbers[0])
}

/// A tick with solved tables as soon as they are requested. Returns the sizes of the tables that were solved.
fn tick(world: &mut PursuitWorld, edits: &[TileEdit], budget: u64) -> Vec<u8> {
    tick_within(world, edits, &mut Expansions(budget))
}

fn tick_within(world: &mut PursuitWorld, edits: &[TileEdit], meter: &mut dyn Meter) -> Vec<u8> {
    world.begin_tick(edits);
    let mut sizes = Vec::new();
    while let Some(request) = world.next_request() {
        let key = request.key;
        deliver(world, request);
        // The robber asks for guides, which are tables of other graphs.
        if key.fingerprint == world.graph().fingerprint() {
            sizes.push(key.rules.cops.get());
        }
    }
    assert_eq!(world.overdue(), None);
    world.arrive();
    world.decide(meter);
    sizes
}

fn source(world: &PursuitWorld, id: AgentId) -> DecidedBy {
    world.agent(id).expect("an agent").state().decided_by
}

fn bound(world: &PursuitWorld, id: AgentId) -> Option<u16> {
    match world.agent(id).expect("an agent").state().value? {
        Value::AtMost(Outcome::Caught(Turns(turns)))
        | Value::Exact(Outcome::Caught(Turns(turns))) => Some(turns),
        _ => None,
    }
}

fn is_caught(world: &PursuitWorld, robber: AgentId) -> bool {
    world.agent(robber).expect("a robber").caught().is_some()
}

const BY_PAIRS: DecidedBy = DecidedBy::Policy(Source::SubsetTable);
const STARTS: [(u16, u16); 5] = [(0, 0), (12, 0), (0, 8), (12, 8), (6, 0)];

/// Plays until the cops play by pairs.
fn begin(cops: usize) -> (PursuitWorld, Vec<AgentId>, AgentId) {
    let (mut world, ids, robber) = world(&STARTS[..cops], &[(6, 6)]);
    for _ in 0..200 {
        for cops in tick(&mut world, &[], ENOUGH) {
            assert_eq!(cops, 2, "only a table of two fits");
        }
        if source(&world, ids[0]) == BY_PAIRS {
            return (world, ids, robber);
        }
        assert!(!is_caught(&world, robber), "before the table is there");
    }
    panic!("the cops never play by pairs");
}

#[test]
fn the_cops_capture_within_the_bound_that_their_state_says() {
    for (cops, budget) in [(3, ENOUGH), (3, 10_000), (5, ENOUGH), (5, 2_000), (4, 900)] {
        let (mut world, ids, robber) = begin(cops);
        for &id in &ids {
            let state = *world.agent(id).expect("a cop").state();
            assert_eq!(state.decided_by, BY_PAIRS);
            assert_eq!(state.reason, Reason::NoTable);
        }
        assert_ne!(
            source(&world, robber),
            DecidedBy::Policy(Source::Table),
            "its own table would be of all cops"
        );
        let mut last = bound(&world, ids[0]).expect("a bound");
        let turn = world.pursuit(0).expect("it is there").turn();
        let first = u64::from(last);
        while !is_caught(&world, robber) {
            let before = world.pursuit(0).expect("it is there").turn();
            tick(&mut world, &[], budget);
            let pursuit = world.pursuit(0).expect("it is there");
            assert!(!pursuit.is_exact());
            if pursuit.turn() > before && !is_caught(&world, robber) {
                let now = bound(&world, ids[0]).expect("a bound");
                assert!(now < last, "{cops} cops, {budget}: {now} after {last}");
                last = now;
            }
            assert!(pursuit.turn() <= turn + first, "{cops} cops, {budget}");
        }
    }
}

#[test]
fn a_decision_takes_no_more_than_the_budget() {
    for budget in [400, 600, 800, 1_200, 2_000, 4_000, 10_000, 40_000] {
        let (mut world, ids, robber) = begin(5);
        let mut by_pairs = 0;
        for _ in 0..40 {
            tick(&mut world, &[], budget);
            // One turn's look-ups of a single move and of a search under way may come on top.
            let spent = world.report().spent;
            assert!(spent <= budget + 600, "{spent} of {budget}");
            by_pairs += u32::from(source(&world, ids[0]) == BY_PAIRS);
            if is_caught(&world, robber) {
                break;
            }
        }
        assert!(budget < 800 || by_pairs > 0, "{budget}");
    }
    // Without the budget for it, cops announce nothing in the first place.
    let (mut world, ids, robber) = world(&STARTS, &[(6, 6)]);
    for _ in 0..80 {
        tick(&mut world, &[], 100);
        assert_ne!(source(&world, ids[0]), BY_PAIRS);
        assert!(bound(&world, ids[0]).is_none() || is_caught(&world, robber));
    }
}

/// Adds pursuits of two robbers and two cops, which have no table.
fn add_others(world: &mut PursuitWorld, pursuits: u32) {
    for index in 0..4 * pursuits {
        let side = if index % 4 < 2 {
            Side::Robber
        } else {
            Side::Cops
        };
        let (x, y) = STARTS[(index % 5) as usize];
        world.insert(AgentSetup {
            pursuit: 1 + index / 4,
            ..AgentSetup::new(side, Cell::new(x, y))
        });
    }
}

/// The game is fast-forwarded, a slower machine runs it, or others become busy.
#[test]
fn cops_keep_what_they_have_announced_whatever_budget_is_left() {
    for (cops, budget, others) in [(3, 290, 0), (5, 0, 0), (4, 1_500, 60), (5, 100, 20)] {
        let (mut world, ids, robber) = begin(cops);
        let mut last = bound(&world, ids[0]).expect("a bound");
        assert!(last >= 3, "{last} turns say nothing");
        add_others(&mut world, others);
        while !is_caught(&world, robber) {
            let before = world.pursuit(0).expect("it is there").turn();
            tick(&mut world, &[], budget);
            let turn = world.pursuit(0).expect("it is there").turn();
            if turn > before && !is_caught(&world, robber) {
                let now = bound(&world, ids[0]).expect("a bound");
                assert!(now < last, "{cops} cops, {budget}: {now} after {last}");
                last = now;
            }
        }
    }
}

/// The budget pays for the pairs of the nearest cops only, and others than these may have announced the capture.
#[test]
fn a_crowd_keeps_what_its_best_pair_has_announced() {
    let mut starts: Vec<(u16, u16)> = STARTS.to_vec();
    starts.extend((0..13).flat_map(|x| [(x, 0), (x, 8)]));
    for seed in 0..8 {
        let (mut world, ids, robber) = world(&starts[seed..], &[(6, 6)]);
        let mut last: Option<u16> = None;
        for number in 0..400 {
            let before = world.pursuit(0).expect("it is there").turn();
            // Enough for all pairs, and for the nearest six.
            tick(&mut world, &[], if number % 8 < 4 { ENOUGH } else { 900 });
            if is_caught(&world, robber) {
                break;
            }
            let pursuit = world.pursuit(0).expect("it is there");
            if pursuit.turn() > before {
                let now = bound(&world, ids[0]);
                if let Some(last) = last {
                    assert!(now.is_some_and(|now| now < last), "{now:?} after {last}");
                }
                last = now;
            }
        }
        assert!(is_caught(&world, robber));
    }
}

#[test]
fn the_pairs_of_a_new_door_state_are_solved_at_once() {
    let (mut world, ids, robber) = begin(3);
    let shut = TileEdit {
        cell: DOOR,
        passable: false,
    };
    let solved = tick(&mut world, &[shut], ENOUGH);
    assert_eq!(solved, [2], "requested in the tick of the edit");
    for _ in 0..40 {
        tick(&mut world, &[], ENOUGH);
        if source(&world, ids[0]) == BY_PAIRS {
            return;
        }
        let state = world.agent(ids[0]).expect("a cop").state();
        assert!(is_caught(&world, robber) || state.decided_by != DecidedBy::Policy(Source::Table));
    }
    assert!(is_caught(&world, robber), "the new pairs are never used");
}

#[test]
fn a_restored_chase_goes_on_as_it_would_have() {
    let (mut world, ids, robber) = begin(3);
    for later in 0..6 {
        let saved = world.snapshot();
        let text = postcard::to_allocvec(&saved).expect("serialisable");
        let saved = postcard::from_bytes(&text).expect("what was written");
        let mut other = PursuitWorld::from_snapshot(saved).expect("a sound one");
        for _ in 0..9 {
            tick(&mut world, &[], 3_000);
            tick(&mut other, &[], 3_000);
            assert_eq!(world.position_hash(), other.position_hash(), "{later}");
            assert_eq!(source(&world, ids[0]), source(&other, ids[0]), "{later}");
            assert_eq!(world.report().spent, other.report().spent, "{later}");
        }
        if is_caught(&world, robber) {
            assert!(later > 0);
            return;
        }
    }
}

#[test]
fn two_robbers_have_no_table_of_pairs() {
    let (mut world, ids, robber) = world(&STARTS[..3], &[(6, 6), (6, 8)]);
    for _ in 0..60 {
        assert!(tick(&mut world, &[], ENOUGH).is_empty());
        if is_caught(&world, robber) {
            break;
        }
        for &id in &ids {
            let state = world.agent(id).expect("a cop").state();
            assert_ne!(state.decided_by, BY_PAIRS);
        }
        let state = world.agent(ids[0]).expect("a cop").state();
        assert!(matches!(
            state.decided_by,
            DecidedBy::Policy(Source::Search | Source::Greedy)
        ));
        if world
            .agents()
            .filter(|(_, it)| it.caught().is_some())
            .count()
            > 0
        {
            break;
        }
    }
}

#[test]
fn pairs_play_with_a_meter_that_grants_little_at_once() {
    let (mut world, ids, _) = begin(3);
    for _ in 0..4 {
        tick_within(&mut world, &[], &mut Slices(10_000));
    }
    for id in ids {
        assert_eq!(source(&world, id), BY_PAIRS);
    }
}
