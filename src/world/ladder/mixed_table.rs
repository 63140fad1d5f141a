//! The first rung where both sides choose simultaneously: moves drawn from tables of mixed strategies.

use super::{Basis, Finding, Means, Movers, Moves, Rung, TableUse, View};
use crate::game::{Agent, Rules, Side, Speed, State};
use crate::graph::{Graph, Vertex};
use crate::policy::Source;
use crate::search::{MoveEnds, seed_of};
use crate::solve::simultaneous::{MixedPlayer, MixedTable as Strategies};
use crate::table::Arena;
use crate::table_cache::TableCache;
use crate::world::board::Board;
use crate::world::pursuit::MovesBy;
use crate::world::state::Reason;
use crate::world::together::{is_in_time, is_joint_move, only_robber};
use crate::world::{AgentId, AgentRecord, PursuitRecord};
use std::sync::Arc;

/// About what a draw costs in expansions: a look-up in the table.
const COST_OF_A_DRAW: u64 = 8;

/// A move drawn from a table of mixed strategies of the current map, for exactly these rules: an opponent that knows
/// the table, but not the draw, gains nothing. A drawn move has no value of its own: the table bounds only the mean
/// over all draws.
///
/// A draw depends on the seed of the world, the number and the turn of the pursuit, and the side, and on no earlier
/// draw. So the same seed gives the same game, and a snapshot needs no state of a random generator.
#[derive(Debug, Default)]
pub(in crate::world) struct MixedTable {
    position: Position,
    ends: MoveEnds,
    way: Vec<Vertex>,
}

/// A table with the arena of the current map.
type Found = (Arc<Strategies>, Arc<Arena>);

impl Rung for MixedTable {
    fn source(&self) -> Source {
        Source::MixedTable
    }

    /// Draws the moves of a side, from the position before either side moves.
    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        if !view.board.is_simultaneous(view.pursuit) {
            return Finding::Nothing(None);
        }
        let drawn = self.draw(view, means.cache);
        let (expansions, _) = self.ends.take_effort();
        match drawn {
            Ok(moves) => {
                means.purse.spend(COST_OF_A_DRAW + expansions);
                // No exact table is in use, so that none is requested after an edit.
                let table = TableUse {
                    by: MovesBy::Table,
                    rules: None,
                    keepers: None,
                };
                Finding::Decides(moves, Basis::Table(table))
            }
            Err(why) => {
                means.purse.spend(expansions);
                Finding::Nothing(Some(why))
            }
        }
    }
}

impl MixedTable {
    fn draw(&mut self, view: &View<'_>, cache: &mut TableCache) -> Result<Moves, Reason> {
        let View { board, pursuit, .. } = *view;
        let rules = self.position.assemble(board, pursuit);
        let rules = rules.ok_or(Reason::NoTableForThis)?;
        // A table counts meetings of whole moves, and the world those of all steps. Against a robber of one step, cops of a
        // greater speed only capture sooner than their table says. Anybody else would rely on meetings that are none, or on
        // passing where there is one.
        let is_slow = rules.robber_speed == Speed::ONE
            && (view.is_of_cops() || rules.cop_speed == Speed::ONE);
        if !is_slow {
            return Err(Reason::NoTableForThis);
        }
        let found = cache.find_mixed(&board.graph, rules);
        match view.movers {
            Movers::Cops => self.draw_cops(board, pursuit, found.as_ref()),
            Movers::Robber(id) => self.draw_robber(board, pursuit, id, found.as_ref()),
        }
    }

    /// All cops take part in one joint move.
    fn draw_cops(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        found: Option<&Found>,
    ) -> Result<Moves, Reason> {
        if !self.position.cops_choose {
            return Err(Reason::NoTableForThis);
        }
        let mut player = player(board, pursuit, Side::Cops, found).ok_or(Reason::NoTable)?;
        let state = self.position.state().ok_or(Reason::NoTableForThis)?;
        let value = player.value(&state);
        if value.is_some_and(|value| value.lower.is_infinite()) {
            return Err(Reason::Escapes);
        }
        let goals = player.cop_goals(&state).ok_or(Reason::NoTable)?;
        let Self {
            position,
            ends,
            way,
        } = self;
        let mut moves = Moves::default();
        for ((&id, cop), goal) in position.ids.iter().zip(&position.cops).zip(goals) {
            find_way(ends, &board.graph, *cop, goal, way).ok_or(Reason::NoTable)?;
            moves.add(id, way);
        }
        Ok(moves)
    }

