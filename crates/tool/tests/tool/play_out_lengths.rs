//! `pursuit play-out --by-turns` and its chart.

use super::{CORRIDOR, Folder, json, printed, refused};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A comb: a corridor with dead ends, in which captures take up to six turns.
const COMB: &str = "type octile\nheight 3\nwidth 7\nmap\n.......\n.@.@.@.\n.@.@.@.\n";
const HEADER: &str = "robber_x,robber_y,cop1_x,cop1_y\n";
const SOLVERS: [&str; 5] = ["rma", "tida", "ipn", "alphabeta", "table"];

/// A folder with two maps and positions for each, among them an escape and a capture at the start.
fn two_lists(test: &str) -> (Folder, [String; 2]) {
    let folder = Folder::new(test);
    let maps = [("corridor", CORRIDOR), ("comb", COMB)];
    let maps = maps.map(|(name, text)| folder.file(&format!("{name}.map"), text));
    let corridor = "2,0,0,0\n5,0,0,0\n1,0,1,0\n3,0,0,0\n1,0,0,0\n";
    folder.file("corridor.csv", &format!("{HEADER}{corridor}"));
    let comb = "6,2,0,2\n4,0,0,0\n2,2,2,0\n6,2,0,0\n0,2,6,2\n4,2,2,2\n";
    folder.file("comb.csv", &format!("{HEADER}{comb}"));
    (folder, maps)
}

/// The first number of turns of the group of a value, or `None` for an escape.
fn group(turns: Option<u64>, width: u64) -> Option<u64> {
    turns.map(|turns| match turns {
        0 => 0,
        _ => (turns - 1) / width * width + 1,
    })
}

#[test]
fn means_are_those_of_the_single_positions() {
    let (folder, maps) = two_lists("lengths-means");
    let here = folder.0.display().to_string();
    let width = 3;
    let mut expected: BTreeMap<(Option<u64>, &str), Vec<[f64; 2]>> = BTreeMap::new();
    for map in &maps {
        for solver in SOLVERS {
            let list = json(&["play-out", map, "--positions", &here, "--solver", solver]);
            for position in list.as_array().expect("a list") {
                let key = (group(position["turns"].as_u64(), width), solver);
                let number = |name: &str| position[name].as_f64().expect("a number");
                let work = [number("expansions"), number("touched")];
                expected.entry(key).or_default().push(work);
            }
        }
    }
    let solvers = SOLVERS.join(",");
    let args = ["play-out", &maps[0], &maps[1], "--positions", &here];
    let args = [&args[..], &["--solver", &solvers, "--by-turns=3"]].concat();
    let rows = json(&args);
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), expected.len());
    for row in rows {
        let solver = row["solver"].as_str().expect("a name");
        let works = &expected[&(row["from"].as_u64(), solver)];
        let kind = match row["from"].as_u64() {
            Some(_) => "turns",
            None => "escapes",
        };
        assert_eq!(row["group"], kind);
        assert_eq!(row["positions"], works.len());
        assert_eq!(row["solved"], works.len());
        for (index, name) in ["expansions", "touched"].into_iter().enumerate() {
            let sum: f64 = works.iter().map(|work| work[index]).sum();
            let (mean, found) = (sum / works.len() as f64, row[name].as_f64());
            let near = found.is_some_and(|found| (found - mean).abs() < 1e-9);
            assert!(near, "{row}: expected {name} {mean}");
        }
        assert!(row["seconds"].as_f64() > Some(0.0), "{row}");
    }
    // Groups of several sizes occur, otherwise means would not be tested.
    let sizes = expected.values().map(Vec::len);
    assert!(sizes.clone().any(|size| size == 1) && sizes.clone().any(|size| size >= 3));
    let ends = rows
        .iter()
        .map(|row| (row["from"].as_u64(), row["to"].as_u64()));
    assert!(ends.clone().any(|ends| ends == (Some(1), Some(3))));
    assert!(ends.clone().any(|ends| ends == (Some(0), Some(0))));
    let people = printed(&args);
    let line = |start: &str| people.lines().any(|line| line.starts_with(start));
    assert!(
        line("turns       solver     positions   solved    expansions"),
        "{people}"
    );
    assert!(line("0           rma "), "{people}");
    assert!(line("1 to 3      alphabeta "), "{people}");
    assert!(line("inf         table "), "{people}");
    assert_eq!(people.lines().count(), 1 + rows.len());
}

