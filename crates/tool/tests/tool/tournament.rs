//! Every cop policy against every robber policy: what is reported, and what is refused.

use super::{CORRIDOR, Folder, PILLAR, json, printed, refused, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const HEADER: &str = "robber_x,robber_y,cop1_x,cop1_y\n";

/// The names of the cops that need no table.
const FREE: &str = "team,interception,interception-map,straight,chase,cover";

/// Two maps and a folder with positions for both.
fn two_maps(test: &str) -> (Folder, String, String) {
    let folder = Folder::new(test);
    let corridor = folder.file("corridor.map", CORRIDOR);
    let pillar = folder.file("pillar.map", PILLAR);
    folder.file(
        "corridor.csv",
        &format!("{HEADER}3,0,0,0\n1,0,0,0\n1,0,1,0\n"),
    );
    folder.file(
        "pillar.csv",
        &format!("{HEADER}3,3,0,0\n0,3,0,0\n2,0,0,0\n"),
    );
    (folder, corridor, pillar)
}

/// Without what depends on the clock.
fn without_times(mut rows: Value) -> Value {
    for row in rows.as_array_mut().expect("a list") {
        let row = row.as_object_mut().expect("an object");
        row.retain(|key, _| !key.starts_with("us_"));
    }
    rows
}

/// The keys of a row that its users count on, whatever else it has.
const WANTED: &str =
    "map cops robber games capture_rate capture_ratio worst_ratio survival_ratio us_mean us_p99";

fn expect_keys(row: &Value) {
    let keys: BTreeSet<&str> = row
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    let more = "cop_count skipped capture_rate_low capture_rate_high capture_ratio_low capture_ratio_high \
                survival_ratio_low survival_ratio_high turns_mean captured_50 captured_100 captured_200 \
                captured_400";
    let expected: BTreeSet<&str> = WANTED.split(' ').chain(more.split_whitespace()).collect();
    assert_eq!(keys, expected);
}

#[test]
fn a_live_world_plays_one_side_or_both() {
    let (folder, corridor, _) = two_maps("played");
    let positions = folder.0.display().to_string();
    let settings = folder.file("settings.ron", "(tables: (solve: false))");
    let start = ["tournament", &corridor, "--positions", &positions];
    let players = ["--cops", "played,optimal", "--robbers", "played,optimal"];
    let more = ["--budget", "3000", "--settings", &settings];
    let rows = json(&[&start[..], &players, &more].concat());
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 4);
    for row in rows {
        // In a corridor there is nothing to choose but to run and to follow.
        assert_eq!(row["capture_rate"], 1.0, "{row}");
        assert_eq!(row["survival_ratio"], 1.0, "{row}");
    }
    let wrong = folder.file("wrong.ron", "(tables: (solves: false))");
    let more = ["--settings", &wrong];
    let (code, error) = refused(&[&start[..], &players, &more].concat());
    assert_eq!(code, Some(3), "{error}");
    assert!(
        error.contains("wrong.ron: 1:") && error.contains("solves"),
        "{error}"
    );
}

#[test]
fn a_tournament_says_who_captures_whom_and_how_fast() {
    let (folder, corridor, pillar) = two_maps("tournament");
    let positions = folder.0.display().to_string();
    let cops = format!("optimal,{FREE}");
    let all = [
        &["tournament", &corridor, &pillar, "--positions", &positions][..],
        &["--cops", &cops, "--robbers", "optimal,trailmax,guided"],
    ]
    .concat();
    let rows = json(&all);
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 2 * 7 * 3);
    expect_keys(&rows[0]);
    let pairs: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["map"].as_str(),
                row["cops"].as_str(),
                row["robber"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        pairs[1],
        (Some("corridor"), Some("optimal"), Some("trailmax:1"))
    );
    assert_eq!(
        pairs[41],
        (Some("pillar"), Some("cover"), Some("guided:20:6"))
    );
    for row in &rows[..21] {
        // In a corridor all cops play alike: three moves to its end, or one to a robber beside the cop.
        assert_eq!((&row["games"], &row["skipped"]), (&2.into(), &0.into()));
        for key in [
            "capture_rate",
            "capture_ratio",
            "worst_ratio",
            "survival_ratio",
        ] {
            assert_eq!(row[key], 1.0, "{key} of {row}");
        }
        assert_eq!(
            (&row["turns_mean"], &row["captured_50"]),
            (&2.0.into(), &1.0.into())
        );
        assert_eq!(row["cop_count"], 1);
        assert!(row["us_mean"].as_f64() > Some(0.0) && row["us_p99"].as_f64() > Some(0.0));
    }
    for row in &rows[21..] {
        // Round a pillar one cop captures nobody.
        assert_eq!((&row["games"], &row["skipped"]), (&0.into(), &3.into()));
        for key in WANTED.split(' ').skip(4) {
            assert!(
                row[key].is_null() && row.get(key).is_some(),
                "{key} of {row}"
            );
        }
    }
    let chart = folder.path("chart.svg");
    let path = chart.to_str().expect("UTF-8");
    let people = printed(&[&all[..], &["--chart", path]].concat());
    let svg = fs::read_to_string(&chart).expect("a file");
    assert_eq!(svg.matches("<polyline ").count(), 7, "a line for each team");
    assert!(
        svg.contains("<title>cover:trailmax:1: 100.00 % captured, "),
        "{svg}"
    );
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert_eq!(people.lines().count(), 2 + 42 + 21, "{people}");
    let last = people.lines().last().expect("a line");
    assert!(last.starts_with("mean of 2 maps  cover"), "{people}");
}

