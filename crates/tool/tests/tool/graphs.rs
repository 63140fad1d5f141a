//! Graphs that are no maps: lists of edges in the commands that take them, and the names of files that are not taken.

use super::{Folder, PILLAR, json, printed, refused};
use std::path::PathBuf;

/// A cycle of five vertices, on which two cops win and one does not.
const CYCLE: &str = "5\n0 1\n1 2\n2 3\n3 4\n4 0\n";

#[test]
fn lists_of_edges_are_analyzed_and_solved() {
    let folder = Folder::new("graphs");
    let cycle = folder.file("cycle.edges", CYCLE);
    let found = json(&["analyze", &cycle, "--cops", "2"]);
    assert_eq!(found["vertices"], 5);
    assert_eq!(found["cop_number"], 2);
    assert_eq!(found["escapes"], 0);
    assert!(found["moves"].is_null());
    let cops = found["search_cops"].as_array().expect("cops");
    assert_eq!(cops.len(), 2);
    assert!(cops.iter().all(|cop| cop.as_u64().is_some_and(|at| at < 5)));
    assert!(printed(&["analyze", &cycle]).contains("cop number              2"));
    let found = json(&["solve", &cycle]);
    assert_eq!(found["positions"], 25);
    assert_eq!(found["escapes"], 10);
    assert_eq!(found["may_take_longer"], false);
    let found = json(&["graph6", &cycle, "--statistics"]);
    assert_eq!(found["two_cop_win"], 1);
    assert_eq!(found["one_cop_win"], 0);
    // Two streets, one of them in one direction only.
    let parts = folder.file("parts.edges", "5\n0 1\n1 > 2\n3 4\n");
    assert_eq!(json(&["analyze", &parts])["components"], 2);
    assert_eq!(json(&["solve", &parts])["vertices"], 5);
    let (code, message) = refused(&["graph6", &parts, "--statistics"]);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("in both directions"), "{message}");
    let one = folder.file("cycle.g6", "Dhc\n");
    assert_eq!(json(&["solve", &one])["escapes"], 10);
    assert_eq!(
        json(&["solve", &cycle, "--cops", "2", "--simultaneous"])["vertices"],
        5
    );
    assert_eq!(
        json(&["simultaneity", &cycle, "--cops", "2"])[0]["vertices"],
        5
    );
}

#[test]
fn doors_and_links_are_closed_in_turn_and_the_one_that_matters_most_comes_first() {
    let folder = Folder::new("doors");
    let level = r#"(
        name: "Ring",
        moves: Orthogonal,
        legend: { 'd': Door(name: "gate", open: true), 't': Link },
        rows: ["t.......", "@@@@@@@d", "t......."],
    )"#;
    let path = folder.file("ring.level.ron", level);
    let found = json(&["doors", &path]);
    // On a ring one cop captures only where it begins beside the robber. Either change makes a path of it.
    let start = found["start"]["captured"].as_f64().expect("a share");
    assert!(start < 0.5, "{found}");
    let changes = found["changes"].as_array().expect("a list");
    assert_eq!(changes.len(), 2);
    for change in changes {
        assert_eq!(change["captured"], 1.0, "{found}");
        assert_eq!(change["opens"], false);
    }
    let longest = |name: &str| {
        let of = |change: &&serde_json::Value| change["name"] == name;
        changes
            .iter()
            .find(of)
            .map(|change| change["longest_turns"].clone())
    };
    // Without the tunnel a path of 17 cells; without the door one of 16.
    assert_eq!(longest("link 't'"), Some(16.into()), "{found}");
    assert_eq!(longest("door `gate`"), Some(15.into()), "{found}");
    let picture = folder.path("doors.svg").display().to_string();
    let text = printed(&["doors", &path, "--picture", &picture]);
    assert!(text.contains("as at the start"), "{text}");
    assert!(std::fs::read_to_string(&picture).is_ok_and(|svg| svg.contains("link 't' closes")));
    let none = folder.file("none.level.ron", r#"(name: "None", rows: ["..."])"#);
    let (code, message) = refused(&["doors", &none]);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains("expected doors or links, found none"),
        "{message}"
    );
}