#[test]
fn the_width_is_one_turn_and_the_limit_all_positions() {
    let (folder, maps) = two_lists("lengths-width");
    let csv = folder.path("corridor.csv").display().to_string();
    let args = ["play-out", &maps[0], "--positions", &csv, "--by-turns"];
    let ends = |args: &[&str]| -> Vec<(Option<u64>, Option<u64>)> {
        let rows = json(args);
        let rows = rows.as_array().expect("a list").iter();
        rows.map(|row| (row["from"].as_u64(), row["to"].as_u64()))
            .collect()
    };
    let all = ends(&args);
    assert!(all.iter().all(|(from, to)| from == to), "{all:?}");
    assert_eq!(all.last(), Some(&(None, None)), "the escape is last");
    assert_eq!(all.len(), 4, "two positions have 3 turns: {all:?}");
    let first = ends(&[&args[..], &["--limit", "1"]].concat());
    assert_eq!(first, [(Some(3), Some(3))]);
    let list = json(&["play-out", &maps[0], "--positions", &csv, "--limit", "2"]);
    assert_eq!(list.as_array().map(Vec::len), Some(2));
}

/// Checks that every element is closed, in order, and that no bare `&` or `<` is left. Returns the elements' names.
fn elements(svg: &str) -> Vec<&str> {
    let (mut open, mut names) = (Vec::new(), Vec::new());
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a closed tag");
        assert!(!text.contains(['>', '&']), "{text}");
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let name = tag.split([' ', '/']).next().expect("a name");
        names.push(name);
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
    names
}

#[test]
fn a_chart_has_a_line_for_each_solver() {
    let (folder, maps) = two_lists("lengths-chart");
    let (here, chart) = (folder.0.display().to_string(), folder.path("work.svg"));
    let path = chart.to_str().expect("UTF-8");
    let solvers = SOLVERS.join(",");
    let args = ["play-out", &maps[0], &maps[1], "--positions", &here];
    let args = [
        &args[..],
        &["--solver", &solvers, "--by-turns", "--chart", path],
    ]
    .concat();
    let rows = json(&args);
    let svg = fs::read_to_string(&chart).expect("a file");
    let names = elements(&svg);
    let count = |wanted: &str| names.iter().filter(|name| **name == wanted).count();
    assert_eq!(count("polyline"), 3 * SOLVERS.len(), "in three panels");
    let drawn = |row: &Value, name: &str| {
        row["group"] == "turns" && row[name].as_f64().is_some_and(|mean| mean > 0.0)
    };
    let rows = rows.as_array().expect("a list");
    let points = ["expansions", "touched", "seconds"];
    let points = points.map(|name| rows.iter().filter(|row| drawn(row, name)).count());
    assert_eq!(count("title"), points.iter().sum::<usize>());
    assert_eq!(count("circle"), count("title") + SOLVERS.len(), "a legend");
    for solver in SOLVERS {
        assert!(svg.contains(&format!(">{solver}</text>")), "{solver}");
    }
    let longest = rows.iter().rfind(|row| drawn(row, "expansions"));
    let longest = longest.expect("a row");
    let (solver, turns) = (
        longest["solver"].as_str().unwrap_or_default(),
        &longest["to"],
    );
    assert!(svg.contains(&format!("<title>{solver}, {turns} turns: ")));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // An empty result is not an error.
    let none = folder.file("none.csv", HEADER);
    let args = ["play-out", &maps[0], "--positions", &none, "--by-turns"];
    printed(&[&args[..], &["--chart", path]].concat());
    let svg = fs::read_to_string(&chart).expect("a file");
    assert!(!elements(&svg).contains(&"polyline") && !svg.contains("NaN"));
}

