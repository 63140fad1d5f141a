//! Prepares a solver in slices: finds what the agents reach in a turn, within the memory limit.

use super::arena_rules::ArenaRules;
use super::away::AwaySolver;
use super::balls::{Balls, BallsBuilder};
use super::estimate::{BYTES_OF_A_BALL, Estimate};
use super::game::Game;
use super::reach::{FastReach, Reach, ReachBuilder};
use super::{Arena, SolveError, Solver};
use crate::game::{Rules, Side, Speed};
use crate::graph::Csr;
use std::sync::Arc;

/// A [`Solver`] that is being prepared.
///
/// What the agents reach in a turn depends on the map, and it can take as long as some turns of the game, for instance
/// for fast cops. The words that are read and written count like those of the solver.
#[derive(Debug)]
pub struct Preparation {
    arena: Arc<Arena>,
    /// The steps of the cops, if they differ from those of the arena.
    cop_steps: Option<Csr<u32>>,
    /// Places on which cops stand for ever.
    guards: Vec<u16>,
    rules: Rules,
    game: Game,
    limit: u64,
    /// What the solver takes besides what is prepared here, in bytes.
    fixed: u64,
    stage: PreparationStage,
    robber: Option<Arc<Reach>>,
    cops: Option<Arc<Reach>>,
}

/// What is found next. The stages follow each other in this order; some are left out.
#[derive(Debug)]
enum PreparationStage {
    /// A step of the robber.
    Robber(ReachBuilder),
    /// A step of the cops, if it differs.
    Cops(ReachBuilder),
    /// A move of fast cops.
    Fast(FastReach),
    /// Lists of the same moves, for two or more cops.
    Balls(BallsBuilder),
    Ready(Balls),
}

/// What a prepared solver knows of the moves of its agents.
pub(super) struct PreparedMoves {
    pub robber: Arc<Reach>,
    pub cops: Arc<Reach>,
    pub balls: Balls,
}

impl Preparation {
    /// Starts to prepare a solver of the game of cops and robber. Cost: that of an [`Estimate`].
    ///
    /// # Errors
    /// As [`Solver::new`], by the estimate.
    pub(crate) fn new(arena: Arc<Arena>, rules: Rules, limit: u64) -> Result<Self, SolveError> {
        Self::of_game(arena, None, rules, limit, Game::CopsAndRobber)
    }

