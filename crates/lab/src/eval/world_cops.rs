//! Cops that choose as a world does, but take as much work as they need.

use super::stage::{Pace, Play, Stage};
use crate::CopPolicy;
use pursuit_engine::endgame::{EndgameShapes, Endgames, Proof};
use pursuit_engine::game::{Outcome, Side, State, Turns, Value};
use pursuit_engine::policy::{Decision, Ground, Merge, SharedTable, Slack, Source};
use pursuit_engine::table_cache::{Supplied, TableSettings};
use pursuit_engine::world::{PursuitSettings, Tactics};
use std::sync::Arc;

/// The cops of a [`PursuitWorld`](pursuit_engine::world::PursuitWorld) on the clock of turns, with the tables and guides that they
/// are given: they choose as in a game, but take as much work as they need, anew in each turn. What is measured with them
/// is what is played.
///
/// They remember the positions of a game, and what they have announced. A position that does not follow from the last
/// one begins another game.
///
/// Cost: that of a joint plan and of the sources that they use, and some microseconds for the world.
#[derive(Debug)]
pub struct WorldCops {
    uses: Sources,
    play: Play,
    stage: Option<Stage>,
    /// Local endgames that are known before a world is made.
    shapes: Option<Arc<EndgameShapes>>,
    collects: bool,
    /// The number of tables solved since the start.
    solved: u64,
}

/// What the cops choose by, besides plans.
#[derive(Debug, Clone)]
struct Sources {
    /// The guides of the ground.
    guides: bool,
    /// Whether they remember what they have done.
    memory: bool,
    tables: Vec<SharedTable>,
    merge: Merge,
}

impl Default for WorldCops {
    /// Cops that plan as one team, helped by the guides of their [`Ground`].
    fn default() -> Self {
        Self {
            uses: Sources {
                guides: true,
                memory: true,
                tables: Vec::new(),
                merge: Merge::Search,
            },
            play: Play {
                world: PursuitSettings {
                    ticks_per_turn: 1,
                    stagger: false,
                    tables: TableSettings {
                        solve: false,
                        memory: 0,
                        ..TableSettings::default()
                    },
                    ..PursuitSettings::default()
                },
                pace: Pace::AtOnce { proves: false },
                warm_up: 0,
                moves_cops: true,
                moves_robber: false,
            },
            stage: None,
            shapes: None,
            collects: false,
            solved: 0,
        }
    }
}

impl WorldCops {
    /// The same without guides.
    #[must_use]
    pub fn unguided(mut self) -> Self {
        self.uses.guides = false;
        self
    }

    /// The same without memory: they decide by the state alone. A robber may evade cops without a guide for ever by
    /// repeating positions.
    #[must_use]
    pub fn memoryless(mut self) -> Self {
        self.uses.memory = false;
        self
    }

    /// The same with local [endgames](pursuit_engine::endgame): each decision first solves the tables that may prove a capture, up
    /// to three, which takes some ten milliseconds each.
    #[must_use]
    pub fn with_endgames(mut self) -> Self {
        self.play.pace = Pace::AtOnce { proves: true };
        self
    }

    /// The same with endgames whose shapes are known beforehand.
    #[must_use]
    pub(crate) fn with_shapes(mut self, shapes: Arc<EndgameShapes>) -> Self {
        self.shapes = Some(shapes);
        self.with_endgames()
    }

    /// Uses these local endgames from now on, and solves no others.
    pub fn know(&mut self, ground: Ground<'_>, state: &State<'_>, endgames: Endgames) {
        self.play.pace = Pace::AtOnce { proves: false };
        self.set_up(ground, state);
        if let Some(stage) = &mut self.stage {
            *stage.world.endgames_mut() = endgames;
        }
    }

    /// The same with tables of the map, for all cops or for fewer. `merge`: how cops that play by a table of fewer cops
    /// choose among its moves.
    #[must_use]
    pub fn by_tables(mut self, tables: Vec<SharedTable>, merge: Merge) -> Self {
        self.uses.tables = tables;
        self.uses.merge = merge;
        self
    }

