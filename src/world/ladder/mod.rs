//! The ladder: the sources of a decision, best first.
//!
//! Each rung has its own file. A rung reads a [`Scene`], which does not change while the rungs are
//! asked, and writes a path or gives the reason why it has none. The first rung that answers decides.
//! The reason shown to the game is the one given by the rung before it.

mod covered_move;
mod endgame;
mod exact;
mod greedy;
mod guide;
mod look_around;
mod mistake;
mod mixed_table;
mod search;
mod stale;
mod subset_table;
mod table;

pub(super) use greedy::NEAR;
pub(super) use mistake::Erring;

use super::AgentId;
use super::agent::AgentRecord;
use super::board::Board;
use super::covered_moves::CoveredMoves;
use super::endgames::LocalEndgames;
use super::exact::ExactPositions;
use super::retract_proof::RetractProof;
use super::settings::PursuitClock;
use super::state::Reason;
use super::tables::Tables;
use crate::game::{Agent, Side, Speed, Value};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::policy::{Eye, Source};
use crate::search::{AStar, MoveEnds};

/// The rungs, best first. The last one always answers.
const LADDER: [&dyn Rung; 11] = [
    &mixed_table::MixedTable,
    &covered_move::CoveredMove,
    &table::Table,
    &subset_table::SubsetTable,
    &exact::Exact,
    &endgame::Endgame,
    &guide::Guide,
    &search::Search,
    &stale::Stale,
    &look_around::LookAround,
    &greedy::Greedy,
];

/// The number of distances that take as long as an expansion.
const DISTANCES: u64 = 16;

/// One agent that has to decide, and everything that the decision may depend on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    pub(super) tables: &'a Tables,
    pub(super) exact: &'a ExactPositions,
    pub(super) endgames: &'a LocalEndgames,
    pub(super) retract: &'a RetractProof,
    pub(super) covered: &'a CoveredMoves,
    pub(super) clock: PursuitClock,
    pub(super) id: AgentId,
    pub(super) agent: &'a AgentRecord,
    /// The vertex it stands on; `None` in a wall.
    pub(super) from: Option<Vertex>,
    /// The number of steps it may take.
    pub(super) speed: Speed,
    /// The expected cells of its opponents after their move: for a cop the robber that it chases, for a
    /// robber the cops that it knows of, except those too far away to matter for this move.
    pub(super) enemies: &'a [Cell],
    /// Whether a cop sees its robber.
    pub(super) sees: bool,
    /// The key of the situation, to recognise plans that were made for it.
    pub(super) key: u64,
}

/// The answer of a rung.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) source: Source,
    /// The value of the position for the robber, if it is known.
    pub(super) value: Option<Value>,
    /// The reason why no better source answered, if it differs from that of the previous rung.
    pub(super) why: Option<Reason>,
    /// The number of steps of the agent's plan that the move uses.
    pub(super) planned: usize,
}

/// Memory that the rungs reuse.
#[derive(Debug, Default)]
pub(super) struct Tools {
    /// The path that was found, as the vertices to step on.
    pub(super) way: Vec<Vertex>,
    ends: MoveEnds,
    /// Searches for captures.
    search: AStar,
    /// The expansions that the searches of the rungs may take, and those that they have taken and that are not counted
    /// yet.
    left: u64,
    work: u64,
    /// The ends among which a mistake is drawn, and the enemies that their worth depends on.
    others: Vec<Vertex>,
    /// The way of a mistake of a fast agent.
    straight: Vec<Vertex>,
    opponents: Vec<Cell>,
    /// Sees captures within the next two turns, by those of the opponents that are near.
    eye: Eye,
    near: Vec<Agent>,
}

impl Tools {
    /// Sets what the searches of the rungs may take from now on, in expansions.
    pub(super) const fn limit_work(&mut self, left: u64) {
        self.left = left;
    }

    /// The work of the rungs since the last call of this function, in expansions.
    pub(super) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// Counts the searches that have just been made.
    const fn count(&mut self) {
        let work = self.search.take_effort().0 + self.ends.take_effort().0;
        self.note(work);
    }

    /// Counts distances that have just been computed.
    const fn count_distances(&mut self, distances: usize) {
        self.note(distances as u64 / DISTANCES);
    }

    const fn note(&mut self, work: u64) {
        self.work += work;
        self.left = self.left.saturating_sub(work);
    }
}

/// One source of moves.
trait Rung: Sync {
    /// Writes a move for the agent of a scene into `tools.way`, which is empty, or returns the reason
    /// why it has none: `None` if the reason should not be shown to the game. Moves are legal on the
    /// live graph.
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>>;
}

impl Answer {
    /// A move without a value and without a reason of its own.
    const fn by(source: Source) -> Self {
        Self {
            source,
            value: None,
            why: None,
            planned: 0,
        }
    }
}

/// Asks one rung after another for the agent's move, and lets it err. The path is in `tools` afterwards.
pub(super) fn choose(scene: &Scene<'_>, erring: Erring, tools: &mut Tools) -> Answer {
    let answer = first_answer(scene, tools);
    // A guide may know several steps, of which the agent takes fewer on the free-running clock.
    tools.way.truncate(scene.speed.steps().into());
    mistake::or_mistake(answer, erring, scene, tools)
}

fn first_answer(scene: &Scene<'_>, tools: &mut Tools) -> Answer {
    let mut why = Reason::None;
    for rung in LADDER {
        tools.way.clear();
        match rung.answer(scene, tools) {
            Ok(answer) => {
                return Answer {
                    value: answer.value.or_else(|| scene.proven_value(tools)),
                    why: answer.why.or(Some(why)),
                    ..answer
                };
            }
            Err(reason) => why = reason.unwrap_or(why),
        }
    }
    // Not reached, since the last rung always answers. Waiting is always legal.
    tools.way.clear();
    Answer {
        why: Some(why),
        ..Answer::by(Source::Greedy)
    }
}

impl Scene<'_> {
    fn side(&self) -> Side {
        self.agent.setup.side
    }

    /// The bound that a cop keeps to by the move in `tools`, whatever found that move.
    fn proven_value(&self, tools: &Tools) -> Option<Value> {
        let end = tools.way.last().copied().or(self.from)?;
        let is_cop = self.side() == Side::Cops;
        is_cop.then(|| self.retract.value(self.id, end))?
    }

    /// Writes the next steps of the agent's plan, if it has a plan for its vertex and no wall blocks the
    /// steps of this move. Returns the number of steps, which is 0 if the plan is to wait.
    fn take_plan(&self, tools: &mut Tools) -> Option<usize> {
        let (plan, from) = (&self.agent.plan, self.from?);
        if !plan.is_usable(from) {
            return None;
        }
        let rest = plan.rest(from)?;
        let most = usize::from(self.speed.steps());
        let steps = rest.get(..most.min(rest.len()))?;
        let open = self.board.open_steps(self.agent.setup.cell, steps);
        if open < steps.len() {
            return None;
        }
        tools.way.extend_from_slice(steps);
        Some(steps.len())
    }

    /// Returns whether a robber's path leads onto a cop, or ends beside one although the start is
    /// farther from all cops.
    fn runs_into_cops(&self, way: &[Vertex]) -> bool {
        let graph = &self.board.graph;
        let onto = way.iter().any(|&at| self.enemies.contains(&graph.cell(at)));
        let end = way.last().map(|&end| graph.cell(end));
        let far = |cell| super::moves::nearest(cell, self.enemies).map_or(u32::MAX, |near| near.0);
        let from = far(self.agent.setup.cell);
        let end = end.map_or(from, far);
        onto || end <= 1 && (from > 1 || way.is_empty())
    }
}
