//! `pursuit bake-endgames`, and `pursuit endgames` with what it stores.

use super::{CORRIDOR, Folder, PILLAR, json, printed, refused};
use std::fs;

#[test]
fn baked_shapes_take_the_place_of_solving() {
    let folder = Folder::new("bake");
    let pillar = folder.file("pillar.map", PILLAR);
    let corridor = folder.file("corridor.map", CORRIDOR);
    let file = folder.path("some.pend").display().to_string();
    let args = [
        "bake-endgames",
        &pillar,
        &corridor,
        "--games",
        "9",
        "-o",
        &file,
    ];
    let report = json(&args);
    assert_eq!(report["shapes"], 2, "each map is one region: {report}");
    assert_eq!(report["maps"][0]["shapes"], 1);
    let bytes = fs::read(&file).expect("it is written");
    assert_eq!(report["bytes"], bytes.len());
    // The same games, without solving anything.
    let games = ["endgames", &pillar, &corridor, "--games", "9"];
    let (alone, known) = (
        json(&games),
        json(&[&games[..], &["--shapes", &file]].concat()),
    );
    for (alone, known) in [(&alone[0], &known[0]), (&alone[1], &known[1])] {
        for name in ["captures", "announced", "lead_mean", "turns_mean", "broken"] {
            assert_eq!(alone[name], known[name], "{name}");
        }
        assert_eq!(known["regions"], 0);
        assert_eq!(known["regions_known"], alone["regions"]);
        assert_eq!(alone["regions_known"], 0);
    }
    // What is known is not solved again, and stays.
    let more = folder.path("more.pend").display().to_string();
    let again = json(&["bake-endgames", &pillar, "--shapes", &file, "-o", &more]);
    assert_eq!(
        (&again["maps"][0]["solved"], &again["shapes"]),
        (&0.into(), &2.into())
    );
    assert_eq!(fs::read(&more).expect("it is written"), bytes);
    assert!(printed(&args).contains("shapes 2, "));
}

#[test]
fn damaged_files_and_inputs_as_outputs_are_refused() {
    let folder = Folder::new("bake-wrong");
    let corridor = folder.file("corridor.map", CORRIDOR);
    let file = folder.path("some.pend").display().to_string();
    printed(&["bake-endgames", &corridor, "--games", "3", "-o", &file]);
    let (code, message) = refused(&["bake-endgames", &corridor, "--shapes", &file, "-o", &file]);
    assert_eq!(code, Some(2), "{message}");
    let mut bytes = fs::read(&file).expect("it is written");
    let last = bytes.len() - 9;
    bytes[last] ^= 4;
    fs::write(&file, &bytes).expect("written");
    let (code, message) = refused(&["endgames", &corridor, "--shapes", &file]);
    assert_eq!(code, Some(3), "{message}");
    assert!(
        message.contains("some.pend: offset 0: the checksum"),
        "{message}"
    );
    let (code, message) = refused(&["endgames", &corridor, "--shapes", &corridor]);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("expected endgames"), "{message}");
}