    /// The same with steps of the cops that differ from those of the robber, which are those of the arena, and with cops
    /// that stand on places for ever besides those that move: a robber that steps there is captured.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn of_part(
        arena: Arc<Arena>,
        cop_steps: Csr<u32>,
        guards: Vec<u16>,
        rules: Rules,
        limit: u64,
    ) -> Result<Self, SolveError> {
        let steps = Some(cop_steps);
        let of_all = Self::of_game(arena, steps, rules, limit, Game::CopsAndRobber)?;
        Ok(Self { guards, ..of_all })
    }

    pub(super) fn of_game(
        arena: Arc<Arena>,
        cop_steps: Option<Csr<u32>>,
        rules: Rules,
        limit: u64,
        game: Game,
    ) -> Result<Self, SolveError> {
        let places = arena.places();
        if game == Game::PredatorPrey {
            arena.expect_plain("tables of predators and prey")?;
        }
        let estimate = Estimate::new(places, &rules)?;
        let away = if arena.rules().is_some_and(ArenaRules::has_exits) {
            AwaySolver::bytes(places, rules.cops.get()).unwrap_or(u64::MAX)
        } else {
            0
        };
        let needed = estimate.bytes.saturating_add(away);
        if needed > limit {
            return Err(too_large(&arena, rules, needed, limit));
        }
        Ok(Self {
            fixed: needed - estimate.reach_bytes(rules),
            stage: PreparationStage::Robber(ReachBuilder::new(places)),
            arena,
            cop_steps,
            guards: Vec::new(),
            rules,
            game,
            limit,
            robber: None,
            cops: None,
        })
    }

    pub(crate) const fn is_done(&self) -> bool {
        matches!(self.stage, PreparationStage::Ready(_))
    }

    /// Continues until about `budget` words are read or written or everything is prepared. Returns about how many.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] if the agents reach more places than there is memory for. Do not go on then.
    pub(crate) fn advance(&mut self, budget: usize) -> Result<usize, SolveError> {
        let mut spent = 0;
        while spent < budget && !self.is_done() {
            let cost = self.step(budget - spent);
            let cost = cost.filter(|_| self.bytes() <= self.limit - self.fixed);
            spent += cost.ok_or_else(|| {
                let needed = Estimate::most_reach_bytes(self.arena.places(), self.rules);
                let needed = self.fixed.saturating_add(needed);
                too_large(&self.arena, self.rules, needed, self.limit)
            })?;
            self.next_stage();
        }
        Ok(spent)
    }

    /// The number of positions of the game: see [`Progress`](super::Progress).
    pub(crate) fn positions(&self) -> u64 {
        if let Some(rules) = self.arena.rules() {
            return rules.positions(self.rules.cops.get().into());
        }
        let places = self.arena.places() as u64;
        places.saturating_pow(u32::from(self.rules.cops.get()) + 1)
    }

    /// Prepares what is left.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub(crate) fn finish(&mut self) -> Result<Solver, SolveError> {
        self.advance(usize::MAX)?;
        let (arena, moves) = (Arc::clone(&self.arena), self.take_moves());
        let guards = std::mem::take(&mut self.guards);
        let solver = Solver::prepared(arena, self.rules, self.game, moves);
        Ok(solver.with_guards(guards))
    }

    /// Takes what is prepared.
    fn take_moves(&mut self) -> PreparedMoves {
        let none = || Arc::new(ReachBuilder::new(0).finish());
        let stage = std::mem::replace(&mut self.stage, PreparationStage::Ready(Balls::none()));
        PreparedMoves {
            robber: self.robber.take().unwrap_or_else(none),
            cops: self.cops.take().unwrap_or_else(none),
            balls: match stage {
                PreparationStage::Ready(balls) => balls,
                _ => Balls::none(),
            },
        }
    }

    /// Does a part of the stage. `None` if the lists of places take too much memory.
    fn step(&mut self, budget: usize) -> Option<usize> {
        let room = self.room();
        let speed = self.rules.cop_speed;
        let steps = self.arena.all_steps();
        let own = self.cop_steps.as_ref().or(self.arena.own_cop_steps());
        let cop_steps = own.unwrap_or(steps);
        match &mut self.stage {
            PreparationStage::Robber(builder) if !builder.is_done() => Some(builder.advance(steps)),
            PreparationStage::Cops(builder) if !builder.is_done() => {
                Some(builder.advance(cop_steps))
            }
            PreparationStage::Fast(builder) if !builder.is_done() => Some(builder.advance(budget)),
            PreparationStage::Balls(builder) if !builder.is_done() => {
                let most = usize::try_from(room / BYTES_OF_A_BALL).unwrap_or(usize::MAX);
                builder.advance(cop_steps, speed, most)
            }
            _ => Some(1),
        }
    }

    /// Goes to the next stage if this one is done.
    fn next_stage(&mut self) {
        let is_done = match &self.stage {
            PreparationStage::Robber(builder) | PreparationStage::Cops(builder) => {
                builder.is_done()
            }
            PreparationStage::Fast(builder) => builder.is_done(),
            PreparationStage::Balls(builder) => builder.is_done(),
            PreparationStage::Ready(_) => false,
        };
        if !is_done {
            return;
        }
        let stage = std::mem::replace(&mut self.stage, PreparationStage::Ready(Balls::none()));
        self.stage = match stage {
            PreparationStage::Robber(builder) => {
                self.robber = Some(builder.finish().into());
                if self.cop_steps.is_some() || self.arena.own_cop_steps().is_some() {
                    PreparationStage::Cops(ReachBuilder::new(self.arena.places()))
                } else {
                    self.after_steps(self.robber.clone())
                }
            }
            PreparationStage::Cops(builder) => self.after_steps(Some(builder.finish().into())),
            PreparationStage::Fast(builder) => {
                self.cops = Some(builder.finish().into());
                self.after_reach()
            }
            PreparationStage::Balls(builder) => PreparationStage::Ready(builder.finish()),
            ready @ PreparationStage::Ready(_) => ready,
        };
    }

    /// The stage after the steps of the cops are found.
    fn after_steps(&mut self, steps: Option<Arc<Reach>>) -> PreparationStage {
        match steps {
            Some(steps) if self.rules.cop_speed != Speed::ONE => {
                let is_symmetric = self.arena.is_two_way(Side::Cops);
                let speed = self.rules.cop_speed.steps();
                let places = self.arena.places();
                PreparationStage::Fast(FastReach::new(steps, places, speed, is_symmetric))
            }
            steps => {
                self.cops = steps;
                self.after_reach()
            }
        }
    }

    fn after_reach(&self) -> PreparationStage {
        match self.rules.cops.get() {
            1 if !self.has_exits() => PreparationStage::Ready(Balls::none()),
            _ => PreparationStage::Balls(BallsBuilder::new(self.arena.places())),
        }
    }

    /// Returns whether positions are solved from which the robber is away, for which one cop's moves are listed, too.
    fn has_exits(&self) -> bool {
        self.arena.rules().is_some_and(ArenaRules::has_exits)
    }

    /// The memory that is left for what is prepared, in bytes.
    fn room(&self) -> u64 {
        (self.limit - self.fixed).saturating_sub(self.bytes())
    }

    /// The memory of the reach of all agents as far as it is known, in bytes. Agents with the same moves share it.
    fn bytes(&self) -> u64 {
        let robber = self.robber.as_ref();
        let is_own = |cops: &&Arc<Reach>| robber.is_none_or(|robber| !Arc::ptr_eq(robber, cops));
        let cops = self.cops.as_ref().filter(is_own);
        let known = robber.into_iter().chain(cops).map(|reach| reach.bytes());
        let growing = match &self.stage {
            PreparationStage::Robber(builder) | PreparationStage::Cops(builder) => builder.bytes(),
            PreparationStage::Fast(builder) => builder.bytes(),
            PreparationStage::Balls(_) | PreparationStage::Ready(_) => 0,
        };
        known.sum::<u64>() + growing
    }
}

fn too_large(arena: &Arena, rules: Rules, needed: u64, limit: u64) -> SolveError {
    SolveError::TooLarge {
        vertices: arena.places(),
        cops: rules.cops.get(),
        needed,
        limit,
    }
}
