//! The domain theory of captures, and its unfolding.

use thiserror::Error;

/// A variable, which stands for a vertex of the graph. Variable 0 is the robber. The cops follow, then the
/// vertices that a rule introduces.
pub type Var = u8;

/// The greatest number of variables in an unfolded theory. Goals that are tried one after another share variables.
pub(super) const MAX_VARS: usize = 63;

/// The greatest number of sets of free vertices in an unfolded theory. Each takes one instruction, and a few
/// more for the moves.
const MAX_SETS: usize = 8_000;

/// The greatest number of free vertices that rules count.
pub(super) const MAX_FREE: usize = 3;

/// What a rule proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// The robber is to move and is captured within a number of turns.
    Caught,
    /// The cops are to move and capture the robber within a number of turns.
    Taken,
}

/// A theory of captures by cops of speed 1, from which rules are unfolded (T. Cazenave, *Retrograde
/// analysis of patterns versus metaprogramming*, section 4).
///
/// The theory knows only which vertices are beside each other. No predicate names a direction. One rule
/// therefore represents many patterns, and rules hold on all graphs. A cop *reaches* the vertex on which it
/// stands and the vertices beside it. The *free* vertices of a robber are the vertices
/// that it can occupy after its move, including its present vertex, and that no cop reaches:
///
/// ```text
/// caught(n, R; C)  if  free(R; C) = {}                                         n >= 1
/// caught(n, R; C)  if  free(R; C) = {X1, ..., Xk}  and  taken(n, Xi; C) for all i
/// taken(n, X; C)   if  some cop of C reaches X                                 n >= 1
/// taken(n, X; C)   if  step(C, D)  and  caught(n - 1, X; D)                    n >= 2
/// step(C, D)       if  each cop of D waits, or has moved to a vertex beside its own
/// ```
///
/// The unfolding treats `free` as a primitive predicate, just as the paper treats liberties. Three kinds of
/// knowledge prune the rules:
///
/// - *Impossible:* no cop reaches a free vertex X, so X is not taken at once. If X is to be caught in one turn,
///   a cop has to move beside X, and cannot move onto X.
/// - *Single-valued:* the set of free vertices is unique. Rules that differ in its size exclude each other, and
///   the size is determined once for all of them.
/// - *Interchangeable:* the free vertices have no order. Of rules that differ only in this order, one is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theory {
    cops: u8,
    free: u8,
}

/// A theory that cannot be unfolded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TheoryError {
    /// The number of cops or of free vertices is out of range.
    #[error("expected 1 or 2 cops and up to 3 free vertices, found {cops} and {free}")]
    Size {
        /// The number of cops.
        cops: u8,
        /// The greatest number of free vertices.
        free: u8,
    },
    /// The depth is 0.
    #[error("expected a depth of at least one turn, found 0")]
    NoTurns,
    /// The unfolded theory is too large.
    #[error("expected at most {MAX_SETS} sets of free vertices, found more with {turns} turns")]
    TooLarge {
        /// The number of turns to which the theory was to be unfolded.
        turns: u8,
    },
}

/// An unfolded goal: a tree of conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// A cop of the team reaches the vertex.
    Reached {
        /// The vertex that has to be reached.
        robber: Var,
        /// The vertices of the cops that may do so.
        team: Vec<Var>,
    },
    /// One of the cases has the actual number of free vertices, and all goals of this case hold.
    Free {
        /// The robber's vertex, around which vertices may be free.
        robber: Var,
        /// The vertices of the cops.
        team: Vec<Var>,
        /// One case for each number of free vertices.
        cases: Vec<Case>,
    },
    /// Some cops have moves after which `then` holds.
    Step {
        /// From which vertex to which vertex each moving cop steps.
        steps: Vec<(Var, Var)>,
        /// Pairs of vertices that have to be beside each other.
        beside: Vec<(Var, Var)>,
        /// What has to hold after the moves.
        then: Box<Self>,
    },
    /// At least one of several trees holds.
    Any(Vec<Self>),
}

/// The goals that have to hold if these are the free vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The free vertices.
    pub free: Vec<Var>,
    /// The goals, all of which have to hold.
    pub goals: Vec<Tree>,
}

impl Theory {
    /// A theory for 1 or 2 cops and robbers with up to `free` free vertices, at most three.
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

    /// The variables that stand for the cops.
    pub(super) fn team(self) -> Vec<Var> {
        (1..=self.cops).collect()
    }

    /// Unfolds a goal for a number of turns.
    #[doc(hidden)]
    pub fn unfold(self, goal: Goal, turns: u8) -> Result<Tree, TheoryError> {
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

    /// Unfolds, and afterwards releases the variables that were introduced.
    fn scoped<T>(&mut self, unfold: impl FnOnce(&mut Self) -> T) -> T {
        let vars = self.vars;
        let unfolded = unfold(self);
        self.vars = vars;
        unfolded
    }

    /// Unfolds `caught`. Returns `None` if the goal is impossible.
    fn caught(&mut self, turns: u8, robber: Var, team: &[Var]) -> Option<Tree> {
        self.sets += 1;
        self.is_small &= self.sets <= MAX_SETS;
        if turns == 0 || !self.is_small {
            return None;
        }
        let most = if turns == 1 { 0 } else { self.theory.free };
        // The cases exclude each other, so they share their variables.
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

    /// Unfolds `taken`. If the robber's vertex is known to be free, the robber is not taken at once.
    fn taken(&mut self, turns: u8, robber: Var, team: &[Var], is_free: bool) -> Option<Tree> {
        let mut alternatives = Vec::new();
        if !is_free && turns >= 1 {
            alternatives.push(Tree::Reached {
                robber,
                team: team.to_vec(),
            });
        }
        for movers in 0..1_u8 << team.len() {
            alternatives
                .extend(self.scoped(|unfolding| unfolding.step(turns, robber, team, movers)));
        }
        match alternatives.len() {
            0 => None,
            1 => alternatives.pop(),
            _ => Some(Tree::Any(alternatives)),
        }
    }

    /// Unfolds a turn in which the cops of the bit set `movers` move.
    fn step(&mut self, turns: u8, robber: Var, team: &[Var], movers: u8) -> Option<Tree> {
        // No cop reaches the robber's vertex; otherwise the robber would be taken at once. If all cops wait,
        // the vertex stays free.
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
        // The cop that moves has to reach the free vertex, and cannot move onto it.
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
        // A cop that moves beside a free vertex is the only alternative to take the robber there in two turns.
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
