//! Input and output files: read, replaced, refused and cleaned up.

use super::{CORRIDOR, Folder, PILLAR, json, printed, pursuit, refused, text};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::process::Stdio;

/// The names of all files of a folder.
fn names(folder: &Folder) -> BTreeSet<String> {
    let entries = fs::read_dir(&folder.0).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    names
        .map(|name| name.into_string().expect("UTF-8"))
        .collect()
}

#[test]
fn a_column_twice_is_refused() {
    let folder = Folder::new("column-twice");
    let map = folder.file("corridor.map", CORRIDOR);
    let cases = [
        (
            "robber_x,robber_y,cop1_x,cop1_y,robber_x",
            "\"robber_x\" again, as column 5",
        ),
        (
            "robber_x,robber_y, cop1_x ,cop1_x,cop1_y",
            "\"cop1_x\" again, as column 4",
        ),
        (
            "turns,note,note,turns,robber_x",
            "\"note\" again, as column 3",
        ),
    ];
    for (header, found) in cases {
        let csv = folder.file("twice.csv", &format!("{header}\n0,0,3,0,0\n"));
        let expected = format!("pursuit: {csv}:1:1: expected each column once, found {found}\n");
        for args in [
            &["values", &map, "--positions", &csv][..],
            &["eval", &map, "--positions", &csv, "--robbers", "greedy"],
        ] {
            assert_eq!(refused(args), (Some(3), expected.clone()), "{args:?}");
        }
    }
}

#[test]
fn columns_without_a_name_may_be_many() {
    let folder = Folder::new("no-name");
    let map = folder.file("corridor.map", CORRIDOR);
    let csv = folder.file(
        "unnamed.csv",
        "robber_x,robber_y,cop1_x,cop1_y,,\n3,0,0,0,,\n",
    );
    printed(&["values", &map, "--positions", &csv]);
}

#[test]
fn a_name_that_json_gives_is_not_given_twice() {
    let folder = Folder::new("given-turns");
    let map = folder.file("corridor.map", CORRIDOR);
    let positions = "robber_x,robber_y,cop1_x,cop1_y,turns,given_turns\n3,0,0,0,3,5\n";
    let csv = folder.file("given.csv", positions);
    let args = ["values", &map, "--positions", &csv];
    assert!(printed(&args).ends_with(",turns,given_turns,turns\n3,0,0,0,3,5,3\n"));
    let (code, error) = refused(&[&args[..], &["--json"]].concat());
    assert_eq!(code, Some(3), "{error}");
    assert!(error.contains("given_turns"), "{error}");
}

#[test]
fn a_result_never_replaces_an_input() {
    let folder = Folder::new("onto-input");
    let map = folder.file("pillar.map", PILLAR);
    let csv = folder.file("pillar.csv", "robber_x,robber_y,cop1_x,cop1_y\n3,3,0,0\n");
    let here = folder.0.display().to_string();
    let roundabout = format!(
        "{here}/../{}/pillar.map",
        folder
            .0
            .file_name()
            .and_then(|name| name.to_str())
            .expect("UTF-8")
    );
    let eval = ["eval", &map, "--robbers", "greedy", "--cop-speed", "2"];
    let mut cases = vec![
        vec!["solve", &map, "-o", &map],
        vec!["solve", &map, "-o", &roundabout],
        vec!["analyze", &map, "--png", &map],
        [&eval[..], &["--positions", &csv, "--chart", &map]].concat(),
        [&eval[..], &["--positions", &csv, "--chart", &csv]].concat(),
        [&eval[..], &["--positions", &here, "--chart", &csv]].concat(),
    ];
    let link = folder.path("link").display().to_string();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("pillar.map", &link).expect("a link");
        cases.push(vec!["solve", &map, "-o", &link]);
        cases.push(vec!["solve", &link, "-o", &map]);
    }
    let before = names(&folder);
    for args in &mut cases {
        let (code, error) = refused(args);
        assert_eq!(code, Some(2), "{args:?}: {error}");
        assert!(
            error.contains("expected another file than the input"),
            "{error}"
        );
    }
    assert_eq!(fs::read_to_string(&map).expect("the map"), PILLAR);
    assert_eq!(names(&folder), before);
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_never_replaces_what_stdin_is_read_from() {
    let folder = Folder::new("onto-stdin");
    let map = folder.file("pillar.map", PILLAR);
    let mut child = pursuit(&["solve", "-", "-o", &map]);
    let child = child.stdin(File::open(&map).expect("the map"));
    let output = child.output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(fs::read_to_string(&map).expect("the map"), PILLAR);
}

