//! Rules as readable lists of conditions.

use pursuit_engine::patterns::rules::{Case, Goal, Theory, TheoryError, Tree, Var};
use std::collections::BTreeMap;
use std::fmt;

/// A variable of a rule. Variable 0 is the robber. The cops follow, then the vertices that the rule introduces.
pub type Name = u16;

/// A condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// A cop of the team stands on the vertex or beside it.
    Reached {
        /// The vertex.
        robber: Name,
        /// The cops.
        team: Vec<Name>,
    },
    /// With the robber on a vertex and the cops of the team where they stand, exactly these vertices are free.
    Free {
        /// The vertex of the robber.
        robber: Name,
        /// The cops.
        team: Vec<Name>,
        /// The free vertices, all distinct.
        free: Vec<Name>,
    },
    /// A cop moves from one vertex to another beside it.
    Step {
        /// The vertex of the cop before the move.
        from: Name,
        /// The vertex of the cop after the move.
        to: Name,
    },
    /// The two vertices are beside each other.
    Beside {
        /// One of the vertices.
        a: Name,
        /// The other vertex.
        b: Name,
    },
}

/// A rule: if there are vertices for which all conditions hold, the goal is reached within `turns` turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What the rule proves.
    pub goal: Goal,
    /// The number of turns within which the goal is reached.
    pub turns: u8,
    /// The number of cops.
    pub cops: u8,
    /// The conditions, in the order in which they are checked.
    pub conditions: Vec<Condition>,
}

impl Rule {
    /// The rules of a theory that need exactly `turns` turns to reach a goal. Rules of fewer turns are not included.
    /// Returns `None` if the theory unfolds into more than `most` rules.
    ///
    /// # Errors
    /// If the theory cannot be unfolded to this depth.
    pub fn of(
        theory: &Theory,
        goal: Goal,
        turns: u8,
        most: usize,
    ) -> Result<Option<Vec<Self>>, TheoryError> {
        let tree = theory.unfold(goal, turns)?;
        let Some(bodies) = bodies(&tree, most) else {
            return Ok(None);
        };
        let depth = |body: &Vec<Condition>| depth_of(goal, body);
        let rules = bodies.into_iter().filter(|body| depth(body) == turns);
        let rules = rules.map(|conditions| Self {
            goal,
            turns,
            cops: theory.cops(),
            conditions,
        });
        Ok(Some(rules.collect()))
    }
}

/// The turns that a rule takes: one more than the number of cop moves on its longest line of play.
fn depth_of(goal: Goal, body: &[Condition]) -> u8 {
    // Every set of free vertices but the first one is computed after a move of the cops.
    let mut depth: BTreeMap<Name, u8> = BTreeMap::new();
    let mut deepest = 1;
    for condition in body {
        if let Condition::Free { robber, free, .. } = condition {
            let here = depth.get(robber).map_or(1, |depth| depth + 1);
            deepest = deepest.max(here);
            depth.extend(free.iter().map(|&vertex| (vertex, here)));
        }
    }
    let has_free = body
        .iter()
        .any(|condition| matches!(condition, Condition::Free { .. }));
    deepest + u8::from(goal == Goal::Taken && has_free)
}

/// All alternatives in which a tree holds; `None` if there are more than `most`.
fn bodies(tree: &Tree, most: usize) -> Option<Vec<Vec<Condition>>> {
    let found = match tree {
        Tree::Reached { robber, team } => {
            let (robber, team) = ((*robber).into(), names(team));
            vec![vec![Condition::Reached { robber, team }]]
        }
        Tree::Any(alternatives) => {
            let all: Option<Vec<_>> = alternatives
                .iter()
                .map(|alternative| bodies(alternative, most))
                .collect();
            all?.concat()
        }
        Tree::Step {
            steps,
            beside,
            then,
        } => {
            let pair = |&(a, b): &(Var, Var)| (Name::from(a), Name::from(b));
            let moves = steps.iter().map(pair);
            let moves = moves.map(|(from, to)| Condition::Step { from, to });
            let tests = beside.iter().map(pair);
            let tests = tests.map(|(a, b)| Condition::Beside { a, b });
            let first: Vec<Condition> = moves.chain(tests).collect();
            let then = bodies(then, most)?;
            then.into_iter()
                .map(|body| [first.clone(), body].concat())
                .collect()
        }
        Tree::Free {
            robber,
            team,
            cases,
        } => {
            let mut found = Vec::new();
            for case in cases {
                let first = Condition::Free {
                    robber: (*robber).into(),
                    team: names(team),
                    free: names(&case.free),
                };
                for body in of_case(case, most)? {
                    found.push([vec![first.clone()], body].concat());
                }
            }
            found
        }
    };
    (found.len() <= most).then_some(found)
}

