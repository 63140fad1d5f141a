//! Levels of hexagons: solved, described, verified, looked up and analysed.

use super::{CORRIDOR, Folder, PILLAR, json, printed, refused};

/// A ring of six hexagons around a wall, and one hexagon apart that begins in an odd row.
const RING: &str = r#"(
    name: "ring",
    moves: Hexagonal(RowOdd),
    rows: [
        "@@@@@@",
        "@..@@@",
        "@.@.@.",
        "@..@@@",
    ],
)"#;

#[test]
fn tables_of_hexagons_are_written_told_about_and_verified() {
    let folder = Folder::new("hexagons");
    let level = folder.file("ring.level.ron", RING);
    let table = folder.path("ring.ptab").display().to_string();
    let solved = json(&["solve", &level, "--cops", "2", "-o", &table]);
    assert_eq!(solved["vertices"], 7);
    assert_eq!(solved["longest_turns"], 3);
    assert_eq!(json(&["info", &table])["moves"], "hex_row_odd");
    printed(&["verify", &table, &level]);
    printed(&[
        "probe", &table, &level, "--robber", "3,2", "--cop", "1,2", "--cop", "1,1",
    ]);
    // The ring is one component, and its robber runs around the wall.
    let found = json(&["analyze", &level]);
    assert!(found["escapes"].as_u64() > Some(0), "{found}");
    assert_eq!(
        (&found["components"], &found["cop_number"]),
        (&2.into(), &2.into())
    );
    let torn = RING.replace("@.@.@.", "@.@@@.");
    let torn = folder.file("torn.level.ron", &torn);
    let (code, error) = refused(&["verify", &table, &torn]);
    assert!(code != Some(0), "{error}");
}

#[test]
fn maps_are_squares_unless_an_option_says_otherwise() {
    let folder = Folder::new("hex-option");
    let map = folder.file("pillar.map", PILLAR);
    let moves = |args: &[&str]| json(&[&["solve", &map], args].concat())["fingerprint"].clone();
    let hexagons = moves(&["--moves", "hex-row-odd"]);
    assert_ne!(moves(&[]), hexagons);
    assert_ne!(moves(&["--moves", "hex-column-odd"]), hexagons);
    let corridor = folder.file("corridor.map", CORRIDOR);
    let (code, error) = refused(&["solve", &corridor, "--moves", "hexagonal"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("hex-row-odd"), "{error}");
    let (code, error) = refused(&[
        "patterns", "--moves", "hex-row", "--shape", "3x3", "--depth", "1",
    ]);
    assert_eq!(code, Some(2));
    assert!(error.contains("squares"), "{error}");
}
