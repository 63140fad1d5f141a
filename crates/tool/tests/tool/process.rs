//! Interrupts, pipes, devices and links.

use super::{CORRIDOR, Folder, PILLAR, printed, pursuit, refused, text};
use pursuit_engine::graph::Digraph;
use pursuit_lab::graph::graph6;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Sends a signal, such as INT.
fn signal(child: &std::process::Child, name: &str) {
    let id = child.id().to_string();
    let kill = Command::new("kill")
        .args([&format!("-{name}"), &id])
        .status();
    assert!(kill.expect("a program kill").success());
}

/// Starts long work, and waits until it is in progress.
fn at_work(args: &[&str]) -> std::process::Child {
    let mut command = pursuit(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().expect("it starts");
    for _ in 0..3000 {
        std::thread::sleep(Duration::from_millis(10));
        // The 14th field, in hundredths of a second. Without such a file the test can only wait for some
        // time.
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id()));
        let worked = stat.map_or(0, |stat| {
            let fields = stat.rsplit(')').next().unwrap_or_default();
            let field = fields.split_whitespace().nth(11);
            field.and_then(|field| field.parse().ok()).unwrap_or(0)
        });
        if worked >= 20 {
            break;
        }
    }
    child
}

/// Cycles of `vertices` vertices, enough of them to take minutes.
fn many_cycles(folder: &Folder, vertices: u32) -> String {
    let edges: Vec<_> = (0..vertices).map(|a| (a, (a + 1) % vertices)).collect();
    let cycle = Digraph::undirected(vertices, &edges).expect("in place");
    let line = graph6::write(&cycle).expect("both ways") + "\n";
    folder.file(&format!("{vertices}.g6"), &line.repeat(30_000))
}

/// A winding corridor of about 8,000 cells: long capture times, but few positions.
fn snake(folder: &Folder) -> String {
    let (row, wall) = (".".repeat(130), "@".repeat(129));
    let turns = [
        row.clone(),
        format!("{wall}."),
        row.clone(),
        format!(".{wall}"),
    ];
    let mut rows: Vec<String> = turns.iter().cycle().take(120).cloned().collect();
    rows.push(row);
    let rows = rows.join("\n");
    let text = format!("type octile\nheight 121\nwidth 130\nmap\n{rows}\n");
    folder.file("snake.map", &text)
}

#[test]
fn an_interrupt_ends_it_in_between() {
    let folder = Folder::new("interrupt");
    let (small, large) = (many_cycles(&folder, 60), many_cycles(&folder, 100));
    let snake = snake(&folder);
    // Too many cells for a table; a pass over all of them takes long.
    let plain = format!("{}\n", ".".repeat(2000)).repeat(2000);
    let header = "type octile\nheight 2000\nwidth 2000\nmap\n";
    let plain = folder.file("plain.map", &(header.to_owned() + &plain));
    let hall = "..................\n".repeat(18);
    let hall = format!("type octile\nheight 18\nwidth 18\nmap\n{hall}");
    let hall = folder.file("hall.map", &hall);
    let table = folder.path("hall.ptab").display().to_string();
    let options = ["--cops", "2", "--cop-speed", "6", "-q", "-o", &table];
    printed(&[&["solve", &hall][..], &options].concat());
    // Chasers that go round and round, and cops that are asked for each of millions of positions.
    let pillar = folder.file("pillar.map", PILLAR);
    let laps = [
        &["tournament", &pillar, "--random", "50", "--cop-count", "1"][..],
        &["--memory", "0.0000001", "--turns", "100000000", "-q"],
        &["--cops", "chase", "--robbers", "trailmax", "--threads", "1"],
    ]
    .concat();
    let asked = [
        &[
            "tournament",
            &hall,
            "--random",
            "1",
            "--cops",
            "team-memoryless",
        ][..],
        &["--robbers", "greedy", "--exploitability", "--threads", "1"],
    ]
    .concat();
    let cases = [
        (&laps[..], "INT"),
        (&asked, "TERM"),
        (&["graph6", &small, "--statistics"], "INT"),
        (&["graph6", &large, "--statistics"], "TERM"),
        (&["solve", &snake, "--threads", "1"], "INT"),
        (&["verify", &table, &hall, "--threads", "1"], "INT"),
        (&["analyze", &plain], "INT"),
    ];
    for (args, name) in cases {
        let child = at_work(args);
        let asked = Instant::now();
        signal(&child, name);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let printed = (text(&output.stdout), text(&output.stderr));
        assert_eq!(printed, ("", "pursuit: interrupted\n"));
        assert!(asked.elapsed() < Duration::from_secs(3), "{args:?}");
    }
}

