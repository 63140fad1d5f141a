//! The rung of cops that cover the moves of a robber which chooses at the same time.

use super::finding::{Finding, SideMoves};
use super::means::Means;
use super::rung::Rung;
use crate::game::Agent;
use crate::graph::Vertex;
use crate::policy::Source;
use crate::search::{MoveCover, MoveEnds, least_steps};
use crate::world::agent::AgentRecord;
use crate::world::agent_id::AgentId;
use crate::world::facts::Facts;
use crate::world::hash::mix;
use crate::world::pursuit::PursuitRecord;
use crate::world::view::View;

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

/// The share of each cop in the moves that its robber may make, on the clock on which both sides choose simultaneously:
/// for the robbers that the cops see and cut off.
#[derive(Debug, Default)]
pub(in crate::world) struct CoveredMoveRung {
    cover: MoveCover,
    /// The cops near their robbers: those of one robber after each other, nearest first.
    near: Vec<Near>,
    cops: Vec<Agent>,
    ends: MoveEnds,
    way: Vec<Vertex>,
}

impl Rung for CoveredMoveRung {
    fn source(&self) -> Source {
        Source::Search
    }

    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        let View { facts, pursuit, .. } = *view;
        let is_turn = facts.is_simultaneous(pursuit) && facts.tick == pursuit.began;
        if !view.is_of_cops() || !is_turn || facts.follows_paths(pursuit) {
            return Finding::Nothing(None);
        }
        self.list_near(facts, pursuit);
        let mut moves = SideMoves::default();
        let near = std::mem::take(&mut self.near);
        for team in near.chunk_by(|one, other| one.robber == other.robber) {
            self.share_out(facts, pursuit, team, &mut moves);
        }
        self.near = near;
        let expansions = self.ends.take_work().expansions;
        means.purse.spend(self.cover.take_work() + expansions);
        Finding::Shares(moves)
    }
}

impl CoveredMoveRung {
    /// Shares out the moves of a robber among the cops near it.
    fn share_out(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        team: &[Near],
        moves: &mut SideMoves,
    ) {
        let Some(robber) = robber_of(facts, pursuit, team[0].robber) else {
            return;
        };
        self.cops.clear();
        self.cops.extend(team.iter().map(|near| near.agent));
        let seed = mix(mix(facts.settings.seed, facts.tick), team[0].robber.key());
        let many = self.cover.share_out(&facts.graph, robber, &self.cops, seed);
        for (place, near) in team.iter().enumerate().take(many) {
            let end = self.cover.end_of(place);
            self.way.clear();
            if end.is_some_and(|end| self.find_way(facts, near.agent, end)) {
                moves.add(near.cop, &self.way);
            } else {
                moves.add_open(near.cop);
            }
        }
    }

    /// Writes the way of a cop to the end of its move; `false` if there is none.
    fn find_way(&mut self, facts: &Facts, cop: Agent, end: Vertex) -> bool {
        let ends = self.ends.find(&facts.graph, cop.at, cop.speed, |_| false);
        let is_there = end == cop.at || ends.contains(&end);
        if is_there {
            self.ends.way_to(end, &mut self.way);
        }
        is_there
    }

    /// Lists the cops that may end their moves where their robbers can.
    fn list_near(&mut self, facts: &Facts, pursuit: &PursuitRecord) {
        let graph = &facts.graph;
        let near = |(cop, record): (AgentId, &AgentRecord)| {
            let robber = record.target?;
            let speed = record.setup.speed;
            // The robber's moves are covered on the map's own ground only.
            let is_open = record.chooses_in(pursuit.number)
                && record.arrives() <= facts.tick
                && record.setup.reaction == 0
                && facts.ground_of(record).is_plain();
            let at = graph.vertex(record.setup.cell).filter(|_| is_open)?;
            let other = &facts.agent(robber)?.setup;
            let reach = u32::from(speed.steps()) + u32::from(other.speed.steps());
            let apart = least_steps(graph, record.setup.cell, other.cell);
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
            .extend(facts.agents(&pursuit.cops).filter_map(near));
        let order = |near: &Near| (near.robber.key(), near.apart, near.cop.key());
        self.near.sort_unstable_by_key(order);
    }
}

/// A robber whose moves are worth covering: one that cops see and that may move. A robber at rest only stays.
fn robber_of(facts: &Facts, pursuit: &PursuitRecord, id: AgentId) -> Option<Agent> {
    let record = facts.agent(id)?;
    let speed = record.setup.speed;
    if !facts.ground_of(record).is_plain() || facts.graph.has_exits() {
        return None;
    }
    if record.caught.is_some() || speed.steps() > FASTEST || facts.is_at_rest(record) {
        return None;
    }
    let sees_all = !facts.cops_have_limited_sight(pursuit);
    let (cell, is_seen) = facts.known_robber(pursuit, sees_all, id, record)?;
    let at = facts.graph.vertex(cell).filter(|_| is_seen)?;
    Some(Agent { at, speed })
}
