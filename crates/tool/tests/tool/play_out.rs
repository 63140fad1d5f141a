//! `pursuit play-out`, and the search of `pursuit predator-prey`.

use super::{CORRIDOR, Folder, PILLAR, json, printed, refused};
use serde_json::{Value, json as value};

const SOLVERS: [&str; 6] = ["rma", "tida", "ipn", "cones", "alphabeta", "table"];

#[test]
fn all_solvers_print_the_value_and_a_line_to_the_capture() {
    let folder = Folder::new("play-out");
    let map = folder.file("pillar.map", PILLAR);
    let position = ["--robber", "3,3", "--cop", "0,0", "--cop", "0,1"];
    let mut turns = None;
    for solver in SOLVERS {
        let args = [&["play-out", &map, "--solver", solver], &position[..]].concat();
        let found = json(&args);
        let line = found["line"].as_array().expect("a line");
        assert_eq!(found["turns"].as_u64(), Some(line.len() as u64), "{solver}");
        assert_eq!(turns.get_or_insert(found["turns"].clone()), &found["turns"]);
        let last = &line[line.len() - 1];
        let cops = last["cops"].as_array().expect("cops");
        assert!(cops.contains(&last["robber"]), "{solver}: {last}");
        assert!(found["expansions"].as_u64() > Some(0));
        assert!(found["seconds"].as_f64() > Some(0.0));
        assert_eq!(found["solver"], solver);
        assert!(found.get("lower").is_none() && found.get("upper").is_none());
    }
    let people = printed(&[&["play-out", &map], &position[..]].concat());
    assert!(people.starts_with("turns  "), "{people}");
    assert!(people.contains("\nturn 1  "), "{people}");
}

#[test]
fn a_robber_that_escapes_is_told_by_all_solvers() {
    let folder = Folder::new("play-out-inf");
    let map = folder.file("pillar.map", PILLAR);
    for solver in SOLVERS {
        let position = ["--robber", "3,3", "--cop", "0,0", "--solver", solver];
        let args = [&["play-out", &map], &position[..]].concat();
        let found = json(&args);
        assert!(found["turns"].is_null() && found.get("turns").is_some());
        assert_eq!(found["line"], value!([]));
        assert!(printed(&args).starts_with("turns                   inf\n"));
    }
    let map = folder.file("corridor.map", CORRIDOR);
    let apart = ["play-out", &map, "--robber", "5,0", "--cop", "0,0"];
    assert!(json(&apart)["turns"].is_null(), "there is no way to it");
}

#[test]
fn limits_leave_bounds() {
    let folder = Folder::new("play-out-limits");
    let rows = vec![".".repeat(60); 60].join("\n");
    let map = folder.file(
        "open.map",
        &format!("type octile\nheight 60\nwidth 60\nmap\n{rows}\n"),
    );
    let position = ["--robber", "59,59", "--cop", "0,0", "--cop", "0,1"];
    for limit in [["--limit-seconds", "0.05"], ["--memory", "0.002"]] {
        let args = [
            &["play-out", &map, "--moves", "orthogonal"],
            &position[..],
            &limit,
        ];
        let found = json(&args.concat());
        assert!(found.get("turns").is_none(), "{found}");
        assert!(found["lower"].as_u64() >= Some(1), "{found}");
        assert!(found["upper"].is_null() && found.get("upper").is_some());
        let people = printed(&args.concat());
        assert!(
            people.contains("upper                   not known"),
            "{people}"
        );
    }
    let args = ["play-out", &map, "--memory", "0.00001"];
    let (code, error) = refused(&[&args, &position[..]].concat());
    assert_eq!(code, Some(4), "{error}");
}

