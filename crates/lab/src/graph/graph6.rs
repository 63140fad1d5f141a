//! The graph6 format of undirected graphs: one graph per line, in printable characters.
//!
//! Defined in *Description of graph6, sparse6 and digraph6 encodings*, the file `formats.txt` of
//! the program nauty. Each character carries six bits, the highest first: its code minus 63. A line
//! starts with the number of vertices, in one character, in three after `~` or in six after `~~`.
//! One bit follows for each pair (0, 1), (0, 2), (1, 2), (0, 3), …, padded with zeros. A line may
//! begin with the header `>>graph6<<`.

use pursuit_engine::graph::Digraph;
use pursuit_engine::map::{TextPosition, recognise};
use thiserror::Error;

const HEADER: &str = ">>graph6<<";
/// Added to six bits to make a printable character.
const BIAS: u8 = 63;
const LAST: u8 = BIAS + 63;
/// The smallest numbers of vertices that need three and six characters: the highest value of a
/// character announces the longer form.
const LONG_FORM: u64 = 63;
const LONGEST_FORM: u64 = 63 << 12;

/// Why a line is not a valid graph. Prints as `LINE:COLUMN: expected …, found …`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct Graph6Error {
    /// The position in the text; line 1 if the input was a single line.
    pub place: TextPosition,
    /// What the parser expected there.
    pub expected: String,
    /// What the text contains there.
    pub found: String,
}

