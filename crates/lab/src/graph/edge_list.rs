//! Graphs as texts with one edge a line.

use pursuit_engine::graph::Digraph;
use pursuit_engine::map::{MAX_CELLS, TextPosition, recognise};
use thiserror::Error;

/// Why a text is not a list of edges. Prints as `LINE:COLUMN: expected …, found …`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct EdgeListError {
    /// The position in the text.
    pub place: TextPosition,
    /// What the parser expected there.
    pub expected: String,
    /// What the text contains there.
    pub found: String,
}

impl EdgeListError {
    fn in_line(line: usize, expected: &str, found: &str) -> Self {
        Self {
            place: TextPosition::new(line, 1),
            expected: expected.to_owned(),
            found: format!("{found:?}"),
        }
    }
}

/// Reads a graph from a text: the number of vertices, then one edge a line. `3 5` leads both ways, and `3 > 5` leads
/// from vertex 3 to vertex 5 only. Vertices are numbers from 0. Empty lines and lines that begin with `#` are
/// skipped.
///
/// ```
/// use pursuit_lab::graph::edge_list;
///
/// let graph = edge_list::parse("3\n0 1\n1 > 2\n")?;
/// let [one, two] = [1, 2].map(|number| graph.vertex(number).unwrap());
/// assert_eq!(graph.predecessors(two), [one]);
/// assert_eq!(graph.successors(two), []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a line is neither of these, if it names a vertex that the graph does not have, or if there are more than
/// [`MAX_CELLS`] vertices: a few bytes must not ask for gigabytes of memory.
pub fn parse(text: &str) -> Result<Digraph, EdgeListError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let count = "a number of vertices";
    let (number, line) = lines.next().unwrap_or((1, ""));
    let vertices: u32 = line.parse().map_err(|_| EdgeListError {
        found: recognise(text).map_or_else(|| format!("{line:?}"), str::to_owned),
        ..EdgeListError::in_line(number, count, line)
    })?;
    if vertices as usize > MAX_CELLS {
        let expected = format!("at most {MAX_CELLS} vertices");
        return Err(EdgeListError::in_line(number, &expected, line));
    }
    let mut arcs = Vec::new();
    for (number, line) in lines {
        let edge = "an edge `A B` or `A > B`";
        let wrong = || EdgeListError::in_line(number, edge, line);
        let parts: Vec<&str> = line.split_whitespace().collect();
        let (tail, head, is_one_way) = match parts[..] {
            [tail, head] => (tail, head, false),
            [tail, ">", head] => (tail, head, true),
            _ => return Err(wrong()),
        };
        let [tail, head] = [tail, head].map(str::parse::<u32>);
        let (Ok(tail), Ok(head)) = (tail, head) else {
            return Err(wrong());
        };
        if tail.max(head) >= vertices {
            let expected = format!("vertices below {vertices}");
            return Err(EdgeListError::in_line(number, &expected, line));
        }
        arcs.push((tail, head));
        if !is_one_way {
            arcs.push((head, tail));
        }
    }
    Ok(Digraph::of_arcs(vertices, arcs))
}
