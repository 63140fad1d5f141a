//! The oracle of best responses: policies on plain vertex numbers, and a plain fixpoint.

use crate::common::level::{LIMIT, PursuitLevel};
use pursuit_engine::game::Rules;
use pursuit_engine::graph::Vertex;
use pursuit_engine::table::SolveError;
use pursuit_engine::table::{Response, best_response_to_cops, best_response_to_robber};

/// Computes the best response to a robber's policy.
pub(super) fn to_robber(
    level: &PursuitLevel,
    rules: Rules,
    limit: u64,
    policy: impl Fn(Vertex, &[Vertex]) -> Vertex + Sync,
) -> Result<Response, SolveError> {
    let policy = &policy;
    let player = || move |robber: Vertex, cops: &[Vertex]| Ok(policy(robber, cops));
    best_response_to_robber(&level.arena, rules, limit, player, |_| Ok(()))
}

/// Computes the best response to a policy of the cops.
pub(super) fn to_cops(
    level: &PursuitLevel,
    rules: Rules,
    limit: u64,
    policy: impl Fn(Vertex, &[Vertex], &mut [Vertex]) + Sync,
) -> Result<Response, SolveError> {
    let policy = &policy;
    let player = || {
        move |robber: Vertex, cops: &[Vertex], to: &mut [Vertex]| {
            policy(robber, cops, to);
            Ok(())
        }
    };
    best_response_to_cops(&level.arena, rules, limit, player, |_| Ok(()))
}

// ---- policies on vertex numbers, with the cops in ascending order ----

/// A random but deterministic policy for the robber and for the cops. Positions are given by vertex
/// numbers, with the cops in ascending order.
pub(super) struct Policy<'a> {
    pub(super) level: &'a PursuitLevel,
    pub(super) rules: Rules,
    pub(super) seed: u64,
    /// Whether the cops mostly move as near to the robber as they can.
    pub(super) chases: bool,
}

impl Policy<'_> {
    /// A random number below `many` that depends only on the seed and the position.
    fn draw(&self, robber: usize, cops: &[usize], many: usize) -> usize {
        let mut state = self.seed ^ robber as u64;
        for &cop in cops {
            state = mix(state) ^ cop as u64;
        }
        (mix(state) % many as u64) as usize
    }

    fn robber(&self, robber: usize, cops: &[usize]) -> usize {
        let ends = robber_ends(
            &self.level.out,
            robber,
            cops,
            self.rules.robber_speed.steps(),
        );
        ends[self.draw(robber, cops, ends.len())]
    }

    fn cops(&self, robber: usize, cops: &[usize]) -> Vec<usize> {
        let steps = self.rules.cop_speed.steps();
        if self.chases && self.draw(robber, cops, 8) > 0 {
            let far = distances(&self.level.out, robber);
            let nearest = |&cop: &usize| {
                let ends = robber_ends(&self.level.out, cop, &[], steps).into_iter();
                ends.min_by_key(|&end| far[end]).expect("waiting")
            };
            return cops.iter().map(nearest).collect();
        }
        let joint = joint_moves(&self.level.out, cops, steps);
        joint[self.draw(robber, cops, joint.len())].clone()
    }

    /// The crate's best response to the robber of this policy.
    pub(super) fn best_response_of_cops(&self) -> Response {
        let policy = |robber, cops: &[Vertex]| {
            let (robber, cops, _) = self.numbers(robber, cops);
            self.level.vertices[self.robber(robber, &cops)]
        };
        to_robber(self.level, self.rules, LIMIT, policy).expect("legal")
    }

    /// The crate's best response to the cops of this policy.
    pub(super) fn best_response_of_robber(&self) -> Response {
        let policy = |robber, cops: &[Vertex], to: &mut [Vertex]| {
            let (robber, cops, order) = self.numbers(robber, cops);
            for (cop, after) in order.into_iter().zip(self.cops(robber, &cops)) {
                to[cop] = self.level.vertices[after];
            }
        };
        to_cops(self.level, self.rules, LIMIT, policy).expect("legal")
    }

    /// The number of the robber's vertex, the numbers of the cops' vertices in ascending order, and
    /// the index of each of these cops in `cops`.
    pub(super) fn numbers(
        &self,
        robber: Vertex,
        cops: &[Vertex],
    ) -> (usize, Vec<usize>, Vec<usize>) {
        let number = |vertex| {
            let mut known = self.level.vertices.iter();
            known.position(|&known| known == vertex).expect("a vertex")
        };
        let numbers: Vec<usize> = cops.iter().map(|&cop| number(cop)).collect();
        let mut order: Vec<usize> = (0..cops.len()).collect();
        order.sort_by_key(|&cop| numbers[cop]);
        let sorted = order.iter().map(|&cop| numbers[cop]).collect();
        (number(robber), sorted, order)
    }
}

