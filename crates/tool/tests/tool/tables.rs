//! Tables as files: written, described, verified, looked up and refused.

use super::{CORRIDOR, Folder, PILLAR, json, printed, pursuit, refused, run, text};
use pursuit_engine::game::Rules;
use pursuit_engine::graph::Digraph;
use pursuit_engine::table::{Arena, Solver, Table};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};

/// Runs the tool with some input.
fn run_with(args: &[&str], input: &[u8]) -> Output {
    let mut command = pursuit(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

#[test]
fn stdin_is_a_file_once() {
    let folder = Folder::new("stdin");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("pillar.ptab").display().to_string();
    printed(&["solve", &map, "-o", &table]);
    let bytes = fs::read(&table).expect("a file");
    let place = ["--robber", "0,0", "--cop", "1,0"];
    let cases: [(Vec<&str>, &[u8]); 4] = [
        (vec!["info", "-"], &bytes),
        (vec!["verify", "-", &map], &bytes),
        (vec!["verify", &table, "-"], PILLAR.as_bytes()),
        ([&["probe", "-", &map], &place[..]].concat(), &bytes),
    ];
    for (args, input) in cases {
        let output = run_with(&args, input);
        assert!(output.status.success(), "{args:?}: {output:?}");
    }
    let twice = [
        vec!["values", "-", "--positions", "-"],
        vec!["verify", "-", "-"],
        [&["probe", "-", "-"], &place[..]].concat(),
    ];
    for args in twice {
        let (code, error) = refused(&args);
        assert_eq!(code, Some(2), "{args:?}");
        assert!(error.contains("stdin can be read once"), "{error}");
    }
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

    // Six steps apart in both directions; per turn the cop makes two steps and the robber one.
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
fn a_table_of_a_graph_has_no_moves() {
    let folder = Folder::new("graph");
    let path = Digraph::undirected(3, &[(0, 1), (1, 2)]).expect("in place");
    let solver = Solver::new(Arena::of_digraph(&path).into(), Rules::default(), 1 << 30);
    let mut solver = solver.expect("it fits");
    solver.run(|_| true);
    let table = Table::of(&solver.finish().expect("done"));
    let file = folder.path("path.ptab");
    fs::write(&file, table.bytes()).expect("written");
    let file = file.to_str().expect("UTF-8");
    let found = json(&["info", file]);
    assert_eq!(
        (&found["is_map"], found.get("moves")),
        (&false.into(), Some(&Value::Null))
    );
}

#[test]
fn counts_that_lie_are_no_panic() {
    let folder = Folder::new("counts");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("pillar.ptab").display().to_string();
    printed(&["solve", &map, "--cop-speed", "2", "-o", &table]);
    let mut bytes = fs::read(&table).expect("a file");
    // The directory's second entry, of the section TURN: name, checksum, offset, length.
    let number = |at: usize| {
        let number = bytes[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(number) as usize
    };
    let (entry, counts) = (
        44 + 24,
        number(44 + 24 + 8)..number(44 + 24 + 8) + number(44 + 24 + 16),
    );
    bytes[counts.clone()].fill(0xff);
    let checksum = crc32fast::hash(&bytes[counts]);
    bytes[entry + 4..entry + 8].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..164]);
    bytes[164..168].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&table, &bytes).expect("written");
    let output = run(&["info", &table]);
    // Shown unchanged, or refused.
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
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
    let (code, error) = refused(&two_cops);
    assert_eq!(code, Some(3));
    let expected = "is for 1 cop: expected --cop 1 times, found 2\n";
    assert!(error.ends_with(expected), "{error}");
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
fn verify_and_analyze_take_no_more_memory_than_they_may() {
    let folder = Folder::new("memory");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("pillar.ptab").display().to_string();
    printed(&["solve", &map, "--cops", "2", "-o", &table]);
    let (code, error) = refused(&["verify", &table, &map, "--memory", "0.000001"]);
    assert_eq!(code, Some(4));
    // Two bytes for each of 144 positions of the cops, five times.
    let text = "a table of 12 vertices and 2 cops needs about 0.00 MB of memory, 0.00 MB allowed";
    assert_eq!(error, format!("pursuit: {table}: {text}\n"));
    printed(&["verify", &table, &map, "--memory", "0.000002"]);

    let row = format!("{}\n", ".".repeat(500));
    let plain = format!(
        "type octile\nheight 500\nwidth 500\nmap\n{}",
        row.repeat(500)
    );
    let plain = folder.file("plain.map", &plain);
    let (code, error) = refused(&["analyze", &plain, "--memory", "0.019"]);
    assert_eq!(code, Some(4));
    let text = "an analysis of 250000 vertices needs about 0.055 GB of memory, 0.019 GB allowed";
    assert_eq!(error, format!("pursuit: {plain}: {text}\n"));
}

#[test]
fn a_table_that_lies_is_found_out() {
    let folder = Folder::new("lie");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("slow.ptab").display().to_string();
    printed(&["solve", &map, "-o", &table]);
    let mut bytes = fs::read(&table).expect("a file");
    // Claims to be for faster cops, with a matching checksum.
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
fn a_table_that_cannot_be_written_is_refused_before_the_work() {
    let folder = Folder::new("unwritten");
    let map = folder.file("pillar.map", PILLAR);
    let here = folder.0.display().to_string();
    let mut targets = vec![
        here.clone(),
        format!("{here}/no/such/folder.ptab"),
        format!("{here}/new/"),
        format!("{map}/table.ptab"),
    ];
    if cfg!(target_os = "linux") {
        targets.push("/proc/table.ptab".to_owned());
    }
    for target in targets {
        // The work would end with exit code 4.
        for (command, option) in [("solve", "-o"), ("analyze", "--png")] {
            let args = [command, &map, "--memory", "0.0000001", option, &target];
            let (code, error) = refused(&args);
            assert_eq!(code, Some(3), "{error}");
            assert!(
                error.starts_with(&format!("pursuit: {target}: ")),
                "{error}"
            );
        }
    }
    let (code, error) = refused(&["solve", &map, "-o", "-"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("stdout is for the report"), "{error}");
    let unsolved = folder.path("unsolved.ptab").display().to_string();
    let args = ["solve", &map, "--memory", "0.0000001", "-o", &unsolved];
    assert_eq!(refused(&args).0, Some(4));
    let left = fs::read_dir(&folder.0).expect("a folder");
    assert_eq!(left.count(), 1, "only the map");
}
