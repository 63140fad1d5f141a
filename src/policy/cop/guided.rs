//! Two cops that follow the solution of a part of the map.

use super::TeamCops;
use crate::game::State;
use crate::policy::{CopPolicy, Decision, Ground, GuideChoice};

/// Two cops that play as [`TeamCops`], helped by a [`RetractGuide`](crate::policy::RetractGuide) or, without one, by a
/// [`Guide`](crate::policy::Guide) of the first abstract level: what a world plays in turns with two cops where it has no
/// table of the map.
///
/// A joint move is judged by the race of [`TeamSearch`](crate::search::TeamSearch) and by the guide's turns after the
/// best reply. The race knows single cells, and the guide knows how long a robber survives that waits for the cops'
/// choice.
///
/// Without a guide for the current map and rules, with another number of cops than two, and where the search compares no
/// pair, they are [`TeamCops`]. Like these they remember positions.
///
/// Cost: that of [`TeamCops`], and at most 729 values of a retract for agents of speed 1, or some thousand values of a
/// level.
#[derive(Debug, Clone, Default)]
pub struct GuidedCops {
    team: TeamCops,
    choice: GuideChoice,
}

impl GuidedCops {
    /// Cops that note no positions: they decide by the state alone.
    #[must_use]
    pub fn memoryless() -> Self {
        Self {
            team: TeamCops::memoryless(),
            ..Self::default()
        }
    }
}

impl CopPolicy for GuidedCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        self.team.plan(ground, state);
        let guide = ground.guide;
        let (search, choice) = (self.team.search(), &mut self.choice);
        if let Some(compared) = search.compared() {
            let graph = ground.graph;
            let by_retract = ground
                .retract
                .and_then(|guide| choice.by_retract(guide, graph, state, &compared));
            let chosen = by_retract.or_else(|| {
                let ground = (graph, ground.abstraction()?);
                choice.by_level(guide?, ground, state, &compared)
            });
            if let Some(chosen) = chosen {
                search.redirect(graph, chosen);
            }
        }
        self.team.decisions(state)
    }

    fn restart(&mut self, seed: u64) {
        self.team.restart(seed);
    }
}