#[test]
fn a_level_with_exits_and_a_house_is_solved_and_verified_and_other_commands_decline_it() {
    let folder = Folder::new("exits");
    let level = r#"(
        name: "Ghosts",
        moves: Orthogonal,
        legend: { 'E': Exit, 'h': CopsOnly, 't': Link },
        rows: ["thh.E", "@@@@@", "t...."],
    )"#;
    let path = folder.file("ghosts.level.ron", level);
    let table = folder.path("ghosts.ptab").display().to_string();
    let found = json(&["solve", &path, "-o", &table]);
    // The robber stands on seven tiles, the two of them that the house parts included, and a cop on all ten.
    assert_eq!(found["vertices"], 10);
    assert_eq!(found["positions"], 80);
    assert!(
        found["away"].as_u64().is_some_and(|away| away > 0),
        "{found}"
    );
    assert_eq!(
        found["longest_away"], 1,
        "only beside the exit can a robber reach it: {found}"
    );
    assert_eq!(json(&["verify", &table, &path])["right"], true);
    let info = json(&["info", &table]);
    assert_eq!(info["longest_turns"], found["longest_turns"]);
    let escapes = &info["escapes"];
    assert!(
        escapes.is_null(),
        "illegal positions are no escapes: {info}"
    );
    let away = info["away_histogram"].as_array().expect("a list").iter();
    let away: u64 = away.filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(Some(away), found["away"].as_u64(), "{info}");
    assert!(printed(&["info", &table]).contains("away"), "{info}");
    let plain = folder.file(
        "plain.level.ron",
        &level.replace("'E'", "'.'").replace("'.': Exit, ", ""),
    );
    let (code, message) = refused(&["verify", &table, &plain]);
    assert_ne!(code, Some(0), "{message}");
    // A cop in the house guards the exit, and comes down in time: nobody else gets through the house.
    let number = json(&["analyze", &path]);
    assert_eq!(
        (&number["cop_number"], &number["exits"]),
        (&1.into(), &1.into()),
        "{number}"
    );
    let corridor = r#"(name: "Corridor", legend: { 'E': Exit }, rows: ["E.....E"])"#;
    let corridor = folder.file("corridor.level.ron", corridor);
    let number = json(&["analyze", &corridor]);
    assert_eq!(
        (&number["cop_number"], &number["exits"]),
        (&2.into(), &2.into()),
        "{number}"
    );
    let (code, message) = refused(&["doors", &path]);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains("expected a level without exits"),
        "{message}"
    );
}

#[test]
fn a_position_on_a_graph_is_played_out() {
    let folder = Folder::new("graphs-played");
    let path = folder.file("path.edges", "6\n0 1\n1 2\n2 3\n3 4\n4 5\n");
    for solver in ["rma", "tida", "table"] {
        let args = [
            "play-out", &path, "--robber", "3", "--cop", "0", "--solver", solver,
        ];
        let found = json(&args);
        assert_eq!(found["turns"], 5, "{solver}");
        assert_eq!(found["vertices"], 6);
        if solver != "table" {
            assert_eq!(found["line"].as_array().expect("turns").len(), 5);
            assert!(found["line"][0]["robber"].is_u64());
        }
    }
    let (code, message) = refused(&["play-out", &path, "--robber", "6", "--cop", "0"]);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("vertex below 6, found 6"), "{message}");
    let map = folder.file("pillar.map", PILLAR);
    let (code, message) = refused(&["play-out", &map, "--robber", "6", "--cop", "0,0"]);
    assert_eq!(code, Some(2), "{message}");
}

