//! Two cops that follow the solution of an abstract level.

use super::TeamCops;
use crate::game::State;
use crate::policy::{CopPolicy, Decision, Ground, GuideChoice};

/// Two cops that play as [`TeamCops`], helped by a [`Guide`](crate::policy::Guide): what a world plays in turns with
/// two cops where it has no table of the map, but one of its first abstract level.
///
/// A joint move is judged by the sum of the race of [`TeamSearch`](crate::search::TeamSearch) and of the guide's turns
/// after the best reply. The race knows single cells, and the guide knows how long a robber survives that waits for
/// the cops' choice.
///
/// Without a guide for the current map and rules, with a guide of a coarser level, with another number of cops than
/// two, and where the search compares no pair, they are [`TeamCops`]. Like these they remember positions.
///
/// Cost: that of [`TeamCops`], and one value of the guide for each combination of abstract vertices near the
/// ends of the moves, at most some thousand.
#[derive(Debug, Clone, Default)]
pub struct GuidedCops {
    team: TeamCops,
    choice: GuideChoice,
}

impl CopPolicy for GuidedCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        self.team.plan(ground, state);
        let search = self.team.search();
        if let (Some(guide), Some(hierarchy)) = (ground.guide, ground.abstraction())
            && let Some(compared) = search.compared()
            && let Some(choice) =
                self.choice
                    .choose(guide, (ground.graph, hierarchy), state, &compared)
        {
            search.redirect(ground.graph, choice);
        }
        self.team.decisions(state)
    }

    fn restart(&mut self, seed: u64) {
        self.team.restart(seed);
    }
}
