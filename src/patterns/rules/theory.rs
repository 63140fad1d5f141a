//! The domain theory of a capture, and its unfolding.

use thiserror::Error;

/// A variable: a vertex of the graph. 0 is the robber, then come the cops, then the vertices that a rule
/// introduces.
pub(super) type Var = u8;

/// The most variables of an unfolded theory. Goals that are tried one after another share theirs.
pub(super) const MAX_VARS: usize = 63;

/// The most sets of free vertices of an unfolded theory: each takes an instruction, and a few for the moves.
const MAX_SETS: usize = 8_000;

/// The most free vertices that rules count.
pub(super) const MAX_FREE: usize = 3;

/// What is to be proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// The robber, who is to move, is captured within some turns.
    Caught,
    /// The cops, who are to move, capture the robber within some turns.
    Taken,
}

/// A theory of captures by cops of speed 1, from which rules are unfolded (T. Cazenave, *Retrograde
/// analysis of patterns versus metaprogramming*, section 4).
///
/// The theory knows only which vertices are beside each other. No predicate names a direction, so
/// that one rule stands for many patterns, and rules hold on all graphs. A cop *reaches* a vertex that it stands on or
/// that is beside it. The *free* vertices of a robber are those where it can be after its move, its own
/// one included, that no cop reaches:
///
/// ```text
/// caught(n, R; C)  if  free(R; C) = {}                                         n >= 1
/// caught(n, R; C)  if  free(R; C) = {X1, ..., Xk}  and  taken(n, Xi; C) for all i
/// taken(n, X; C)   if  some cop of C reaches X                                 n >= 1
/// taken(n, X; C)   if  step(C, D)  and  caught(n - 1, X; D)                    n >= 2
/// step(C, D)       if  each cop of D waits, or has moved to a vertex beside its own
/// ```
///
/// How `free` is computed is hidden from the unfolding, as liberties are in the paper. Knowledge prunes
/// the rules:
///
/// - *Impossible:* no cop reaches a free vertex X. So X is not taken at once; if it is to be caught in
///   one turn, a cop has to move beside X, and cannot move onto it.
/// - *Single-valued:* the set of free vertices is one set. Rules that differ in its size exclude each other, and the size is
///   determined once for all of them.
/// - *Interchangeable:* the free vertices have no order. Of rules that differ in it, one is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theory {
    cops: u8,
    free: u8,
}

/// A theory that cannot be unfolded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TheoryError {
    /// Too many or too few cops or free vertices.
    #[error("expected 1 or 2 cops and up to 3 free vertices, found {cops} and {free}")]
    Size {
        /// The number of cops.
        cops: u8,
        /// The most free vertices.
        free: u8,
    },
    /// A depth of no turns.
    #[error("expected a depth of at least one turn, found 0")]
    NoTurns,
    /// The unfolded theory is too large.
    #[error("expected at most {MAX_SETS} sets of free vertices, found more with {turns} turns")]
    TooLarge {
        /// The least number of turns that is too large.
        turns: u8,
    },
}

/// An unfolded goal: a tree of conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    /// A cop of the team reaches the vertex.
    Reached { robber: Var, team: Vec<Var> },
    /// The free vertices are one of several numbers; all goals of that case hold.
    Free {
        robber: Var,
        team: Vec<Var>,
        cases: Vec<Case>,
    },
    /// Some cops can move so that the rest holds.
    Step {
        steps: Vec<(Var, Var)>,
        /// Pairs of vertices that have to be beside each other.
        beside: Vec<(Var, Var)>,
        then: Box<Self>,
    },
    /// One of several holds.
    Any(Vec<Self>),
}

/// What has to hold if there are these free vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub free: Vec<Var>,
    pub goals: Vec<Tree>,
}

impl Theory {
    /// A theory for 1 or 2 cops, of robbers that have up to `free` free vertices, at most three.
    ///
    /// # Errors
    /// If a number is out of range.
    pub const fn new(cops: u8, free: u8) -> Result<Self, TheoryError> {
        if matches!(cops, 1 | 2) && free as usize <= MAX_FREE {
            Ok(Self { cops, free })
        } else {
            Err(TheoryError::Size { cops, free })
        }
    }

    /// The number of cops.
    #[must_use]
    pub const fn cops(&self) -> u8 {
        self.cops
    }

    /// The variables of the cops.
    pub(super) fn team(self) -> Vec<Var> {
        (1..=self.cops).collect()
    }

