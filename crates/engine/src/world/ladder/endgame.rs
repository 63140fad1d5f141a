//! The rung of local endgames: the proof for the current move of the cops, and tables for coming turns.

use super::finding::{Finding, ProofKind, ProvenMoves, SideMoves};
use super::means::Means;
use super::rung::Rung;
use super::saved_endgames::{Asked, SavedLocalEndgames};
use crate::endgame::{EndgameRegion, EndgameShapes, Endgames};
use crate::game::{Agent, Outcome, Side, State, Turns, Value};
use crate::policy::Source;
use crate::table_cache::TableCache;
use crate::world::agent::AgentRecord;
use crate::world::facts::Facts;
use crate::world::purse::Purse;
use crate::world::pursuit::PursuitRecord;
use crate::world::settings::PursuitClock;
use crate::world::share::Share;
use crate::world::snapshot::Snapshot;
use crate::world::state::{DecidedBy, Reason};
use crate::world::together::only_robber;
use crate::world::view::{ProofGame, View, ViewMemory};
use std::sync::Arc;

/// The most regions that are requested in a turn of a pursuit: one of each kind.
const MOST_QUESTIONS: u8 = 3;

/// For teams of more cops, no endgames are solved. Measured in a town, rooms, caves, a maze and the harbour: teams of 10 to 300
/// capture as many robbers without, and a turn takes half of the time.
const MOST_COPS: usize = 12;

/// In worlds with more pursuits, no endgames are solved: their tables would evict each other.
const MOST_PURSUITS: usize = 8;

/// Local tables that prove the capture on the whole map, whatever its size, for the cops that the proof needs. If a
/// local table proves that the robber is safe, the cops continue with their plans and report this.
#[derive(Debug, Default)]
pub(in crate::world) struct EndgameRung {
    endgames: Endgames,
    /// What was asked last for each pursuit.
    asked: Vec<Asked>,
}

impl Rung for EndgameRung {
    fn source(&self) -> Source {
        Source::Endgame
    }

    /// Looks up a proof for the cops of a pursuit that move now.
    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        let View { facts, pursuit, .. } = *view;
        let Some(team) = view.team.filter(|_| !self.endgames.is_empty()) else {
            return Finding::Nothing(None);
        };
        let state = team.state;
        let endgames = &mut self.endgames;
        let found = if let Some(proof) = endgames.prove(&facts.graph, &state) {
            endgames.keep_until(pursuit.ends);
            let value = Value::AtMost(Outcome::Caught(proof.bound));
            let mut moves = SideMoves::of_value(Some(value));
            for of_cop in &proof.moves {
                moves.add(team.ids()[of_cop.cop], &of_cop.path);
            }
            let kind = ProofKind::Local(proof);
            Finding::Proves(ProvenMoves { moves, kind })
        } else {
            // Cops that the game moves may come, too.
            let is_whole = state.cops.len() == pursuit.cops.len();
            let is_safe = is_whole && endgames.is_safe(&facts.graph, &state);
            Finding::Nothing(is_safe.then_some(Reason::Escapes))
        };
        means.purse.spend(endgames.take_expansions());
        found
    }

    /// Spends a share of the remaining budget on tables for coming turns.
    fn work_ahead(&mut self, facts: &Facts, positions: &mut ViewMemory, purse: &mut Purse<'_>) {
        self.endgames.release(facts.tick);
        if !facts.settings.tables.solve || facts.members.pursuits().len() > MOST_PURSUITS {
            return;
        }
        let end = purse.end_of(Share::LocalEndgames);
        self.asked
            .resize(facts.members.pursuits().len(), Asked::default());
        // Each turn another pursuit comes first, since one region is solved at a time.
        let first_asked = (facts.tick / facts.turn_length()) as usize;
        for at in facts.members.indices_from(first_asked) {
            let pursuit = &facts.members[at];
            let robber = only_robber(facts, pursuit).and_then(|robber| facts.agent(robber));
            let mut asked = Asked {
                began: pursuit.began,
                robber: robber.and_then(|robber| robber.next_vertex(facts.graph_of(robber))),
                regions: 0,
            };
            let before = self.asked[at.0];
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
                1 => Endgames::EXPANSIONS_OF_A_QUESTION,
                _ => Endgames::EXPANSIONS_OF_A_SLICE,
            };
            if !purse.fits(cost) {
                break;
            }
            asked.regions += 1;
            self.asked[at.0] = asked;
            self.begin(facts, positions.of_next_move(facts, at), purse);
        }
        while self.endgames.is_solving()
            && purse.spent() + Endgames::EXPANSIONS_OF_A_SLICE <= end
            && purse.fits(Endgames::EXPANSIONS_OF_A_SLICE)
        {
            self.endgames
                .advance(&facts.graph, Endgames::EXPANSIONS_OF_A_SLICE);
            purse.spend(self.endgames.take_expansions());
        }
    }

    /// Drops everything that the edits of this tick have invalidated.
    fn follow_edits(&mut self, facts: &Facts, _cache: &mut TableCache) {
        let delta = &facts.delta;
        for changed in [delta.opened(), delta.closed(), delta.relinked()] {
            self.endgames.revise_near(&facts.graph, changed);
        }
    }

    fn take_map(&mut self, _facts: &Facts) {
        self.asked.clear();
        self.endgames.clear();
    }

    fn save(&self, snapshot: &mut Snapshot) {
        snapshot.endgames = SavedLocalEndgames {
            endgames: self.endgames.save(),
            asked: self.asked.clone(),
        };
    }

    fn check(&self, snapshot: &Snapshot) -> Result<(), &'static str> {
        let slots = snapshot.graph.slots();
        let SavedLocalEndgames { endgames, asked } = &snapshot.endgames;
        let mut robbers = asked.iter().filter_map(|asked| asked.robber);
        let is_sound = asked.len() <= MOST_PURSUITS
            && robbers.all(|at| at.index() < slots)
            && endgames.is_sound(slots);
        is_sound.then_some(()).ok_or("endgames")
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        let SavedLocalEndgames { endgames, asked } = &snapshot.endgames;
        self.asked.clone_from(asked);
        self.endgames.restore(endgames, &snapshot.graph);
    }
}