/// The distance from each vertex to `to`, in a graph whose steps lead both ways.
fn distances(out: &[Vec<usize>], to: usize) -> Vec<usize> {
    let mut far = vec![usize::MAX; out.len()];
    far[to] = 0;
    let mut reached = vec![to];
    let mut next = 0;
    while let Some(&place) = reached.get(next) {
        next += 1;
        for &step in &out[place] {
            if far[step] == usize::MAX {
                far[step] = far[place] + 1;
                reached.push(step);
            }
        }
    }
    far
}

/// The finalizer of SplitMix64.
fn mix(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

/// The vertices on which a robber's move can end. The move may end on a cop but not pass one.
pub(super) fn robber_ends(
    out: &[Vec<usize>],
    robber: usize,
    cops: &[usize],
    steps: u8,
) -> Vec<usize> {
    let mut ends = vec![robber];
    for _ in 0..steps {
        let free = ends.iter().filter(|&at| !cops.contains(at));
        let next: Vec<usize> = free.flat_map(|&at| &out[at]).copied().collect();
        ends.extend(next);
        ends.sort_unstable();
        ends.dedup();
    }
    ends
}

pub(super) fn joint_moves(out: &[Vec<usize>], cops: &[usize], steps: u8) -> Vec<Vec<usize>> {
    let Some((&last, others)) = cops.split_last() else {
        return vec![Vec::new()];
    };
    let ends = robber_ends(out, last, &[], steps);
    let mut all = Vec::new();
    for moved in joint_moves(out, others, steps) {
        all.extend(ends.iter().map(|&end| [moved.as_slice(), &[end]].concat()));
    }
    all
}

// ---- the plain fixpoint ----

pub(super) const NEVER: u32 = u32::MAX;

/// The values of all positions with the cops to move if one side is bound to its policy, computed
/// by rounds of a plain fixpoint.
pub(super) fn slow_response(policy: &Policy, cops_are_bound: bool) -> Vec<Option<u32>> {
    let n = policy.level.out.len();
    let cops = usize::from(policy.rules.cops.get());
    let captured = |code: usize| (0..cops).any(|cop| code / n.pow(cop as u32 + 1) % n == code % n);
    let value = |code| if captured(code) { 0 } else { NEVER };
    let mut values: Vec<u32> = (0..n.pow(cops as u32 + 1)).map(value).collect();
    loop {
        let next = slow_round(policy, cops_are_bound, &values);
        if next == values {
            let finite = |value: u32| (value != NEVER).then_some(value);
            return values.into_iter().map(finite).collect();
        }
        values = next;
    }
}

/// The values of all positions that follow from the values one turn later.
pub(super) fn slow_round(policy: &Policy, cops_are_bound: bool, values: &[u32]) -> Vec<u32> {
    let out = &policy.level.out;
    let n = out.len();
    let rules = policy.rules;
    let (cops, robber_steps) = (usize::from(rules.cops.get()), rules.robber_speed.steps());
    let sorted = |cops: &[usize]| {
        let mut cops = cops.to_vec();
        cops.sort_unstable();
        cops
    };
    let index = |robber: usize, cops: &[usize]| {
        robber + n * cops.iter().rev().fold(0, |index, cop| index * n + cop)
    };
    let positions: Vec<(usize, Vec<usize>)> = (0..n.pow(cops as u32 + 1))
        .map(|code| {
            let cop = |cop| code / n.pow(cop as u32 + 1) % n;
            (code % n, (0..cops).map(cop).collect())
        })
        .collect();
    let after = |robber: usize, cops: &[usize]| {
        if cops.contains(&robber) {
            return 0;
        }
        if cops_are_bound {
            let ends = robber_ends(out, robber, cops, robber_steps);
            let worths = ends.into_iter().map(|end| values[index(end, cops)]);
            return worths.max().expect("waiting");
        }
        values[index(policy.robber(robber, &sorted(cops)), cops)]
    };
    let before = |(robber, cops): &(usize, Vec<usize>)| {
        if cops.contains(robber) {
            return 0;
        }
        let joint = if cops_are_bound {
            vec![policy.cops(*robber, &sorted(cops))]
        } else {
            joint_moves(out, cops, rules.cop_speed.steps())
        };
        let worths = joint.iter().map(|cops| after(*robber, cops));
        worths.min().expect("waiting").saturating_add(1)
    };
    positions.iter().map(before).collect()
}

pub(super) fn all(level: &PursuitLevel, response: &Response) -> Vec<Option<u32>> {
    let cops = response.rules().cops.get().into();
    level.all(cops, |robber, cops| response.value(robber, cops))
}

/// Values that can be compared: an escape is later than every capture.
pub(super) fn ranked(values: &[Option<u32>]) -> Vec<u32> {
    values.iter().map(|value| value.unwrap_or(NEVER)).collect()
}
