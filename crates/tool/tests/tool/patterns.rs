//! Patterns and rules: generated, written, read, matched and refused.

use super::{Folder, PILLAR, json, printed, refused};
use serde_json::Value;
use std::fs;

/// The sum of a list of counts.
fn sum(counts: &Value) -> u64 {
    let counts = counts.as_array().expect("a list").iter();
    counts.map(|count| count.as_u64().expect("a count")).sum()
}

#[test]
fn patterns_of_windows_are_counted_by_size_and_depth() {
    let report = json(&["patterns", "--shape", "3x3", "--depth", "2"]);
    let rows = report["rows"].as_array().expect("rows");
    let sizes: Vec<&str> = rows.iter().filter_map(|row| row["size"].as_str()).collect();
    assert_eq!(sizes, ["2x1", "3x1", "2x2", "3x2", "3x3"]);
    assert_eq!(rows[4]["possible"], 512);
    let kept = |row: &Value| sum(&row["won"]) + sum(&row["in_one"]) + sum(&row["in_two"]);
    assert_eq!(
        rows.iter().map(kept).sum::<u64>(),
        report["patterns"].as_u64().expect("a count")
    );
    assert!(
        rows[0]["in_one"] == serde_json::json!([0, 1, 0]),
        "a cop beside the robber"
    );
    let text = printed(&["patterns", "--shape", "3x3", "--depth", "2"]);
    assert_eq!(text.lines().count(), 7, "{text}");
}

#[test]
fn patterns_of_hex_are_those_of_the_paper() {
    let report = json(&["patterns", "--game", "hex", "--shape", "4", "--depth", "3"]);
    let rows = report["rows"].as_array().expect("rows");
    let column = |name: &str| -> Vec<u64> {
        let numbers = rows.iter().map(|row| row[name].as_u64().expect("a number"));
        numbers.collect()
    };
    assert_eq!(column("possible"), [9, 27, 81]);
    assert_eq!(column("shapes"), [1, 3, 7]);
    let won: Vec<u64> = rows.iter().map(|row| sum(&row["won"])).collect();
    assert_eq!(won, [1, 0, 1], "stones that touch, and the bridge");
}

#[test]
fn patterns_are_written_read_and_matched() {
    let folder = Folder::new("patterns");
    let map = folder.file("pillar.map", PILLAR);
    let file = folder.path("pillar.ppat").display().to_string();
    let generate = ["patterns", "--shape", "3x3", "--cops", "2", "--depth", "2"];
    let made = json(&[&generate[..], &["-o", &file]].concat());
    let read = json(&["patterns", "--file", &file, "--match", &map]);
    assert_eq!(made["patterns"], read["patterns"]);
    let at_once = json(&[&generate[..], &["--match", &map]].concat());
    for name in ["positions", "decisions", "coverage"] {
        assert_eq!(read["match"][name], at_once["match"][name], "{name}");
    }
    let ways = read["match"]["ways"].as_array().expect("ways");
    assert_eq!(ways.len(), 6);
    assert!(ways[2]["recognised_cops_to_move"].as_f64() > Some(0.1));
    let expansions = |way: usize| ways[way]["expansions"].as_f64().expect("a mean");
    assert!(expansions(2) < expansions(5) && expansions(4) <= expansions(3));
    let first = &read["match"]["coverage"][0];
    let shares = (first["patterns"].as_f64(), first["rules"].as_f64());
    assert_eq!(shares, (Some(1.0), Some(1.0)), "a cop beside it");
    let text = printed(&["patterns", "--file", &file, "--match", &map]);
    assert!(text.contains("binary search"), "{text}");

    let mut bytes = fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&file, bytes).expect("written");
    let (code, error) = refused(&["patterns", "--file", &file]);
    assert_eq!(code, Some(3));
    assert!(
        error.contains("pillar.ppat: expected the checksum"),
        "{error}"
    );
    let (code, error) = refused(&["patterns", "--file", &map]);
    assert_eq!(code, Some(3));
    assert!(error.contains("expected patterns"), "{error}");
}

#[test]
fn patterns_with_guarded_sides_are_matched_with_one_cop_more() {
    let folder = Folder::new("guarded");
    let map = folder.file("pillar.map", PILLAR);
    let matched = |more: &[&str]| {
        let args = [
            "patterns", "--shape", "3x3", "--depth", "2", "--match", &map,
        ];
        json(&[&args[..], more].concat())["match"].clone()
    };
    let (pairs, guarded) = (matched(&["--cops", "2"]), matched(&["--guarded", "2"]));
    let in_one = |report: &Value| report["coverage"][0].clone();
    for name in ["positions", "rules"] {
        assert_eq!(in_one(&pairs)[name], in_one(&guarded)[name], "{name}");
    }
    let (open, guarded) = (matched(&[]), guarded["decisions"].as_u64());
    assert!(guarded > open["decisions"].as_u64(), "{guarded:?}");
}

#[test]
fn wrong_windows_are_refused() {
    for args in [
        &["patterns", "--shape", "5x5"][..],
        &["patterns", "--shape", "3"],
        &["patterns", "--cops", "3"],
        &["patterns", "--guarded", "9"],
        &["patterns", "--game", "hex", "--shape", "40"],
        &["rules", "--cops", "0"],
        &["rules", "--free", "4"],
        &["rules", "--depth", "99"],
        &["rules", "--depth", "0"],
    ] {
        let (code, error) = refused(args);
        assert_eq!(code, Some(2), "{args:?}: {error}");
        assert!(error.contains("expected"), "{args:?}: {error}");
    }
}

#[test]
fn rules_are_printed_to_be_read() {
    let text = printed(&["rules", "--depth", "2"]);
    assert!(
        text.starts_with("caught(1, R; C1) if\n    free(R; C1) = {}\n"),
        "{text}"
    );
    assert!(
        text.contains("taken(2, R; C1) if\n    C1 moves to D1\n    D1 is beside R\n"),
        "{text}"
    );
    let report = json(&["rules", "--depth", "2", "--cops", "2"]);
    let rules = report["rules"].as_array().expect("rules");
    let counted: u64 = report["counts"]
        .as_array()
        .expect("counts")
        .iter()
        .map(|count| count["rules"].as_u64().expect("all are listed"))
        .sum();
    assert_eq!(rules.len() as u64, counted);
    assert!(rules[0]["conclusion"] == "caught(1, R; C1, C2)");
}