#[test]
fn the_turn_limit_and_the_number_of_cops_are_as_asked_for() {
    let (folder, _, pillar) = two_maps("tournament-limit");
    let file = folder.path("pillar.csv").display().to_string();
    let one = ["tournament", &pillar, "--positions", &file, "-q"];
    let pair = ["--cops", "chase", "--robbers", "trailmax"];
    // Too little memory for the table: all positions are played, and no ratio is known.
    let little = [&one[..], &pair, &["--memory", "0.0000001"]].concat();
    let row = &json(&[&little[..], &["--turns", "9"]].concat())[0];
    assert_eq!(
        (&row["games"], &row["capture_rate"]),
        (&3.into(), &0.0.into())
    );
    for key in [
        "capture_ratio",
        "worst_ratio",
        "survival_ratio",
        "turns_mean",
    ] {
        assert!(row[key].is_null(), "{key}");
    }
    let high = row["capture_rate_high"].as_f64().expect("a number");
    // Wilson's interval of 0 out of 3.
    assert!((high - 0.5615).abs() < 1e-4, "{high}");
    let output = run(&little[..]
        .iter()
        .copied()
        .filter(|arg| *arg != "-q")
        .collect::<Vec<_>>());
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.ends_with("; the optimum is unknown\n"), "{error}");

    // A further cop anywhere makes a pair, which always captures.
    let two = [&one[..], &pair, &["--cop-count", "2"]].concat();
    let row = &json(&two)[0];
    assert_eq!((&row["games"], &row["cop_count"]), (&3.into(), &2.into()));
    let row = &json(&[&one[..], &pair, &["--cop-count", "2"], &["--turns", "1"]].concat())[0];
    assert!(row["capture_rate"].as_f64() < Some(1.0));
    let row = &json(&[&one[..], &pair, &["--cop-speed", "2"], &["--limit", "1"]].concat())[0];
    assert_eq!(
        (&row["games"], &row["capture_rate"]),
        (&1.into(), &1.0.into())
    );
}

#[test]
fn the_same_seed_gives_the_same_tournament_on_any_number_of_threads() {
    let (folder, _, pillar) = two_maps("tournament-threads");
    let all = format!("optimal,pairs,pairs-search,pairs-rules,endgame,{FREE}");
    let robbers = "optimal,trailmax,datrailmax,guided,greedy,randombeacons:3:1";
    let args = [
        "tournament",
        &pillar,
        "--random",
        "20",
        "--cops",
        &all,
        "--robbers",
        robbers,
    ];
    let on = |threads: &str, seed: &str| {
        let options = ["--threads", threads, "--seed", seed];
        without_times(json(&[&args[..], &options].concat()))
    };
    let one = on("1", "5");
    assert_eq!(one[0]["games"], 20);
    assert_eq!(one[0]["cop_count"], 2, "so many by default");
    assert_eq!(one, on("2", "5"));
    assert_ne!(one, on("1", "6"));
    drop(folder);
}

#[test]
fn the_default_team_has_a_guide_where_one_fits_into_memory() {
    let room = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../benches/rooms/pillars.map"
    );
    let args = [
        &["tournament", room, "--random", "30", "--cop-count", "2"][..],
        &["--cops", "team,unguided", "--robbers", "optimal"],
    ]
    .concat();
    let ratio = |row: &Value| row["capture_ratio"].as_f64().expect("captures");
    let rows = json(&args);
    assert!(ratio(&rows[0]) < ratio(&rows[1]), "{rows}");
    let none = [
        &args[..],
        &["--retract-positions", "1", "--guide-positions", "1"],
    ]
    .concat();
    let rows = json(&none);
    assert_eq!(rows[0]["capture_ratio"], rows[1]["capture_ratio"]);
    // Too little for the table and for a guide: the cops play without them.
    let args = [&args[..6], &["--cops", "team", "--robbers", "greedy"]].concat();
    let rows = json(&[&args[..], &["--memory", "0.000001", "-q"]].concat());
    assert_eq!(rows[0]["capture_rate"], 1.0);
}

