//! Cops that play as one team.

use crate::game::{Agent, State};
use crate::graph::Vertex;
use crate::policy::{CopPolicy, Decision, Ground, Source};
use crate::search::{Pressure, SlicedSearch as _, TeamSearch, seed_of};

/// The least number of steps computed for a path, unless a cop makes more in a move. The next decision plans anew, but a
/// longer path also has a better first step. Measured on AR0414SR within 400 turns against `guided`: three cops catch
/// 89 to 90 % with 4, 8 or 12 steps, and 91 % with 16 (2,000 games, standard error 0.7 points).
const STEPS: u8 = 16;

/// Cops that play as one team by [`TeamSearch`]. A world plans like this for its cops on clocks with turns.
///
/// They remember the positions of the game for their [`Pressure`]. If the robber is farther than a move from its last
/// position, another game has begun.
///
/// Cost: that of [`TeamSearch`].
#[derive(Debug, Clone, Default)]
pub struct TeamCops {
    search: TeamSearch,
    pressure: Pressure,
    robber: Option<Vertex>,
    places: Vec<Vertex>,
    is_memoryless: bool,
}

impl TeamCops {
    /// A team that remembers no positions: it decides by the state alone, and a robber may evade it for ever by
    /// repeating positions.
    #[must_use]
    pub fn memoryless() -> Self {
        Self {
            is_memoryless: true,
            ..Self::default()
        }
    }

    /// Plans for a state.
    pub(super) fn plan(&mut self, ground: Ground<'_>, state: &State<'_>) {
        if !self.is_memoryless {
            self.note(ground, state);
        }
        let (hierarchy, pressure) = (ground.abstraction(), self.pressure.hundredths());
        let speeds = state.cops.iter().map(|cop| cop.speed.steps());
        let steps = speeds.fold(STEPS, u8::max).into();
        self.search
            .solve(ground.graph, hierarchy, state, pressure, steps);
    }

    /// The search of the last plan.
    pub(super) const fn search(&mut self) -> &mut TeamSearch {
        &mut self.search
    }

    /// The decisions of the last plan.
    pub(super) fn decisions(&self, state: &State<'_>) -> Vec<Decision> {
        let decide = |(index, cop): (usize, &Agent)| {
            let path = self.search.path_of(index).to_vec();
            Decision::along(path, cop.speed, Source::Search)
        };
        state.cops.iter().enumerate().map(decide).collect()
    }

    /// Remembers a position, and forgets the positions of another game.
    fn note(&mut self, ground: Ground<'_>, state: &State<'_>) {
        let graph = ground.graph;
        let Agent { at, speed } = state.robber;
        let here = graph.cell(at);
        // The last position may be one of another map.
        let is_near = |before: Vertex| {
            before.index() < graph.slots()
                && graph.cell(before).max_norm(here) <= u32::from(speed.steps())
        };
        if !self.robber.is_some_and(is_near) {
            self.pressure.forget();
        }
        self.robber = Some(at);
        self.places.clear();
        self.places.extend(state.cops.iter().map(|cop| cop.at));
        self.places.sort_unstable();
        let agents = std::iter::once(&at).chain(&self.places);
        let hash = seed_of(agents.map(|agent| agent.index() as u64));
        self.pressure.note(hash);
    }
}

impl CopPolicy for TeamCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        self.plan(ground, state);
        self.decisions(state)
    }

    fn restart(&mut self, _seed: u64) {
        self.pressure.forget();
        self.robber = None;
    }
}
