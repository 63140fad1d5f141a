//! Chooses a move for each member that may move now: the order of the game, or the first answer of the ladder.

use super::AgentId;
use super::agent::AgentRecord;
use super::board::Board;
use super::endgames::LocalEndgames;
use super::exact::ExactPositions;
use super::ladder::{self, Answer, Erring, Scene, Tools};
use super::orders::{Order, Orders};
use super::retract_proof::RetractProof;
use super::settings::PursuitClock;
use super::state::{DecidedBy, IdleReason, Reason};
use super::tables::Tables;
use crate::game::{Outcome, Turns, Value};
use crate::map::Cell;
use crate::policy::Source;

/// Chooses moves for agents. Holds only reused memory.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    tools: Tools,
    cells: Vec<Cell>,
    /// Which sides make mistakes in the pursuit whose cops chose last.
    erring: Erring,
}

/// Where moves come from besides the plans of the agents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) tables: &'a Tables,
    pub(super) exact: &'a ExactPositions,
    pub(super) endgames: &'a LocalEndgames,
    pub(super) retract: &'a RetractProof,
}

/// The agent whose move the ladder chooses.
struct Decider<'a> {
    id: AgentId,
    agent: &'a AgentRecord,
    /// Whether a cop sees its robber.
    sees: bool,
    /// The key of the situation of a robber; 0 for a cop.
    key: u64,
}

impl Chooser {
    /// Chooses for all cops of a pursuit that may move now. Call it before choosing for the robbers of the pursuit.
    pub(super) fn cops(
        &mut self,
        board: &Board,
        sources: Sources<'_>,
        at: usize,
        orders: &mut Orders,
    ) {
        let pursuit = &board.members.pursuits()[at];
        self.erring = Erring::of(board, pursuit);
        let has_free_robber = board.free_robbers(pursuit) > 0;
        let sees_all = !board.cops_have_limited_sight(pursuit);
        for (id, cop) in board.agents(&pursuit.cops) {
            if board.tick < cop.arrives {
                continue; // still under way
            }
            let rest = board.rest_until(pursuit);
            if !board.graph.is_on_map(cop.setup.cell) {
                orders.add(Order::idle(id, IdleReason::OffTheMap, rest), &[]);
            } else if let Some(order) =
                board.game_order(pursuit, id, cop, &mut self.cells, &mut self.tools.way)
            {
                orders.add(order, &self.tools.way);
            } else if !has_free_robber {
                orders.add(Order::idle(id, IdleReason::NobodyThere, rest), &[]);
            } else if let CopKnowledge::Known(known) = what_cop_knows(board, at, cop, sees_all) {
                self.cells.clear();
                self.cells.extend(known.map(|(cell, _)| cell));
                let decider = Decider {
                    id,
                    agent: cop,
                    sees: known.is_some_and(|(_, sees)| sees),
                    key: 0,
                };
                self.ask_ladder(board, sources, at, decider, orders);
            } else {
                orders.add(Order::idle(id, IdleReason::NobodySeen, rest), &[]);
            }
        }
    }

