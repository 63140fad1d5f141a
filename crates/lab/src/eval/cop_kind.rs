//! Cops by name.

use super::WorldCops;
use crate::CopPolicy;
use crate::cop::{Chaser, CoverCops, Interceptor, LevelInterceptor, OptimalCops};
use crate::robber::KindError;
use pursuit_engine::policy::{Merge, SharedTable};
use pursuit_engine::world::Tactics;
use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;
use std::sync::Arc;

/// A policy of the cops by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CopKind {
    /// `optimal`: [`OptimalCops`] by the table of the game.
    Optimal,
    /// `pairs`: [`WorldCops`] by a table of two cops, with the guide for three that helps larger teams.
    Pairs,
    /// `pairs-search`: like `pairs`, without a guide.
    PairsSearch,
    /// `pairs-rules`: like `pairs-search`, with [`Merge::Rules`].
    PairsRules,
    /// `team`: [`WorldCops`], without a table and without local endgames.
    Team,
    /// `team-memoryless`: the same without its memory of positions.
    TeamMemoryless,
    /// `unguided`: a team without a guide.
    Unguided,
    /// `unguided-memoryless`: the same without its memory of positions.
    UnguidedMemoryless,
    /// `endgame`: a team that follows local tables where they prove a capture.
    Endgame,
    /// `interception`: [`LevelInterceptor`], which cuts the robber off on maps of any size.
    Interception,
    /// `interception-map`: [`Interceptor`], which plans on the map alone.
    InterceptionMap,
    /// `straight`: [`WorldCops`] with [`Tactics::Chase`].
    Straight,
    /// `chase`: [`Chaser`], along shortest paths.
    Chase,
    /// `cover`: [`CoverCops`].
    Cover,
}

/// Each name with its kind.
const NAMES: [(&str, CopKind); 14] = [
    ("optimal", CopKind::Optimal),
    ("pairs", CopKind::Pairs),
    ("pairs-search", CopKind::PairsSearch),
    ("pairs-rules", CopKind::PairsRules),
    ("team", CopKind::Team),
    ("team-memoryless", CopKind::TeamMemoryless),
    ("unguided", CopKind::Unguided),
    ("unguided-memoryless", CopKind::UnguidedMemoryless),
    ("endgame", CopKind::Endgame),
    ("interception", CopKind::Interception),
    ("interception-map", CopKind::InterceptionMap),
    ("straight", CopKind::Straight),
    ("chase", CopKind::Chase),
    ("cover", CopKind::Cover),
];

/// Names of earlier versions, which are still understood.
const OLD_NAMES: [(&str, CopKind); 3] = [
    ("guided", CopKind::Team),
    ("guided-memoryless", CopKind::TeamMemoryless),
    ("pairs-guided", CopKind::Pairs),
];

/// The cops of a table of pairs.
const PAIR: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);

impl CopKind {
    /// The number of cops of the table by which a team of `cops` cops plays; `None` for policies that need no
    /// table.
    #[must_use]
    pub const fn table(self, cops: NonZeroU8) -> Option<NonZeroU8> {
        match self {
            Self::Optimal => Some(cops),
            Self::Pairs | Self::PairsSearch | Self::PairsRules => Some(PAIR),
            Self::Team
            | Self::TeamMemoryless
            | Self::Unguided
            | Self::UnguidedMemoryless
            | Self::Endgame
            | Self::Interception
            | Self::InterceptionMap
            | Self::Straight
            | Self::Chase
            | Self::Cover => None,
        }
    }

    /// The number of cops of the [`RetractGuide`](pursuit_engine::policy::RetractGuide) that helps a team of `cops` cops; `None` if
    /// none does.
    #[must_use]
    pub fn retract(self, cops: NonZeroU8) -> Option<NonZeroU8> {
        const THREE: NonZeroU8 = PAIR.saturating_add(1);
        match self {
            // A pair of a larger team proves captures.
            Self::Team | Self::TeamMemoryless | Self::Endgame => (cops >= PAIR).then_some(PAIR),
            Self::Pairs => (cops >= THREE).then_some(THREE),
            _ => None,
        }
    }

    /// A policy of this kind for a team of `cops` cops. It may play by `tables`, which belong to the same map and to
    /// different numbers of cops. `None` if [`Self::table`] is not among them.
    #[must_use]
    pub fn policy(self, cops: NonZeroU8, tables: &[SharedTable]) -> Option<Box<dyn CopPolicy>> {
        let of = |cops| tables.iter().find(|table| table.times.rules().cops == cops);
        let table = match self.table(cops) {
            Some(cops) => Some(of(cops)?),
            None => None,
        };
        Some(match (self, table) {
            (Self::Optimal, table) => {
                let SharedTable { times, arena } = table?;
                Box::new(OptimalCops::new(Arc::clone(times), Arc::clone(arena)))
            }
            (Self::Pairs, table) => {
                Box::new(WorldCops::default().by_tables(vec![table?.clone()], Merge::Search))
            }
            (Self::PairsSearch | Self::PairsRules, table) => {
                let merge = match self {
                    Self::PairsSearch => Merge::Search,
                    _ => Merge::Rules,
                };
                let cops = WorldCops::default().by_tables(vec![table?.clone()], merge);
                Box::new(cops.unguided().memoryless())
            }
            (Self::Team, _) => Box::<WorldCops>::default(),
            (Self::TeamMemoryless, _) => Box::new(WorldCops::default().memoryless()),
            (Self::Unguided, _) => Box::new(WorldCops::default().unguided()),
            (Self::UnguidedMemoryless, _) => Box::new(WorldCops::default().unguided().memoryless()),
            (Self::Endgame, _) => Box::new(WorldCops::default().with_endgames()),
            (Self::Interception, _) => Box::<LevelInterceptor>::default(),
            (Self::InterceptionMap, _) => Box::<Interceptor>::default(),
            (Self::Straight, _) => Box::new(
                WorldCops::default()
                    .memoryless()
                    .with_tactics(Tactics::Chase),
            ),
            (Self::Chase, _) => Box::<Chaser>::default(),
            (Self::Cover, _) => Box::<CoverCops>::default(),
        })
    }

    /// Returns whether the policy decides anew each turn, by the state alone. A best response to its single decisions
    /// is then a best response to the policy as a whole.
    #[must_use]
    pub const fn is_memoryless(self) -> bool {
        match self {
            Self::Optimal
            | Self::PairsSearch
            | Self::PairsRules
            | Self::TeamMemoryless
            | Self::UnguidedMemoryless
            | Self::Interception
            | Self::InterceptionMap
            | Self::Straight
            | Self::Chase
            | Self::Cover => true,
            Self::Pairs | Self::Team | Self::Unguided | Self::Endgame => false,
        }
    }
}

impl fmt::Display for CopKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = NAMES.iter().find(|(_, kind)| kind == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

impl FromStr for CopKind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Self, KindError> {
        let text = text.trim();
        let mut all = NAMES.iter().chain(&OLD_NAMES);
        let known = all.find(|(name, _)| *name == text);
        known.map(|&(_, kind)| kind).ok_or_else(|| KindError {
            expected: format!("one of: {}", NAMES.map(|(name, _)| name).join("; ")),
            found: text.to_owned(),
        })
    }
}
