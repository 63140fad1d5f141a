//! Players of a live world, as a game has them.

use super::stage::{Pace, Play, Stage};
use crate::{CopPolicy, RobberPolicy};
use pursuit_engine::endgame::Endgames;
use pursuit_engine::game::{Side, State, Work};
use pursuit_engine::graph::Graph;
use pursuit_engine::policy::{Decision, Effort, Ground};
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::PursuitSettings;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The turns that pass before the first game on a map, so that tables and guides are there when it begins.
const WARM_UP: u64 = 64;

/// What a [`LivePursuit`] plays with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSettings {
    /// The settings of the world. Tables come into use at fixed ticks, as in [`TableTiming::Lockstep`], so that games can
    /// be repeated.
    pub world: PursuitSettings,
    /// The expansions that each tick may take.
    pub budget: u64,
    /// Whether the world moves the cops.
    pub moves_cops: bool,
    /// Whether the world moves the robber.
    pub moves_robber: bool,
}

impl Default for LiveSettings {
    /// The default settings and the default budget of a game. The world moves neither side.
    fn default() -> Self {
        Self {
            world: PursuitSettings::default(),
            budget: 10_000,
            moves_cops: false,
            moves_robber: false,
        }
    }
}

/// A pursuit in a [`PursuitWorld`](pursuit_engine::world::PursuitWorld), which plays one side of a game or both. It
/// plays on the clock of turns, within its budget, and with the tables and guides that it has requested.
///
/// A position that does not follow from the last one begins another game: all agents leave, and others join.
#[derive(Debug, Clone)]
pub struct LivePursuit(Arc<Mutex<Live>>);

#[derive(Debug)]
struct Live {
    play: Play,
    stage: Option<Stage>,
}

impl LivePursuit {
    /// A pursuit in which no game has begun. The first decision creates the world.
    #[must_use]
    pub fn new(settings: LiveSettings) -> Self {
        let mut world = settings.world;
        let timing = &mut world.tables.timing;
        *timing = TableTiming::Lockstep(TableSchedule {
            ticks_per_second: Some(64),
            ..match *timing {
                TableTiming::Scheduled(schedule) | TableTiming::Lockstep(schedule) => schedule,
                _ => TableSchedule::default(),
            }
        });
        // The only pursuit of the world begins its turns at once.
        world.stagger = false;
        Self(Arc::new(Mutex::new(Live {
            play: Play {
                world,
                pace: Pace::Budget(settings.budget),
                warm_up: WARM_UP,
                moves_cops: settings.moves_cops,
                moves_robber: settings.moves_robber,
            },
            stage: None,
        })))
    }

    /// The local endgames that were known when the agents chose last; `None` before the first decision.
    #[must_use]
    pub fn endgames(&self) -> Option<Endgames> {
        let live = self.live();
        let known = live.stage.as_ref()?.known.as_ref()?;
        Some(known.copy_of_regions())
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// Lets the world play until it has moved the side of the state that is to move.
    fn play_to(&mut self, graph: &Graph, state: &State<'_>) -> &Stage {
        let Self { play, stage } = self;
        if (stage.as_ref()).is_none_or(|stage| stage.map != graph.fingerprint()) {
            *stage = None;
        }
        let stage = stage.get_or_insert_with(|| Stage::new(graph, play, state));
        stage.play_to(graph, play, state);
        stage
    }
}

impl CopPolicy for LivePursuit {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let state = State {
            to_move: Side::Cops,
            ..*state
        };
        let mut live = self.live();
        let stage = live.play_to(ground.graph, &state);
        stage.cops.iter().map(|&id| stage.decision(id)).collect()
    }

    fn restart(&mut self, _seed: u64) {
        if let Some(stage) = &mut self.live().stage {
            stage.forget();
        }
    }
}

impl RobberPolicy for LivePursuit {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        let mut live = self.live();
        let stage = live.play_to(ground.graph, &state);
        *decision = stage.decision(stage.robber);
        Effort {
            planned: true,
            work: Work {
                expansions: stage.work,
                touched: 0,
            },
        }
    }

    fn restart(&mut self, _seed: u64) {
        if let Some(stage) = &mut self.live().stage {
            stage.forget();
        }
    }
}
