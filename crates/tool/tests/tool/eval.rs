//! `pursuit eval`, robbers against optimal cops: its reports and its errors.

use super::{CORRIDOR, Folder, PILLAR, json, printed, refused};
use serde_json::Value;
use std::fs;

const HEADER: &str = "robber_x,robber_y,cop1_x,cop1_y\n";

/// Two maps and a folder with positions for both.
fn two_maps(test: &str) -> (Folder, String, String) {
    let folder = Folder::new(test);
    let corridor = folder.file("corridor.map", CORRIDOR);
    let pillar = folder.file("pillar.map", PILLAR);
    let positions = format!("{HEADER}3,0,0,0\n1,0,0,0\n1,0,1,0\n");
    folder.file("corridor.csv", &positions);
    let positions = format!("{HEADER}3,3,0,0\n0,3,0,0\n2,0,0,0\n");
    folder.file("pillar.csv", &positions);
    (folder, corridor, pillar)
}

#[test]
fn eval_plays_robbers_on_maps() {
    let (folder, corridor, pillar) = two_maps("eval");
    let positions = folder.0.display().to_string();
    let robbers = ["--robbers", "optimal,trailmax,trailmax:5", "--threads", "1"];
    let all = [
        "eval",
        &corridor,
        &pillar,
        "--positions",
        &positions,
        "--cop-speed",
        "2",
    ];
    let all = [&all[..], &robbers].concat();
    let rows = json(&all);
    let names = |key: &str| -> Vec<&str> {
        let rows = rows.as_array().expect("a list").iter();
        rows.map(|row| row[key].as_str().expect("a name")).collect()
    };
    let maps = [["corridor"; 3], ["pillar"; 3]].concat();
    assert_eq!(names("map"), maps);
    assert_eq!(
        names("policy"),
        ["optimal", "trailmax:1", "trailmax:5"].repeat(2)
    );
    assert_eq!(rows[0]["games"], 2, "one starts on the cop");
    for row in [&rows[0], &rows[3]] {
        assert_eq!(
            (&row["mean_ratio"], &row["endless"]),
            (&1.0.into(), &0.into())
        );
    }
    for row in rows.as_array().expect("a list") {
        for key in [
            "mean_ratio",
            "expansions_per_call",
            "expansions_per_turn",
            "touched_per_call",
            "touched_per_turn",
            "us_mean",
            "us_p99",
            "us_max",
            "us_mean_decision",
        ] {
            assert!(row[key].as_f64() > Some(0.0), "{key} of {row}");
        }
        assert!(row.get("exploitability").is_none(), "not asked for");
        assert!(row["mean_ratio"].as_f64() <= Some(1.0));
        assert!(row["us_p99"].as_f64() <= row["us_max"].as_f64());
    }
    let people = printed(&all);
    assert_eq!(people.lines().count(), 2 + 6 + 3, "{people}");
    let last = people.lines().last().expect("a line");
    assert!(last.starts_with("mean of 2 maps  trailmax:5"), "{people}");
}

#[test]
fn eval_takes_as_many_positions_as_asked_for() {
    let (folder, corridor, _) = two_maps("eval-limit");
    let file = folder.path("corridor.csv").display().to_string();
    let args = [
        "eval",
        &corridor,
        "--positions",
        &file,
        "--robbers",
        "trailmax",
    ];
    let limited = json(&[&args[..], &["--limit", "1"]].concat());
    assert_eq!(limited[0]["games"], 1);
    // The robber waits at the end of the corridor until the cop's third move.
    assert_eq!(limited[0]["turns"], 2);
    let none = folder.file("none.csv", HEADER);
    let args = [
        "eval",
        &corridor,
        "--positions",
        &none,
        "--robbers",
        "trailmax",
    ];
    let row = &json(&args)[0];
    assert_eq!(row["games"], 0);
    for key in ["mean_ratio", "expansions_per_call", "us_mean", "us_max"] {
        assert!(row[key].is_null() && row.get(key).is_some(), "{key}");
    }
    assert!(printed(&args).contains('-'));
}

