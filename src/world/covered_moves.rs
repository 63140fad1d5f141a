//! The moves of robbers that cops cover on the clock on which both sides choose simultaneously.

use super::board::Board;
use super::hash::mix;
use super::{AgentId, AgentRecord, PursuitRecord};
use crate::game::Agent;
use crate::graph::Vertex;
use crate::search::{MoveCover, steps_without_walls};

/// What the cops of a pursuit cover with their next move.
#[derive(Debug, Default)]
pub(super) struct CoveredMoves {
    cover: MoveCover,
    /// The cops near a robber, nearest first.
    near: Vec<(u32, AgentId, Agent)>,
    cops: Vec<Agent>,
    /// The cops that take part, each with the end of its move if it covers one, sorted.
    ends: Vec<(u64, Option<Vertex>)>,
}

impl CoveredMoves {
    /// Forgets the answers of the last look-up.
    pub(super) fn forget_answers(&mut self) {
        self.ends.clear();
    }

    /// Shares out the moves of each robber that the cops of a pursuit see and cut off, if both sides choose now.
    pub(super) fn look_up_cops(&mut self, board: &mut Board, at: usize) {
        self.forget_answers();
        let pursuit = &board.members.pursuits()[at];
        let is_turn = board.is_simultaneous(pursuit) && board.tick == pursuit.began;
        if !is_turn || board.follows_paths(pursuit) {
            return;
        }
        let sees_all = !board.cops_have_limited_sight(pursuit);
        for (id, record) in board.agents(&pursuit.robbers) {
            // A robber that rests makes no other move than to stay.
            if record.caught.is_some() || board.is_at_rest(record) {
                continue;
            }
            let known = board.known_robber(pursuit, sees_all, id, record);
            let seen = known.filter(|&(_, is_seen)| is_seen);
            let Some(at) = seen.and_then(|(cell, _)| board.graph.vertex(cell)) else {
                continue;
            };
            let robber = Agent {
                at,
                speed: record.setup.speed,
            };
            self.list_cops(board, pursuit, (id, robber));
            if self.cops.is_empty() {
                continue;
            }
            let seed = mix(mix(board.settings.seed, board.tick), id.key());
            let many = self.cover.share_out(&board.graph, robber, &self.cops, seed);
            for (cop, &(_, id, _)) in self.near.iter().enumerate().take(many) {
                self.ends.push((id.key(), self.cover.end_of(cop)));
            }
        }
        self.ends.sort_unstable();
        board.events.report.spent += self.cover.take_work();
    }

    /// Lists the cops that may end their moves where the robber can.
    fn list_cops(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        (id, robber): (AgentId, Agent),
    ) {
        let graph = &board.graph;
        let here = graph.cell(robber.at);
        let near = |(cop_id, cop): (AgentId, &AgentRecord)| {
            let takes_part = cop.target == Some(id) && cop.chooses() && cop.arrives <= board.tick;
            let speed = cop.setup.speed;
            let apart = steps_without_walls(graph.moves(), cop.setup.cell, here);
            let is_near = apart <= u32::from(speed.steps()) + u32::from(robber.speed.steps());
            let at = graph
                .vertex(cop.setup.cell)
                .filter(|_| takes_part && is_near)?;
            Some((apart, cop_id, Agent { at, speed }))
        };
        self.near.clear();
        self.near
            .extend(board.agents(&pursuit.cops).filter_map(near));
        self.near
            .sort_unstable_by_key(|&(apart, id, _)| (apart, id.key()));
        self.cops.clear();
        self.cops.extend(self.near.iter().map(|&(.., cop)| cop));
    }

    /// Returns whether a cop took part in the last look-up.
    pub(super) fn takes_part(&self, id: AgentId) -> bool {
        self.place(id).is_some()
    }

    /// The end of the move of a cop of the last look-up, if it covers one.
    pub(super) fn end_of(&self, id: AgentId) -> Option<Vertex> {
        self.ends[self.place(id)?].1
    }

    fn place(&self, id: AgentId) -> Option<usize> {
        let place = self.ends.binary_search_by_key(&id.key(), |&(id, _)| id);
        place.ok()
    }
}
