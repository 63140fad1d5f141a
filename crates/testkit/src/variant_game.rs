//! The game with the rules of an arena by its definition, implemented twice: slowly and plainly, and
//! in rounds that millions of positions fit into. Neither shares code with the crate.

use super::level::{ball, best};

/// A game whose rules are given vertex by vertex.
#[derive(Debug, Clone, Default)]
pub struct VariantGame {
    /// For each vertex, where a step of a cop leads, and where one of the robber leads.
    pub cop_out: Vec<Vec<usize>>,
    pub robber_out: Vec<Vec<usize>>,
    /// Where a cop may stand, and where the robber may stand.
    pub cop_ground: Vec<bool>,
    pub robber_ground: Vec<bool>,
    /// For each vertex of a cop, whether it captures a robber on each vertex.
    pub captures: Vec<Vec<bool>>,
    pub exits: Vec<bool>,
    pub distinct: bool,
    /// Whether positions are examined for a capture only after the robber's move.
    pub after_robber: bool,
}

/// The number of cops and the speeds.
#[derive(Debug, Clone, Copy)]
pub struct VariantAgents {
    pub cops: usize,
    pub cop_speed: u8,
    pub robber_speed: u8,
}

/// The value of a position with the cops to move. Ordered by the robber's preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariantValue {
    Illegal,
    Caught(u32),
    Free,
    Away(u32),
}

// Numbers in the order of the robber's preference. What is decided beyond the horizon is free.
const FREE: u32 = 1 << 30;
const AWAY: u32 = 1 << 31;
const ILLEGAL: u32 = u32::MAX;

impl Ord for VariantValue {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let rank = |value: &Self| match *value {
            Self::Illegal => (0, 0),
            Self::Caught(turns) => (1, turns),
            Self::Free => (2, 0),
            Self::Away(turns) => (3, u32::MAX - turns),
        };
        rank(self).cmp(&rank(other))
    }
}

impl PartialOrd for VariantValue {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl VariantValue {
    fn of(number: u32) -> Self {
        match number {
            ILLEGAL => Self::Illegal,
            FREE => Self::Free,
            turns @ 0..FREE => Self::Caught(turns),
            away => Self::Away(AWAY - away),
        }
    }
}

/// The number one turn earlier.
fn earlier(number: u32) -> u32 {
    match number {
        FREE | ILLEGAL => number,
        0..FREE => number + 1,
        away => away - 1,
    }
}

impl VariantGame {
    /// The index of a position.
    pub fn index(&self, robber: usize, cops: &[usize]) -> usize {
        let n = self.exits.len();
        robber + n * cops.iter().rev().fold(0, |index, cop| index * n + cop)
    }

    /// All positions (robber, cops) in the order of their indices: robber + n (cop 1 + n (cop 2 + ...)).
    pub fn positions(&self, cops: usize) -> impl Iterator<Item = (usize, Vec<usize>)> + use<> {
        let n = self.exits.len();
        (0..n.pow(cops as u32 + 1)).map(move |index| {
            let cop = |cop| index / n.pow(cop as u32 + 1) % n;
            (index % n, (0..cops).map(cop).collect())
        })
    }

    fn is_legal(&self, robber: usize, cops: &[usize]) -> bool {
        self.robber_ground[robber] && self.may_stand(cops)
    }

    fn may_stand(&self, cops: &[usize]) -> bool {
        let twice = |cop: &usize| cops.iter().filter(|other| *other == cop).count() > 1;
        cops.iter().all(|&cop| self.cop_ground[cop]) && !(self.distinct && cops.iter().any(twice))
    }

    fn is_caught(&self, robber: usize, cops: &[usize]) -> bool {
        cops.iter().any(|&cop| self.captures[cop][robber])
    }

    /// What a position with the cops to move is worth before anybody moves.
    fn at_first(&self, robber: usize, cops: &[usize]) -> u32 {
        if !self.is_legal(robber, cops) {
            ILLEGAL
        } else if self.is_caught(robber, cops) {
            0
        } else if self.exits[robber] {
            AWAY
        } else {
            FREE
        }
    }

    /// The value of each position with the cops to move, from the rules as they are written.
    pub fn solve(&self, agents: VariantAgents) -> Vec<VariantValue> {
        let positions: Vec<_> = self.positions(agents.cops).collect();
        let first = positions
            .iter()
            .map(|(robber, cops)| self.at_first(*robber, cops));
        let first: Vec<u32> = first.collect();
        let mut values = first.clone();
        loop {
            let next = positions
                .iter()
                .zip(&first)
                .map(|((robber, cops), &first)| {
                    if first != FREE {
                        return first;
                    }
                    let joint = self.joint_moves(cops, agents.cop_speed).into_iter();
                    let joint = joint.filter(|cops| self.may_stand(cops));
                    let worths = joint.map(|cops| self.after_cops(*robber, &cops, agents, &values));
                    earlier(worths.min().expect("cops may wait"))
                });
            let next: Vec<u32> = next.collect();
            if next == values {
                return values.into_iter().map(VariantValue::of).collect();
            }
            values = next;
        }
    }

