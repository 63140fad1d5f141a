//! Prime patterns of a set of ground codes: patterns in which every fixed cell is needed.

use super::pattern::Code;

/// Returns the prime patterns of a set of ground codes. A prime pattern fits only codes of the set, and stops
/// doing so if any one of its fixed cells becomes a don't-care cell. Prime patterns generalise prime implicants
/// (W. Quine, *The problem of simplifying truth functions*, 1952) to any number of symbols.
///
/// `holds` says for each ground code whether it is in the set; its length is `symbols` to the power of the
/// number of cells. Cell `i` of a returned pattern corresponds to digit `i` of the ground codes.
///
/// Cost: at worst one step for each possible pattern. There are (`symbols` + 1) to the power of the number of cells.
pub(super) fn primes(holds: &[bool], symbols: usize) -> Vec<Code> {
    if !holds.contains(&true) {
        return Vec::new();
    }
    if !holds.contains(&false) {
        return vec![Code::default()];
    }
    let part = holds.len() / symbols;
    let mut cell = 0;
    let mut codes = symbols;
    while codes < holds.len() {
        cell += 1;
        codes *= symbols;
    }
    // The codes of the other cells that are in the set whatever the last cell has.
    let open: Vec<bool> = (0..part)
        .map(|code| holds.iter().skip(code).step_by(part).all(|&holds| holds))
        .collect();
    let mut found = primes(&open, symbols);
    for (symbol, holds) in holds.chunks(part).enumerate() {
        let special = primes(holds, symbols);
        let special = special
            .into_iter()
            .filter(|&code| !fits_only(code, &open, symbols));
        found.extend(special.map(|code| code.with(cell, symbol as u8)));
    }
    found
}

/// Returns whether all codes that a pattern fits are in a set.
pub(super) fn fits_only(code: Code, holds: &[bool], symbols: usize) -> bool {
    all_codes(code, holds.len(), symbols, &mut |at| holds[at])
}

/// Calls `visit` with each ground code below `codes` that a pattern fits, and stops when `visit` returns
/// `false`. Returns whether `visit` returned `true` for all of them.
pub(super) fn all_codes(
    code: Code,
    codes: usize,
    symbols: usize,
    visit: &mut impl FnMut(usize) -> bool,
) -> bool {
    fn go(
        code: Code,
        at: usize,
        cell: usize,
        power: usize,
        codes: usize,
        symbols: usize,
        visit: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        if power >= codes {
            return visit(at);
        }
        let mut with = |symbol: usize| {
            let at = at + symbol * power;
            go(code, at, cell + 1, power * symbols, codes, symbols, visit)
        };
        match code.symbol(cell) {
            Some(symbol) => with(symbol.into()),
            None => (0..symbols).all(with),
        }
    }
    go(code, 0, 0, 1, codes, symbols, visit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All patterns over `cells` cells.
    fn all(cells: usize, symbols: usize) -> Vec<Code> {
        let mut all = vec![Code::default()];
        for cell in 0..cells {
            let longer = |code: &Code| {
                let with = (0..symbols as u8).map(|symbol| code.with(cell, symbol));
                std::iter::once(*code).chain(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    #[test]
    fn primes_are_the_patterns_that_no_other_implies() {
        let mut random = 12345_u64;
        for (cells, symbols) in [(1, 2), (4, 2), (3, 3), (5, 2), (4, 3)] {
            for share in [3, 8, 14] {
                let length = symbols_to(symbols, cells);
                let holds: Vec<bool> = (0..length)
                    .map(|_| {
                        random = random
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(1);
                        random >> 60 < share
                    })
                    .collect();
                let proven: Vec<Code> = all(cells, symbols)
                    .into_iter()
                    .filter(|&code| fits_only(code, &holds, symbols))
                    .collect();
                let is_prime = |code: &Code| {
                    let others = proven.iter().filter(|other| *other != code);
                    others
                        .into_iter()
                        .all(|other| !code.is_special_case_of(*other))
                };
                let mut expected: Vec<Code> = proven.iter().copied().filter(is_prime).collect();
                let mut found = primes(&holds, symbols);
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }

    fn symbols_to(symbols: usize, cells: usize) -> usize {
        (0..cells).fold(1, |codes, _| codes * symbols)
    }
}
