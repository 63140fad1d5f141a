//! Rounds mixed strategies to fractions that sum to exactly one.

/// The sum of the shares of a stored strategy.
pub(super) const WHOLE: u32 = 1 << 30;

/// Rounds a strategy to multiples of 1 / [`WHOLE`] by the method of the largest remainders. Moves that get no
/// share are dropped. The other moves are in ascending order.
pub(super) fn rounded(strategy: &[(u32, f64)]) -> Vec<(u32, f64)> {
    if strategy.is_empty() {
        return Vec::new();
    }
    let whole = f64::from(WHOLE);
    let sum: f64 = strategy.iter().map(|&(_, share)| share).sum();
    let exact = |share: f64| share / sum * whole;
    let mut parts: Vec<(u32, u32, f64)> = strategy
        .iter()
        .map(|&(number, share)| {
            let part = exact(share).floor().clamp(0.0, whole);
            (number, part as u32, exact(share) - part)
        })
        .collect();
    let given: u32 = parts.iter().map(|part| part.1).sum();
    parts.sort_unstable_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
    let rest = WHOLE.saturating_sub(given) as usize;
    let count = parts.len();
    for index in 0..rest {
        if let Some(part) = parts.get_mut(index % count) {
            part.1 += 1;
        }
    }
    parts.retain(|part| part.1 > 0);
    parts.sort_unstable_by_key(|part| part.0);
    parts
        .iter()
        .map(|&(number, part, _)| (number, f64::from(part) / whole))
        .collect()
}

/// A rounded share as a multiple of 1 / [`WHOLE`].
pub(super) fn weight(share: f64) -> u32 {
    (share * f64::from(WHOLE)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_are_one_together_and_off_by_less_than_a_part(
            shares in prop::collection::vec(0.0_f64..1.0, 1..12)
        ) {
            let sum: f64 = shares.iter().sum();
            prop_assume!(sum > 0.0);
            let strategy: Vec<(u32, f64)> =
                (0..).zip(&shares).map(|(number, share)| (number, share / sum)).collect();
            let found = rounded(&strategy);
            let all: u32 = found.iter().map(|&(_, share)| weight(share)).sum();
            prop_assert_eq!(all, WHOLE);
            for &(number, share) in &found {
                prop_assert!((share - strategy[number as usize].1).abs() < 1.0 / f64::from(WHOLE));
            }
        }
    }
}