#[test]
fn tables_are_read_from_a_folder() {
    let (folder, corridor, pillar) = two_maps("tournament-tables");
    let positions = folder.0.display().to_string();
    let table = folder.path("corridor.1.ptab").display().to_string();
    printed(&["solve", &corridor, "-o", &table]);
    let args = [
        "tournament",
        &corridor,
        "--positions",
        &positions,
        "--tables",
        &positions,
    ];
    let pair = [
        "--cops",
        "optimal",
        "--robbers",
        "optimal",
        "--memory",
        "0.0000001",
    ];
    let args = [&args[..], &pair].concat();
    let row = &json(&args)[0];
    assert_eq!(
        (&row["games"], &row["capture_ratio"]),
        (&2.into(), &1.0.into())
    );
    printed(&["solve", &corridor, "--cop-speed", "2", "-o", &table]);
    let (code, error) = refused(&args);
    assert_eq!(code, Some(3));
    let expected =
        "expected a table of 1 cops of speed 1 and a robber of speed 1, found 1 of 2 and 1\n";
    assert_eq!(error, format!("pursuit: {table}: {expected}"));
    printed(&["solve", &pillar, "-o", &table]);
    let (code, error) = refused(&args);
    assert_eq!(code, Some(3));
    assert!(error.starts_with(&format!("pursuit: {table}: ")), "{error}");
}

#[test]
fn a_robber_that_knows_the_policy_is_added() {
    let (folder, corridor, pillar) = two_maps("tournament-exploit");
    let positions = folder.0.display().to_string();
    let args = ["tournament", &corridor, &pillar, "--positions", &positions];
    let pair = [
        "--cops",
        "optimal,chase",
        "--robbers",
        "greedy",
        "--cop-count",
        "2",
    ];
    let rows = json(&[&args[..], &pair, &["--exploitability"]].concat());
    let rows: Vec<_> = rows.as_array().expect("a list").iter().collect();
    let rows: Vec<_> = rows
        .into_iter()
        .filter(|row| row["robber"] == "best-response")
        .collect();
    assert_eq!(rows.len(), 4);
    for row in [rows[0], rows[2]] {
        let found = (&row["escapes"], &row["capture_rate"], &row["worst_ratio"]);
        assert_eq!(found, (&0.into(), &1.0.into(), &1.0.into()));
        assert!(row["us_mean"].is_null());
    }
    // All positions with two cops and the robber on another cell: 12 cells for it and 11 for them.
    assert_eq!(rows[2]["games"], 12 * (11 * 12 / 2));
    // Two cops behind the robber chase it round the pillar for ever.
    assert!(rows[3]["escapes"].as_u64() > Some(0), "{}", rows[3]);
    assert!(rows[3]["capture_rate"].as_f64() < Some(1.0));

    let rows = json(&[&args[..], &pair, &["--exploitability=starts"]].concat());
    let rows = rows.as_array().expect("a list");
    let games = |robber: &str| -> Vec<u64> {
        let of_robber = rows.iter().filter(|row| row["robber"] == robber);
        of_robber.filter_map(|row| row["games"].as_u64()).collect()
    };
    assert_eq!(games("best-response"), games("greedy"));
    let optimal =
        |row: &&serde_json::Value| row["robber"] == "best-response" && row["cops"] == "optimal";
    for row in rows.iter().filter(optimal) {
        let found = (&row["escapes"], &row["worst_ratio"]);
        assert_eq!(found, (&0.into(), &1.0.into()));
    }
    let little = ["--exploitability=starts", "--memory", "0.0000001"];
    let (code, error) = refused(&[&args[..], &pair[2..], &["--cops", "chase"], &little].concat());
    assert_eq!(code, Some(4), "{error}");
    assert!(error.contains("positions were found"), "{error}");
}

#[test]
fn a_tournament_refuses_what_it_cannot_play() {
    let (folder, corridor, _) = two_maps("tournament-refused");
    let positions = folder.0.display().to_string();
    let start = ["tournament", &corridor, "--positions", &positions];
    let expect = |more: &[&str], code: i32, what: &str| {
        let (found, error) = refused(&[&start[..], more].concat());
        assert_eq!(found, Some(code), "{error}");
        assert!(error.contains(what), "{error}");
    };
    let robbers = ["--robbers", "greedy"];
    expect(
        &[&["--cops", "walrus"][..], &robbers].concat(),
        2,
        "expected one of: optimal; pairs; ",
    );
    expect(&["--cops", "team", "--robbers", "walrus"], 2, "or optimal");
    expect(&robbers, 2, "--cops");
    expect(&["--cops", "team"], 2, "--robbers");
    let team = [&["--cops", "team"][..], &robbers].concat();
    expect(
        &[&team[..], &["--random", "3"]].concat(),
        2,
        "cannot be used with",
    );
    expect(&[&team[..], &["--turns", "0"]].concat(), 2, "--turns");
    expect(
        &[&team[..], &["--cop-count", "0"]].concat(),
        2,
        "--cop-count",
    );
    assert_eq!(
        refused(&[
            "tournament",
            &corridor,
            "--cops",
            "team",
            "--robbers",
            "greedy"
        ])
        .0,
        Some(2)
    );
    let little = ["--memory", "0.0000001"];
    for needy in [
        &["--cops", "optimal", "--robbers", "greedy"][..],
        &["--cops", "team", "--robbers", "optimal"],
        &[
            "--cops",
            "interception",
            "--robbers",
            "greedy",
            "--exploitability",
        ],
    ] {
        expect(&[needy, &little].concat(), 4, "corridor.map: ");
    }
    let wall = folder.file("corridor.csv", &format!("{HEADER}4,0,0,0\n"));
    expect(
        &team,
        3,
        &format!("pursuit: {wall}:2:1: expected a passable cell"),
    );
}
