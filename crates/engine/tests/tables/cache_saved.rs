//! Tests of the cache in save games: a loaded cache continues like the saved one, and a forged
//! state does no harm.

use crate::common::level::rules;
use crate::common::script;
use crate::common::table_cache;
use pursuit_engine::search::Dice;
use pursuit_engine::table_cache::{
    SavedTables, TableCache, TableCacheError, TableSettings, TableTiming,
};
use script::{Game, Script, Worker};
use serde_json::{Value, json};
use table_cache::{PLENTY, get, has, lockstep, renumbered, room, scheduled, serve, start};

#[test]
fn a_saved_game_goes_on_as_it_went_on() {
    let dice = &mut Dice::new(2);
    let mut found = 0;
    for seed in 0..15 {
        let script = Script::any(dice, lockstep);
        let mut game = Game::new(&script, Worker::Random, seed);
        let middle = 20 + dice.below(150);
        for tick in 0..middle {
            game.play(&script, tick as u64);
        }
        let (state, settings) = (game.tables.save(), *game.tables.settings());
        let graph = game.graph.clone();
        let seen = game.play_on(&script, middle);

        let text = ron::to_string(&state).expect("serialisable");
        let read: SavedTables = ron::from_str(&text).expect("what was written");
        assert_eq!(read, state);
        let json = serde_json::to_string(&state).expect("serialisable");
        let read_json: SavedTables = serde_json::from_str(&json).expect("what was written");
        assert_eq!(read_json, state);

        // Load the state into a new game whose map numbers its vertices differently.
        let mut loaded = Game::new(&script, Worker::Random, seed + 1000);
        loaded.graph = renumbered(&graph);
        loaded.tables = TableCache::new(settings);
        loaded.tables.restore(&read).expect("a valid state");
        assert_eq!(loaded.tables.save(), state);
        assert_eq!(loaded.play_on(&script, middle), seen);
        found += loaded.found;

        // Load the state into the game that has gone on and holds its tables in memory.
        game.graph = graph;
        game.tables.set_settings(settings);
        game.tables.restore(&state).expect("a valid state");
        assert_eq!(game.play_on(&script, middle), seen);
    }
    assert!(found > 200, "{found}");
}

#[test]
fn going_back_solves_nothing_again() {
    let (mut tables, graph, rules) = start();
    let before = tables.save();
    get(&mut tables, &graph, rules, &mut 0);
    tables.restore(&before).expect("a valid state");
    assert!(!has(&mut tables, &graph, rules, 0));
    tables.request(&graph, &rules, 0);
    assert!(tables.next_request(&graph).is_none(), "it is at hand");
    assert!(!has(&mut tables, &graph, rules, 3));
    assert!(has(&mut tables, &graph, rules, 100));
}

#[test]
fn a_table_that_the_settings_forbid_since_stays_in_use_as_long_as_it_is_in_memory() {
    let (mut tables, graph, rules) = start();
    let tick = &mut 0;
    get(&mut tables, &graph, rules, tick);
    let settings = TableSettings {
        solve: false,
        ..*tables.settings()
    };
    tables.set_settings(settings);
    assert!(has(&mut tables, &graph, rules, *tick));
    let saved = tables.save();
    tables.restore(&saved).expect("a valid state");
    assert_eq!(tables.save(), saved);
    assert!(has(&mut tables, &graph, rules, *tick), "as before");
    assert_eq!(tables.diverged_at(), None);
    let mut elsewhere = TableCache::new(settings);
    elsewhere.restore(&saved).expect("a valid state");
    assert!(!has(&mut elsewhere, &graph, rules, *tick));
    assert_eq!(elsewhere.diverged_at(), Some(*tick));
}

/// Changes a random part of a value.
fn garble(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            let index = dice.below(items.len());
            match dice.below(8) {
                0 => drop(items.remove(index)),
                1 => items.insert(index, items[dice.below(items.len())].clone()),
                2 => {
                    let other = dice.below(items.len());
                    items.swap(index, other);
                }
                _ => garble(&mut items[index], dice),
            }
        }
        Value::Object(fields) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let key = &keys[dice.below(keys.len())];
            garble(&mut fields[key], dice);
        }
        Value::Number(number) => {
            let before = number.as_u64().unwrap_or(0);
            let next = [
                0,
                1,
                before ^ 1,
                before.wrapping_mul(3),
                65_535,
                u64::MAX - 1,
                u64::MAX,
            ];
            *number = next[dice.below(next.len())].into();
        }
        other => *other = 1.into(),
    }
}

