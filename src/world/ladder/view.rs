//! What a rung sees when it is asked for the moves of a side.

use super::finding::Finding;
use crate::game::{Rules, Side, State};
use crate::table_cache::{TableCache, Wanted, WholeMap};
use crate::world::board::Board;
use crate::world::company::Company;
use crate::world::purse::Purse;
use crate::world::settings::PursuitClock;
use crate::world::situation::Situation;
use crate::world::state::Reason;
use crate::world::team_position::TeamPosition;
use crate::world::together::{can_all_move, choose_together, is_joint_move, only_robber};
use crate::world::{AgentId, PursuitRecord};

/// Who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::world) enum Movers {
    /// The cops of the pursuit whose moves the world chooses.
    Cops,
    /// A robber whose move the world chooses, in answer to the cops.
    Robber(AgentId),
}

/// What a rung may use: the tables, and the budget of the tick.
pub(in crate::world) struct Means<'a, 'm> {
    pub(in crate::world) cache: &'a mut TableCache,
    pub(in crate::world) purse: &'a mut Purse<'m>,
}

/// A pursuit in which a side is to move, and what better rungs have found.
#[derive(Clone, Copy)]
pub(in crate::world) struct View<'a> {
    pub(in crate::world) board: &'a Board,
    pub(in crate::world) pursuit: &'a PursuitRecord,
    pub(in crate::world) clock: PursuitClock,
    pub(in crate::world) movers: Movers,
    /// The game as tables know it; `None` if no table covers it.
    pub(in crate::world) game: Option<TableGame<'a>>,
    /// The cops that choose now on the `Turns` clock, and the robber: the game to which proofs apply. `None` if there is
    /// no such game.
    pub(in crate::world) team: Option<&'a TeamPosition>,
    /// What better rungs have found.
    pub(in crate::world) better: &'a [Finding],
    /// What the rung that is asked has found for the cops, if a robber is to move.
    pub(in crate::world) for_cops: Option<&'a Finding>,
}

impl<'a> View<'a> {
    /// The view of a pursuit, without the game that tables know.
    pub(super) fn of(
        board: &'a Board,
        at: usize,
        movers: Movers,
        team: Option<&'a TeamPosition>,
    ) -> Self {
        let pursuit = &board.members.pursuits()[at];
        Self {
            board,
            pursuit,
            clock: board.clock(pursuit),
            movers,
            game: None,
            team,
            better: &[],
            for_cops: None,
        }
    }

    /// Returns whether the cops are to move.
    pub(super) fn is_of_cops(&self) -> bool {
        self.movers == Movers::Cops
    }

    /// The reason why no better table decides. That the robber escapes is a reason of the game, not of a table.
    pub(super) fn why_no_table(&self) -> Option<Reason> {
        let reasons = self.better.iter().rev().filter_map(Finding::reason);
        reasons.into_iter().find(|&why| why != Reason::Escapes)
    }

    /// Requests a guide for these rules, unless it is there or on its way, and notes that it is used.
    pub(super) fn want_guide(&self, means: &mut Means<'_, '_>, rules: Rules, wanted: Wanted) {
        let Board {
            graph, maintenance, ..
        } = self.board;
        if let Some(hierarchy) = maintenance.up_to_date(graph) {
            let map = WholeMap { graph, hierarchy };
            let work = means.cache.want_guide(map, rules, wanted, self.board.tick);
            means.purse.spend(work);
        }
    }
}

/// A position for which a table may have an entry.
#[derive(Clone, Copy)]
pub(in crate::world) struct TableGame<'a> {
    pub(super) rules: Rules,
    pub(super) state: State<'a>,
    /// The cops, in the order of the state.
    pub(super) ids: &'a [AgentId],
    /// Whether these are all cops of the pursuit.
    pub(super) is_whole: bool,
}

/// The position of a side that is to move, in memory that is reused.
#[derive(Debug, Default)]
pub(super) struct TablePosition {
    company: Company,
    situation: Situation,
}

impl TablePosition {
    /// Assembles the game of a side. `None` if no table covers it.
    pub(super) fn assemble(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        movers: Movers,
    ) -> Option<TableGame<'_>> {
        let (is_covered, to_move) = match movers {
            Movers::Cops => (self.is_of_cops(board, pursuit), Side::Cops),
            Movers::Robber(id) => (self.is_of_robber(board, pursuit, id), Side::Robber),
        };
        let state = self.situation.state(to_move).filter(|_| is_covered)?;
        Some(TableGame {
            rules: Rules::of(&state, board.graph.moves())?,
            state,
            ids: &self.situation.ids,
            is_whole: self.situation.ids.len() == pursuit.cops.len(),
        })
    }

    /// A table of the cops is one of those that the world moves. Others do no harm.
    fn is_of_cops(&mut self, board: &Board, pursuit: &PursuitRecord) -> bool {
        let cops = board.agents(&pursuit.cops);
        let team = cops.filter(|(_, cop)| cop.chooses()).count();
        if team == 0 || board.follows_paths(pursuit) || !choose_together(board, pursuit) {
            return false;
        }
        let Some(robber) = only_robber(board, pursuit) else {
            return false;
        };
        if !can_all_move(board, &[robber]) {
            return false;
        }
        self.company.assemble(board, pursuit);
        let situation = &mut self.situation;
        situation.of_team(board, pursuit, &self.company, robber)
            && situation.ids.len() == team
            && situation.is_seen
    }

    fn is_of_robber(&mut self, board: &Board, pursuit: &PursuitRecord, id: AgentId) -> bool {
        if only_robber(board, pursuit) != Some(id) || !is_joint_move(board, pursuit) {
            return false;
        }
        self.company.assemble(board, pursuit);
        let situation = &mut self.situation;
        situation.of_robber(board, pursuit, &self.company, id, true)
            && situation.ids.len() == pursuit.cops.len()
            && !situation.is_shut_in
            // No table is for a cop that cannot move.
            && can_all_move(board, &pursuit.cops)
            && situation.is_seen
    }
}
