//! Moves drawn from the tables of mixed strategies that the game supplies.

use super::board::Board;
use super::purse::Purse;
use super::state::Reason;
use super::tables::{is_in_time, is_joint_move, only_robber};
use super::{AgentId, AgentRecord, PursuitRecord};
use crate::game::{Agent, Rules, Side, Speed, State};
use crate::graph::{Graph, Vertex};
use crate::search::{MoveEnds, seed_of};
use crate::solve::simultaneous::{MixedPlayer, MixedTable};
use crate::table::Arena;
use crate::table_cache::TableCache;
use std::ops::Range;
use std::sync::Arc;

/// About what a draw costs in expansions: a look-up in the table.
const COST_OF_A_DRAW: u64 = 8;

/// The moves drawn from tables of mixed strategies for the pursuit that moves now.
///
/// A draw depends on the seed of the world, the number and the turn of the pursuit, and the side, and on no earlier
/// draw. So the same seed gives the same game, and a snapshot needs no state of a random generator.
#[derive(Debug)]
pub(super) struct MixedMoves {
    position: Position,
    /// The agents that were drawn a move, with their paths in `ways`.
    drawn: Vec<(AgentId, Range<usize>)>,
    ways: Vec<Vertex>,
    /// For the cops and for the robber: whether a move was drawn, or the reason why not.
    cops: Result<(), Reason>,
    robber: Result<(), Reason>,
    ends: MoveEnds,
}

/// A table with the arena of the current map.
type Found = (Arc<MixedTable>, Arc<Arena>);

impl MixedMoves {
    pub(super) fn new() -> Self {
        Self {
            position: Position::default(),
            drawn: Vec::new(),
            ways: Vec::new(),
            cops: Err(Reason::NoTableForThis),
            robber: Err(Reason::NoTableForThis),
            ends: MoveEnds::default(),
        }
    }

    /// Forgets the moves that were drawn last.
    pub(super) fn forget_draws(&mut self) {
        self.drawn.clear();
        self.ways.clear();
        self.cops = Err(Reason::NoTableForThis);
        self.robber = Err(Reason::NoTableForThis);
    }

    /// Returns whether the cops of the pursuit that was looked up last move by a table.
    pub(super) const fn moves_cops(&self) -> bool {
        self.cops.is_ok()
    }

    /// Returns whether a robber moves by a table, in the pursuit that was looked up last.
    pub(super) fn moves_robber(&self, id: AgentId) -> bool {
        let robber = self.position.robber;
        self.robber.is_ok() && robber.is_some_and(|(robber, _)| robber == id)
    }

    /// The path drawn for an agent of the pursuit that was looked up last; or the reason why there is none.
    pub(super) fn decision(&self, id: AgentId, side: Side) -> Result<&[Vertex], Reason> {
        match side {
            Side::Cops => self.cops?,
            Side::Robber => self.robber?,
        }
        let drawn = self.drawn.iter().find(|&&(who, _)| who == id);
        let way = drawn.and_then(|(_, way)| self.ways.get(way.clone()));
        way.ok_or(Reason::NoTableForThis)
    }

    /// Draws the moves of both sides of a pursuit in which they choose simultaneously, from the position before either
    /// moves. All cops take part in one joint move.
    pub(super) fn look_up(
        &mut self,
        board: &mut Board,
        cache: &mut TableCache,
        at: usize,
        purse: &mut Purse<'_>,
    ) {
        self.forget_draws();
        let pursuit = &board.members.pursuits()[at];
        if !board.is_simultaneous(pursuit) {
            return;
        }
        let Some(rules) = self.position.assemble(board, pursuit) else {
            return;
        };
        // A table counts meetings of whole moves, and the world those of all steps. Against a robber of one step, cops of a
        // greater speed only capture sooner than their table says. Anybody else would rely on meetings that are none, or on
        // passing where there is one.
        if rules.robber_speed != Speed::ONE {
            return;
        }
        let found = cache.find_mixed(&board.graph, rules);
        self.cops = self.draw_cops(board, pursuit, found.as_ref());
        if rules.cop_speed == Speed::ONE {
            self.robber = self.draw_robber(board, pursuit, found.as_ref());
        }
        let (expansions, _) = self.ends.take_effort();
        let draws = u64::from(self.cops.is_ok()) + u64::from(self.robber.is_ok());
        purse.spend(draws * COST_OF_A_DRAW + expansions);
    }

    fn draw_cops(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        found: Option<&Found>,
    ) -> Result<(), Reason> {
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
        let Position { cops, ids, .. } = &self.position;
        for ((&id, cop), goal) in ids.iter().zip(cops).zip(goals) {
            let way = way_to(&mut self.ends, &board.graph, *cop, goal, &mut self.ways);
            let Some(way) = way else {
                // All cops take part, or none.
                self.drawn.clear();
                return Err(Reason::NoTable);
            };
            self.drawn.push((id, way));
        }
        Ok(())
    }

    fn draw_robber(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        found: Option<&Found>,
    ) -> Result<(), Reason> {
        if !self.position.robber_chooses {
            return Err(Reason::NoTableForThis);
        }
        let mut player = player(board, pursuit, Side::Robber, found).ok_or(Reason::NoTable)?;
        let state = self.position.state().ok_or(Reason::NoTableForThis)?;
        let robber = self.position.robber.ok_or(Reason::NoTableForThis)?;
        let goal = player.robber_goal(&state).ok_or(Reason::NoTable)?;
        let (ends, ways) = (&mut self.ends, &mut self.ways);
        let way = way_to(ends, &board.graph, robber.1, goal, ways).ok_or(Reason::NoTable)?;
        self.drawn.push((robber.0, way));
        Ok(())
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

/// Appends a shortest path of an agent to `ways`, and returns its range in `ways`; `None` if the agent cannot get to
/// the goal in one move.
fn way_to(
    ends: &mut MoveEnds,
    graph: &Graph,
    agent: Agent,
    goal: Vertex,
    ways: &mut Vec<Vertex>,
) -> Option<Range<usize>> {
    let first = ways.len();
    if goal != agent.at {
        let reached = ends.find(graph, agent.at, agent.speed, |_| false);
        if !reached.contains(&goal) {
            return None;
        }
        let mut way = Vec::new();
        ends.way_to(goal, &mut way);
        ways.append(&mut way);
    }
    Some(first..ways.len())
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