    /// Unfolds a goal within some turns.
    pub(super) fn unfold(self, goal: Goal, turns: u8) -> Result<Tree, TheoryError> {
        let mut unfolding = Unfolding {
            theory: self,
            vars: 1 + usize::from(self.cops),
            sets: 0,
            is_small: true,
        };
        let team = self.team();
        let tree = match goal {
            Goal::Caught => unfolding.caught(turns, 0, &team),
            Goal::Taken => unfolding.taken(turns, 0, &team, false),
        };
        let tree = tree.filter(|_| unfolding.is_small);
        tree.ok_or(TheoryError::TooLarge { turns })
    }
}

/// The state of an unfolding.
struct Unfolding {
    theory: Theory,
    /// The variables in use.
    vars: usize,
    sets: usize,
    is_small: bool,
}

impl Unfolding {
    fn var(&mut self) -> Var {
        self.vars += 1;
        self.is_small &= self.vars <= MAX_VARS;
        (self.vars - 1).min(MAX_VARS) as Var
    }

    /// Unfolds with variables that can be used again afterwards.
    fn scoped<T>(&mut self, unfold: impl FnOnce(&mut Self) -> T) -> T {
        let vars = self.vars;
        let unfolded = unfold(self);
        self.vars = vars;
        unfolded
    }

    /// `None` if it is impossible.
    fn caught(&mut self, turns: u8, robber: Var, team: &[Var]) -> Option<Tree> {
        self.sets += 1;
        self.is_small &= self.sets <= MAX_SETS;
        if turns == 0 || !self.is_small {
            return None;
        }
        let most = if turns == 1 { 0 } else { self.theory.free };
        // Cases exclude each other: they share their variables.
        let all: Vec<Var> = (0..most).map(|_| self.var()).collect();
        let mut cases = Vec::new();
        for count in 0..=usize::from(most) {
            let free = all[..count].to_vec();
            let goals = free
                .iter()
                .map(|&vertex| self.taken(turns, vertex, team, true));
            if let Some(goals) = goals.collect() {
                cases.push(Case { free, goals });
            }
        }
        Some(Tree::Free {
            robber,
            team: team.to_vec(),
            cases,
        })
    }

    /// A robber at a vertex that is known to be free is not taken at once.
    fn taken(&mut self, turns: u8, robber: Var, team: &[Var], is_free: bool) -> Option<Tree> {
        let mut ways = Vec::new();
        if !is_free && turns >= 1 {
            ways.push(Tree::Reached {
                robber,
                team: team.to_vec(),
            });
        }
        for movers in 0..1_u8 << team.len() {
            ways.extend(self.scoped(|unfolding| unfolding.step(turns, robber, team, movers)));
        }
        match ways.len() {
            0 => None,
            1 => ways.pop(),
            _ => Some(Tree::Any(ways)),
        }
    }

    /// The cops of a bit set move.
    fn step(&mut self, turns: u8, robber: Var, team: &[Var], movers: u8) -> Option<Tree> {
        // No cop reaches the robber's vertex, or it would be taken at once. If all wait, it stays free.
        if turns < 2 || movers == 0 && (turns == 2 || self.theory.free == 0) {
            return None;
        }
        let mut after = team.to_vec();
        let mut steps = Vec::new();
        for (cop, place) in after.iter_mut().enumerate() {
            if movers >> cop & 1 == 1 {
                let to = self.var();
                steps.push((*place, to));
                *place = to;
            }
        }
        let then = Box::new(self.caught(turns - 1, robber, &after)?);
        // The one that moves has to reach a free vertex, and cannot move onto it.
        let beside = match steps[..] {
            [(_, to)] if turns == 2 => vec![(to, robber)],
            _ => Vec::new(),
        };
        Some(Tree::Step {
            steps,
            beside,
            then,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_impossible_is_pruned() {
        let theory = Theory::new(1, 2).expect("valid");
        let Ok(Tree::Free { cases, .. }) = theory.unfold(Goal::Caught, 1) else {
            panic!("free vertices come first");
        };
        assert_eq!(cases.len(), 1, "a free vertex is not taken in one turn");
        let Ok(Tree::Free { cases, .. }) = theory.unfold(Goal::Caught, 2) else {
            panic!("free vertices come first");
        };
        assert_eq!(cases.len(), 3);
        // The only way to take a free vertex in two turns: a cop that moves beside it.
        let Tree::Step { steps, beside, .. } = &cases[1].goals[0] else {
            panic!("a step");
        };
        assert_eq!((steps.len(), beside.len()), (1, 1));
        assert!(theory.unfold(Goal::Caught, 0).is_err());
        assert!(Theory::new(3, 1).is_err() && Theory::new(1, 4).is_err());
        assert!(theory.unfold(Goal::Taken, 5).is_ok());
        assert!(theory.unfold(Goal::Taken, 12).is_err(), "too large");
    }
}
