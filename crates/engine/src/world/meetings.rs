//! Meetings on the way: where both sides move simultaneously, a cop and a robber that come past each other meet.

use super::agent_id::AgentId;
use super::facts::Facts;
use super::overlap::extent;
use super::pursuit::PursuitIndex;
use crate::graph::{Graph, Vertex};
use crate::map::BodySize;
use std::cmp::Ordering;

/// The meetings of a tick, in memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// The cops whose moves end now, or that stand.
    cops: Vec<EndingMove>,
    /// The vertices of all walks, one after another.
    ways: Vec<Vertex>,
    /// Robbers, and the cop that each of them meets.
    list: Vec<(AgentId, AgentId)>,
}

/// A move that ends now, or none.
#[derive(Debug, Clone, Copy)]
struct EndingMove {
    id: AgentId,
    size: BodySize,
    /// Its vertices in [`Meetings::ways`], the first one included.
    first: usize,
    /// The number of its steps.
    steps: usize,
    /// The ticks for which it has walked, and the steps that it would have taken in that time.
    ticks: u64,
    pace: u64,
}

/// A time before the end of the moves: ticks, as a fraction.
#[derive(Debug, Clone, Copy)]
struct Ago(u64, u64);

impl Ago {
    /// Compares two times, earlier ones first.
    fn order(self, other: Self) -> Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(other.0, self.1).cmp(&product(self.0, other.1))
    }
}

impl EndingMove {
    /// When it has taken a number of steps.
    fn after(&self, steps: usize) -> Ago {
        let left = self.pace.saturating_sub(steps as u64);
        Ago(left.saturating_mul(self.ticks), self.pace.max(1))
    }
}

impl Meetings {
    /// The cop that a robber met on its last move.
    pub(super) fn of(&self, robber: AgentId) -> Option<AgentId> {
        let met = self.list.iter().find(|&&(who, _)| who == robber);
        met.map(|&(_, cop)| cop)
    }

    pub(super) fn clear(&mut self) {
        self.cops.clear();
        self.ways.clear();
        self.list.clear();
    }

    fn way(&self, walk: &EndingMove) -> &[Vertex] {
        &self.ways[walk.first..=walk.first + walk.steps]
    }

    /// Returns whether a cop and a robber are at one place at some time: on a vertex, or on an edge.
    ///
    /// Each step takes its share of the time of the move. Cost: linear in the steps of both.
    fn meet(&self, graph: &Graph, cop: &EndingMove, robber: &EndingMove) -> bool {
        let (ways, walks) = ([self.way(cop), self.way(robber)], [cop, robber]);
        let is_of_one_cell = cop.size.is_one() && robber.size.is_one();
        // Whoever is between two vertices is where it would overlap from both.
        let overlap = |at: [usize; 2], is_there: [bool; 2], ends: usize| {
            let [one, other] = [0, 1].map(|who: usize| {
                let is_ahead = ends >> who & 1 == 1 && !is_there[who];
                let place = (at[who] + usize::from(is_ahead)).min(walks[who].steps);
                graph.cell(ways[who][place])
            });
            cop.size.overlaps(one, other, robber.size)
        };
        // The vertices that they have left, or where they stand.
        let mut at = [0, 0];
        loop {
            let here = [0, 1].map(|who: usize| ways[who][at[who]]);
            let next = [0, 1].map(|who: usize| ways[who].get(at[who] + 1).copied());
            let [left, comes] = [0, 1].map(|ahead: usize| {
                let [cop, robber] = [0, 1].map(|who: usize| walks[who].after(at[who] + ahead));
                cop.order(robber)
            });
            // Who reaches a vertex next.
            let first = match next {
                [None, None] => return false,
                [Some(_), None] => Ordering::Less,
                [None, Some(_)] => Ordering::Greater,
                [Some(cop), Some(robber)] => {
                    // On an edge, they pass in opposite directions, or one overtakes the other.
                    let passes = (here[0], cop) == (robber, here[1]);
                    let overtakes = (here[0], cop) == (here[1], robber) && left == comes.reverse();
                    if passes || overtakes {
                        return true;
                    }
                    comes
                }
            };
            let moves = [first != Ordering::Greater, first != Ordering::Less];
            for who in 0..2 {
                at[who] += usize::from(moves[who]);
            }
            // On a vertex, both arrive at the same time, or one of them stands there.
            let is_there = [0, 1].map(|who: usize| moves[who] || next[who].is_none());
            if is_there == [true; 2] && ways[0][at[0]] == ways[1][at[1]] {
                return true;
            }
            if !is_of_one_cell && (0..4).all(|ends| overlap(at, is_there, ends)) {
                return true;
            }
        }
    }
}

