//! The tool `pursuit` as a user meets it: what it prints, what it refuses, and its exit codes.
#![cfg(feature = "cli")]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A corridor of four cells, a wall, and a cell of its own.
const CORRIDOR: &str = "type octile\nheight 2\nwidth 6\nmap\n....@.\n@@@@@@\n";
/// A room with a pillar to run around.
const PILLAR: &str = "type octile\nheight 4\nwidth 4\nmap\n....\n.@@.\n.@@.\n....\n";

/// A folder that goes away with the test.
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

/// What it prints when all is well.
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
fn graph6_counts_the_graphs_that_cops_win() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/connected_up_to_6.g6");
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
        "  0    done",
        "  4    it would not fit into memory",
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
    assert_eq!(refused(&["solve", &map, "--cops", "255"]).0, Some(4));

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
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("predator-prey"), "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_in_between() {
    let folder = Folder::new("interrupt");
    let row = ".".repeat(120);
    let rows = vec![row; 120].join("\n");
    let map = folder.file(
        "hall.map",
        &format!("type octile\nheight 120\nwidth 120\nmap\n{rows}\n"),
    );
    let mut child = pursuit(&["solve", &map, "--threads", "1"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("it starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("a program kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(
        (text(&output.stdout), text(&output.stderr)),
        ("", "pursuit: interrupted\n")
    );
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = pursuit(&["completions", "bash"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.as_mut().expect("it starts");
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert!(status.success());
}

#[test]
fn tables_are_written_told_about_verified_and_looked_up() {
    let folder = Folder::new("tables");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("pillar.ptab").display().to_string();
    let solved = json(&["solve", &map, "--cop-speed", "2", "-o", &table]);
    let bytes = fs::metadata(&table).expect("a file").len();
    assert_eq!(solved["file_bytes"], bytes);
    let info = json(&["info", &table]);
    for key in [
        "vertices",
        "states",
        "escapes",
        "longest_turns",
        "fingerprint",
        "file_bytes",
        "bits_per_state",
    ] {
        assert_eq!(info[key], solved[key], "{key}");
    }
    assert_eq!(info["cop_speed"], 2);
    let verified = json(&["verify", &table, &map]);
    assert_eq!(
        (&verified["wrong"], &verified["right"]),
        (&0.into(), &true.into())
    );
    assert_eq!(verified["positions"], 144);

    // Six steps apart either way round: two of the cop's, one of the robber's a turn.
    let position = ["probe", &table, &map, "--robber", "3,3", "--cop", "0,0"];
    let cops = json(&position);
    let csv = folder.file("one.csv", "robber_x,robber_y,cop1_x,cop1_y\n3,3,0,0\n");
    let values = json(&["values", &map, "--positions", &csv, "--cop-speed", "2"]);
    assert_eq!(cops["turns"], values[0]["turns"]);
    assert_eq!(cops["turn"], "cops");
    let both_ways = serde_json::json!([[[2, 0]], [[0, 2]]]);
    let mut moves = cops["moves"].as_array().expect("a list").clone();
    moves.sort_by_key(ToString::to_string);
    let mut expected = both_ways.as_array().expect("a list").clone();
    expected.sort_by_key(ToString::to_string);
    assert_eq!(moves, expected);
    let robber = json(&[&position[..], &["--turn", "robber"]].concat());
    assert!(!robber["moves"].as_array().expect("a list").is_empty());
    let people = printed(&position);
    assert!(people.starts_with("turns "), "{people}");
}

#[test]
fn damaged_and_foreign_tables_are_refused() {
    let folder = Folder::new("refused");
    let map = folder.file("pillar.map", PILLAR);
    let other = folder.file("corridor.map", CORRIDOR);
    let table = folder.path("pillar.ptab").display().to_string();
    printed(&["solve", &map, "-o", &table]);
    let (code, error) = refused(&["verify", &table, &other]);
    assert_eq!(code, Some(3));
    assert!(error.contains("the table is of another map"), "{error}");
    let (code, error) = refused(&["probe", &table, &map, "--robber", "1,1", "--cop", "0,0"]);
    assert_eq!(code, Some(3));
    assert!(error.contains("1,1 is a wall"), "{error}");
    let two_cops = [
        "probe", &table, &map, "--robber", "0,0", "--cop", "1,0", "--cop", "2,0",
    ];
    assert_eq!(refused(&two_cops).0, Some(3));
    let mut bytes = fs::read(&table).expect("a file");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&table, &bytes).expect("written");
    let (code, error) = refused(&["info", &table]);
    assert_eq!(code, Some(3));
    assert!(
        error.contains("pillar.ptab: offset ") && error.contains("BLCK"),
        "{error}"
    );
    assert_eq!(refused(&["info", &map]).0, Some(3));
}

#[test]
fn a_table_that_lies_is_found_out() {
    let folder = Folder::new("lie");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("slow.ptab").display().to_string();
    printed(&["solve", &map, "-o", &table]);
    let mut bytes = fs::read(&table).expect("a file");
    // Said to be for faster cops, with a checksum that fits.
    bytes[12] = 2;
    let checksum = crc32fast::hash(&bytes[..164]);
    bytes[164..168].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&table, &bytes).expect("written");
    let output = run(&["verify", &table, &map]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("expected "),
        "{}",
        text(&output.stderr)
    );
    assert!(text(&output.stdout).contains("wrong"));
}

#[test]
fn a_table_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("unwritten");
    let map = folder.file("pillar.map", PILLAR);
    let nowhere = folder.path("no/such/folder.ptab").display().to_string();
    assert_eq!(refused(&["solve", &map, "-o", &nowhere]).0, Some(3));
    let left: Vec<_> = fs::read_dir(&folder.0).expect("a folder").collect();
    assert_eq!(left.len(), 1, "only the map");
}
