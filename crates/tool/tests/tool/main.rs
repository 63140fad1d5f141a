//! The tool `pursuit` from the user's point of view: its output, its errors and its exit codes.

mod bake_endgames;
mod endgames;
mod eval;
mod files;
mod graphs;
mod hexagons;
mod patterns;
mod play_out;
mod play_out_lengths;
#[cfg(unix)]
mod process;
mod simultaneous;
mod tables;
mod tournament;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A corridor of four cells, a wall, and an isolated cell.
const CORRIDOR: &str = "type octile\nheight 2\nwidth 6\nmap\n....@.\n@@@@@@\n";
/// A room with a pillar to run around.
const PILLAR: &str = "type octile\nheight 4\nwidth 4\nmap\n....\n.@@.\n.@@.\n....\n";

/// A folder that is deleted after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let name = format!("pursuit-tool-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("written");
        self.path(name).display().to_string()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn pursuit(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pursuit"));
    command.args(args).stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    pursuit(args).output().expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// The output of a successful run.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        text(&output.stderr)
    );
    assert_eq!(
        text(&output.stderr),
        "",
        "stderr is for terminals and errors"
    );
    text(&output.stdout).to_owned()
}

fn json(args: &[&str]) -> Value {
    let printed = printed(&[args, &["--json"]].concat());
    serde_json::from_str(&printed).expect("JSON")
}

/// The exit code and the error.
fn refused(args: &[&str]) -> (Option<i32>, String) {
    let output = run(args);
    assert_eq!(text(&output.stdout), "", "{args:?}");
    (output.status.code(), text(&output.stderr).to_owned())
}

#[test]
fn solve_says_what_a_table_takes() {
    let folder = Folder::new("solve");
    let map = folder.file("pillar.map", PILLAR);
    let found = json(&["solve", &map, "--cops", "2"]);
    assert_eq!(found["vertices"], 12);
    assert_eq!(found["states"], 12 * 12 * 13 / 2);
    assert_eq!(found["escapes"], 0);
    assert_eq!(found["positions"], 12 * 12 * 12);
    assert_eq!(found["fingerprint"].as_str().map(str::len), Some(32));
    for key in [
        "longest_turns",
        "seconds",
        "states_per_second",
        "peak_bytes",
    ] {
        assert!(
            found[key].as_f64().is_some_and(|number| number > 0.0),
            "{key}"
        );
    }
    for key in ["file_bytes", "bits_per_state"] {
        assert!(found[key].is_null() && found.get(key).is_some(), "{key}");
    }
    let alone = json(&["solve", &map]);
    assert!(alone["escapes"].as_u64() > Some(0), "around the pillar");
    let fast = json(&["solve", &map, "--cop-speed", "2", "--threads", "1"]);
    assert_eq!(fast["escapes"], 0);
    let people = printed(&["solve", &map, "--moves", "orthogonal", "--memory", "0.5"]);
    assert!(
        people
            .lines()
            .any(|line| line == "vertices                12"),
        "{people}"
    );
}

#[test]
fn levels_are_maps_with_their_doors_as_at_the_start() {
    let level = r#"(name: "Cell", legend: {'d': Door(name: "gate")}, rows: ["..d.."])"#;
    let folder = Folder::new("level");
    let map = folder.file("cell.level.ron", level);
    assert_eq!(json(&["solve", &map])["vertices"], 4);
}

#[test]
fn values_are_added_to_positions() {
    let folder = Folder::new("values");
    let map = folder.file("corridor.map", CORRIDOR);
    let positions = "name,robber_x,robber_y,cop1_x,cop1_y,note\n\
        \"a, b\",3,0,0,0,x\nc,0,0,0,0,\nd,5,0,0,0,7\n";
    let csv = folder.file("positions.csv", positions);
    let args = ["values", &map, "--positions", &csv];
    let expected = "name,robber_x,robber_y,cop1_x,cop1_y,note,turns\n\
        \"a, b\",3,0,0,0,x,3\nc,0,0,0,0,,0\nd,5,0,0,0,7,inf\n";
    assert_eq!(printed(&args), expected);
    let rows = json(&args);
    assert_eq!(rows[0]["name"], "a, b");
    assert_eq!(
        (&rows[0]["robber_x"], &rows[0]["turns"]),
        (&3.into(), &3.into())
    );
    assert_eq!(rows[2]["turns"], Value::Null);

    let fast = printed(&["values", &map, "--positions", &csv, "--cop-speed", "2"]);
    assert_eq!(fast.lines().nth(1), Some("\"a, b\",3,0,0,0,x,2"));
    let pairs = "robber_x,robber_y,cop1_x,cop1_y,cop2_x,cop2_y\n2,0,0,0,3,0\n";
    let pairs = folder.file("pairs.csv", pairs);
    let both = printed(&["values", &map, "--positions", &pairs]);
    assert_eq!(
        both.lines().nth(1),
        Some("2,0,0,0,3,0,1"),
        "as many cops as columns"
    );
    let first = printed(&["values", &map, "--positions", &pairs, "--cops", "1"]);
    assert_eq!(
        first.lines().nth(1),
        Some("2,0,0,0,3,0,3"),
        "the second is a column like any other"
    );
    let (code, error) = refused(&["values", &map, "--positions", &csv, "--cops", "2"]);
    assert_eq!(code, Some(3));
    assert_eq!(
        error,
        format!("pursuit: {csv}:1:1: expected columns of 2 cops, found 1\n")
    );
}