    /// The same with other tactics.
    #[must_use]
    pub(crate) fn with_tactics(mut self, tactics: Tactics) -> Self {
        self.play.world.tactics = tactics;
        self
    }

    /// Collects the shapes whose tables are solved from now on: see [`Endgames::collect_shapes`].
    pub fn collect_shapes(&mut self) {
        self.collects = true;
    }

    /// The collected shapes: see [`Endgames::take_shapes`].
    pub fn take_shapes(&mut self) -> EndgameShapes {
        let stage = self.stage.as_mut();
        stage.map_or_else(EndgameShapes::default, |stage| {
            stage.world.endgames_mut().take_shapes()
        })
    }

    /// The proof for a position with the cops to move, if there is one. Solves the tables that are needed for it.
    pub fn prove(&mut self, ground: Ground<'_>, state: &State<'_>) -> Option<Proof> {
        self.prove_noting(ground, state, |_| ())
    }

    /// Proves as [`Self::prove`] does, and calls `note` after each table that is solved; its region is the last one of
    /// the endgames.
    pub(crate) fn prove_noting(
        &mut self,
        ground: Ground<'_>,
        state: &State<'_>,
        mut note: impl FnMut(&Endgames),
    ) -> Option<Proof> {
        self.set_up(ground, state);
        let (stage, solved) = (self.stage.as_mut()?, &mut self.solved);
        let endgames = stage.world.endgames_mut();
        endgames.prove_at_once(ground.graph, state, |endgames| {
            *solved += 1;
            note(endgames);
        })
    }

    /// The number of turns within which the cops capture the robber of the last decision, counted from that decision,
    /// if they follow a local endgame.
    #[must_use]
    pub fn promised(&self) -> Option<Turns> {
        let stage = self.stage.as_ref()?;
        let decisions = stage.cops.iter().map(|&cop| stage.decision(cop));
        let mut by_proof = decisions.filter(|decision| decision.source == Source::Endgame);
        by_proof.find_map(|decision| match decision.value {
            Some(Value::Exact(Outcome::Caught(turns)) | Value::AtMost(Outcome::Caught(turns))) => {
                Some(turns)
            }
            _ => None,
        })
    }

    /// The number of tables solved by [`prove`](Self::prove) since the last [restart](CopPolicy::restart).
    #[must_use]
    pub const fn solved(&self) -> u64 {
        self.solved
    }

    /// The known endgames; `None` before the first decision.
    #[must_use]
    pub fn endgames(&self) -> Option<&Endgames> {
        self.stage.as_ref().map(|stage| stage.world.endgames())
    }

    /// Makes the world of the map, if there is none yet, and gives it the guides of the ground.
    fn set_up(&mut self, ground: Ground<'_>, state: &State<'_>) {
        let Self {
            uses, play, stage, ..
        } = self;
        if (stage.as_ref()).is_none_or(|stage| stage.map != ground.graph.fingerprint()) {
            let new = stage.insert(Stage::new(ground.graph, play, state));
            new.world.merge_subsets(uses.merge);
            if !uses.memory {
                new.world.set_slack(Slack::NONE);
            }
            if let Some(shapes) = &self.shapes {
                new.world.use_endgame_shapes(Arc::clone(shapes));
            }
            if self.collects {
                new.world.endgames_mut().collect_shapes();
            }
        }
        if let Some(stage) = stage {
            stage.world.supply(Supplied {
                tables: uses.tables.clone(),
                level: ground.guide.filter(|_| uses.guides).cloned(),
                retract: ground.retract.filter(|_| uses.guides).cloned(),
            });
        }
    }
}

impl CopPolicy for WorldCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let state = State {
            to_move: Side::Cops,
            ..*state
        };
        self.set_up(ground, &state);
        let Some(stage) = &mut self.stage else {
            return Vec::new();
        };
        if !self.uses.memory {
            stage.forget();
        }
        stage.play_to(ground.graph, &self.play, &state);
        stage.cops.iter().map(|&cop| stage.decision(cop)).collect()
    }

    fn restart(&mut self, _seed: u64) {
        self.solved = 0;
        if let Some(stage) = &mut self.stage {
            stage.forget();
            stage.world.endgames_mut().clear();
        }
    }
}