#[test]
fn eval_counts_positions_that_never_end() {
    let (folder, _, pillar) = two_maps("eval-endless");
    let file = folder.path("pillar.csv").display().to_string();
    let args = [
        "eval",
        &pillar,
        "--positions",
        &file,
        "--robbers",
        "trailmax",
    ];
    let row = &json(&args)[0];
    assert_eq!(
        (&row["games"], &row["endless"], &row["lost"]),
        (&0.into(), &3.into(), &0.into())
    );
    assert!(printed(&args).contains("endless"));
}

#[test]
fn eval_says_how_exploitable_a_robber_is() {
    let (folder, _, pillar) = two_maps("eval-response");
    let file = folder.path("pillar.csv").display().to_string();
    let args = [
        "eval",
        &pillar,
        "--positions",
        &file,
        "--best-response",
        "--cop-speed",
        "2",
        "--robbers",
    ];
    let rows = json(&[&args[..], &["optimal,trailmax:1"]].concat());
    assert_eq!(rows[0]["exploitability"], 0.0);
    let trail_max = rows[1]["exploitability"].as_f64().expect("a number");
    assert!((0.0..1.0).contains(&trail_max));
    let people = printed(&[&args[..], &["optimal"]].concat());
    assert!(people.contains("exploit-"), "{people}");
    let (code, error) = refused(&[&args[..], &["trailmax:5"]].concat());
    assert_eq!(code, Some(2));
    assert!(
        error.contains("found trailmax:5, whose moves do not"),
        "{error}"
    );
}

#[test]
fn eval_plays_nothing_on_a_map_without_floor() {
    let folder = Folder::new("eval-empty");
    let map = folder.file("walls.map", "type octile\nheight 1\nwidth 2\nmap\n@@\n");
    let starts = folder.file("walls.csv", "robber_x,robber_y,cop1_x,cop1_y\n");
    let args = ["--positions", &starts, "--robbers", "greedy,optimal"];
    let args = [&["eval", &map][..], &args, &["--best-response"]].concat();
    let found = json(&args);
    let rows = found.as_array().expect("a list");
    assert_eq!(rows.len(), 2);
    assert!(
        rows.iter()
            .all(|row| row["games"] == 0 && row["exploitability"] == 0.0)
    );
}

#[test]
fn eval_draws_a_chart() {
    let (folder, corridor, pillar) = two_maps("eval-chart");
    let (positions, chart) = (folder.0.display().to_string(), folder.path("chart.svg"));
    let robbers = "optimal,trailmax,trailmax:5";
    let path = chart.to_str().expect("UTF-8");
    let args = [
        "eval",
        &corridor,
        &pillar,
        "--positions",
        &positions,
        "--robbers",
        robbers,
        "--cop-speed",
        "2",
        "--chart",
        path,
    ];
    assert!(matches!(json(&args), Value::Array(_)));
    let svg = fs::read_to_string(&chart).expect("a file");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(
        svg.matches("<polyline ").count(),
        2,
        "a line for each algorithm"
    );
    assert!(svg.contains(">trailmax</text>") && svg.contains("<title>trailmax:5: "));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    // An empty result is not an error.
    let none = folder.file("none.csv", HEADER);
    let args = [
        "eval",
        &corridor,
        "--positions",
        &none,
        "--robbers",
        "optimal",
        "--chart",
        path,
    ];
    printed(&args);
    let svg = fs::read_to_string(&chart).expect("a file");
    assert!(!svg.contains("<polyline ") && !svg.contains("NaN"), "{svg}");
}

