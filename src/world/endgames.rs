//! The local endgames of the map: the proof for the current move of the cops, and tables for coming turns.

use super::board::Board;
use super::purse::{Purse, Share};
use super::settings::PursuitClock;
use super::tables::{PAIR, only_robber};
use super::team_position::TeamPosition;
use super::{AgentId, AgentRecord, DecidedBy, PursuitRecord};
use crate::endgame::{EndgameRegion, EndgameShapes, Endgames, Proof, SavedEndgames};
use crate::game::{Agent, Outcome, Rules, Side, State, Turns, Value};
use crate::graph::Vertex;
use crate::policy::{ProofChoice, Source};
use crate::table_cache::TableCache;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most regions that are requested in a turn of a pursuit: one of each kind.
const MOST_QUESTIONS: u8 = 3;

/// For teams of more cops, no endgames are solved. Measured in a town, rooms, caves, a maze and the harbour: teams of 10 to 300
/// capture as many robbers without, and a turn takes half of the time.
const MOST_COPS: usize = 12;

/// In worlds with more pursuits, no endgames are solved: their tables would evict each other.
const MOST_PURSUITS: usize = 8;

/// The local endgames of the map, and their proof for the current move of the cops of a pursuit.
#[derive(Debug, Default)]
pub(super) struct LocalEndgames {
    endgames: Endgames,
    team: TeamPosition,
    proof: Option<Proof>,
    /// Whether the plan of the cops may be faster than the proof, which only keeps what they have announced.
    yields: bool,
    choice: ProofChoice,
    /// Where the next moves of the cops' plans end.
    ends: Vec<Vertex>,
    /// Whether the robber is known to be safe from the cops.
    is_safe: bool,
    /// What was asked last for each pursuit.
    asked: Vec<Asked>,
}

/// The regions that were requested for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// The tick at which the turn of the pursuit began.
    began: u64,
    /// Where the robber moves next. The game may move a robber in the middle of a turn.
    robber: Option<Vertex>,
    regions: u8,
}

/// The local endgames in the form in which they are saved.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedLocalEndgames {
    endgames: SavedEndgames,
    asked: Vec<Asked>,
}

impl SavedLocalEndgames {
    /// Returns whether this can be restored on a map of `slots` vertices.
    pub(super) fn is_sound(&self, slots: usize) -> bool {
        let mut robbers = self.asked.iter().filter_map(|asked| asked.robber);
        self.asked.len() <= MOST_PURSUITS
            && robbers.all(|at| at.index() < slots)
            && self.endgames.is_sound(slots)
    }
}

impl LocalEndgames {
    /// Forgets the answers of the last look-up, which was for another pursuit or another moment.
    pub(super) fn forget_answers(&mut self) {
        self.proof = None;
        self.yields = false;
        self.is_safe = false;
    }

    /// Looks up a proof for the cops of a pursuit that move now. `is_decided`: a table already decides for these cops.
    pub(super) fn look_up_cops(
        &mut self,
        board: &Board,
        at: usize,
        is_decided: bool,
        purse: &mut Purse<'_>,
    ) {
        self.forget_answers();
        let pursuit = &board.members.pursuits()[at];
        let is_turn = board.tick == pursuit.began;
        if is_decided || self.endgames.is_empty() || !is_turn {
            return;
        }
        if self.team.assemble_now(board, at)
            && let Some(state) = self.team.state()
        {
            self.proof = self.endgames.prove(&board.graph, &state);
            if self.proof.is_some() {
                self.endgames.hold(board.members.pursuits()[at].ends);
            }
            // Cops that the game moves may come, too.
            let is_whole = state.cops.len() == board.members.pursuits()[at].cops.len();
            self.is_safe =
                is_whole && self.proof.is_none() && self.endgames.is_safe(&board.graph, &state);
        }
        purse.spend(self.endgames.take_work());
    }