#[test]
fn tables_and_positions_of_graphs_are_checked() {
    let folder = Folder::new("graphs-checked");
    let cycle = folder.file("cycle.edges", CYCLE);
    let other = folder.file("other.edges", "5\n0 1\n1 2\n2 3\n3 4\n");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("cycle.ptab").display().to_string();
    for more in [&[][..], &["--simultaneous"]] {
        let solve = ["solve", &cycle, "--cops", "2", "-o", &table];
        let found = json(&[&solve[..], more].concat());
        assert!(found["file_bytes"].as_u64().is_some_and(|bytes| bytes > 0));
        assert_eq!(json(&["verify", &table, &cycle])["right"], true);
        for wrong in [&other, &map] {
            let (code, message) = refused(&["verify", &table, wrong]);
            assert_eq!(code, Some(3), "{message}");
        }
        assert!(printed(&["info", &table]).contains("vertices"));
    }
    let rows = "robber,cop1,cop2,name\n2,0,0,a\n2,0,1,b\n0,0,3,c\n";
    let positions = folder.file("positions.csv", rows);
    let found = json(&["values", &cycle, "--positions", &positions]);
    let turns = |row: usize| found[row]["turns"].as_u64();
    assert_eq!([0, 1, 2].map(turns), [Some(2), Some(1), Some(0)]);
    let one = json(&["values", &cycle, "--positions", &positions, "--cops", "1"]);
    assert!(one[0]["turns"].is_null(), "one cop does not win");
    assert_eq!(one[2]["turns"], 0);
    let played = json(&["play-out", &cycle, "--positions", &positions]);
    assert_eq!(played[0]["turns"], 2);
    for (rows, expected) in [
        (
            "robber,cop1\n5,0\n",
            "2:1: expected the number of a vertex below 5, found 5",
        ),
        ("robber,cop1\n1,x\n", "2:3: expected a number from 0"),
        ("robber,cop2\n1,0\n", "1:1: expected a column cop1"),
        ("robber,cop1,cop3\n1,0,0\n", "1:1: expected a column cop2"),
        (
            "robber_x,robber_y,cop1_x,cop1_y\n0,0,1,1\n",
            "columns robber and cop1 for a graph",
        ),
    ] {
        let positions = folder.file("wrong.csv", rows);
        let (code, message) = refused(&["values", &cycle, "--positions", &positions]);
        assert_eq!(code, Some(3), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    let (code, message) = refused(&["values", &map, "--positions", &positions]);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains("columns robber_x and robber_y for a map"),
        "{message}"
    );
}

#[test]
fn what_graphs_cannot_have_is_refused() {
    let folder = Folder::new("graphs-refused");
    let cycle = folder.file("cycle.edges", CYCLE);
    let table = folder.path("cycle.ptab").display().to_string();
    for args in [
        &["solve", &cycle, "--moves", "octile"][..],
        &["analyze", &cycle, "--png", &table],
    ] {
        let (code, message) = refused(args);
        assert_eq!(code, Some(2), "{args:?}: {message}");
        assert!(message.contains("for a graph"), "{message}");
    }
    // Commands that need a map say what they have got.
    let (code, message) = refused(&[
        "tournament",
        &cycle,
        "--random",
        "5",
        "--robbers",
        "trailmax",
        "--cops",
        "team",
    ]);
    assert_eq!(code, Some(3), "{message}");
    let expected = "expected a level in RON or a MovingAI map, found a list of edges (.edges)";
    assert!(message.contains(expected), "{message}");
}

/// Values by an independent solver.
#[test]
fn published_graphs_have_their_published_values() {
    let Some(folder) = std::env::var_os("PURSUIT_REFERENCE") else {
        return eprintln!("skipped: PURSUIT_REFERENCE is not set");
    };
    let graph = |name| {
        let path = PathBuf::from(&folder).join("graphs").join(name);
        path.display().to_string()
    };
    let stations = graph("scotland199_all.edges");
    if !PathBuf::from(&stations).exists() {
        return eprintln!("skipped: no graphs");
    }
    let found = json(&["solve", &stations]);
    assert_eq!(found["escapes"], 38_453);
    assert_eq!(found["positions"], 39_601);
    let found = json(&["analyze", &stations, "--cops", "2"]);
    assert_eq!(found["capture_time"], 13);
    let fast = ["analyze", &stations, "--cop-speed", "2"];
    assert_eq!(json(&fast)["capture_time"], 6);
    let dungeon = graph("epg_dungeon_000.edges");
    assert_eq!(
        json(&["analyze", &dungeon, "--cops", "2"])["capture_time"],
        18
    );
}

#[test]
fn play_out_names_the_limit_that_stopped_it() {
    let folder = Folder::new("stopped");
    let rows = ".".repeat(60) + "\n";
    let open = format!("type octile\nheight 60\nwidth 60\nmap\n{}", rows.repeat(60));
    let open = folder.file("open.map", &open);
    let position = ["--robber", "30,30", "--cop", "0,0", "--cop", "59,59"];
    let of = |more: &[&'static str]| [&["play-out", &open][..], &position, more].concat();
    let memory = of(&["--memory", "0.02", "--solver", "rma"]);
    assert_eq!(json(&memory)["stopped_by"], "memory");
    let text = printed(&memory);
    assert!(
        text.contains("stopped by              the limit of memory, 0.020 GB (--memory)"),
        "{text}"
    );
    let time = of(&["--limit-seconds", "0.01", "--solver", "tida"]);
    assert_eq!(json(&time)["stopped_by"], "time");
    assert!(printed(&time).contains("the limit of time, 0.01 s (--limit-seconds)"));
    let pillar = folder.file("pillar.map", PILLAR);
    let done = [
        "play-out", &pillar, "--robber", "0,0", "--cop", "3,3", "--cop", "3,0",
    ];
    assert!(json(&done)["stopped_by"].is_null());
    assert!(!printed(&done).contains("stopped"));
}
