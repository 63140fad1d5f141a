//! Cops that follow the solution of a part of the map.

use super::TeamCops;
use crate::game::{State, Turns};
use crate::graph::Vertex;
use crate::policy::{CopPolicy, Decision, Ground, GuideChoice, Slack};

/// Two or three cops that play as [`TeamCops`], helped by a [`RetractGuide`](crate::policy::RetractGuide). Two cops
/// without such a guide use a [`Guide`](crate::policy::Guide) of the first abstract level. In a world, two cops play
/// like this on the `Turns` clock, where the world has no table of the map. Three cops have a table of pairs there, on
/// all maps that are small enough for a retract for three: see [`SubsetCops::guided`](super::SubsetCops::guided).
///
/// The cops judge a joint move by the race of [`TeamSearch`](crate::search::TeamSearch) and by the guide's number of
/// turns after the best reply. The race knows single cells. The guide knows how long a robber survives that waits for
/// the cops' choice.
///
/// With a retract, the cops are sure to capture, if agents have speed 1 and this number of cops wins the map. The guide
/// [proves](crate::policy::RetractGuide::bound) a capture within some turns, and the cops make no move after which the
/// robber could hold out for more than 1.4 times as long and 3 turns. Cops that only make moves that lower the bound
/// would be a little slower against an optimal robber; [memoryless](Self::memoryless) cops have to play like that.
///
/// Without a guide for the current map and rules, with another number of cops, and where the search compares no pair,
/// they play as [`TeamCops`]. Like [`TeamCops`], they remember positions.
///
/// Cost: the cost of [`TeamCops`], plus look-ups of the guide: for agents of speed 1, at most 729 values of a retract
/// with two cops and about 1,500 with three, or some thousand values of a level.
#[derive(Debug, Clone, Default)]
pub struct GuidedCops {
    team: TeamCops,
    choice: GuideChoice,
    promise: Promise,
}

impl GuidedCops {
    /// Cops that remember no positions: they decide by the state alone.
    #[must_use]
    pub fn memoryless() -> Self {
        Self {
            team: TeamCops::memoryless(),
            promise: Promise {
                slack: Slack::NONE,
                ..Promise::default()
            },
            ..Self::default()
        }
    }
}

/// The number of turns within which the cops capture the robber, whatever it does.
#[derive(Debug, Clone, Copy, Default)]
struct Promise {
    /// The turns that are left; `None` before the first proof.
    left: Option<Turns>,
    slack: Slack,
}

impl Promise {
    /// The most turns that may be left after the move in a position with this bound.
    fn after_move(&mut self, bound: Turns) -> Turns {
        let is_kept = |&left: &Turns| left >= bound && self.slack != Slack::NONE;
        let left = self.left.filter(is_kept);
        let Turns(left) = left.unwrap_or_else(|| self.slack.within(bound));
        *self.left.insert(Turns(left.saturating_sub(1)))
    }
}

impl CopPolicy for GuidedCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let guide = ground.guide;
        let is_guided = guide.is_some_and(|guide| guide.helps_cops(state))
            || ground.retract.is_some_and(|guide| guide.suits(state));
        self.team.search().compare_all(is_guided);
        self.team.plan(ground, state);
        let (search, choice) = (self.team.search(), &mut self.choice);
        let graph = ground.graph;
        let bound = ground.retract.and_then(|guide| {
            let cops: Vec<Vertex> = state.cops.iter().map(|cop| cop.at).collect();
            guide.bound(graph, state.robber.at, &cops)
        });
        let most = bound.map(|bound| self.promise.after_move(bound));
        if let Some(compared) = search.compared() {
            let by_retract = ground
                .retract
                .and_then(|guide| choice.by_retract(guide, graph, state, &compared, most));
            let is_chosen = by_retract.or_else(|| {
                let ground = (graph, ground.abstraction()?);
                choice.by_level(guide?, ground, state, &compared)
            });
            if is_chosen.is_some() {
                search.redirect(graph, choice.chosen());
            }
        }
        self.team.decisions(state)
    }

    fn restart(&mut self, seed: u64) {
        self.team.restart(seed);
        self.promise.left = None;
    }
}