    /// Chooses for a robber that may move now, after the cops have moved.
    pub(super) fn robber(
        &mut self,
        board: &Board,
        sources: Sources<'_>,
        at: usize,
        id: AgentId,
        key: u64,
        orders: &mut Orders,
    ) {
        let pursuit = &board.members.pursuits()[at];
        let Some(robber) = board.agent(id) else {
            return;
        };
        let rest = board.rest_until(pursuit);
        if let Some(idle) = idle_robber(board, robber) {
            orders.add(Order::idle(id, idle, rest), &[]);
            return;
        }
        let game = board.game_order(pursuit, id, robber, &mut self.cells, &mut self.tools.way);
        if let Some(order) = game {
            orders.add(order, &self.tools.way);
            return;
        }
        if !board.has_cops(pursuit) {
            orders.add(Order::idle(id, IdleReason::NobodyThere, rest), &[]);
            return;
        }
        self.cells.clear();
        let mut is_taken = false;
        for (cop_id, cop) in board.agents(&pursuit.cops) {
            let known = Board::known_cop(pursuit, id, robber, cop_id, cop.setup.cell);
            // Even a cop that the robber does not see captures it before it moves.
            is_taken |= board.next_cell(cop) == robber.setup.cell;
            let known = known.map(|(cell, seen)| if seen { board.next_cell(cop) } else { cell });
            // A cop off the map is no threat.
            let known = known.filter(|&cell| board.graph.is_on_map(cell));
            self.cells.extend(known);
        }
        if self.cells.is_empty() {
            orders.add(Order::idle(id, IdleReason::NobodySeen, rest), &[]);
        } else if is_taken && is_in_game(board, at, robber) {
            let answer = Answer {
                source: Source::Search,
                value: Some(Value::Exact(Outcome::Caught(Turns(0)))),
                why: None,
                planned: 0,
            };
            self.tools.way.clear();
            let arrives = board.stint(pursuit, robber).arrives;
            orders.add(order(id, answer, arrives), &[]);
        } else {
            let decider = Decider {
                id,
                agent: robber,
                sees: true,
                key,
            };
            self.ask_ladder(board, sources, at, decider, orders);
        }
    }

    /// Asks the ladder for a move.
    fn ask_ladder(
        &mut self,
        board: &Board,
        sources: Sources<'_>,
        at: usize,
        decider: Decider<'_>,
        orders: &mut Orders,
    ) {
        let Decider {
            id,
            agent,
            sees,
            key,
        } = decider;
        let pursuit = &board.members.pursuits()[at];
        let stint = board.stint(pursuit, agent);
        let scene = Scene {
            board,
            tables: sources.tables,
            exact: sources.exact,
            endgames: sources.endgames,
            retract: sources.retract,
            clock: board.clock(pursuit),
            id,
            agent,
            from: board.graph.vertex(agent.setup.cell),
            speed: stint.speed,
            enemies: &self.cells,
            sees,
            key,
        };
        let answer = ladder::choose(&scene, self.erring, &mut self.tools);
        orders.add(order(id, answer, stint.arrives), &self.tools.way);
    }
}

fn order(id: AgentId, answer: Answer, arrives: u64) -> Order {
    Order {
        id,
        by: DecidedBy::Policy(answer.source),
        value: answer.value,
        why: answer.why.unwrap_or(Reason::None),
        planned: answer.planned,
        arrives,
        errand: None,
    }
}

/// A cop's knowledge of the robber that it chases.
enum CopKnowledge {
    /// The assumed cell of the robber, and whether a cop sees it there. `None` for a cop that looks
    /// around or stands in a wall.
    Known(Option<(Cell, bool)>),
    /// The cop knows of no robber and has nowhere to search for one.
    Unknown,
}

fn what_cop_knows(board: &Board, at: usize, cop: &AgentRecord, sees_all: bool) -> CopKnowledge {
    let pursuit = &board.members.pursuits()[at];
    let target = cop.target.and_then(|id| Some((id, board.agent(id)?)));
    let Some((id, robber)) = target else {
        return CopKnowledge::Unknown;
    };
    let known = board.known_robber(pursuit, sees_all, id, robber);
    let is_in_wall = board.graph.vertex(cop.setup.cell).is_none();
    if known.is_some() || cop.search.is_some() || is_in_wall {
        CopKnowledge::Known(known)
    } else {
        CopKnowledge::Unknown
    }
}

/// The reason why a robber does nothing, independent of its control.
fn idle_robber(board: &Board, robber: &AgentRecord) -> Option<IdleReason> {
    if robber.caught.is_some() {
        Some(IdleReason::Captured)
    } else if !board.graph.is_on_map(robber.setup.cell) {
        Some(IdleReason::OffTheMap)
    } else {
        None
    }
}

/// Returns whether a cop that ends its move on the robber's cell captures it with that move.
fn is_in_game(board: &Board, at: usize, robber: &AgentRecord) -> bool {
    let clock = board.clock(&board.members.pursuits()[at]);
    clock == PursuitClock::Turns && board.graph.vertex(robber.setup.cell).is_some()
}
