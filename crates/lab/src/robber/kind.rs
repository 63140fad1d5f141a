//! Robbers by name.

use super::beacons::RandomBeaconsRobber;
use super::cover::CoverRobber;
use super::dam::DamRobber;
use super::greedy::GreedyRobber;
use super::minimax::MinimaxRobber;
use super::wary::WaryRobber;
use super::{DaTrailMaxRobber, Knowledge, Metric, Refinement, TrailMaxRobber};
use crate::RobberPolicy;
use crate::search::CoverRule;
use pursuit_engine::policy::GuidedRobber;
use std::fmt;
use std::str::{FromStr, Split};
use thiserror::Error;

/// A robber's algorithm by name, with its parameters: `trailmax:5`. Trailing parameters may be left out.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum RobberKind {
    /// `trailmax:M`: a [`TrailMaxRobber`] that follows each plan for M turns (default 1).
    TrailMax {
        /// The turns for which a plan is followed, at least 1.
        turns: u16,
    },
    /// `datrailmax:M:Q`: a [`DaTrailMaxRobber`] that follows each plan for M turns (default 1) and plans
    /// on a level on which it survives more than Q plies (default 10).
    DaTrailMax {
        /// The turns for which a plan is followed, at least 1.
        turns: u16,
        /// Plies.
        threshold: u16,
    },
    /// `guided:N:S`: a [`GuidedRobber`] that also runs `TrailMax` within N turns of capture (default 20)
    /// and always follows `TrailMax` within S turns (default 6).
    Guided {
        /// Turns.
        near: u16,
        /// Turns.
        sure: u16,
    },
    /// `greedy` (maximum norm) and `greedy-perfect` (distances on the map): moves to where the nearest
    /// cop needs the most turns to come (C. Moldenhauer's thesis, section 5.5.1).
    Greedy {
        /// How the distance of a cop is measured.
        metric: Metric,
    },
    /// `wary-rules`, `wary-patterns` and `wary-both`: like `greedy`, but not to where an
    /// [`CaptureOracle`](pursuit_engine::policy::CaptureOracle) sees a capture within the next two turns. For agents of speed 1.
    Wary {
        /// What its oracle of captures knows.
        knowledge: Knowledge,
    },
    /// `minimax:D`: looks D plies ahead (default 5) and evaluates positions there by the maximum norm
    /// (C. Moldenhauer's thesis, section 5.5.1).
    Minimax {
        /// Plies, at least 1.
        depth: u8,
    },
    /// `cover` (redefined) and `cover-original`: moves to where it controls the most vertices
    /// (C. Moldenhauer's thesis, section 5.3).
    Cover {
        /// Which vertices count as the robber's.
        rule: CoverRule,
    },
    /// `dam:F:D` and `dam1:F:D`: minimax on abstract levels (C. Moldenhauer's thesis, sections 5.2 and
    /// 5.5.1). It starts at the fraction F of the levels (default 0.5) and looks D plies ahead (default 3).
    Dam {
        /// From 0, the map, to 1, the highest level on which robber and cops are apart.
        fraction: f32,
        /// Plies, at least 1.
        depth: u8,
        /// How much of a plan the robber follows.
        refinement: Refinement,
    },
    /// `randombeacons:B:M`: runs towards the best of B random beacons (default 40) for M turns (default 1;
    /// C. Moldenhauer's thesis, section 5.1).
    RandomBeacons {
        /// Beacons drawn for a plan, at least 1.
        beacons: u16,
        /// The turns for which a plan is followed, at least 1.
        turns: u16,
    },
}

/// An unknown name of an algorithm, or wrong parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found:?}")]
pub struct KindError {
    /// The accepted forms.
    pub expected: String,
    /// The text given.
    pub found: String,
}

impl RobberKind {
    /// A policy of this kind.
    #[must_use]
    pub fn policy(&self) -> Box<dyn RobberPolicy> {
        match *self {
            Self::TrailMax { turns } => Box::new(TrailMaxRobber::new(turns)),
            Self::DaTrailMax { turns, threshold } => {
                Box::new(DaTrailMaxRobber::new(turns, threshold))
            }
            Self::Guided { near, sure } => Box::new(GuidedRobber::new(near, sure)),
            Self::Greedy { metric } => Box::new(GreedyRobber::new(metric)),
            Self::Wary { knowledge } => Box::new(WaryRobber::new(knowledge)),
            Self::Minimax { depth } => Box::new(MinimaxRobber::new(depth)),
            Self::Cover { rule } => Box::new(CoverRobber::new(rule)),
            Self::Dam {
                fraction,
                depth,
                refinement,
            } => Box::new(DamRobber::new(fraction, depth, refinement)),
            Self::RandomBeacons { beacons, turns } => {
                Box::new(RandomBeaconsRobber::new(beacons, turns))
            }
        }
    }

    /// Returns whether the policy decides anew each turn, from the state and its seed alone. Only then is a
    /// best response to its single decisions a best response to the whole policy.
    #[must_use]
    pub const fn is_memoryless(&self) -> bool {
        match *self {
            Self::TrailMax { turns }
            | Self::DaTrailMax { turns, .. }
            | Self::RandomBeacons { turns, .. } => turns <= 1,
            Self::Greedy { .. }
            | Self::Guided { .. }
            | Self::Wary { .. }
            | Self::Minimax { .. }
            | Self::Cover { .. }
            | Self::Dam { .. } => true,
        }
    }
}

