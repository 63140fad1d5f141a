//! Counts through joint moves: one choice for each of several agents.

/// In which order joint moves are counted through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JointOrder {
    /// As an odometer whose first wheel turns fastest.
    #[default]
    FirstFastest,
    /// As an odometer whose last wheel turns fastest.
    LastFastest,
    /// By the sum of the choices, so that low choices of all agents come before a high one of any.
    SmallestSum,
}

/// All joint moves of some agents, one after the other, in memory that is used again.
///
/// Agent `i` has the choices `0..counts[i]`. Time: constant for each joint move on average, except that
/// [`JointOrder::SmallestSum`] also passes over the choices of all agents but the last that have another
/// sum.
#[derive(Debug, Clone, Default)]
pub struct JointMoves {
    order: JointOrder,
    counts: Vec<usize>,
    choices: Vec<usize>,
    has_begun: bool,
    /// The sum of the choices, for [`JointOrder::SmallestSum`] only.
    sum: usize,
    /// The greatest sum of choices.
    greatest_sum: usize,
}

impl JointMoves {
    /// Starts before the first joint move of agents with these numbers of choices.
    #[doc(hidden)]
    pub fn start(&mut self, order: JointOrder, counts: impl IntoIterator<Item = usize>) {
        self.order = order;
        self.counts.clear();
        self.counts.extend(counts);
        self.choices.clear();
        self.choices.resize(self.counts.len(), 0);
        self.has_begun = false;
        self.sum = 0;
        self.greatest_sum = self
            .counts
            .iter()
            .map(|count| count.saturating_sub(1))
            .sum();
    }

    /// The choices of the next joint move; `None` after the last one, and if an agent has no choice.
    #[doc(hidden)]
    pub fn advance(&mut self) -> Option<&[usize]> {
        let wheels = self.choices.iter_mut().zip(&self.counts);
        let is_another = if self.has_begun {
            match self.order {
                JointOrder::FirstFastest => count_up(wheels),
                JointOrder::LastFastest => count_up(wheels.rev()),
                JointOrder::SmallestSum => self.advance_by_sum(),
            }
        } else {
            self.has_begun = true;
            !self.counts.contains(&0)
        };
        is_another.then_some(&*self.choices)
    }

    /// The choices of the joint move that [`Self::advance`] returned last.
    pub(crate) fn choices(&self) -> &[usize] {
        &self.choices
    }

    /// Counts on with all agents but the last, whose choice is what is missing from the sum.
    fn advance_by_sum(&mut self) -> bool {
        let Some((last, others)) = self.choices.split_last_mut() else {
            return false;
        };
        let last_count = self.counts[others.len()];
        loop {
            if !count_up(others.iter_mut().zip(&self.counts).rev()) {
                self.sum += 1;
            }
            if self.sum > self.greatest_sum {
                return false;
            }
            let rest = self.sum.checked_sub(others.iter().sum());
            if let Some(rest) = rest.filter(|&rest| rest < last_count) {
                *last = rest;
                return true;
            }
        }
    }
}

/// Advances the first wheel that is not at its end and resets those before it; `false` if all were at
/// their ends.
fn count_up<'a>(mut wheels: impl Iterator<Item = (&'a mut usize, &'a usize)>) -> bool {
    wheels.any(|(choice, &count)| {
        *choice += 1;
        if *choice == count {
            *choice = 0;
        }
        *choice > 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(order: JointOrder, counts: &[usize]) -> Vec<Vec<usize>> {
        let mut moves = JointMoves::default();
        moves.start(order, counts.iter().copied());
        let mut all = Vec::new();
        while let Some(choices) = moves.advance() {
            all.push(choices.to_vec());
        }
        all
    }

    #[test]
    fn all_orders_count_through_the_same_joint_moves() {
        for counts in [&[][..], &[3], &[2, 3], &[1, 1], &[3, 1, 4], &[2, 2, 2, 2]] {
            let odometer = all(JointOrder::LastFastest, counts);
            assert!(odometer.is_sorted());
            assert_eq!(odometer.len(), counts.iter().product::<usize>());
            let mut first = all(JointOrder::FirstFastest, counts);
            assert!(
                first.is_sorted_by_key(|choices| choices.iter().rev().copied().collect::<Vec<_>>())
            );
            let mut by_sum = all(JointOrder::SmallestSum, counts);
            assert!(by_sum.is_sorted_by_key(|choices| choices.iter().sum::<usize>()));
            first.sort();
            by_sum.sort();
            assert_eq!((&first, &by_sum), (&odometer, &odometer));
        }
    }

    #[test]
    fn an_agent_without_a_choice_makes_joint_moves_impossible() {
        for order in [
            JointOrder::FirstFastest,
            JointOrder::LastFastest,
            JointOrder::SmallestSum,
        ] {
            assert!(all(order, &[2, 0, 3]).is_empty());
        }
    }
}