#[test]
fn a_second_interrupt_ends_it_at_once() {
    let folder = Folder::new("twice");
    let cycles = many_cycles(&folder, 64);
    // The tool ends between two progress reports, so that the second signal may come too late.
    let at_once = (0..5).any(|_| {
        let child = at_work(&["graph6", &cycles, "--statistics", "--threads", "1"]);
        signal(&child, "INT");
        signal(&child, "TERM");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        output.stderr.is_empty()
    });
    assert!(at_once, "it has always come to a look at the first one");
}

#[test]
fn an_interrupt_ends_a_wait_for_input() {
    let mut child = pursuit(&["info", "-"]);
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.stderr(Stdio::piped()).spawn().expect("it starts");
    // More than a pipe holds: once everything is written, the tool is reading, and continues to read.
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(&vec![0; 1 << 21]).expect("it reads");
    signal(&child, "INT");
    let asked = Instant::now();
    while child.try_wait().expect("a state").is_none() && asked.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(10));
    }
    // A process that still waits now sees the end of the input.
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(
        text(&output.stderr),
        "",
        "it did not wait for the end of the input"
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new("pipe");
    let map = folder.file("corridor.map", CORRIDOR);
    // More than a pipe holds.
    let rows = format!("{},0,0,3,0\n", "x".repeat(100)).repeat(20_000);
    let csv = folder.file(
        "long.csv",
        &format!("note,robber_x,robber_y,cop1_x,cop1_y\n{rows}"),
    );
    for form in [&[][..], &["--json"]] {
        let args = [&["values", &map, "--positions", &csv], form].concat();
        let mut child = pursuit(&args);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(text(&output.stderr), "");
    }
}

#[test]
fn links_stay_links() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    let map = folder.file("pillar.map", PILLAR);
    let plain = folder.path("plain.ptab").display().to_string();
    printed(&["solve", &map, "-o", &plain]);
    let expected = fs::read(&plain).expect("a file");
    fs::create_dir(folder.path("far")).expect("a folder");
    folder.file("far/old.ptab", "old");
    // The first link leads to a file, the second to a file that does not exist yet, by way of another
    // link.
    symlink("far/old.ptab", folder.path("old")).expect("a link");
    symlink("far/between", folder.path("new")).expect("a link");
    symlink("new.ptab", folder.path("far/between")).expect("a link");
    for name in ["old", "new"] {
        let link = folder.path(name);
        printed(&["solve", &map, "-o", link.to_str().expect("UTF-8")]);
        assert!(link.is_symlink(), "{name}");
        let file = folder.path(&format!("far/{name}.ptab"));
        assert!(file.is_file() && !file.is_symlink());
        assert_eq!(fs::read(file).expect("a file"), expected);
    }
    let files = fs::read_dir(folder.path("far")).expect("a folder");
    assert_eq!(files.count(), 3, "two files and a link");
    symlink("circle", folder.path("circle")).expect("a link");
    let circle = folder.path("circle").display().to_string();
    assert_eq!(refused(&["solve", &map, "-o", &circle]).0, Some(3));
}

#[test]
fn devices_and_pipes_are_written_into() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = Folder::new("devices");
    let map = folder.file("pillar.map", PILLAR);
    let table = folder.path("pillar.ptab").display().to_string();
    printed(&["solve", &map, "-o", &table]);
    let expected = fs::read(&table).expect("a file");
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("a program mkfifo").success());
    let path = pipe.to_str().expect("UTF-8");
    let mut child = pursuit(&["solve", &map, "-o", path]);
    let mut child = child.stdout(Stdio::null()).spawn().expect("it starts");
    assert_eq!(fs::read(&pipe).expect("a table"), expected);
    assert!(child.wait().expect("it ends").success());
    let kind = fs::metadata(&pipe).expect("still there").file_type();
    assert!(kind.is_fifo());
    printed(&["solve", &map, "-o", "/dev/null"]);
    let kind = fs::metadata("/dev/null").expect("still there").file_type();
    assert!(kind.is_char_device());
}
