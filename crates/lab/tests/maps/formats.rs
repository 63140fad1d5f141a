//! Files of other programs are refused by name, with the formats that are taken.

use pursuit_engine::map::{PursuitLevel, TileMap};
use pursuit_lab::graph::{edge_list, graph6};

const TMX: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\">\n</map>\n";
const LDTK: &str = "{\n\t\"__header__\": {\n\t\t\"fileType\": \"LDtk Project JSON\",\n\t\t\"app\": \"LDtk\"\n\t}\n}\n";
const TMJ: &str = "{ \"compressionlevel\":-1,\n \"height\":3,\n \"tiledversion\":\"1.10.1\" }\n";
const SCEN: &str = "version 1\n0\tarena.map\t49\t49\t1\t11\t1\t12\t1\n";
const NETHACK: &str =
    "MAZE:\"soko1-1\",' '\nGEOMETRY:center,center\nMAP\n-----\n|...|\n-----\nENDMAP\n";
const LUA: &str = "-- Sokoban\ndes.level_init({ style = \"solidfill\", fg = \" \" });\n";
const DUMP: &str = " -------\n |.....|\n |..<..+##\n |.....| #\n -------\n";
const DIMACS: &str = "c a square\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n";
const ROADS: &str = "c roads\nc\np sp 3 2\na 1 2 17\na 2 3 4\n";
const SPARSE6: &str = ":Fa@x^\n";
const SPARSE6_WITH_HEADER: &str = ">>sparse6<<:Fa@x^\n";
const DIGRAPH6: &str = "&DI?AO?\n";
const GRAPH6: &str = "Ch\n";
const EDGES: &str = "# a path\n3\n0 1\n1 > 2\n";
const CSV: &str = "robber_x,robber_y,cop1_x,cop1_y\n0,0,3,0\n";

#[test]
fn files_of_other_programs_are_refused_by_name() {
    for (text, name) in [
        (TMX, "a Tiled map (.tmx)"),
        (LDTK, "an LDtk project (.ldtk)"),
        (TMJ, "a Tiled map in JSON (.tmj)"),
        ("{\"a\": 1}", "JSON"),
        ("[1, 2]", "JSON"),
        (SCEN, "MovingAI scenarios (.scen)"),
        (NETHACK, "a level description of NetHack (.des)"),
        (LUA, "a level description of NetHack (.des)"),
        (DUMP, "a drawing of a map, as of NetHack, without a header"),
        (DIMACS, "a graph in DIMACS format"),
        (ROADS, "a graph in DIMACS format"),
        (SPARSE6, "a graph in sparse6 format (.s6)"),
        (SPARSE6_WITH_HEADER, "a graph in sparse6 format (.s6)"),
        (DIGRAPH6, "a graph in digraph6 format (.d6)"),
        (GRAPH6, "a graph in graph6 format (.g6), which is no map"),
        (
            EDGES,
            "a list of edges (.edges), which is a graph and no map",
        ),
        (CSV, "a list of positions (.csv)"),
        ("hello there", "`hello there`"),
    ] {
        let found = PursuitLevel::parse(text).unwrap_err().to_string();
        let expected = "expected a level in RON or a MovingAI map, found ";
        assert!(found.contains(&format!("{expected}{name}")), "{found}");
        let with_mark = PursuitLevel::parse(&format!("\u{feff}{text}")).unwrap_err();
        assert!(with_mark.to_string().contains(name), "{with_mark}");
        let found = TileMap::parse(text).unwrap_err().to_string();
        assert!(found.contains(name), "as a .map: {found}");
    }
}

#[test]
fn errors_in_a_level_stay_errors_in_a_level() {
    for text in [
        "(",
        "(name: 3)",
        "// A level\n(rows: [",
        "PursuitLevel(name: \"x\"",
    ] {
        let found = PursuitLevel::parse(text).unwrap_err().to_string();
        assert!(found.contains("expected a level in RON, found "), "{found}");
        assert!(!found.contains("found Expected"), "{found}");
    }
}

#[test]
fn lists_of_edges_and_graphs_say_what_they_have_got() {
    let error = |text| edge_list::parse(text).unwrap_err().to_string();
    assert!(error(DIMACS).ends_with("found a graph in DIMACS format"));
    assert!(error(TMX).ends_with("found a Tiled map (.tmx)"));
    assert!(error("many\n0 1\n").ends_with("found \"many\""));
    let first = |text| {
        let graph = graph6::parse_lines(text).next().expect("a line");
        graph.unwrap_err().to_string()
    };
    assert!(first(SPARSE6).ends_with("found a graph in sparse6 format (.s6)"));
    assert!(first(DIMACS).ends_with("found a graph in DIMACS format"));
}

#[test]
fn what_is_taken_is_not_recognised_as_something_else() {
    let map = "type octile\nheight 1\nwidth 3\nmap\n...\n";
    assert!(TileMap::parse(map).is_ok());
    let level = "(name: \"x\", rows: [\"...\"])";
    assert!(PursuitLevel::parse(level).is_ok());
    let with_comment = "// 3\n(name: \"MAP\", rows: [\n\"...\",\n])";
    assert!(PursuitLevel::parse(with_comment).is_ok());
}