    /// The ends of all walks of the robber, which may end where a cop captures it but not pass there.
    pub fn robber_ends(&self, robber: usize, cops: &[usize], steps: u8) -> Vec<usize> {
        let mut ends = vec![robber];
        for _ in 0..steps {
            let on = ends
                .iter()
                .filter(|&&at| !self.exits[at] && (self.after_robber || !self.is_caught(at, cops)));
            let next: Vec<usize> = on.flat_map(|&at| self.robber_out[at].clone()).collect();
            ends.extend(next);
            ends.sort_unstable();
            ends.dedup();
        }
        ends
    }

    /// All joint moves of the cops that the rules allow.
    pub fn legal_joint_moves(&self, cops: &[usize], steps: u8) -> Vec<Vec<usize>> {
        let mut joint = self.joint_moves(cops, steps);
        joint.retain(|cops| self.may_stand(cops));
        joint
    }

    /// The values if the sides choose among these joint moves and among these ends.
    pub fn solve_among(
        &self,
        cops: usize,
        joint: impl Fn(usize, &[usize]) -> Vec<Vec<usize>>,
        ends: impl Fn(usize, &[usize]) -> Vec<usize>,
    ) -> Vec<VariantValue> {
        let positions: Vec<_> = self.positions(cops).collect();
        let first = positions
            .iter()
            .map(|(robber, cops)| self.at_first(*robber, cops));
        let first: Vec<u32> = first.collect();
        let mut values = first.clone();
        loop {
            let after = |robber: usize, cops: &[usize]| {
                if !self.after_robber && self.is_caught(robber, cops) {
                    return 0;
                }
                let ends = ends(robber, cops).into_iter();
                ends.map(|end| values[self.index(end, cops)])
                    .max()
                    .expect("an end")
            };
            let next = positions
                .iter()
                .zip(&first)
                .map(|((robber, cops), &first)| {
                    if first != FREE {
                        return first;
                    }
                    let joint = joint(*robber, cops);
                    let worths = joint.iter().map(|cops| after(*robber, cops));
                    earlier(worths.min().expect("a move"))
                });
            let next: Vec<u32> = next.collect();
            if next == values {
                return values.into_iter().map(VariantValue::of).collect();
            }
            values = next;
        }
    }

    fn after_cops(
        &self,
        robber: usize,
        cops: &[usize],
        agents: VariantAgents,
        values: &[u32],
    ) -> u32 {
        if !self.after_robber && self.is_caught(robber, cops) {
            return 0;
        }
        self.best_move(robber, cops, agents.robber_speed, values)
    }

    /// The best value of a robber that has come to a vertex and may end its move there or go on.
    fn best_move(&self, robber: usize, cops: &[usize], steps: u8, values: &[u32]) -> u32 {
        let is_caught = self.is_caught(robber, cops);
        if is_caught && (!self.after_robber || self.exits[robber]) {
            return 0;
        }
        if self.exits[robber] {
            return AWAY;
        }
        let mut best = values[self.index(robber, cops)];
        if steps > 0 {
            for &next in &self.robber_out[robber] {
                best = best.max(self.best_move(next, cops, steps - 1, values));
            }
        }
        best
    }

    fn joint_moves(&self, cops: &[usize], speed: u8) -> Vec<Vec<usize>> {
        let Some((&last, others)) = cops.split_last() else {
            return vec![Vec::new()];
        };
        let ends = ball(&self.cop_out, last, speed);
        let mut all = Vec::new();
        for moved in self.joint_moves(others, speed) {
            all.extend(ends.iter().map(|&end| [moved.as_slice(), &[end]].concat()));
        }
        all
    }

    /// The same values as [`Self::solve`]: in each round the robber moves step by step, then one cop
    /// after another.
    pub fn by_rounds(&self, agents: VariantAgents) -> Vec<VariantValue> {
        let n = self.exits.len();
        let positions: Vec<_> = self.positions(agents.cops).collect();
        let first = positions
            .iter()
            .map(|(robber, cops)| self.at_first(*robber, cops));
        let first: Vec<u32> = first.collect();
        let caught = |(robber, cops): &(usize, Vec<usize>)| self.is_caught(*robber, cops);
        let is_caught: Vec<bool> = positions.iter().map(caught).collect();
        let ends: Vec<_> = (0..n)
            .map(|from| ball(&self.cop_out, from, agents.cop_speed))
            .collect();
        let mut values = first.clone();
        loop {
            let mut next = values.clone();
            for _ in 0..agents.robber_speed {
                next = best(&next, 1, &self.robber_out, u32::max);
                for (index, value) in next.iter_mut().enumerate() {
                    let ends_here = self.exits[index % n] || !self.after_robber && is_caught[index];
                    if ends_here || first[index] == ILLEGAL {
                        *value = first[index];
                    }
                }
            }
            for cop in 1..=agents.cops as u32 {
                next = best(&next, n.pow(cop), &ends, u32::min);
            }
            for (next, &first) in next.iter_mut().zip(&first) {
                *next = if first == FREE { earlier(*next) } else { first };
            }
            if next == values {
                return values.into_iter().map(VariantValue::of).collect();
            }
            values = next;
        }
    }
}