#[test]
#[cfg(unix)]
fn a_file_that_is_replaced_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("mode");
    let map = folder.file("pillar.map", PILLAR);
    let mode = |path: &str| fs::metadata(path).expect("a file").permissions().mode() & 0o7777;
    for kept in [0o600, 0o664, 0o444] {
        let table = folder.file("old.ptab", "old");
        let permissions = fs::Permissions::from_mode(kept);
        fs::set_permissions(&table, permissions).expect("changed");
        printed(&["solve", &map, "-o", &table]);
        assert_eq!(mode(&table), kept, "{kept:o}");
        assert_ne!(fs::read(&table).expect("a table"), b"old");
        fs::remove_file(&table).expect("removed");
    }
    let (new, plain) = (folder.path("new.ptab"), folder.file("plain", ""));
    let new = new.display().to_string();
    printed(&["solve", &map, "-o", &new]);
    assert_eq!(mode(&new), mode(&plain), "as files are made here");
}

#[test]
fn a_map_may_begin_with_a_byte_order_mark() {
    let folder = Folder::new("mark");
    let map = folder.file("pillar.map", &format!("\u{feff}{PILLAR}"));
    assert_eq!(json(&["solve", &map])["vertices"], 12);
}

#[test]
fn an_empty_map_file_is_called_empty() {
    let folder = Folder::new("empty");
    for nothing in ["", "\u{feff}", "\n \n"] {
        let map = folder.file("empty.map", nothing);
        let expected = format!(
            "pursuit: {map}:1:1: expected a level in RON or a MovingAI map, found an empty text\n"
        );
        assert_eq!(refused(&["solve", &map]), (Some(3), expected));
    }
}

#[test]
fn cops_that_change_places_are_one_move() {
    let folder = Folder::new("once");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("two.ptab").display().to_string();
    printed(&["solve", &map, "--cops", "2", "-o", &table]);
    let moves = |cops: [&str; 2]| {
        let args = [
            "probe", &table, &map, "--robber", "3,3", "--cop", cops[0], "--cop", cops[1],
        ];
        let found = json(&args);
        let moves = found["moves"].as_array().expect("a list").clone();
        let sorted = |ends: &serde_json::Value| {
            let mut ends: Vec<String> = ends
                .as_array()
                .expect("a move")
                .iter()
                .map(ToString::to_string)
                .collect();
            ends.sort();
            ends
        };
        let once: BTreeSet<_> = moves.iter().map(sorted).collect();
        assert_eq!(once.len(), moves.len(), "{moves:?}");
        assert!(!once.is_empty());
        (found["turns"].clone(), once)
    };
    // Two cops on one cell have the same moves, and each joint move is listed only once.
    moves(["0,0", "0,0"]);
    assert_eq!(moves(["0,0", "1,0"]), moves(["1,0", "0,0"]));
}

#[test]
fn temporary_files_of_nobody_are_removed_and_those_of_others_stay() {
    let folder = Folder::new("left-behind");
    let map = folder.file("pillar.map", PILLAR);
    let left = folder.path(".pursuit-0123456789abcdef.tmp");
    fs::write(&left, "half a table").expect("written");
    // A living process holds the lock of its file.
    let owned = File::create(folder.path(".pursuit-fedcba9876543210.tmp")).expect("a file");
    owned.lock().expect("a file system that knows locks");
    // Names of files that the tool has not created.
    let foreign = [
        ".pursuit-1234.tmp",
        ".pursuit-0123456789abcdeg.tmp",
        "pursuit-0123456789abcdef.tmp",
    ];
    for name in foreign {
        folder.file(name, "");
    }
    fs::create_dir(folder.path(".pursuit-aaaaaaaaaaaaaaaa.tmp")).expect("a folder");
    let mut expected = names(&folder);
    expected.remove(".pursuit-0123456789abcdef.tmp");
    expected.insert("pillar.ptab".to_owned());
    let table = folder.path("pillar.ptab").display().to_string();
    printed(&["solve", &map, "-o", &table]);
    assert_eq!(names(&folder), expected);
    // A child that another test is starting in this moment shares the open file, so closing it is not enough.
    owned.unlock().expect("it is ours");
    expected.remove(".pursuit-fedcba9876543210.tmp");
    // Beside a table that was read-only.
    let left = folder.file(".pursuit-0123456789abcdef.tmp", "half a table");
    let mut permissions = fs::metadata(&left).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&left, permissions).expect("changed");
    printed(&["solve", &map, "-o", &table]);
    assert_eq!(names(&folder), expected);
}

/// Cleaning up never removes a file that another process is about to write.
#[test]
fn many_at_once_in_a_folder_all_write_their_files() {
    let folder = Folder::new("at-once");
    let map = folder.file("corridor.map", CORRIDOR);
    for _ in 0..5 {
        let tables = (0..8).map(|index| folder.path(&format!("{index}.ptab")));
        let tables: Vec<_> = tables.collect();
        let children = tables.iter().map(|table| {
            let path = table.display().to_string();
            let mut command = pursuit(&["solve", &map, "--threads", "1", "-o", &path]);
            let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().expect("it starts")
        });
        for child in children.collect::<Vec<_>>() {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
        for table in tables {
            fs::remove_file(table).expect("a table");
        }
    }
    assert_eq!(names(&folder), BTreeSet::from(["corridor.map".to_owned()]));
}
