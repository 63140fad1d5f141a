//! The room that solid agents take: where they are, and when they come to the cells of their paths.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::event::WorldEvent;
use super::facts::Facts;
use crate::game::Side;
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::{Moment, Party, PlaceNumber, RightOfWay, Stop};

/// The moments of a tick: a multiple of each number of steps up to 16, so that the steps of a turn end exactly.
const MOMENTS: i128 = 720_720;

/// Memory to find out who has to stop.
pub(super) struct WalkingBodies<'a> {
    pub(super) room: &'a mut RightOfWay,
    pub(super) stops: &'a mut Vec<Stop>,
    /// The bodies that walk, by their numbers.
    pub(super) walkers: &'a mut Vec<(usize, AgentId)>,
}

/// When a move ends that has taken some of its steps. Ticks are relative to the present one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stride {
    pub(super) departs: i64,
    pub(super) arrives: i64,
    pub(super) pace: u32,
}

impl Stride {
    /// The move of an agent that begins now.
    pub(super) fn from_now(now: u64, arrives: u64, steps: usize) -> Self {
        Self {
            departs: 0,
            arrives: ticks_from(now, arrives),
            pace: steps as u32,
        }
    }

    /// When it has taken some of its steps.
    pub(super) fn after(self, steps: usize) -> Moment {
        let length = i128::from(self.arrives.saturating_sub(self.departs).max(1));
        let pace = i128::from(self.pace.max(1));
        let walked = length * MOMENTS * steps as i128 / pace;
        let all = i128::from(self.departs) * MOMENTS + walked;
        // Neither the least nor the greatest moment, which mean always and never.
        all.clamp(i128::from(Moment::MIN + 1), i128::from(Moment::MAX - 1)) as Moment
    }
}

/// Ticks from one to another.
fn ticks_from(now: u64, tick: u64) -> i64 {
    // Ticks are below 2^62.
    tick as i64 - now as i64
}

/// The number of a cell of the map; `None` off the map.
pub(super) fn place_of(map: &Graph, cell: Cell) -> Option<PlaceNumber> {
    map.is_on_map(cell)
        .then(|| map.cell_index(cell) as PlaceNumber)
}

/// The side of a pursuit: cops and robbers of one pursuit capture each other instead of keeping apart. Hunters that do not
/// capture by touch keep apart from everybody.
pub(super) fn party_of(agent: &AgentRecord) -> Party {
    let is_cop = agent.setup.side == Side::Cops;
    let mut party = match agent.setup.faction_now() {
        Some(faction) => faction.party(agent.setup.pursuit_number()),
        None => Party {
            group: (agent.setup.pursuit, false),
            own: 1 << u8::from(is_cop),
            hunts: u32::from(is_cop),
        },
    };
    if agent.own.is_some_and(|own| !own.captures()) {
        party.hunts = 0;
    }
    party
}

/// Appends the place of an agent that has walked until a tick, and those that it comes to; `false` off the map.
pub(super) fn write_stops(
    map: &Graph,
    agent: &AgentRecord,
    walked_until: u64,
    now: u64,
    stops: &mut Vec<Stop>,
) -> bool {
    let way = agent.way();
    let is_walking = !way.is_empty() && agent.turned_at().is_none();
    let walked = if is_walking {
        agent.walked(walked_until).min(way.len())
    } else {
        0
    };
    let stands = walked
        .checked_sub(1)
        .map_or(agent.setup.cell, |last| map.cell(way[last]));
    let Some(place) = place_of(map, stands) else {
        return false;
    };
    stops.push(Stop {
        place,
        from: Moment::MIN,
    });
    if !is_walking {
        return true;
    }
    let (departs, arrives) = agent.times();
    let stride = Stride {
        departs: ticks_from(now, departs),
        arrives: ticks_from(now, arrives),
        pace: agent.pace(),
    };
    extend_stops(map, &way[walked..], walked, stride, stops);
    true
}

/// Appends the places that steps lead to, of a move of which some steps are done.
pub(super) fn extend_stops(
    map: &Graph,
    way: &[Vertex],
    done: usize,
    stride: Stride,
    stops: &mut Vec<Stop>,
) {
    let steps = way.iter().zip(done + 1..);
    stops.extend(steps.map(|(&at, steps)| Stop {
        place: map.cell_index(map.cell(at)) as PlaceNumber,
        from: stride.after(steps),
    }));
}

impl Facts {
    /// Ends paths of solid agents before cells where other ones are by now, because the map has changed, or the game has
    /// placed, added or changed agents. Call it before the arrivals of a tick.
    ///
    /// Cost: nothing unless something of that kind has happened; otherwise some ten nanoseconds for each solid agent.
    pub(super) fn keep_bodies_apart(&mut self, memory: WalkingBodies<'_>) {
        if !self.members.take_moved_bodies() {
            return;
        }
        let WalkingBodies {
            room,
            stops,
            walkers,
        } = memory;
        let before = self.tick.saturating_sub(1);
        room.clear(self.graph.width(), self.graph.height());
        walkers.clear();
        for (id, agent) in self.members.iter().filter(|(_, agent)| agent.is_body()) {
            stops.clear();
            if write_stops(&self.graph, agent, before, self.tick, stops) {
                let who = room.add(party_of(agent), agent.setup.size.side(), stops, 0);
                if stops.len() > 1 {
                    walkers.push((who, id));
                }
            }
        }
        // Each cut may stop those who come behind.
        let mut is_clear = false;
        while !is_clear {
            is_clear = true;
            for &(who, id) in walkers.iter() {
                if let Some(stop) = room.first_clash(who) {
                    room.cut(who, stop);
                    self.cut_at_body(id, before, stop);
                    is_clear = false;
                }
            }
        }
    }

    /// Ends the path of an agent before a stop: the first one is where it was at a tick.
    fn cut_at_body(&mut self, id: AgentId, before: u64, stop: usize) {
        let Self {
            members,
            events,
            graph,
            ..
        } = self;
        let Some(agent) = members.get_mut(id) else {
            return;
        };
        let open = agent.walked(before).min(agent.way().len()) + stop - 1;
        let Some(&refused) = agent.way().get(open) else {
            return;
        };
        if agent.cut_way(open) {
            events.send(WorldEvent::OrderCut {
                id,
                taken: open,
                refused: graph.cell(refused),
            });
        }
        events.mark_changed(id);
        agent.plan.drop();
    }
}