    /// Compares the proof that was looked up last with the plans that the cops have made in the meantime. If the plans may
    /// be faster, drops the proof. If the cops have announced a capture before and the proof keeps to it, the proof
    /// [yields](Self::bound) only to another proof that keeps to it, too.
    pub(super) fn weigh(&mut self, board: &mut Board, cache: &TableCache, purse: &mut Purse<'_>) {
        let (Some(proof), Some(state)) = (&self.proof, self.team.state()) else {
            return;
        };
        let promised = self.team.promised(board);
        let keeps_promise = promised.is_some_and(|promised| proof.bound < promised);
        let rules = Rules::of(&state, board.graph.moves());
        let pair = rules.map(|rules| Rules {
            cops: PAIR,
            ..rules
        });
        let retract = pair.and_then(|pair| cache.retract_guide(pair, board.tick));
        if keeps_promise && retract.is_none() {
            return;
        }
        self.team.ends_of_plans(board, &mut self.ends);
        // The planner lets retracts choose the moves of two cops, not of larger teams.
        let is_guided = retract.is_some() && rules == pair;
        let (mut work, most) = (0, purse.left_in_one());
        let plan = (self.ends.iter().copied(), is_guided);
        let follows = self
            .choice
            .follows(&board.graph, &state, proof, plan, (&mut work, most));
        purse.spend(work);
        if follows {
            return;
        }
        if keeps_promise {
            self.yields = true;
        } else {
            self.proof = None;
        }
    }

    /// The move of a cop of the pursuit of the last look-up, if a proof needs it, and the value of the position.
    pub(super) fn decision(&self, id: AgentId) -> Option<(&[Vertex], Value)> {
        let proof = self.proof.as_ref()?;
        let is_own = |cop: usize| self.team.ids().get(cop) == Some(&id);
        let found = proof.moves.iter().find(|of_cop| is_own(of_cop.cop))?;
        let value = Value::AtMost(Outcome::Caught(proof.bound));
        Some((&found.path, value))
    }

    /// Drops the proof of the position of the last look-up, because the cops follow another one.
    pub(super) fn drop_proof(&mut self) {
        self.proof = None;
    }

    /// The proven bound of the position of the last look-up. `None` also if the cops follow another proof where there is
    /// one, because their plans may be faster.
    pub(super) fn bound(&self) -> Option<Turns> {
        let proof = self.proof.as_ref().filter(|_| !self.yields);
        proof.map(|proof| proof.bound)
    }

    /// Returns whether the robber is known to be safe from the cops of the pursuit of the last look-up.
    pub(super) const fn is_safe(&self) -> bool {
        self.is_safe
    }

    /// Spends a share of the remaining budget on tables for coming turns.
    pub(super) fn work_ahead(&mut self, board: &Board, purse: &mut Purse<'_>) {
        self.endgames.release(board.tick);
        if !board.settings.tables.solve || board.members.pursuits().len() > MOST_PURSUITS {
            return;
        }
        let end = purse.end_of(Share::LocalEndgames);
        self.asked
            .resize(board.members.pursuits().len(), Asked::default());
        let all = board.members.pursuits().len();
        // Each turn another pursuit comes first, since one region is solved at a time.
        let first_asked = (board.tick / board.turn_length()) as usize;
        for index in 0..all {
            let at = (first_asked % all + index) % all;
            let pursuit = &board.members.pursuits()[at];
            let robber = only_robber(board, pursuit).and_then(|robber| board.agent(robber));
            let mut asked = Asked {
                began: pursuit.began,
                robber: robber.and_then(|robber| robber.next_vertex(&board.graph)),
                regions: 0,
            };
            let before = self.asked[at];
            if (before.began, before.robber) == (asked.began, asked.robber) {
                asked.regions = before.regions;
            }
            // One cop asks first whether the robber is safe.
            let is_next = match asked.regions {
                0 => true,
                MOST_QUESTIONS.. => false,
                _ => pursuit.cops.len() == 1 || self.endgames.has_other_kinds(),
            };
            let is_crowd = pursuit.cops.len() > MOST_COPS;
            if is_crowd || !is_next || pursuit.has_cops_by_table() || self.endgames.is_solving() {
                continue;
            }
            // The question whether a robber is safe from its only cop is asked in one piece.
            let cost = match pursuit.cops.len() {
                1 => Endgames::COST_OF_A_QUESTION,
                _ => Endgames::COST_OF_A_SLICE,
            };
            if !purse.fits(cost) {
                break;
            }
            asked.regions += 1;
            self.asked[at] = asked;
            self.begin(board, at, purse);
        }
        while self.endgames.is_solving()
            && purse.spent() + Endgames::COST_OF_A_SLICE <= end
            && purse.fits(Endgames::COST_OF_A_SLICE)
        {
            self.endgames
                .advance(&board.graph, Endgames::COST_OF_A_SLICE);
            purse.spend(self.endgames.take_work());
        }
    }

