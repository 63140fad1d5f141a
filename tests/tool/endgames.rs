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
