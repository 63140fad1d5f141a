//! Recognises texts in formats of other programs, for error messages.

/// The formats of maps that are taken.
pub(super) const TAKEN: &str = "a level in RON or a MovingAI map";

/// The number of lines that are looked at.
const LINES: usize = 64;

/// What a text looks like that is no map in a format that is taken; `None` if it may be one, or like nothing that is
/// known. Cost: linear in the first lines.
#[must_use]
pub fn recognise(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let first = text.lines().next().unwrap_or_default().trim_end();
    if text.starts_with('<') {
        return Some(markup(text));
    }
    if text.starts_with(['{', '[']) {
        return json(text);
    }
    if first.starts_with("version") {
        return Some("MovingAI scenarios (.scen)");
    }
    if first.contains("robber_x") {
        return Some("a list of positions (.csv)");
    }
    if first.starts_with(">>sparse6<<") || first.len() > 1 && first.starts_with(':') {
        return Some("a graph in sparse6 format (.s6)");
    }
    if first.starts_with(">>digraph6<<") || first.len() > 1 && first.starts_with('&') {
        return Some("a graph in digraph6 format (.d6)");
    }
    if is_dimacs(text) {
        return Some("a graph in DIMACS format");
    }
    if is_edge_list(text) {
        return Some("a list of edges (.edges), which is a graph and no map");
    }
    if is_nethack_level(text) {
        return Some("a level description of NetHack (.des)");
    }
    if is_drawing(text) {
        return Some("a drawing of a map, as of NetHack, without a header");
    }
    if is_graph6(text) {
        return Some("a graph in graph6 format (.g6), which is no map");
    }
    None
}

fn markup(text: &str) -> &'static str {
    let head: String = text.chars().take(4096).collect();
    if head.contains("<map") {
        "a Tiled map (.tmx)"
    } else if head.contains("<tileset") {
        "a Tiled tileset (.tsx)"
    } else if head.contains("<graphml") {
        "a graph in GraphML format"
    } else {
        "XML"
    }
}

fn json(text: &str) -> Option<&'static str> {
    let head: String = text.chars().take(4096).collect();
    let is_json = text.starts_with('{') && head[1..].trim_start().starts_with(['"', '}'])
        || text.starts_with('[');
    Some(if head.contains("LDtk") || text.contains("\"ldtk\"") {
        "an LDtk project (.ldtk)"
    } else if text.contains("\"tiledversion\"") || text.contains("\"tilewidth\"") {
        "a Tiled map in JSON (.tmj)"
    } else if text.contains("\"__identifier\"") || text.contains("\"layerInstances\"") {
        "an LDtk level (.ldtkl)"
    } else if is_json {
        "JSON"
    } else {
        return None;
    })
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).take(LINES)
}

/// Comments `c ..`, then the line `p KIND VERTICES EDGES`.
fn is_dimacs(text: &str) -> bool {
    let mut lines = lines(text).filter(|line| *line != "c" && !line.starts_with("c "));
    let parts = lines.next().unwrap_or_default().split_whitespace();
    let parts: Vec<&str> = parts.collect();
    parts.len() == 4 && parts[0] == "p" && parts[2..].iter().all(|part| is_number(part))
}

/// The number of vertices, then edges.
fn is_edge_list(text: &str) -> bool {
    let mut lines = lines(text).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_edge = |line: &str| {
        let parts: Vec<&str> = line.split_whitespace().collect();
        match parts[..] {
            [tail, head] | [tail, ">", head] => is_number(tail) && is_number(head),
            _ => false,
        }
    };
    lines.next().is_some_and(is_number) && lines.next().is_none_or(is_edge)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words that begin a level of `NetHack`, before and since version 3.7.
fn is_nethack_level(text: &str) -> bool {
    let words = [
        "MAZE:",
        "LEVEL:",
        "MAP",
        "ENDMAP",
        "des.map(",
        "des.level_init(",
        "des.level_flags(",
    ];
    let is_word = |line: &str| {
        let line = line.trim_start();
        words.iter().any(|&word| match word {
            "MAP" | "ENDMAP" => line == word,
            _ => line.starts_with(word),
        })
    };
    lines(text).any(is_word)
}

/// Rows of the characters by which dungeons and rooms are drawn.
fn is_drawing(text: &str) -> bool {
    let is_tile = |tile: char| " .,#|-+<>{}_^~@%*=:TWSGO01".contains(tile);
    let mut rows = lines(text).filter(|line| !line.is_empty()).peekable();
    let is_row = |row: &str| row.chars().count() > 2 && row.chars().all(is_tile);
    rows.peek().is_some() && rows.all(is_row)
}

/// A line of the characters from `?` to `~`, which begins with the number of vertices.
fn is_graph6(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default().trim_end();
    if first.starts_with(">>graph6<<") {
        return true;
    }
    let Some(size) = first.bytes().next().filter(|byte| (63..126).contains(byte)) else {
        return false;
    };
    let vertices = usize::from(size - 63);
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    first.len() == 1 + pairs.div_ceil(6) && first.bytes().all(|byte| (63..=126).contains(&byte))
}