impl fmt::Display for RobberKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrailMax { turns } => write!(f, "trailmax:{turns}"),
            Self::DaTrailMax { turns, threshold } => write!(f, "datrailmax:{turns}:{threshold}"),
            Self::Guided { near, sure } => write!(f, "guided:{near}:{sure}"),
            Self::Greedy { metric } => f.write_str(match metric {
                Metric::MaximumNorm => "greedy",
                Metric::Perfect => "greedy-perfect",
            }),
            Self::Wary { knowledge } => f.write_str(match knowledge {
                Knowledge::Rules => "wary-rules",
                Knowledge::Patterns => "wary-patterns",
                Knowledge::Both => "wary-both",
            }),
            Self::Minimax { depth } => write!(f, "minimax:{depth}"),
            Self::Cover { rule } => f.write_str(match rule {
                CoverRule::Redefined => "cover",
                CoverRule::Original => "cover-original",
            }),
            Self::Dam {
                fraction,
                depth,
                refinement,
            } => {
                let name = match refinement {
                    Refinement::Plan => "dam",
                    Refinement::OneStep => "dam1",
                };
                write!(f, "{name}:{fraction}:{depth}")
            }
            Self::RandomBeacons { beacons, turns } => write!(f, "randombeacons:{beacons}:{turns}"),
        }
    }
}

impl FromStr for RobberKind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(&(_, form)) = FORMS.iter().find(|(known, _)| *known == name) else {
            let forms: Vec<&str> = FORMS.iter().map(|&(_, form)| form).collect();
            return Err(KindError {
                expected: format!("one of: {}", forms.join("; ")),
                found: text.to_owned(),
            });
        };
        parse(name, &mut Parameters(parts)).ok_or_else(|| KindError {
            expected: form.to_owned(),
            found: text.to_owned(),
        })
    }
}

/// Each name with its parameters.
const FORMS: [(&str, &str); 14] = [
    ("trailmax", "trailmax:M (M from 1)"),
    ("datrailmax", "datrailmax:M:Q (M and Q from 1)"),
    ("guided", "guided:N:S (N and S from 1)"),
    ("greedy", "greedy"),
    ("greedy-perfect", "greedy-perfect"),
    ("wary-rules", "wary-rules"),
    ("wary-patterns", "wary-patterns"),
    ("wary-both", "wary-both"),
    ("minimax", "minimax:D (D from 1 to 255)"),
    ("cover", "cover"),
    ("cover-original", "cover-original"),
    ("dam", "dam:F:D (F from 0 to 1, D from 1 to 255)"),
    ("dam1", "dam1:F:D (F from 0 to 1, D from 1 to 255)"),
    ("randombeacons", "randombeacons:B:M (B and M from 1)"),
];

/// The kind with a name of [`FORMS`]; `None` if its parameters are wrong.
fn parse(name: &str, parameters: &mut Parameters<'_>) -> Option<RobberKind> {
    let kind = match name {
        "trailmax" => RobberKind::TrailMax {
            turns: parameters.count(1)?,
        },
        "datrailmax" => RobberKind::DaTrailMax {
            turns: parameters.count(1)?,
            threshold: parameters.count(10)?,
        },
        "guided" => RobberKind::Guided {
            near: parameters.count(20)?,
            sure: parameters.count(6)?,
        },
        "greedy" => RobberKind::Greedy {
            metric: Metric::MaximumNorm,
        },
        "greedy-perfect" => RobberKind::Greedy {
            metric: Metric::Perfect,
        },
        "wary-rules" => RobberKind::Wary {
            knowledge: Knowledge::Rules,
        },
        "wary-patterns" => RobberKind::Wary {
            knowledge: Knowledge::Patterns,
        },
        "wary-both" => RobberKind::Wary {
            knowledge: Knowledge::Both,
        },
        "minimax" => RobberKind::Minimax {
            depth: parameters.count(5)?,
        },
        "cover" => RobberKind::Cover {
            rule: CoverRule::Redefined,
        },
        "cover-original" => RobberKind::Cover {
            rule: CoverRule::Original,
        },
        "dam" | "dam1" => RobberKind::Dam {
            fraction: parameters.fraction(0.5)?,
            depth: parameters.count(3)?,
            refinement: if name == "dam" {
                Refinement::Plan
            } else {
                Refinement::OneStep
            },
        },
        "randombeacons" => RobberKind::RandomBeacons {
            beacons: parameters.count(40)?,
            turns: parameters.count(1)?,
        },
        _ => return None,
    };
    parameters.is_over().then_some(kind)
}

/// The parameters after a name, separated by colons.
struct Parameters<'a>(Split<'a, char>);

impl Parameters<'_> {
    /// The next parameter, a number from 1, or `default` if it is left out.
    fn count<T: FromStr + PartialOrd + From<u8>>(&mut self, default: u8) -> Option<T> {
        let Some(text) = self.0.next() else {
            return Some(default.into());
        };
        text.parse().ok().filter(|number| *number >= T::from(1))
    }

    /// The next parameter, a number from 0 to 1, or `default` if it is left out.
    fn fraction(&mut self, default: f32) -> Option<f32> {
        let Some(text) = self.0.next() else {
            return Some(default);
        };
        text.parse()
            .ok()
            .filter(|number| (0.0..=1.0).contains(number))
    }

    /// Returns whether no parameter is left.
    fn is_over(&mut self) -> bool {
        self.0.next().is_none()
    }
}
