//! Solvers of a single position against the values of the reference program.

use crate::common::{files, read_map, reference};
use crate::solve::{METHODS, solver};
use pursuit_engine::game::Step;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_lab::solve::Method;

/// All positions of the reference program with one cop of the robber's speed, some of them by the slower
/// methods.
#[test]
#[ignore = "for release builds"]
fn mazes_have_the_values_of_the_reference_program() {
    let Some(folder) = reference("mazes_have_the_values_of_the_reference_program") else {
        return;
    };
    // For each method every so many positions; 0 for none, where it takes long.
    for (set, every) in [("mazes1", [5, 20, 250, 100]), ("mazes3", [50, 250, 0, 500])] {
        for file in files(&folder.join(format!("golden/onecop_{set}")), "csv") {
            let name = file.file_stem().expect("a name").to_string_lossy();
            let path = folder.join(format!("maps/{set}/{name}.map"));
            let graph = Graph::new(&read_map(&path), Moves::Octile);
            let text = std::fs::read_to_string(&file).expect("readable values");
            for (index, line) in text.lines().skip(1).enumerate() {
                for (method, every) in METHODS.into_iter().zip(every) {
                    if every > 0 && index % every == 0 {
                        assert_golden(&graph, line, method);
                    }
                }
            }
        }
    }
}

#[test]
#[ignore = "for release builds"]
fn two_cops_have_the_values_of_the_reference_program() {
    let Some(folder) = reference("two_cops_have_the_values_of_the_reference_program") else {
        return;
    };
    for file in files(&folder.join("golden/twocops"), "csv") {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let path = folder.join(format!("maps/bg/{name}.map"));
        let graph = Graph::new(&read_map(&path), Moves::Octile);
        let text = std::fs::read_to_string(&file).expect("readable values");
        for line in text.lines().skip(1).step_by(97) {
            for method in [Method::Rma, Method::Tida] {
                assert_golden(&graph, line, method);
            }
        }
    }
}

/// Solves the position of a line of x and y of each agent, robber first, and the turns.
fn assert_golden(graph: &Graph, line: &str, method: Method) {
    let (agents, turns) = line.rsplit_once(',').expect("columns");
    let numbers: Vec<u16> = agents.split(',').map(|n| n.parse().expect("n")).collect();
    let cells = numbers.chunks(2).map(|at| Cell::new(at[0], at[1]));
    let on: Vec<Vertex> = cells
        .map(|cell| graph.vertex(cell).expect("floor"))
        .collect();
    let mut solver = solver(graph, (on[0], &on[1..]), (1, 1), method, 2_000_000_000);
    assert_eq!(
        solver.advance(u64::MAX),
        Step::Done(Ok(())),
        "{method:?} {line}"
    );
    let value = solver.bounds().value().map(|value| value.to_string());
    assert_eq!(value.as_deref(), Some(turns), "{method:?} {line}");
    let length = solver.line().map(|line| line.len().to_string());
    assert_eq!(length.as_deref(), Some(turns), "{method:?} {line}");
}
