//! What each member that is due is to do: what the game orders, or the best of the ladder.

use super::AgentId;
use super::agent::AgentRecord;
use super::board::Board;
use super::ladder::{self, Answer, Scene, Tools};
use super::orders::{Order, Orders};
use super::settings::PursuitClock;
use super::state::{DecidedBy, IdleReason, Reason};
use super::tables::Tables;
use crate::game::{Outcome, Turns, Value};
use crate::map::Cell;
use crate::policy::Source;

/// Chooses for agents. Only memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    tools: Tools,
    cells: Vec<Cell>,
}

impl Chooser {
    /// Chooses for all cops of a pursuit that are due.
    pub(super) fn cops(&mut self, board: &Board, tables: &Tables, at: usize, orders: &mut Orders) {
        let pursuit = &board.members.pursuits()[at];
        let has_prey = board.free_robbers(pursuit) > 0;
        let sees_all = !board.is_blind(pursuit);
        for (id, cop) in board.agents(&pursuit.cops) {
            if board.tick < cop.arrives {
                continue; // it is under way
            }
            let rest = board.rest_until(pursuit);
            if !board.graph.is_on_map(cop.setup.cell) {
                orders.add(Order::idle(id, IdleReason::OffTheMap, rest), &[]);
            } else if let Some(order) =
                board.game_order(pursuit, (id, cop), &mut self.cells, &mut self.tools.way)
            {
                orders.add(order, &self.tools.way);
            } else if !has_prey {
                orders.add(Order::idle(id, IdleReason::NobodyThere, rest), &[]);
            } else if let Prey::Known(known) = prey_of(board, at, cop, sees_all) {
                self.cells.clear();
                self.cells.extend(known.map(|(cell, _)| cell));
                let sees = known.is_some_and(|(_, sees)| sees);
                self.ask(board, tables, at, (id, cop), (sees, 0), orders);
            } else {
                orders.add(Order::idle(id, IdleReason::NobodySeen, rest), &[]);
            }
        }
    }

    /// Chooses for a robber that is due, after the cops. `key`: the number of its situation.
    pub(super) fn robber(
        &mut self,
        board: &Board,
        tables: &Tables,
        (at, id, key): (usize, AgentId, u64),
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
        let game = board.game_order(pursuit, (id, robber), &mut self.cells, &mut self.tools.way);
        if let Some(order) = game {
            orders.add(order, &self.tools.way);
            return;
        }
        if !board.has_cops(pursuit) {
            orders.add(Order::idle(id, IdleReason::NobodyThere, rest), &[]);
            return;
        }
        self.cells.clear();
        for (cop_id, cop) in board.agents(&pursuit.cops) {
            let known = Board::known_cop(pursuit, id, robber, cop_id, cop.setup.cell);
            let known = known.map(|(cell, seen)| if seen { board.next_cell(cop) } else { cell });
            // A cop beside the map does nothing to it.
            let known = known.filter(|&cell| board.graph.is_on_map(cell));
            self.cells.extend(known);
        }
        if self.cells.is_empty() {
            orders.add(Order::idle(id, IdleReason::NobodySeen, rest), &[]);
        } else if is_captured_here(board, at, robber, &self.cells) {
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
            self.ask(board, tables, at, (id, robber), (true, key), orders);
        }
    }

    /// Asks the ladder.
    fn ask(
        &mut self,
        board: &Board,
        tables: &Tables,
        at: usize,
        (id, agent): (AgentId, &AgentRecord),
        (sees, key): (bool, u64),
        orders: &mut Orders,
    ) {
        let pursuit = &board.members.pursuits()[at];
        let stint = board.stint(pursuit, agent);
        let scene = Scene {
            board,
            tables,
            clock: board.clock(pursuit),
            id,
            agent,
            from: board.graph.vertex(agent.setup.cell),
            speed: stint.speed,
            enemies: &self.cells,
            sees,
            key,
        };
        let answer = ladder::climb_down(&scene, &mut self.tools);
        let most = usize::from(stint.speed.steps());
        let way = &self.tools.way[..self.tools.way.len().min(most)];
        orders.add(order(id, answer, stint.arrives), way);
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

/// What a cop has to go by.
enum Prey {
    /// Where its robber is taken to be, and whether it is seen there. Nothing is known to one that looks
    /// around, or stands in a wall.
    Known(Option<(Cell, bool)>),
    /// There is nobody that it knows of, and nowhere to look.
    Unknown,
}

fn prey_of(board: &Board, at: usize, cop: &AgentRecord, sees_all: bool) -> Prey {
    let pursuit = &board.members.pursuits()[at];
    let target = cop.target.and_then(|id| Some((id, board.agent(id)?)));
    let Some((id, robber)) = target else {
        return Prey::Unknown;
    };
    let known = board.known_robber(pursuit, sees_all, id, robber);
    let is_in_wall = board.graph.vertex(cop.setup.cell).is_none();
    if known.is_some() || cop.search.is_some() || is_in_wall {
        Prey::Known(known)
    } else {
        Prey::Unknown
    }
}

/// Reason a robber does nothing, whoever controls it.
fn idle_robber(board: &Board, robber: &AgentRecord) -> Option<IdleReason> {
    if robber.caught.is_some() {
        Some(IdleReason::Captured)
    } else if !board.graph.is_on_map(robber.setup.cell) {
        Some(IdleReason::OffTheMap)
    } else {
        None
    }
}

/// In turns a robber on whose cell a cop ends its move is captured there.
fn is_captured_here(board: &Board, at: usize, robber: &AgentRecord, cops: &[Cell]) -> bool {
    let clock = board.clock(&board.members.pursuits()[at]);
    clock == PursuitClock::Turns
        && board.graph.vertex(robber.setup.cell).is_some()
        && cops.contains(&robber.setup.cell)
}