#[test]
fn eval_turns_the_difficulty_dial() {
    let (folder, corridor, pillar) = two_maps("eval-difficulty");
    let (positions, chart) = (folder.0.display().to_string(), folder.path("dial.svg"));
    let start = ["eval", &corridor, &pillar, "--positions", &positions];
    let start = [&start[..], &["--robbers", "guided,trailmax"]].concat();
    let path = chart.to_str().expect("UTF-8");
    let dial = ["--difficulty", "0,0.5,1", "--cop-speed", "2"];
    let args = [&start[..], &dial, &["--chart", path]].concat();
    let rows = json(&args);
    let rows = rows.as_array().expect("a list");
    let robbers: Vec<_> = rows
        .iter()
        .map(|row| (row["policy"].as_str(), row["difficulty"].as_f64()))
        .collect();
    let levels = [0.0, 0.5, 1.0].map(Some);
    let of = |robber: &'static str| levels.map(|level| (Some(robber), level));
    let one = [of("guided:20:6"), of("trailmax:1")].concat();
    assert_eq!(robbers, one.repeat(2));
    let full = json(&[&start[..], &["--cop-speed", "2"]].concat());
    assert!(full[0].get("difficulty").is_none(), "not asked for");
    assert_eq!(full[1]["mean_ratio"], rows[5]["mean_ratio"]);
    let svg = fs::read_to_string(&chart).expect("a file");
    assert_eq!(
        svg.matches("<polyline ").count(),
        2,
        "a line for each robber"
    );
    assert!(svg.contains("<title>guided:20:6 at 0.5: ") && !svg.contains("NaN"));
    let people = printed(&args);
    assert!(people.contains("trailmax:1@0.5"), "{people}");
    let best = |level| {
        let one = [
            "eval",
            &corridor,
            "--positions",
            &positions,
            "--robbers",
            "trailmax",
        ];
        [&one[..], &["--best-response", "--difficulty", level]].concat()
    };
    printed(&best("1"));
    for (args, expected) in [
        (best("0.9"), "found trailmax:1@0.9, whose moves do not"),
        (best("1.5"), "expected a number from 0 to 1"),
        (best("NaN"), "expected a number from 0 to 1"),
    ] {
        let (code, error) = refused(&args);
        assert_eq!(code, Some(2));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn eval_refuses_what_it_cannot_play() {
    let (folder, corridor, pillar) = two_maps("eval-refused");
    let positions = folder.0.display().to_string();
    let start = ["eval", &corridor, "--positions", &positions];
    for name in ["walrus", "trailmax:x", ""] {
        let (code, error) = refused(&[&start[..], &["--robbers", name]].concat());
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains("or optimal"), "{error}");
    }
    assert_eq!(refused(&start).0, Some(2), "no robbers");

    fs::remove_file(folder.path("pillar.csv")).expect("removed");
    let args = ["eval", &corridor, &pillar, "--positions", &positions];
    let (code, error) = refused(&[&args[..], &["--robbers", "trailmax"]].concat());
    assert_eq!(code, Some(3));
    let expected = "pillar: expected positions in a file pillar.csv, found none in ";
    assert_eq!(error, format!("pursuit: {expected}{positions}\n"));
    let missing = folder.path("missing.csv").display().to_string();
    let args = [
        "eval",
        &corridor,
        "--positions",
        &missing,
        "--robbers",
        "trailmax",
    ];
    let (code, error) = refused(&args);
    assert_eq!(code, Some(3));
    assert!(
        error.starts_with(&format!("pursuit: {missing}: ")),
        "{error}"
    );

    let args = [
        &start[..],
        &["--robbers", "trailmax", "--memory", "0.0000001"],
    ]
    .concat();
    let (code, error) = refused(&args);
    assert_eq!(code, Some(4));
    assert!(
        error.starts_with(&format!("pursuit: {corridor}: ")),
        "{error}"
    );
    let (code, error) = refused(&["eval", "-", "--positions", "-", "--robbers", "trailmax"]);
    assert_eq!(code, Some(2), "{error}");
    let two = [&start[..], &["--robbers", "trailmax", "--cops", "2"]].concat();
    let (code, error) = refused(&two);
    assert_eq!(code, Some(3));
    assert!(
        error.ends_with("expected columns of 2 cops, found 1\n"),
        "{error}"
    );
}