#[test]
fn positions_that_a_solver_leaves_unsolved_are_counted() {
    let folder = Folder::new("lengths-unsolved");
    let rows = vec![".".repeat(14); 14].join("\n");
    let map = folder.file(
        "open.map",
        &format!("type octile\nheight 14\nwidth 14\nmap\n{rows}\n"),
    );
    let csv = folder.file("open.csv", &format!("{HEADER}13,13,0,0\n0,0,1,1\n"));
    let chart = folder.path("work.svg").display().to_string();
    // A limit is looked at only after the first slice of work, in which the table of a small map is finished.
    let args = ["play-out", &map, "--positions", &csv, "--by-turns=100"];
    let limit = ["--limit-seconds", "0.000001", "--chart", &chart, "--solver"];
    let start = [&args[..], &limit].concat();
    let both = json(&[&start[..], &["ipn,table"]].concat());
    assert_eq!(both[0]["solver"], "ipn");
    assert_eq!(
        (&both[0]["positions"], &both[0]["solved"]),
        (&2.into(), &1.into())
    );
    assert_eq!(
        (&both[1]["positions"], &both[1]["solved"]),
        (&2.into(), &2.into())
    );
    let svg = fs::read_to_string(&chart).expect("a file");
    assert!(svg.contains("<title>ipn, 1 to 100 turns: "), "{svg}");
    assert!(svg.contains("1 of 2 solved"), "{svg}");
    let alone = json(&[&start[..], &["ipn", "--limit", "1"]].concat());
    assert_eq!(alone[0]["group"], "unknown", "{alone}");
    assert_eq!(alone[0]["solved"], 0);
    for mean in ["expansions", "touched", "seconds"] {
        assert!(alone[0][mean].is_null() && alone[0].get(mean).is_some());
    }
    let people = printed(&[&start[..], &["ipn", "--limit", "1"]].concat());
    assert!(
        people
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("not known   ipn "))
    );
    assert!(people.trim_end().ends_with(" -"), "{people}");
}

#[test]
fn wrong_usage_leaves_no_chart() {
    let (folder, maps) = two_lists("lengths-refused");
    let here = folder.0.display().to_string();
    let csv = folder.path("corridor.csv").display().to_string();
    let wrong = folder.file("wrong.csv", &format!("{HEADER}4,0,0,0\n"));
    let chart = folder.path("work.svg").display().to_string();
    let nowhere = folder.path("nowhere/work.svg").display().to_string();
    let [corridor, comb] = [&maps[0], &maps[1]];
    let one = ["play-out", corridor, "--robber", "2,0", "--cop", "0,0"];
    let list = ["play-out", corridor, "--positions", &csv];
    let two = ["play-out", corridor, comb, "--positions", &here];
    let bad = ["play-out", corridor, "--positions", &wrong, "--by-turns"];
    let cases: [(&[&str], &[&str], i32, &str); 11] = [
        (&one, &["--chart", &chart], 2, "cannot be used with"),
        (
            &one,
            &["--by-turns", "--chart", &chart],
            2,
            "cannot be used with",
        ),
        (&list, &["--chart", &chart], 2, "--by-turns"),
        (&list, &["--by-turns=0"], 2, "0"),
        (
            &list,
            &["--by-turns", "--chart", "-"],
            2,
            "stdout is for the report",
        ),
        (
            &list,
            &["--solver", "rma,tida"],
            2,
            "expected one method without --by-turns, found 2",
        ),
        (&two, &[], 2, "expected one map without --by-turns, found 2"),
        (
            &list,
            &["--by-turns", "--solver", "rma,rma"],
            2,
            "each method once, found rma again",
        ),
        (
            &list,
            &["--by-turns", "--chart", &csv],
            2,
            "expected another file than the input",
        ),
        (
            &list,
            &["--by-turns", "--chart", &nowhere],
            3,
            "nowhere/work.svg",
        ),
        (&bad, &["--chart", &chart], 3, "found a wall at (4, 0)"),
    ];
    let names = || {
        let entries = fs::read_dir(&folder.0).expect("the folder");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.sort();
        names
    };
    let before = names();
    for (start, more, expected, what) in cases {
        let (code, error) = refused(&[start, more].concat());
        assert_eq!(code, Some(expected), "{more:?}: {error}");
        assert!(error.contains(what), "{more:?}: {error}");
        assert_eq!(names(), before, "{more:?}");
    }
    // A chart of before stays whole if the new one cannot be drawn.
    let old = folder.file("work.svg", "old");
    refused(&[&bad[..], &["--chart", &old]].concat());
    assert_eq!(fs::read_to_string(&old).expect("a file"), "old");
}
