//! How functions take their parameters.

use std::fs;

use super::package;

/// The parameters of all functions in a source without comments, as they are written.
fn parameters(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let is_word = |symbol: char| symbol == '_' || symbol.is_ascii_alphanumeric();
        let name = code[at + 3..].trim_start_matches(is_word);
        let is_function = !code[..at].ends_with(is_word) && name.starts_with(['(', '<']);
        if is_function && name.len() < code.len() - at - 3 {
            found.extend(parameters_after_name(name));
        }
    }
    found
}

/// The parameters of a function, from the end of its name on.
fn parameters_after_name(rest: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // The brackets around the present place, and where the present parameter begins.
    let (mut open, mut begin) = (Vec::new(), None);
    let mut before = ' ';
    for (at, symbol) in rest.char_indices() {
        match symbol {
            '(' | '[' | '{' | '<' => {
                if symbol == '(' && open.is_empty() {
                    begin = Some(at + 1);
                }
                open.push(symbol);
            }
            // Not the arrow of a type that is returned.
            '>' if before == '-' || before == '=' => {}
            ')' | ']' | '}' | '>' => {
                open.pop();
            }
            _ => {}
        }
        let is_end = symbol == ')' && open.is_empty();
        if (is_end || symbol == ',' && open == ['('])
            && let Some(first) = begin.replace(at + 1)
        {
            found.push(rest[first..at].trim());
            if is_end {
                break;
            }
        }
        before = symbol;
    }
    found
}

/// Returns whether a parameter is a tuple that is taken apart. `()` has no parts.
fn is_tuple_pattern(parameter: &str) -> bool {
    parameter.starts_with('(') && !parameter.starts_with("()")
}

#[test]
fn parameters_are_recognised() {
    let code = "fn f<A: Fn(u8) -> u8, B>(a: A, (b, c): (B, [u8; 2])) -> (u8, B) { g(a, (b, c)) }";
    assert_eq!(parameters(code), ["a: A", "(b, c): (B, [u8; 2])"]);
    let code = "fn f(map: Map<u8, (u8, u8)>, of: impl Fn((u8, u8)) -> u8) {}";
    let found = parameters(code);
    assert_eq!(
        found,
        ["map: Map<u8, (u8, u8)>", "of: impl Fn((u8, u8)) -> u8"]
    );
    assert!(!found.into_iter().any(is_tuple_pattern));
}

/// What belongs together is a type with a name, and what does not is several parameters.
#[test]
fn no_function_takes_a_tuple_apart_in_its_parameters() {
    let mut tuples = Vec::new();
    for path in ["plugin", "engine", "lab", "tool"]
        .into_iter()
        .flat_map(package)
    {
        let text = fs::read_to_string(&path).expect("readable");
        let code = text.lines().map(|line| line.split("//").next());
        let code: Vec<&str> = code.map(Option::unwrap_or_default).collect();
        let code = code.join("\n");
        let found = parameters(&code).into_iter();
        let found = found.filter(|parameter| is_tuple_pattern(parameter));
        tuples.extend(found.map(|tuple| format!("{}: {tuple}", path.display())));
    }
    assert_eq!(tuples, [""; 0]);
}
