use super::TrailMaxRobber;
use crate::policy::RobberPolicy;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A robber's algorithm by name, with its parameters: `trailmax:5`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum RobberKind {
    /// `trailmax:M`: [`TrailMaxRobber`] that follows a plan for M turns, 1 if left out.
    TrailMax {
        /// For how many turns a plan is followed.
        turns: u16,
    },
}

/// A name of no algorithm.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found:?}")]
pub struct KindError {
    /// What would be right.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl RobberKind {
    /// A policy of this kind.
    #[must_use]
    pub fn policy(&self) -> Box<dyn RobberPolicy> {
        match *self {
            Self::TrailMax { turns } => Box::new(TrailMaxRobber::new(turns)),
        }
    }
}

impl fmt::Display for RobberKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrailMax { turns } => write!(f, "trailmax:{turns}"),
        }
    }
}

impl FromStr for RobberKind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        let wrong = || KindError {
            expected: "trailmax:M".to_owned(),
            found: text.to_owned(),
        };
        let mut parts = text.split(':');
        match parts.next() {
            Some("trailmax") => {
                let turns = parts.next().unwrap_or("1").parse().map_err(|_| wrong())?;
                Ok(Self::TrailMax { turns })
            }
            _ => Err(wrong()),
        }
    }
}