impl Graph6Error {
    /// An error at a character index of the first line.
    fn at(index: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            place: TextPosition::new(1, index + 1),
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// The graphs of a text, one per line. Empty lines and lines with only a header are skipped. An error
/// names its line; the following lines can still be read.
pub fn parse_lines(text: &str) -> impl Iterator<Item = Result<Digraph, Graph6Error>> {
    let lines = (1..).zip(text.lines());
    let graphs = lines.filter(|(_, line)| !line.is_empty() && *line != HEADER);
    graphs.map(move |(number, line)| {
        parse(line).map_err(|mut error| {
            error.place.line = number;
            if number == 1
                && let Some(other) = recognise(text)
            {
                "a graph in graph6 format".clone_into(&mut error.expected);
                other.clone_into(&mut error.found);
            }
            error
        })
    })
}

/// Reads an undirected graph from a line in graph6 format, with or without header and line break.
/// The number of vertices may be written in a longer form than necessary.
///
/// Time: linear in the length of the line, plus m log m for m edges.
///
/// # Errors
/// If a character is not one of `?` to `~`, the line is shorter or longer than its number of
/// vertices needs, a bit is set after the last pair, or there are 2^31 edges or more.
pub fn parse(line: &str) -> Result<Digraph, Graph6Error> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let start = if line.starts_with(HEADER) {
        HEADER.len()
    } else {
        0
    };
    if let Some(index) = (line.bytes().skip(start)).position(|byte| !(BIAS..=LAST).contains(&byte))
    {
        // All characters before this one are ASCII, so byte indices are character indices.
        let found = line[start + index..].chars().next().unwrap_or_default();
        let found = format!("{found:?}");
        return Err(Graph6Error::at(
            start + index,
            "a character from '?' to '~'",
            found,
        ));
    }
    let (vertices, first) = read_size(line.as_bytes(), start)?;
    let bits = &line.as_bytes()[first..];
    check_bits(vertices, bits, first)?;
    // The line has a bit for each pair, so the number of vertices fits 32 bits.
    Ok(Digraph::of_arcs(
        vertices as u32,
        arcs(vertices as u32, bits),
    ))
}

/// A graph as a line in graph6 format, without header and line break; `None` if an edge leads
/// one way only.
///
/// Time: m log d for m edges and maximum degree d. Memory: n² / 12 bytes for n vertices, whatever
/// the number of edges.
#[must_use]
pub fn write(graph: &Digraph) -> Option<String> {
    if !graph.is_symmetric() {
        return None;
    }
    let vertices = graph.vertices() as u64;
    let mut line = written_size(vertices);
    let first = line.len();
    line.resize(first + bits_of(vertices).div_ceil(6) as usize, BIAS);
    for head in graph.iter() {
        let column = pairs_before(head.index());
        let tails = graph
            .successors(head)
            .iter()
            .take_while(|&&tail| tail < head);
        for tail in tails {
            let bit = column + tail.index();
            line[first + bit / 6] += 0b10_0000 >> (bit % 6);
        }
    }
    Some(line.into_iter().map(char::from).collect())
}

/// Reads the number of vertices and returns it with the index of the first character after it.
fn read_size(line: &[u8], start: usize) -> Result<(u64, usize), Graph6Error> {
    let tildes = line[start..].iter().take_while(|&&byte| byte == LAST);
    let (announced, digits) = match tildes.take(2).count() {
        0 => (0, 1),
        1 => (1, 3),
        _ => (2, 6),
    };
    let first = start + announced;
    let Some(size) = line.get(first..first + digits) else {
        let expected = format!("a number of vertices of {digits} characters");
        let found = format!("{} characters", line.len() - first);
        return Err(Graph6Error::at(first, expected, found));
    };
    let size = size
        .iter()
        .fold(0, |size, &byte| size << 6 | u64::from(byte - BIAS));
    Ok((size, first + digits))
}

/// Checks the number of characters for the edges, the zero padding and the number of edges.
fn check_bits(vertices: u64, bits: &[u8], first: usize) -> Result<(), Graph6Error> {
    let pairs = bits_of(vertices);
    let needed = pairs.div_ceil(6);
    if bits.len() as u128 != needed {
        // The first missing or surplus character.
        let index = first + needed.min(bits.len() as u128) as usize;
        let expected = format!("{needed} characters for the edges of {vertices} vertices");
        return Err(Graph6Error::at(index, expected, format!("{}", bits.len())));
    }
    let padding = needed * 6 - pairs;
    if let Some(&last) = bits.last()
        && (last - BIAS).trailing_zeros() < padding as u32
    {
        let expected = format!("{padding} zero bits at the end");
        let found = format!("{:?}, that is {:06b}", char::from(last), last - BIAS);
        return Err(Graph6Error::at(first + bits.len() - 1, expected, found));
    }
    let edges = edges(bits);
    if edges > u64::from(u32::MAX) / 2 {
        let expected = format!("at most {} edges", u32::MAX / 2);
        return Err(Graph6Error::at(first, expected, format!("{edges}")));
    }
    Ok(())
}

/// The number of edges: a bit of each edge is set.
fn edges(bits: &[u8]) -> u64 {
    let edges = |byte: &u8| u64::from((byte - BIAS).count_ones());
    bits.iter().map(edges).sum()
}

/// Both arcs of each edge whose bit is set.
fn arcs(vertices: u32, bits: &[u8]) -> Vec<(u32, u32)> {
    // Counted first, because a list that grows by doubling can take twice the memory.
    let mut arcs = Vec::with_capacity(2 * edges(bits) as usize);
    let mut bit = 0;
    for head in 1..vertices {
        for tail in 0..head {
            if (bits[bit / 6] - BIAS) << (bit % 6) & 0b10_0000 != 0 {
                arcs.extend([(tail, head), (head, tail)]);
            }
            bit += 1;
        }
    }
    arcs
}

fn written_size(vertices: u64) -> Vec<u8> {
    let (announced, digits) = match vertices {
        0..LONG_FORM => (0, 1),
        LONG_FORM..LONGEST_FORM => (1, 3),
        _ => (2, 6),
    };
    let mut size = vec![LAST; announced];
    let digit = |place: u32| (vertices >> (6 * place) & 63) as u8 + BIAS;
    size.extend((0..digits).rev().map(digit));
    size
}

/// The number of pairs of vertices: up to 71 bits for 36 bits of vertices.
const fn bits_of(vertices: u64) -> u128 {
    let vertices = vertices as u128;
    vertices * vertices.saturating_sub(1) / 2
}

/// The number of pairs whose larger vertex is smaller than `vertex`.
const fn pairs_before(vertex: usize) -> usize {
    vertex * vertex.saturating_sub(1) / 2
}
