//! `pursuit endgames`: captures and when they were proven.

use super::{CORRIDOR, Folder, PILLAR, json, printed, refused};

#[test]
fn captures_are_announced_and_no_promise_is_broken() {
    let folder = Folder::new("endgames");
    let pillar = folder.file("pillar.map", PILLAR);
    let corridor = folder.file("corridor.map", CORRIDOR);
    let args = [
        "endgames", &pillar, &corridor, "--cops", "2", "--games", "9",
    ];
    let rows = json(&args);
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 2);
    for row in rows {
        // Two cops capture at a pillar, and each game is within one region.
        assert_eq!(row["captures"], row["games"]);
        assert_eq!(row["announced"], 1.0);
        assert_eq!(row["broken"], 0);
        assert!(row["region_bytes_max"].as_u64() > Some(0));
    }
    assert!(printed(&args).contains("pillar"));
}

#[test]
fn positions_come_from_a_file_and_wrong_ones_are_refused() {
    let folder = Folder::new("endgames-positions");
    let corridor = folder.file("corridor.map", CORRIDOR);
    let header = "robber_x,robber_y,cop1_x,cop1_y\n";
    let good = folder.file("good.csv", &format!("{header}3,0,0,0\n1,0,1,0\n"));
    let rows = json(&["endgames", &corridor, "--positions", &good, "--cops", "1"]);
    // In the second position a cop stands on the robber.
    assert_eq!(rows[0]["games"], 1);
    assert_eq!(rows[0]["captures"], 1);
    assert_eq!(rows[0]["lead_max"], 2);
    let wrong = folder.file("wrong.csv", &format!("{header}4,0,0,0\n"));
    let (code, message) = refused(&["endgames", &corridor, "--positions", &wrong]);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("wrong.csv:2:1"), "{message}");
}

/// A ring of one-way streets, with a dead end at vertex 0.
const STREETS: &str = "# streets\n7\n0 > 1\n1 > 2\n2 > 3\n3 > 4\n4 > 0\n0 5\n5 6\n";

#[test]
fn graphs_are_played_on_along_their_links() {
    let folder = Folder::new("endgames-graphs");
    let streets = folder.file("streets.edges", STREETS);
    // A path of four vertices in graph6 format.
    let path = folder.file("path.g6", "Ch\n");
    let args = ["endgames", &streets, &path, "--cops", "2", "--games", "9"];
    let rows = json(&args);
    for (row, vertices) in rows.as_array().expect("a list").iter().zip([7, 4]) {
        assert_eq!(row["vertices"], vertices);
        assert_eq!(row["captures"], row["games"], "{row}");
        assert_eq!(row["announced"], 1.0, "{row}");
        assert_eq!(row["broken"], 0);
    }
    assert!(printed(&args).contains("streets"));
    // A single cop runs round and round behind the robber.
    let args = ["endgames", &streets, "--games", "9", "--turns", "50"];
    let rows = json(&[&args[..], &["--cops", "1"]].concat());
    assert!(rows[0]["captures"].as_u64() < rows[0]["games"].as_u64());
}

#[test]
fn wrong_graphs_and_what_needs_a_map_are_refused() {
    let folder = Folder::new("endgames-wrong-graphs");
    let short = folder.file("short.edges", "3\n\n0 1\n1 >\n");
    let (code, message) = refused(&["endgames", &short]);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains("short.edges:4:1: expected an edge"),
        "{message}"
    );
    let far = folder.file("far.edges", "3\n0 3\n");
    let (_, message) = refused(&["endgames", &far]);
    assert!(
        message.contains("far.edges:2:1: expected vertices below 3"),
        "{message}"
    );
    let two = folder.file("two.g6", "Ch\nCh\n");
    let (_, message) = refused(&["endgames", &two]);
    assert!(message.contains("expected one graph, found 2"), "{message}");
    let streets = folder.file("streets.edges", STREETS);
    let (code, message) = refused(&["endgames", &streets, "--robber", "greedy"]);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("expected trailmax"), "{message}");
}