    /// Begins to choose a region for the position of a pursuit's next turn, if that may give a better proof.
    fn begin(&mut self, board: &Board, at: usize, purse: &mut Purse<'_>) {
        if self.team.assemble(board, at)
            && let Some(state) = self.team.state()
            && !state.is_capture()
            && !self.endgames.is_safe(&board.graph, &state)
        {
            self.endgames.consider(&board.graph, &state);
        }
        purse.spend(self.endgames.take_work());
    }

    /// Drops everything that the edits of this tick have invalidated.
    pub(super) fn revise(&mut self, board: &Board) {
        for changed in [board.delta.opened(), board.delta.closed()] {
            self.endgames.revise_near(&board.graph, changed);
        }
    }

    /// Forgets everything, for another map.
    pub(super) fn clear(&mut self) {
        self.proof = None;
        self.asked.clear();
        self.endgames.clear();
    }

    /// The region of the proof by which cops of a pursuit move in this turn. It follows from where the turn began, so a
    /// restored world has the same one.
    pub(super) fn region_of(
        &self,
        board: &Board,
        pursuit: &PursuitRecord,
    ) -> Option<EndgameRegion> {
        if board.clock(pursuit) != PursuitClock::Turns {
            return None;
        }
        let began_at = |agent: &AgentRecord| {
            let at = board.graph.vertex(agent.setup.cell)?;
            let speed = agent.setup.speed;
            Some(Agent { at, speed })
        };
        let robber = board.agent(only_robber(board, pursuit)?)?;
        let by_proof = DecidedBy::Policy(Source::Endgame);
        let cops = board.agents(&pursuit.cops);
        let cops = cops.filter(|(_, cop)| cop.state.decided_by == by_proof);
        let bound = cops
            .clone()
            .find_map(|(_, cop)| cop.state.captured_within())?;
        let cops: Option<Vec<Agent>> = cops.map(|(_, cop)| began_at(cop)).collect();
        let state = State {
            robber: began_at(robber)?,
            cops: &cops?,
            to_move: Side::Cops,
        };
        self.endgames.region_of(&board.graph, &state, Turns(bound))
    }

    /// Uses shapes whose tables are known beforehand.
    pub(super) fn use_shapes(&mut self, shapes: Arc<EndgameShapes>) {
        self.endgames.use_shapes(shapes);
    }

    /// Solves the tables that prove a capture from the next position of a pursuit, if there is one.
    pub(super) fn prove_at_once(&mut self, board: &Board, at: usize) {
        if self.team.assemble(board, at)
            && let Some(state) = self.team.state()
        {
            self.endgames.prove_at_once(&board.graph, &state, |_| ());
        }
    }

    /// The known endgames, to change what is collected.
    pub(super) const fn known_mut(&mut self) -> &mut Endgames {
        &mut self.endgames
    }

    /// The known endgames.
    pub(super) const fn known(&self) -> &Endgames {
        &self.endgames
    }

    pub(super) fn save(&self) -> SavedLocalEndgames {
        SavedLocalEndgames {
            endgames: self.endgames.save(),
            asked: self.asked.clone(),
        }
    }

    /// Continues from a saved state.
    pub(super) fn restore(&mut self, saved: &SavedLocalEndgames, board: &Board) {
        self.proof = None;
        self.asked.clone_from(&saved.asked);
        self.endgames.restore(&saved.endgames, &board.graph);
    }
}