impl EndgameRung {
    /// Begins to choose a region for the position of a pursuit's next turn, if that may give a better proof.
    fn begin(&mut self, facts: &Facts, team: Option<ProofGame<'_>>, purse: &mut Purse<'_>) {
        if let Some(ProofGame { state, .. }) = team
            && !state.is_capture()
            && !self.endgames.is_safe(&facts.graph, &state)
        {
            self.endgames.consider(&facts.graph, &state);
        }
        purse.spend(self.endgames.take_expansions());
    }

    /// The region of the proof by which cops of a pursuit move in this turn. It follows from where the turn began, so a
    /// restored world has the same one.
    pub(in crate::world) fn region_of(
        &self,
        facts: &Facts,
        pursuit: &PursuitRecord,
    ) -> Option<EndgameRegion> {
        if facts.clock(pursuit) != PursuitClock::Turns {
            return None;
        }
        let began_at = |agent: &AgentRecord| {
            let at = facts.graph.vertex(agent.setup.cell)?;
            let speed = agent.setup.speed;
            Some(Agent { at, speed })
        };
        let robber = facts.agent(only_robber(facts, pursuit)?)?;
        let by_proof = DecidedBy::Policy(Source::Endgame);
        let cops = facts.agents(&pursuit.cops);
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
        self.endgames.region_of(&facts.graph, &state, Turns(bound))
    }

    /// Uses shapes whose tables are known beforehand.
    pub(in crate::world) fn use_shapes(&mut self, shapes: Arc<EndgameShapes>) {
        self.endgames.use_shapes(shapes);
    }

    /// Solves the tables that prove a capture from the next position of a pursuit, if there is one.
    pub(in crate::world) fn prove_at_once(&mut self, facts: &Facts, team: Option<ProofGame<'_>>) {
        if let Some(team) = team {
            self.endgames
                .prove_at_once(&facts.graph, &team.state, |_| ());
        }
    }

    /// The known endgames, to change what is collected.
    pub(in crate::world) const fn known_mut(&mut self) -> &mut Endgames {
        &mut self.endgames
    }

    /// The known endgames.
    pub(in crate::world) const fn known(&self) -> &Endgames {
        &self.endgames
    }
}