impl Facts {
    /// Finds the robbers of a pursuit that come past a cop with moves that end at this tick, where both sides choose
    /// simultaneously. Call it for all pursuits before any agent arrives, and [clear](Meetings::clear) them before that.
    ///
    /// Cost: for each robber the cops that are near enough.
    pub(super) fn find_meetings(&self, at: PursuitIndex, found: &mut Meetings) {
        found.cops.clear();
        found.ways.clear();
        let pursuit = &self.members[at];
        if !self.is_simultaneous(pursuit) {
            return;
        }
        for (id, _) in self.agents(&pursuit.cops) {
            if let Some(walk) = self.walk_that_ends(id, &mut found.ways) {
                found.cops.push(walk);
            }
        }
        let of_cops = found.ways.len();
        for (id, robber) in self.agents(&pursuit.robbers) {
            found.ways.truncate(of_cops);
            let Some(walk) = self.walk_that_ends(id, &mut found.ways) else {
                continue;
            };
            if robber.caught.is_some() {
                continue;
            }
            let start = self.graph.cell(found.ways[walk.first]);
            let met = found.cops.iter().find(|cop| {
                let apart = self.graph.cell(found.ways[cop.first]).max_norm(start);
                let extents = extent(cop.size) + extent(walk.size);
                let is_near = apart as usize <= cop.steps + walk.steps + extents as usize;
                (is_near || self.graph.has_links()) && found.meet(&self.graph, cop, &walk)
            });
            if let Some(cop) = met {
                found.list.push((id, cop.id));
            }
        }
    }

    /// The move of an agent that ends at this tick, or that of an agent that stands; its vertices are added to `ways`.
    /// `None` for an agent that is under way, or comes out of a wall.
    fn walk_that_ends(&self, id: AgentId, ways: &mut Vec<Vertex>) -> Option<EndingMove> {
        let agent = self.agent(id)?;
        if agent.is_under_way(self.tick) {
            return None;
        }
        // The game moves an agent from one cell to the next.
        let graph = self.graph_of(agent);
        let end = graph.vertex(agent.setup.cell)?;
        let pursuit = self.members.pursuit(agent.pursuit_number())?;
        let stood = [self.origin_of_step(pursuit, agent), self.members.stood(id)];
        let mut stood = (stood.into_iter().flatten()).filter_map(|cell| graph.vertex(cell));
        let step = stood.find(|&stood| graph.are_adjacent(stood, end));
        let first = ways.len();
        ways.push(step.unwrap_or(end));
        ways.extend(step.map(|_| end));
        ways.extend_from_slice(agent.way());
        let steps = ways.len() - first - 1;
        let (departs, arrives) = agent.times();
        let ticks = arrives.saturating_sub(departs).max(1);
        Some(EndingMove {
            id,
            size: agent.setup.size,
            first,
            steps,
            ticks,
            pace: u64::from(agent.pace()).max(steps as u64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Moves, Terrain, TileMap};
    use crate::search::Dice;

    /// Where an agent is on a line at a time in 60ths of a turn, times 60.
    fn place(way: &[u32], time: usize) -> i64 {
        let steps = way.len() - 1;
        let walked = time * steps;
        let step = walked / 60;
        let part = i64::try_from(walked % 60).expect("less than a turn");
        let here = i64::from(way[step]) * 60;
        let next = way.get(step + 1).map_or(here, |&next| i64::from(next) * 60);
        here + (next - here) * part / 60
    }

    /// On a line, two walkers meet if the one that was to the left is not to the left at some time.
    #[test]
    fn walkers_meet_where_their_bodies_do() {
        let mut dice = Dice::new(3);
        let line = TileMap::filled(64, 1, Terrain::Floor).expect("a line");
        let graph = Graph::new(&line, Moves::Orthogonal);
        let (mut met, mut passed) = (0, 0);
        for _ in 0..20_000 {
            let mut found = Meetings::default();
            let mut ways: [Vec<u32>; 2] = [vec![20], vec![20 + dice.below(6) as u32 + 1]];
            let mut walks = Vec::new();
            for way in &mut ways {
                let steps = [0, 1, 2, 3, 4, 5, 6][dice.below(7)];
                let turns_at = dice.below(steps + 2);
                let goes_right = dice.below(2) == 0;
                for step in 0..steps {
                    let last = way[step];
                    way.push(if (step < turns_at) == goes_right {
                        last + 1
                    } else {
                        last - 1
                    });
                }
                walks.push(EndingMove {
                    id: AgentId::of_key(0),
                    size: BodySize::ONE,
                    first: found.ways.len(),
                    steps,
                    ticks: 16,
                    pace: steps as u64,
                });
                found
                    .ways
                    .extend(way.iter().map(|&at| Vertex::from_index(at as usize)));
            }
            let bodies_meet = (1..=60).any(|time| place(&ways[0], time) >= place(&ways[1], time));
            let meet = found.meet(&graph, &walks[0], &walks[1]);
            assert_eq!(meet, bodies_meet, "{ways:?}");
            assert_eq!(found.meet(&graph, &walks[1], &walks[0]), meet, "{ways:?}");
            met += usize::from(meet);
            passed += usize::from(!meet);
        }
        assert!(met > 2000 && passed > 2000, "{met} {passed}");
    }
}