#[test]
fn a_state_that_somebody_has_made_up_does_no_harm() {
    let dice = &mut Dice::new(7);
    let (mut read, mut restored, mut refused) = (0, 0, 0);
    for seed in 0..20 {
        let script = Script::any(dice, lockstep);
        let mut game = Game::new(&script, Worker::Eager, seed);
        for tick in 0..100 {
            game.play(&script, tick);
        }
        let state = serde_json::to_value(game.tables.save()).expect("serialisable");
        for _ in 0..100 {
            let mut state = state.clone();
            for _ in 0..=dice.below(3) {
                garble(&mut state, dice);
            }
            let Ok(state) = serde_json::from_value::<SavedTables>(state) else {
                continue;
            };
            read += 1;
            let mut fresh = TableCache::new(script.settings);
            let tables = if dice.below(2) == 0 {
                &mut fresh
            } else {
                &mut game.tables
            };
            let before = tables.save();
            match tables.restore(&state) {
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    assert_eq!(tables.save(), before, "nothing half loaded");
                    refused += 1;
                }
                Ok(()) => restored += 1,
            }
            for tick in 100..110 {
                for rules in &script.rules {
                    if !has(tables, &game.graph, *rules, tick) {
                        tables.request(&game.graph, rules, tick);
                    }
                }
                serve(tables, &game.graph, tick);
                assert!(tables.bytes() <= tables.settings().memory);
            }
        }
    }
    assert!(
        read > 500 && restored > 100 && refused > 100,
        "{read} {restored} {refused}"
    );
}

/// A game saves while a table is being solved that is to be used when it is ready. Whatever the timing after loading and
/// whether the table is in memory by then: it comes into use.
#[test]
fn a_request_without_a_tick_is_served_after_loading() {
    let (graph, rules) = (room(5), rules(1, 1, 1));
    let when_ready = TableSettings {
        timing: TableTiming::WhenReady,
        ..TableSettings::default()
    };
    let mut tables = TableCache::new(when_ready);
    tables.request(&graph, &rules, 5);
    let state = tables.save();
    serve(&mut tables, &graph, 8);
    assert!(has(&mut tables, &graph, rules, 8));
    for settings in [when_ready, scheduled(PLENTY), lockstep(PLENTY)] {
        for mut loaded in [TableCache::new(when_ready), tables.clone()] {
            loaded.set_settings(settings);
            loaded.restore(&state).expect("a valid state");
            serve(&mut loaded, &graph, 6);
            assert!(has(&mut loaded, &graph, rules, 60), "{settings:?}");
        }
    }
}

#[test]
fn errors_name_the_table() {
    let (mut tables, graph, rules) = start();
    tables.request(&graph, &rules, 9);
    let state = serde_json::to_value(tables.save()).expect("serialisable");
    let restore = |state: Value| {
        let state: SavedTables = serde_json::from_value(state).expect("readable");
        TableCache::new(*tables.settings()).restore(&state)
    };
    // The error for a state that has another value at one place.
    let with = |place: &str, value: Value| {
        let mut state = state.clone();
        *state.pointer_mut(place).expect("a place") = value;
        restore(state)
    };
    assert_eq!(restore(state.clone()), Ok(()));
    let error = with("/maps/0/passable/0", json!(3));
    assert!(matches!(
        error,
        Err(TableCacheError::Foreign { table: 0, .. })
    ));
    let error = with("/maps/0/width", json!(60_000));
    assert_eq!(error, Err(TableCacheError::Map { map: 0 }));
    let error = with("/maps", json!([]));
    assert_eq!(error, Err(TableCacheError::Map { map: 0 }));
    let error = with("/tables/0/ticks/used", json!(10));
    assert_eq!(error, Err(TableCacheError::Ticks { table: 0, tick: 9 }));
    let times = |number: usize| vec![state["tables"][0].clone(); number].into();
    let error = with("/tables", times(2));
    assert_eq!(error, Err(TableCacheError::Order { table: 1 }));
    let error = with("/tables", times(1000));
    assert!(matches!(
        error,
        Err(TableCacheError::TooMany { found: 1000, .. })
    ));
}
