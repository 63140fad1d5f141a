//! The moves of robbers that cops cover on the clock on which both sides choose simultaneously.

use super::board::Board;
use super::hash::mix;
use super::purse::Purse;
use super::{AgentId, AgentRecord, PursuitRecord};
use crate::game::Agent;
use crate::graph::Vertex;
use crate::search::{MoveCover, steps_without_walls};

/// Faster agents take no part: their moves have too many ends.
const FASTEST: u8 = 8;

/// A cop near the robber that it chases.
#[derive(Debug, Clone, Copy)]
struct Near {
    robber: AgentId,
    apart: u32,
    cop: AgentId,
    agent: Agent,
}

/// What the cops of a pursuit cover with their next move.
#[derive(Debug, Default)]
pub(super) struct CoveredMoves {
    cover: MoveCover,
    /// The cops near their robbers: those of one robber after each other, nearest first.
    near: Vec<Near>,
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
    pub(super) fn look_up_cops(&mut self, board: &Board, at: usize, purse: &mut Purse<'_>) {
        self.forget_answers();
        let pursuit = &board.members.pursuits()[at];
        let is_turn = board.is_simultaneous(pursuit) && board.tick == pursuit.began;
        if !is_turn || board.follows_paths(pursuit) {
            return;
        }
        self.list_near(board, pursuit);
        for team in self.near.chunk_by(|one, other| one.robber == other.robber) {
            let Some(robber) = robber_of(board, pursuit, team[0].robber) else {
                continue;
            };
            self.cops.clear();
            self.cops.extend(team.iter().map(|near| near.agent));
            let seed = mix(mix(board.settings.seed, board.tick), team[0].robber.key());
            let many = self.cover.share_out(&board.graph, robber, &self.cops, seed);
            for (place, near) in team.iter().enumerate().take(many) {
                self.ends.push((near.cop.key(), self.cover.end_of(place)));
            }
        }
        self.ends.sort_unstable();
        purse.spend(self.cover.take_work());
    }

    /// Lists the cops that may end their moves where their robbers can.
    fn list_near(&mut self, board: &Board, pursuit: &PursuitRecord) {
        let graph = &board.graph;
        let near = |(cop, record): (AgentId, &AgentRecord)| {
            let robber = record.target?;
            let speed = record.setup.speed;
            let is_open = record.chooses() && record.arrives <= board.tick;
            let at = graph.vertex(record.setup.cell).filter(|_| is_open)?;
            let other = &board.agent(robber)?.setup;
            let reach = u32::from(speed.steps()) + u32::from(other.speed.steps());
            let apart = steps_without_walls(graph.moves(), record.setup.cell, other.cell);
            let is_near = apart <= reach && speed.steps() <= FASTEST;
            is_near.then_some(Near {
                robber,
                apart,
                cop,
                agent: Agent { at, speed },
            })
        };
        self.near.clear();
        self.near
            .extend(board.agents(&pursuit.cops).filter_map(near));
        let order = |near: &Near| (near.robber.key(), near.apart, near.cop.key());
        self.near.sort_unstable_by_key(order);
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

/// A robber whose moves are worth covering: one that cops see and that may move. A robber at rest only stays.
fn robber_of(board: &Board, pursuit: &PursuitRecord, id: AgentId) -> Option<Agent> {
    let record = board.agent(id)?;
    let speed = record.setup.speed;
    if record.caught.is_some() || speed.steps() > FASTEST || board.is_at_rest(record) {
        return None;
    }
    let sees_all = !board.cops_have_limited_sight(pursuit);
    let (cell, is_seen) = board.known_robber(pursuit, sees_all, id, record)?;
    let at = board.graph.vertex(cell).filter(|_| is_seen)?;
    Some(Agent { at, speed })
}
