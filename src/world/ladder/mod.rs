//! The ladder: what answers a decision, best first.
//!
//! Each rung is a file of its own. It looks at one [`Scene`], in which nothing changes while it thinks,
//! and writes a way, or says why it has none. The first rung that answers decides. What the one before it
//! said is the reason that the game is shown.

mod greedy;
mod guide;
mod look_around;
mod search;
mod stale;
mod table;

use super::AgentId;
use super::agent::AgentRecord;
use super::board::Board;
use super::settings::PursuitClock;
use super::state::Reason;
use super::tables::Tables;
use crate::game::{Side, Speed, Value};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::policy::Source;
use crate::search::MoveEnds;

/// The rungs, best first. The last one always answers.
const LADDER: [&dyn Rung; 6] = [
    &table::Table,
    &guide::Guide,
    &search::Search,
    &stale::Stale,
    &look_around::LookAround,
    &greedy::Greedy,
];

/// What one agent has to decide on, and all that it may go by.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    pub(super) tables: &'a Tables,
    pub(super) clock: PursuitClock,
    pub(super) id: AgentId,
    pub(super) agent: &'a AgentRecord,
    /// Where it stands; `None` in a wall.
    pub(super) from: Option<Vertex>,
    /// The steps that it may take.
    pub(super) speed: Speed,
    /// Where it takes its enemies to be when they have moved: a cop the robber that it goes for, a robber
    /// all cops that it knows of.
    pub(super) enemies: &'a [Cell],
    /// Does a cop see its robber?
    pub(super) sees: bool,
    /// The number of the situation, for plans that were made for this very one.
    pub(super) key: u64,
}

/// What a rung has found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    pub(super) source: Source,
    /// What the position is worth to the robber, where it is known.
    pub(super) value: Option<Value>,
    /// Reason it is nothing better, if that is not what the rung before said.
    pub(super) why: Option<Reason>,
    /// How many steps of the agent's plan it takes.
    pub(super) planned: usize,
}

/// Memory that rungs use again.
#[derive(Debug, Default)]
pub(super) struct Tools {
    /// The way that was found: the vertices to step on.
    pub(super) way: Vec<Vertex>,
    ends: MoveEnds,
}

/// One way to find a move.
trait Rung: Sync {
    /// Writes a move for the agent of a scene into `tools.way`, which is empty. Otherwise says why it has
    /// none: `None` if that is nothing that the game should be told. Moves are legal on the live graph.
    fn answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Result<Answer, Option<Reason>>;
}

impl Answer {
    /// A move that has no value and no reason of its own.
    const fn by(source: Source) -> Self {
        Self {
            source,
            value: None,
            why: None,
            planned: 0,
        }
    }
}

/// Asks one rung after another for the move of an agent. The way is in `tools` then.
pub(super) fn climb_down(scene: &Scene<'_>, tools: &mut Tools) -> Answer {
    let mut why = Reason::None;
    for rung in LADDER {
        tools.way.clear();
        match rung.answer(scene, tools) {
            Ok(answer) => {
                return Answer {
                    why: answer.why.or(Some(why)),
                    ..answer
                };
            }
            Err(reason) => why = reason.unwrap_or(why),
        }
    }
    // Not reached: the last rung always answers. To wait is always legal.
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

    /// Writes the next steps of the agent's plan, if it has one for where it stands that is open as far
    /// as it goes in this move. How many, which may be none where it means to wait.
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

    /// Does a way of a robber lead onto a cop, or end beside one where the start is farther from all?
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