#[test]
fn a_picture_is_written_of_the_line() {
    let folder = Folder::new("play-out-picture");
    let map = folder.file("corridor.map", CORRIDOR);
    let picture = folder.path("line.png").display().to_string();
    let position = ["--robber", "2,0", "--cop", "0,0", "--picture", &picture];
    let found = json(&[&["play-out", &map], &position[..]].concat());
    assert_eq!(found["turns"], 3);
    let cells = value!([
        {"cops": [[1, 0]], "robber": [3, 0]},
        {"cops": [[2, 0]], "robber": [3, 0]},
        {"cops": [[3, 0]], "robber": [3, 0]},
    ]);
    assert_eq!(found["line"], cells);
    let image = image::open(&picture).expect("a picture");
    assert!(image.width() > image.height());
}

#[test]
fn all_positions_of_a_file_are_solved() {
    let folder = Folder::new("play-out-list");
    let map = folder.file("corridor.map", CORRIDOR);
    let text = "robber_x,robber_y,cop1_x,cop1_y\n2,0,0,0\n5,0,0,0\n1,0,1,0\n";
    let positions = folder.file("positions.csv", text);
    let args = ["play-out", &map, "--positions", &positions];
    let all = printed(&args);
    let lines: Vec<&str> = all.lines().collect();
    let header =
        "robber_x,robber_y,cop1_x,cop1_y,turns,lower,upper,expansions,touched,bytes,seconds";
    assert_eq!(lines[0], header);
    for (line, expected) in lines[1..]
        .iter()
        .zip(["2,0,0,0,3,3,3,", "5,0,0,0,inf,", "1,0,1,0,0,"])
    {
        assert!(line.starts_with(expected), "{line}");
    }
    let Value::Array(rows) = json(&args) else {
        panic!("a list");
    };
    let turns: Vec<&Value> = rows.iter().map(|row| &row["turns"]).collect();
    assert_eq!(turns, [&value!(3), &value!(null), &value!(0)]);
}

#[test]
fn what_is_no_position_is_refused_with_its_cell() {
    let folder = Folder::new("play-out-refused");
    let map = folder.file("corridor.map", CORRIDOR);
    let error = |args: &[&str]| refused(&[&["play-out", &map], args].concat());
    let (code, text) = error(&["--robber", "4,0", "--cop", "0,0"]);
    assert_eq!(code, Some(3));
    assert!(
        text.contains("robber: expected a passable cell, found a wall at 4,0"),
        "{text}"
    );
    let (code, text) = error(&["--robber", "0,0", "--cop", "1,0", "--cop", "9,7"]);
    assert_eq!(code, Some(3));
    assert!(
        text.contains("cop: expected a cell of the 6 x 2 map, found 9,7"),
        "{text}"
    );
    let (code, text) = error(&["--robber", "0,0", "--cop", "1,0", "--solver", "guess"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("guess"), "{text}");
    for args in [
        &["--robber", "0,0"][..],
        &["--cop", "0,0"],
        &[],
        &["--robber", "0;0", "--cop", "1,0"],
        &["--robber", "0,0", "--cop", "1,0", "--limit-seconds", "0"],
        &["--robber", "0,0", "--cop", "1,0", "--positions", "file.csv"],
    ] {
        assert_eq!(error(args).0, Some(2), "{args:?}");
    }
    let five = [
        "--robber", "0,0", "--cop", "1,0", "--cop", "1,0", "--cop", "1,0", "--cop", "1,0",
    ];
    let (code, text) = error(&five);
    assert_eq!(code, Some(3));
    assert!(text.contains("expected 1 to 3 cops, found 4"), "{text}");
}

#[test]
fn the_papers_position_of_predators_and_prey_is_searched() {
    for (size, depth) in [("4", 5), ("5", 7)] {
        let found = json(&["predator-prey", "--size", size, "--search"]);
        let rows = found["search"].as_array().expect("a list");
        assert_eq!(rows.len(), depth, "{size}");
        assert!(rows[0]["paper_seconds"].is_null());
    }
    assert!(
        json(&["predator-prey", "--size", "3"])
            .get("search")
            .is_none()
    );
    let (code, error) = refused(&["predator-prey", "--size", "2", "--search"]);
    assert_eq!(
        (code, error.contains("found 2")),
        (Some(2), true),
        "{error}"
    );
}