    fn draw_robber(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        id: AgentId,
        found: Option<&Found>,
    ) -> Result<Moves, Reason> {
        let robber = self.position.robber.filter(|&(robber, _)| robber == id);
        let (_, robber) = robber.ok_or(Reason::NoTableForThis)?;
        if !self.position.robber_chooses {
            return Err(Reason::NoTableForThis);
        }
        let mut player = player(board, pursuit, Side::Robber, found).ok_or(Reason::NoTable)?;
        let state = self.position.state().ok_or(Reason::NoTableForThis)?;
        let goal = player.robber_goal(&state).ok_or(Reason::NoTable)?;
        let Self { ends, way, .. } = self;
        find_way(ends, &board.graph, robber, goal, way).ok_or(Reason::NoTable)?;
        Ok(Moves::of_one(id, way, None))
    }
}

/// Draws the moves of a side. Each side has its own seed, so that the move of one side reveals nothing about the move of
/// the other.
fn player(
    board: &Board,
    pursuit: &PursuitRecord,
    side: Side,
    found: Option<&Found>,
) -> Option<MixedPlayer> {
    let (table, arena) = found?;
    let side = match side {
        Side::Cops => 1,
        Side::Robber => 2,
    };
    let seed = seed_of([
        board.settings.seed,
        u64::from(pursuit.number),
        pursuit.turn,
        side,
    ]);
    Some(MixedPlayer::on(Arc::clone(table), Arc::clone(arena), seed))
}

/// Writes a shortest path of an agent. `None` if the agent cannot get to the goal in one move.
fn find_way(
    ends: &mut MoveEnds,
    graph: &Graph,
    agent: Agent,
    goal: Vertex,
    way: &mut Vec<Vertex>,
) -> Option<()> {
    way.clear();
    if goal != agent.at {
        let reached = ends.find(graph, agent.at, agent.speed, |_| false);
        let is_there = reached.contains(&goal);
        is_there.then(|| ends.way_to(goal, way))?;
    }
    Some(())
}

/// A position at the beginning of a turn, in memory that is reused.
#[derive(Debug, Default)]
struct Position {
    robber: Option<(AgentId, Agent)>,
    cops: Vec<Agent>,
    ids: Vec<AgentId>,
    /// Whether the world moves all cops, and they see the robber and intercept it.
    cops_choose: bool,
    /// Whether the world moves the robber, and it sees all cops.
    robber_chooses: bool,
}

impl Position {
    fn state(&self) -> Option<State<'_>> {
        Some(State {
            robber: self.robber?.1,
            cops: &self.cops,
            to_move: Side::Cops,
        })
    }

    /// Assembles the position of a pursuit before either side moves, and returns its rules. `None` if no table can
    /// cover the position: a table needs one free robber against cops of one speed, which all set out now from where
    /// they stand.
    ///
    /// An agent that the game has already sent on its way in this tick counts as standing where it was: the other
    /// agents do not know where it goes.
    fn assemble(&mut self, board: &Board, pursuit: &PursuitRecord) -> Option<Rules> {
        self.robber = None;
        self.cops.clear();
        self.ids.clear();
        let id = only_robber(board, pursuit)?;
        let robber = board.agent(id)?;
        if !is_joint_move(board, pursuit) || !is_in_time(board, pursuit, robber) {
            return None;
        }
        let stands = |agent: &AgentRecord| {
            Some(Agent {
                at: board.graph.vertex(agent.setup.cell)?,
                speed: agent.setup.speed,
            })
        };
        self.robber = Some((id, stands(robber)?));
        let sees_all = !board.cops_have_limited_sight(pursuit);
        let known = board.known_robber(pursuit, sees_all, id, robber);
        self.cops_choose = known.is_some_and(|(_, seen)| seen) && !board.follows_paths(pursuit);
        self.robber_chooses = robber.chooses();
        for (cop_id, cop) in board.agents(&pursuit.cops) {
            let known = Board::known_cop(pursuit, id, robber, cop_id, cop.setup.cell);
            self.robber_chooses &= known.is_some_and(|(_, seen)| seen);
            self.cops_choose &= cop.chooses();
            self.cops.push(stands(cop)?);
            self.ids.push(cop_id);
        }
        Rules::of(&self.state()?, board.graph.moves())
    }
}