#[test]
fn values_are_compared_with_those_of_the_file() {
    let folder = Folder::new("check");
    let map = folder.file("corridor.map", CORRIDOR);
    let header = "robber_x,robber_y,cop1_x,cop1_y,turns\n";
    let right = folder.file("right.csv", &format!("{header}3,0,0,0,3\n5,0,0,0,inf\n"));
    let args = ["values", &map, "--positions", &right];
    let both = printed(&args);
    assert!(both.starts_with("robber_x,robber_y,cop1_x,cop1_y,turns,turns\n3,0,0,0,3,3\n"));
    assert_eq!(json(&args)[0]["given_turns"], 3);
    let checked = printed(&[&args[..], &["--check"]].concat());
    assert_eq!(checked, "2 positions, 0 differences\n");
    let wrong = folder.file("wrong.csv", &format!("{header}3,0,0,0,3\n2,0,0,0,4\n"));
    let output = run(&["values", &map, "--positions", &wrong, "--check", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["differences"], 1);
    let error = format!("pursuit: {wrong}:3:9: expected 3, found 4\n");
    assert_eq!(text(&output.stderr), error);
}

#[test]
fn wrong_positions_are_refused_with_their_place() {
    let folder = Folder::new("positions");
    let map = folder.file("corridor.map", CORRIDOR);
    let header = "note,robber_x,robber_y,cop1_x,cop1_y\n";
    let expect = |rows: &str, place: &str, what: &str| {
        let csv = folder.file("positions.csv", rows);
        let (code, error) = refused(&["values", &map, "--positions", &csv]);
        assert_eq!(code, Some(3), "{rows}");
        assert_eq!(error, format!("pursuit: {csv}:{place}: {what}\n"), "{rows}");
    };
    let rows = |rows: &str| format!("{header}{rows}");
    expect(
        &rows("x,0,0,1,0\n\n\"q,\",3,0,4,0\n"),
        "4:10",
        "expected a passable cell, found a wall at (4, 0)",
    );
    expect(
        &rows("x,9,0,1,0\n"),
        "2:3",
        "expected a cell of the 6 x 2 map, found (9, 0)",
    );
    expect(
        &rows("x,99999,0,1,0\r\n"),
        "2:3",
        "expected a cell of the 6 x 2 map, found (99999, 0)",
    );
    expect(
        &rows("x,0,0,1,-1\n"),
        "2:9",
        "expected a number from 0, found \"-1\"",
    );
    expect(
        &rows("x,0,0,1\n"),
        "2:1",
        "expected 5 fields as in line 1, found 4",
    );
    expect(
        "robber_x,robber_y\n",
        "1:1",
        "expected columns cop1_x and cop1_y, found robber_x,robber_y",
    );
}

#[test]
fn columns_of_cops_are_numbered_without_gaps() {
    let folder = Folder::new("gaps");
    let map = folder.file("corridor.map", CORRIDOR);
    let values = |header: &str| {
        let csv = folder.file("positions.csv", &format!("{header}\n"));
        (refused(&["values", &map, "--positions", &csv]), csv)
    };
    for third in ["cop3_x,cop3_y", "cop2_y,cop3_x"] {
        let header = format!("robber_x,robber_y,cop1_x,cop1_y,{third}");
        let ((code, error), csv) = values(&header);
        assert_eq!(code, Some(3), "{header}");
        let expected = "expected columns cop2_x and cop2_y, found";
        assert_eq!(error, format!("pursuit: {csv}:1:1: {expected} {header}\n"));
    }
    let cops: Vec<String> = (1..=256).map(|k| format!("cop{k}_x,cop{k}_y")).collect();
    let ((code, error), csv) = values(&format!("robber_x,robber_y,{}", cops.join(",")));
    assert_eq!(code, Some(3));
    let expected = "expected columns of 1 to 255 cops, found 256";
    assert_eq!(error, format!("pursuit: {csv}:1:1: {expected}\n"));
}

#[test]
fn without_positions_nothing_is_solved() {
    let folder = Folder::new("header");
    let map = folder.file("corridor.map", CORRIDOR);
    let header = "robber_x,robber_y,cop1_x,cop1_y,turns";
    let csv = folder.file("header.csv", &format!("{header}\n"));
    let little = ["values", &map, "--positions", &csv, "--memory", "0.0000001"];
    assert_eq!(printed(&little), format!("{header},turns\n"));
    assert_eq!(json(&little), serde_json::json!([]));
    let checked = printed(&[&little[..], &["--check"]].concat());
    assert_eq!(checked, "0 positions, 0 differences\n");
}

#[test]
fn what_is_passed_through_keeps_its_form_in_json() {
    let folder = Folder::new("cells");
    let map = folder.file("corridor.map", CORRIDOR);
    let header = "a,b,c,d,robber_x,robber_y,cop1_x,cop1_y\n";
    let csv = folder.file("cells.csv", &format!("{header}007,7, 7,+7,0,0,3,0\n"));
    let row = &json(&["values", &map, "--positions", &csv])[0];
    let found = ["a", "b", "c", "d"].map(|key| row[key].clone());
    assert_eq!(
        Value::from(found.to_vec()),
        serde_json::json!(["007", 7, " 7", "+7"])
    );
}

#[test]
fn predator_prey_prints_a_column_of_the_table() {
    let text = printed(&["predator-prey", "--size", "4"]);
    let expected = "0 10440\n1 2712\n2 3960\n3 10200\n4 19584\n5 6864\ntotal 53760\nseconds ";
    assert!(text.starts_with(expected), "{text}");
    let found = json(&["predator-prey", "--size", "4"]);
    assert_eq!(
        (&found["size"], &found["total"]),
        (&4.into(), &53760.into())
    );
    assert_eq!(found["depths"][5]["count"], 6864);
}

#[test]
fn analyze_says_how_hard_a_level_is() {
    let folder = Folder::new("analyze");
    let pillar = folder.file("pillar.map", PILLAR);
    let png = folder.path("heat.png");
    let args = [
        "analyze",
        &pillar,
        "--cops",
        "2",
        "--png",
        png.to_str().expect("UTF-8"),
    ];
    let found = json(&args);
    assert_eq!(
        (&found["cop_number"], &found["cop_number_at_least"]),
        (&2.into(), &2.into())
    );
    assert_eq!(
        (&found["pitfalls"], &found["core"]),
        (&0.into(), &12.into()),
        "a cycle"
    );
    assert_eq!(
        (&found["search_time"], &found["escapes"]),
        (&3.into(), &0.into())
    );
    assert_eq!(found["capture_time"], found["longest_turns"]);
    assert!(found["mean_turns"].as_f64() > Some(1.0));
    let picture = image::open(&png).expect("a picture").to_rgb8();
    assert_eq!(
        *picture.get_pixel(30, 30),
        image::Rgb([47, 59, 82]),
        "the pillar"
    );
    assert!(
        !folder
            .0
            .read_dir()
            .expect("a folder")
            .flatten()
            .any(|file| {
                file.path()
                    .extension()
                    .is_some_and(|extension| extension == "tmp")
            })
    );
}

#[test]
fn analyze_shows_escapes_and_parts() {
    let folder = Folder::new("escapes");
    let pillar = folder.file("pillar.map", PILLAR);
    let png = folder.path("heat.png");
    let alone = json(&["analyze", &pillar, "--png", png.to_str().expect("UTF-8")]);
    assert_eq!(
        (&alone["search_time"], &alone["capture_time"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(alone["worst_cells"], 12);
    let picture = image::open(&png).expect("a picture").to_rgb8();
    assert_eq!(
        *picture.get_pixel(1, 1),
        image::Rgb([40, 120, 210]),
        "it escapes"
    );

    let corridor = folder.file("corridor.map", CORRIDOR);
    let people = printed(&["analyze", &corridor]);
    for line in [
        "components              2",
        "cop number              1",
        "capture time            3 turns",
    ] {
        assert!(people.lines().any(|found| found == line), "{people}");
    }
}

#[test]
fn analyze_tells_what_it_can_without_the_table() {
    let folder = Folder::new("partly");
    let map = folder.file("pillar.map", PILLAR);
    let png = folder.path("heat.png");
    let path = png.to_str().expect("UTF-8");
    // Enough memory for two cops, which determine the cop number.
    let args = [
        "analyze", &map, "--cops", "5", "--memory", "0.005", "--json", "--png", path,
    ];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(4));
    let error = text(&output.stderr);
    assert!(error.contains("12 vertices and 5 cops"), "{error}");
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let known = ["vertices", "components", "cop_number", "pitfalls", "core"];
    let known = known.map(|key| found[key].clone());
    assert_eq!(
        Value::from(known.to_vec()),
        serde_json::json!([12, 1, 2, 0, 12])
    );
    assert!(found.get("capture_time").is_none(), "null is an escape");
    assert!(!png.exists());
    let output = run(&args[..6]);
    assert_eq!(output.status.code(), Some(4));
    let people = text(&output.stdout);
    assert!(people.contains("cop number              2\n"), "{people}");
    assert!(!people.contains("capture"), "{people}");
}

#[test]
fn graph6_counts_the_graphs_that_cops_win() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testkit/data/connected_up_to_6.g6");
    let file = file.to_str().expect("UTF-8");
    let found = json(&["graph6", file, "--statistics"]);
    assert_eq!(
        (&found["graphs"], &found["connected"]),
        (&143.into(), &143.into())
    );
    assert_eq!(
        (&found["one_cop_win"], &found["two_cop_win"]),
        (&93.into(), &143.into())
    );
    // Tables 6.1 and 6.2 of the thesis, from 2 vertices.
    let columns = [
        ("graphs", [1, 2, 6, 21, 112]),
        ("one_cop_win", [1, 2, 5, 16, 68]),
        ("one_cop_max_search_time", [1, 1, 2, 2, 3]),
        ("one_cop_max_capture_time", [1, 2, 3, 4, 5]),
        ("two_cop_max_search_time", [0, 1, 1, 1, 2]),
        ("two_cop_max_capture_time", [1, 2, 3, 4, 5]),
    ];
    for (key, expected) in columns {
        for (row, expected) in (1..).zip(expected) {
            let row = &found["by_vertices"][row];
            assert_eq!(row[key], expected, "{key} of {row}");
        }
    }
    let people = printed(&["graph6", file, "--statistics"]);
    let row =
        "       6         112         112          68       3       5         112       2       5";
    assert!(people.lines().any(|line| line == row), "{people}");

    let folder = Folder::new("graph6");
    let broken = folder.file("broken.g6", "A_\nD?\n");
    let (code, error) = refused(&["graph6", &broken, "--statistics"]);
    assert_eq!(code, Some(3));
    assert!(
        error.starts_with(&format!("pursuit: {broken}:2:3: expected ")),
        "{error}"
    );
}

#[test]
fn exit_codes_are_those_of_the_help() {
    let help = printed(&["--help"]);
    for line in [
        "  0    success",
        "  4    not enough memory",
        "  130  interrupted",
    ] {
        assert!(help.contains(line), "{help}");
    }
    assert_eq!(refused(&["solve"]).0, Some(2));
    assert_eq!(
        refused(&["graph6", "file"]).0,
        Some(2),
        "says what to do with the graphs"
    );
    let folder = Folder::new("codes");
    let map = folder.file("corridor.map", CORRIDOR);
    for cops in ["0", "256"] {
        assert_eq!(refused(&["solve", &map, "--cops", cops]).0, Some(2));
    }
    let (code, error) = refused(&["solve", &map, "--memory", "0.0000001"]);
    assert_eq!(code, Some(4));
    assert!(error.contains("0.00 MB allowed"), "{error}");
    let limit = ["--memory", "0.5"];
    for large in [
        &["solve", &map, "--cops", "255"][..],
        &["predator-prey", "--size", "255"],
    ] {
        let (code, error) = refused(&[large, &limit].concat());
        assert_eq!(code, Some(4), "{error}");
        assert!(error.ends_with(", 0.50 GB allowed\n"), "{error}");
    }

    let broken = folder.file("broken.map", "type octile\nheight 1\nwidth 2\nmap\n.x\n");
    let (code, error) = refused(&["solve", &broken]);
    assert_eq!(code, Some(3));
    assert!(
        error.starts_with(&format!("pursuit: {broken}:5:2: expected ")),
        "{error}"
    );
    let missing = folder.path("missing.map").display().to_string();
    let (code, error) = refused(&["analyze", &missing]);
    assert_eq!(code, Some(3));
    assert!(
        error.starts_with(&format!("pursuit: {missing}: ")),
        "{error}"
    );
    let nowhere = folder.path("no/heat.png").display().to_string();
    assert_eq!(refused(&["analyze", &map, "--png", &nowhere]).0, Some(3));
}

#[test]
fn help_says_what_belongs_to_a_subcommand() {
    let solve = printed(&["solve", "--help"]);
    assert!(!solve.contains("positions has"), "{solve}");
    assert!(!solve.contains("cops of the file"), "{solve}");
    assert!(solve.contains("The number of cops\n"), "{solve}");
    assert!(printed(&["values", "--help"]).contains("all cops of the file"));
    assert_eq!(refused(&["info", "a", "--memory", "1"]).0, Some(2));
    let verify = printed(&["verify", "--help"]);
    assert!(verify.contains("--threads") && verify.contains("--memory"));
    assert!(verify.contains("Not included: input files"), "{verify}");
}

#[test]
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("predator-prey"), "{shell}");
    }
}