/// All alternatives in which all goals of a case hold. Since free vertices are interchangeable, only
/// combinations in ascending order are listed.
fn of_case(case: &Case, most: usize) -> Option<Vec<Vec<Condition>>> {
    let mut found: Vec<(usize, Vec<Condition>)> = vec![(0, Vec::new())];
    for goal in &case.goals {
        let alternatives = bodies(goal, most)?;
        let mut longer = Vec::new();
        for (least, body) in &found {
            for (number, alternative) in alternatives.iter().enumerate().skip(*least) {
                longer.push((
                    number,
                    [body.as_slice(), &renamed(alternative, body)].concat(),
                ));
                if longer.len() > most {
                    return None;
                }
            }
        }
        found = longer;
    }
    Some(found.into_iter().map(|(_, body)| body).collect())
}

fn names(vars: &[Var]) -> Vec<Name> {
    vars.iter().map(|&var| var.into()).collect()
}

impl Condition {
    /// The variables that the condition introduces.
    fn introduced(&self) -> &[Name] {
        match self {
            Self::Free { free, .. } => free,
            Self::Step { to, .. } => std::slice::from_ref(to),
            Self::Reached { .. } | Self::Beside { .. } => &[],
        }
    }

    /// Returns the condition with its variables renamed.
    fn renamed(&self, new: impl Fn(Name) -> Name) -> Self {
        let all = |names: &[Name]| names.iter().map(|&name| new(name)).collect();
        match self {
            Self::Reached { robber, team } => Self::Reached {
                robber: new(*robber),
                team: all(team),
            },
            Self::Free { robber, team, free } => Self::Free {
                robber: new(*robber),
                team: all(team),
                free: all(free),
            },
            Self::Step { from, to } => Self::Step {
                from: new(*from),
                to: new(*to),
            },
            Self::Beside { a, b } => Self::Beside {
                a: new(*a),
                b: new(*b),
            },
        }
    }
}

/// Renames the variables in `body` that the conditions before it introduce as well. Unfolded goals share
/// variables because they are tried one after another.
fn renamed(body: &[Condition], before: &[Condition]) -> Vec<Condition> {
    let introduced = |body: &[Condition]| -> Vec<Name> {
        body.iter()
            .flat_map(|condition| condition.introduced().to_vec())
            .collect()
    };
    let (taken, own) = (introduced(before), introduced(body));
    let both = taken.iter().chain(&own).copied();
    let next = both.max().unwrap_or(0) + 1;
    let clash: Vec<Name> = own
        .into_iter()
        .filter(|name| taken.contains(name))
        .collect();
    let new = |name: Name| {
        let place = clash.iter().position(|other| *other == name);
        place.map_or(name, |place| next + place as Name)
    };
    body.iter()
        .map(|condition| condition.renamed(new))
        .collect()
}

/// Names of variables, in the order of their first appearance.
struct Names {
    known: Vec<(Name, String)>,
    counts: [u8; 2],
}

impl Names {
    fn new(cops: u8) -> Self {
        let cop = |cop: u8| (Name::from(cop), format!("C{cop}"));
        let robber = (0, "R".to_owned());
        Self {
            known: std::iter::once(robber).chain((1..=cops).map(cop)).collect(),
            counts: [0, 0],
        }
    }

    /// The name of a variable. A new variable is named after the side whose vertex it stands for.
    fn of(&mut self, var: Name, is_cop: bool) -> String {
        if let Some((_, name)) = self.known.iter().find(|(known, _)| *known == var) {
            return name.clone();
        }
        let count = &mut self.counts[usize::from(is_cop)];
        *count += 1;
        let name = format!("{}{count}", if is_cop { 'D' } else { 'X' });
        self.known.push((var, name.clone()));
        name
    }

    fn all(&mut self, vars: &[Name], is_cop: bool) -> String {
        let names: Vec<String> = vars.iter().map(|&var| self.of(var, is_cop)).collect();
        names.join(", ")
    }
}

impl Rule {
    /// The conditions as text, one line each.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut names = Names::new(self.cops);
        let line = |condition: &Condition| match condition {
            Condition::Reached { robber, team } => {
                let (robber, team) = (names.of(*robber, false), names.all(team, true));
                format!("{robber} is reached by one of {team}")
            }
            Condition::Free { robber, team, free } => {
                let (robber, team) = (names.of(*robber, false), names.all(team, true));
                format!("free({robber}; {team}) = {{{}}}", names.all(free, false))
            }
            Condition::Step { from, to } => {
                format!("{} moves to {}", names.of(*from, true), names.of(*to, true))
            }
            Condition::Beside { a, b } => {
                format!("{} is beside {}", names.of(*a, true), names.of(*b, false))
            }
        };
        self.conditions.iter().map(line).collect()
    }

    /// The conclusion as text.
    #[must_use]
    pub fn head(&self) -> String {
        let names: Vec<String> = (1..=self.cops).map(|cop| format!("C{cop}")).collect();
        let goal = match self.goal {
            Goal::Caught => "caught",
            Goal::Taken => "taken",
        };
        format!("{goal}({}, R; {})", self.turns, names.join(", "))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} if\n    {}",
            self.head(),
            self.lines().join(",\n    ")
        )
    }
}
