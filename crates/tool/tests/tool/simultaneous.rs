//! The game with simultaneous moves: solved, described, looked up, verified and compared.

use super::{CORRIDOR, Folder, PILLAR, json, printed, refused};
use std::fs;

const ROOM: &str = "type octile\nheight 3\nwidth 3\nmap\n...\n...\n...\n";

#[test]
fn mixed_tables_are_written_told_about_verified_and_looked_up() {
    let folder = Folder::new("mixed");
    let map = folder.file("room.map", ROOM);
    let table = folder.path("room.ptab").display().to_string();
    let solved = json(&["solve", &map, "--simultaneous", "-o", &table]);
    let bytes = fs::metadata(&table).expect("a file").len();
    assert_eq!(solved["file_bytes"], bytes);
    assert_eq!(
        (&solved["positions"], &solved["infinite"]),
        (&81.into(), &0.into())
    );
    assert!(solved["width"].as_f64().expect("a number") <= 0.01);
    let info = json(&["info", &table]);
    assert_eq!(
        (&info["file_bytes"], &info["simultaneous"]),
        (&bytes.into(), &true.into())
    );
    for side in ["cops_exploitability", "robber_exploitability"] {
        assert!(info[side].as_f64().expect("a number") <= 0.01);
        assert_eq!(info[side], solved[side]);
    }
    let verified = json(&["verify", &table, &map]);
    assert_eq!(verified["right"], true);
    let place = ["--robber", "0,0", "--cop", "2,2"];
    let found = json(&[&["probe", &table, &map], &place[..]].concat());
    let bound = |name: &str| found[name].as_f64().expect("a number");
    assert!(1.0 < bound("lower") && bound("lower") <= bound("upper"));
    assert!(bound("upper") - bound("lower") <= 0.01);
    for side in ["robber", "cops"] {
        let moves = found[side].as_array().expect("a list");
        let shares = moves
            .iter()
            .map(|play| play["probability"].as_f64().expect("a number"));
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let shown = printed(&[&["probe", &table, &map], &place[..]].concat());
    assert!(
        shown.contains("expected turns") && shown.contains('%'),
        "{shown}"
    );
    assert!(printed(&["info", &table]).contains("simultaneous moves"));
}

#[test]
fn mixed_tables_that_are_foreign_or_damaged_are_refused() {
    let folder = Folder::new("mixed-refused");
    let (map, other) = (
        folder.file("room.map", ROOM),
        folder.file("other.map", CORRIDOR),
    );
    let table = folder.path("room.ptab").display().to_string();
    printed(&["solve", &map, "--simultaneous", "-o", &table]);
    let (code, error) = refused(&["verify", &table, &other]);
    assert_eq!(code, Some(3));
    assert!(error.contains("another map"), "{error}");
    let (code, error) = refused(&["probe", &table, &map, "--robber", "0,0", "--cop", "9,9"]);
    assert_eq!(code, Some(3));
    assert!(error.contains("9,9"), "{error}");
    let twice = ["--robber", "0,0", "--cop", "1,1", "--cop", "2,2"];
    let (code, error) = refused(&[&["probe", &table, &map], &twice[..]].concat());
    assert_eq!(code, Some(3));
    assert!(error.contains("expected --cop 1 times"), "{error}");
    let mut bytes = fs::read(&table).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&table, bytes).expect("written");
    let (code, error) = refused(&["info", &table]);
    assert_eq!(code, Some(3));
    assert!(error.contains("damaged"), "{error}");
    let (code, _) = refused(&["solve", &map, "--tolerance", "0.1"]);
    assert_eq!(code, Some(2));
    let (code, _) = refused(&["solve", &map, "--simultaneous", "--tolerance", "0"]);
    assert_eq!(code, Some(2));
}

#[test]
fn a_position_without_a_capture_is_infinite() {
    let folder = Folder::new("mixed-infinite");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("pillar.ptab").display().to_string();
    let solved = json(&["solve", &map, "--simultaneous", "-o", &table]);
    assert!(solved["infinite"].as_u64().expect("a number") > 0);
    let place = ["--robber", "0,0", "--cop", "3,3"];
    let found = json(&[&["probe", &table, &map], &place[..]].concat());
    assert!(found["lower"].is_null() && found["upper"].is_null());
    assert_eq!(json(&["verify", &table, &map])["right"], true);
}

#[test]
fn both_games_are_compared() {
    let folder = Folder::new("simultaneity");
    let map = folder.file("room.map", ROOM);
    let chart = folder.path("ratios.svg").display().to_string();
    let lines = json(&["simultaneity", &map, "--grids", "2-4", "--chart", &chart]);
    let lines = lines.as_array().expect("a list");
    assert_eq!(lines.len(), 4);
    for line in lines {
        assert!(
            line["mean_ratio"].as_f64().expect("a number") >= 1.0,
            "{line}"
        );
    }
    // The room is a grid, too.
    assert_eq!(lines[1]["mean_simultaneous"], lines[3]["mean_simultaneous"]);
    assert!(
        fs::read_to_string(&chart)
            .expect("a file")
            .starts_with("<svg")
    );
    let (code, _) = refused(&["simultaneity"]);
    assert_eq!(code, Some(2));
    let (code, _) = refused(&["simultaneity", "--grids", "5-2"]);
    assert_eq!(code, Some(2));
}
