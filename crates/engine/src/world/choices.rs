//! Chooses a move for each member that may move now: the order of the game, or the first answer of the ladder.

use super::agent::{AgentRecord, Control};
use super::agent_id::AgentId;
use super::cells_by_column::CellsByColumn;
use super::covered_places::CoveredPlaces;
use super::evasion::{Evasion, Mover};
use super::facts::Facts;
use super::giving_up::OnLeash;
use super::ladder::Ladder;
use super::ladder::finding::Findings;
use super::ladder::mistake::Erring;
use super::ladder::scene::{Answer, NEAR, Scene, Tools};
use super::orders::{Order, Orders};
use super::overlap::extent;
use super::purse::Purse;
use super::pursuit::{PursuitIndex, PursuitRecord};
use super::settings::PursuitClock;
use super::share::Share;
use super::state::{Activity, DecidedBy, IdleReason, Reason};
use crate::game::{Outcome, Side, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::policy::Source;
use crate::search::AStar;

/// Chooses moves for agents. Holds only reused memory.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    tools: Tools,
    cells: Vec<Cell>,
    /// The cops of the pursuit whose robbers choose, by the cells where their moves end: indices in its list of cops.
    cops: CellsByColumn<usize>,
    /// The cops that a robber regards, in the order of the list.
    near: Vec<(usize, Cell)>,
    /// By how many cells the largest of these cops reaches beyond its own one.
    largest: u32,
    /// What the cops of that pursuit cover that capture from a distance, where their moves end. Only where a robber answers the
    /// cops' moves.
    covered: CoveredPlaces,
    /// Which sides make mistakes in the pursuit whose cops chose last.
    erring: Erring,
    evasion: Evasion,
    /// Finds paths within leashes.
    walks: AStar,
}

/// A side of a pursuit that chooses its moves now, and where its orders go.
pub(super) struct SideToMove<'a, 'm> {
    pub(super) facts: &'a Facts,
    /// The index of the pursuit.
    pub(super) at: PursuitIndex,
    pub(super) ladder: &'a Ladder,
    /// What the rungs have found for the side.
    pub(super) found: &'a Findings,
    pub(super) orders: &'a mut Orders,
    pub(super) purse: &'a mut Purse<'m>,
}

/// The agent whose move the ladder chooses.
struct Decider<'a> {
    id: AgentId,
    agent: &'a AgentRecord,
    /// Whether a cop sees its robber.
    sees: bool,
    /// A hash of the situation of a robber; 0 for a cop.
    key: u64,
}

impl Chooser {
    /// Chooses for all cops of a pursuit that may move now. Call it before choosing for the robbers of the pursuit: what
    /// both sides may spend on searches is set here.
    pub(super) fn cops(&mut self, side: &mut SideToMove<'_, '_>) {
        let (facts, at) = (side.facts, side.at);
        let left = side.purse.left_in_one();
        self.tools.limit_work(Share::Choosing.of(left));
        let pursuit = &facts.members[at];
        self.erring = Erring::of(facts, pursuit);
        let has_free_robber = facts.free_robbers(pursuit) > 0;
        let sees_all = !facts.cops_have_limited_sight(pursuit);
        for (id, cop) in facts.agents(&pursuit.cops) {
            if facts.tick < cop.arrives() || cop.pursuit_number() != pursuit.number {
                continue; // still under way, or moved in another pursuit
            }
            let rest = facts.rest_until(pursuit);
            if !facts.graph.is_on_map(cop.setup.cell) {
                side.orders.add_idle(id, IdleReason::OffTheMap, rest);
            } else if is_stuck(cop) {
                side.orders.add_idle(id, IdleReason::Immobile, rest);
            } else if let Some(order) =
                facts.game_order(pursuit, id, cop, &mut self.cells, &mut self.tools.way)
            {
                self.add_order_of_game(side, cop, order);
            } else if !has_free_robber && cop.target.is_none() {
                self.add_idle(side, id, cop, IdleReason::NobodyThere);
            } else if let CopKnowledge::Known(known) = what_cop_knows(facts, at, cop, sees_all) {
                self.cells.clear();
                let robber = cop.target.and_then(|id| facts.agent(id));
                self.cells.extend(
                    known
                        .zip(robber)
                        .map(|((cell, _), robber)| facts.place_to_touch(cop, robber, cell)),
                );
                let decider = Decider {
                    id,
                    agent: cop,
                    sees: known.is_some_and(|(_, sees)| sees),
                    key: 0,
                };
                self.ask_ladder(side, decider);
            } else {
                self.add_idle(side, id, cop, IdleReason::NobodySeen);
            }
        }
    }

    /// Adds the move that the game orders. An agent that looks for its own way goes into no hazard.
    fn add_order_of_game(
        &mut self,
        side: &mut SideToMove<'_, '_>,
        agent: &AgentRecord,
        mut order: Order,
    ) {
        let finds_its_way = matches!(agent.setup.control, Control::WalkTo(_));
        if (finds_its_way || agent.is_on_duty()) && self.make_safe(side, agent) {
            (order.planned, order.why) = (0, Reason::Hazard);
            order.activity = Activity::Evading;
        }
        order.arrives = (side.facts).arrival(
            &side.facts.members[side.at],
            agent,
            &self.tools.way,
            order.arrives,
        );
        side.orders.add(order, &self.tools.way);
        side.orders.note_enemies(&self.cells);
    }

    /// Adds an order to stay, for an agent that has nothing to do, unless it has to get out of the way of a hazard.
    fn add_idle(
        &mut self,
        side: &mut SideToMove<'_, '_>,
        id: AgentId,
        agent: &AgentRecord,
        reason: IdleReason,
    ) {
        let pursuit = &side.facts.members[side.at];
        self.cells.clear();
        self.tools.way.clear();
        if self.make_safe(side, agent) {
            let answer = Answer {
                why: Some(Reason::Hazard),
                ..Answer::by(Source::Greedy)
            };
            let stint = side.facts.move_time(pursuit, agent);
            let arrives = side
                .facts
                .arrival(pursuit, agent, &self.tools.way, stint.arrives);
            let order = order(id, answer, Activity::Evading, arrives);
            side.orders.add(order, &self.tools.way);
        } else {
            let rest = side.facts.rest_until(pursuit);
            // Whether it survives was found out for the time of a move.
            let is_in_danger = !side.facts.hazards.is_empty();
            let most = if is_in_danger {
                side.facts.move_time(pursuit, agent).arrives
            } else {
                u64::MAX
            };
            side.orders.add_idle(id, reason, rest.min(most));
        }
    }

    /// Replaces the move in `tools` if the agent would not survive it. Returns whether the move was replaced.
    fn make_safe(&mut self, side: &mut SideToMove<'_, '_>, agent: &AgentRecord) -> bool {
        let facts = side.facts;
        if facts.hazards.is_empty() {
            return false;
        }
        let pursuit = &facts.members[side.at];
        let mover = Mover {
            facts,
            pursuit,
            agent,
            stint: facts.move_time(pursuit, agent),
            enemies: &self.cells,
        };
        let is_replaced = self.evasion.make_safe(&mover, &mut self.tools.way);
        side.purse.spend(self.evasion.take_expansions());
        is_replaced
    }

    /// Prepares to choose for the robbers of a pursuit whose cops have moved. Cost: that of sorting the cops, and at most a
    /// wave over each ground of cops that capture from a distance.
    pub(super) fn begin_robbers(&mut self, facts: &Facts, at: PursuitIndex) {
        self.list_covered(facts, at);
        let cops = &facts.members[at].cops;
        let cops = cops.iter().enumerate();
        let stands =
            cops.filter_map(|(index, &cop)| Some((facts.next_cell(facts.agent(cop)?), index)));
        self.cops.fill(stands);
        let sizes = facts.agents(&facts.members[at].cops);
        let extents = sizes.map(|(_, cop)| extent(cop.setup.size));
        self.largest = extents.max().unwrap_or(0);
    }

    /// Finds what the cops cover that capture from a distance.
    fn list_covered(&mut self, facts: &Facts, at: PursuitIndex) {
        self.covered.clear();
        let pursuit = &facts.members[at];
        if facts.clock(pursuit) != PursuitClock::Turns {
            return;
        }
        let robbers = facts.agents(&pursuit.robbers);
        let speeds = robbers.map(|(_, robber)| robber.setup.speed.steps());
        let moves = u32::from(speeds.max().unwrap_or(0));
        for (id, cop) in facts.agents(&pursuit.cops) {
            let cop = (id, cop, facts.next_cell(cop));
            self.covered.add(facts, pursuit, cop, moves);
        }
        self.covered.find(facts);
    }

    /// Returns whether a cop captures a robber on a cell where its move ends, or from a distance.
    fn is_taken(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        robber: &AgentRecord,
        at: Cell,
    ) -> bool {
        let mut is_taken = false;
        let reach = self.largest.max(extent(robber.setup.size));
        self.cops.visit_near(at, reach, |cell, index| {
            is_taken |= if reach == 0 {
                cell == at
            } else {
                let cop = pursuit.cops.get(index).and_then(|&id| facts.agent(id));
                let size = robber.setup.size;
                cop.is_some_and(|cop| size.overlaps(at, cell, cop.setup.size))
            };
            reach
        });
        let size = robber.setup.size;
        is_taken || self.covered.covered_by(facts, at, size).is_some()
    }

    /// Chooses for a robber that may move now, after the cops have moved. `key`: see [`Scene::key`]. Call
    /// [`begin_robbers`](Self::begin_robbers) before choosing for the first robber of a pursuit.
    pub(super) fn robber(&mut self, side: &mut SideToMove<'_, '_>, id: AgentId, key: u64) {
        let (facts, at) = (side.facts, side.at);
        let pursuit = &facts.members[at];
        let Some(robber) = facts.agent(id) else {
            return;
        };
        if let Some(idle) = idle_robber(facts, robber) {
            side.orders.add_idle(id, idle, facts.rest_until(pursuit));
            return;
        }
        let game = facts.game_order(pursuit, id, robber, &mut self.cells, &mut self.tools.way);
        if let Some(order) = game {
            self.add_order_of_game(side, robber, order);
            return;
        }
        if !facts.has_cops(pursuit) && !facts.graph_of(robber).has_exits() {
            self.add_idle(side, id, robber, IdleReason::NobodyThere);
            return;
        }
        // Even a cop that the robber does not see captures it before it moves.
        let is_taken = self.is_taken(facts, pursuit, robber, robber.setup.cell);
        if robber.setup.sight.is_none() {
            self.list_near_cops(facts, pursuit, robber);
        } else {
            self.list_known_cops(facts, pursuit, id, robber);
        }
        let has_exits = facts.graph_of(robber).has_exits();
        if self.cells.is_empty() && !has_exits {
            self.add_idle(side, id, robber, IdleReason::NobodySeen);
        } else if is_taken && is_in_game(facts, at, robber) {
            let answer = Answer {
                source: Source::Search,
                value: Some(Value::Exact(Outcome::Caught(Turns(0)))),
                why: None,
                planned: 0,
            };
            self.tools.way.clear();
            let arrives = facts.move_time(pursuit, robber).arrives;
            let order = order(id, answer, Activity::Stuck, arrives);
            side.orders.add(order, &[]);
        } else {
            let decider = Decider {
                id,
                agent: robber,
                sees: true,
                key,
            };
            self.ask_ladder(side, decider);
        }
    }

    /// Ends a path where a cop captures the robber on its way, even if the robber does not see the cop, and at the first
    /// exit of the robber's ground. Searches look only at the cops that the robber knows.
    fn stop_on_the_way(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        robber: &AgentRecord,
        graph: &Graph,
    ) {
        let mut way = std::mem::take(&mut self.tools.way);
        let is_end = |&at: &Vertex| {
            let cell = graph.cell(at);
            graph.is_exit(cell) || self.is_taken(facts, pursuit, robber, cell)
        };
        if let Some(end) = way.iter().position(is_end) {
            way.truncate(end + 1);
        }
        self.tools.way = way;
    }

    /// Lists the cells of all cops on the map to which a move of the robber may depend: those that may be the nearest to
    /// an end of the move, and those that may capture the robber soon.
    fn list_near_cops(&mut self, facts: &Facts, pursuit: &PursuitRecord, robber: &AgentRecord) {
        let Self {
            cops,
            cells,
            near,
            largest,
            ..
        } = self;
        cells.clear();
        near.clear();
        let here = robber.setup.cell;
        let is_of_one_cell = *largest == 0 && robber.setup.size.is_one();
        // A large agent is nearer than its own cell.
        let steps = u32::from(robber.setup.speed.steps()) + *largest + extent(robber.setup.size);
        let mut nearest = None;
        cops.visit_near(here, u32::MAX, |cell, index| {
            // A cop off the map is no threat.
            if facts.graph.is_on_map(cell) {
                let apart = cell.max_norm(here);
                nearest = Some(nearest.map_or(apart, |least: u32| least.min(apart)));
                near.push((index, cell));
            }
            // An end is at most `steps` away, and the cop that is the nearest here is at most that much farther from it.
            nearest.map_or(u32::MAX, |least| (least + 2 * steps).max(NEAR))
        });
        let most = nearest.map_or(0, |least| (least + 2 * steps).max(NEAR));
        near.retain(|&(_, cell)| cell.max_norm(here) <= most);
        near.sort_unstable();
        if is_of_one_cell {
            cells.extend(near.iter().map(|&(_, cell)| cell));
            return;
        }
        let known = near.iter().filter_map(|&(index, cell)| {
            let cop = facts.agent(*pursuit.cops.get(index)?)?;
            Some(robber.places_touching(cop, cell))
        });
        cells.extend(known.flatten());
    }

    /// Lists the cells on the map where a robber with limited sight believes cops to be.
    fn list_known_cops(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        id: AgentId,
        robber: &AgentRecord,
    ) {
        self.cells.clear();
        for (cop, sighting) in pursuit.cops_known_by(id) {
            if let Some(cop) = facts.agent(cop) {
                let cell = if sighting.sees_now {
                    facts.next_cell(cop)
                } else {
                    sighting.cell
                };
                if facts.graph.is_on_map(cell) {
                    self.cells.extend(robber.places_touching(cop, cell));
                }
            }
        }
    }

    /// Asks the ladder for a move.
    fn ask_ladder(&mut self, side: &mut SideToMove<'_, '_>, decider: Decider<'_>) {
        let facts = side.facts;
        let Decider {
            id,
            agent,
            sees,
            key,
        } = decider;
        let pursuit = &facts.members[side.at];
        let stint = facts.move_time(pursuit, agent);
        let graph = facts.graph_of(agent);
        let scene = Scene {
            facts,
            graph,
            found: side.found,
            clock: facts.clock(pursuit),
            id,
            agent,
            from: graph.vertex(agent.setup.cell),
            speed: stint.speed,
            enemies: &self.cells,
            sees,
            key,
        };
        let (is_robber, clock) = (agent.side() == Side::Robber, scene.clock);
        let mut answer = side.ladder.choose(&scene, self.erring, &mut self.tools);
        let mut activity = Activity::by_policy(&scene, &answer, &self.tools.way);
        side.purse.spend(self.tools.take_work());
        if is_robber && clock == PursuitClock::Turns && self.tools.way.len() > 1 {
            self.stop_on_the_way(facts, pursuit, agent, graph);
        }
        let robber = self.cells.first().copied();
        let robber = robber.filter(|_| sees || agent.search.is_none());
        let (way, walks) = (&mut self.tools.way, &mut self.walks);
        let on_leash = facts.keep_on_leash(agent, stint, robber, walks, way);
        side.purse.spend(self.walks.take_work().expansions);
        if on_leash != OnLeash::Whole {
            answer = Answer {
                why: Some(Reason::Leash),
                ..Answer::by(Source::Greedy)
            };
        }
        if self.make_safe(side, agent) {
            answer = Answer {
                why: Some(Reason::Hazard),
                ..Answer::by(Source::Greedy)
            };
            activity = Activity::Evading;
        }
        let arrives = facts.arrival(pursuit, agent, &self.tools.way, stint.arrives);
        let mut order = order(id, answer, activity, arrives);
        order.gives_up = on_leash == OnLeash::Nothing;
        side.orders.add(order, &self.tools.way);
        side.orders.note_enemies(&self.cells);
    }
}

fn order(id: AgentId, answer: Answer, activity: Activity, arrives: u64) -> Order {
    Order {
        id,
        by: DecidedBy::Policy(answer.source),
        activity,
        value: answer.value,
        why: answer.why.unwrap_or(Reason::None),
        planned: answer.planned,
        arrives,
        errand: None,
        gives_up: false,
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

fn what_cop_knows(
    facts: &Facts,
    at: PursuitIndex,
    cop: &AgentRecord,
    sees_all: bool,
) -> CopKnowledge {
    let pursuit = &facts.members[at];
    let target = cop.target.and_then(|id| Some((id, facts.agent(id)?)));
    let Some((id, robber)) = target else {
        return CopKnowledge::Unknown;
    };
    let known = facts.known_robber(pursuit, sees_all, id, robber);
    let is_in_wall = facts.graph_of(cop).vertex(cop.setup.cell).is_none();
    if known.is_some() || cop.search.is_some() || is_in_wall {
        CopKnowledge::Known(known)
    } else {
        CopKnowledge::Unknown
    }
}

/// The reason why a robber does nothing, independent of its control.
fn idle_robber(facts: &Facts, robber: &AgentRecord) -> Option<IdleReason> {
    if robber.caught.is_some() {
        Some(if robber.is_away() {
            IdleReason::Away
        } else {
            IdleReason::Captured
        })
    } else if !facts.graph.is_on_map(robber.setup.cell) {
        Some(IdleReason::OffTheMap)
    } else {
        is_stuck(robber).then_some(IdleReason::Immobile)
    }
}

/// Returns whether an agent cannot move although the game does not place it.
fn is_stuck(agent: &AgentRecord) -> bool {
    agent.setup.is_immobile && agent.setup.control != Control::External
}

/// Returns whether a cop that ends its move on the robber's cell captures it with that move.
fn is_in_game(facts: &Facts, at: PursuitIndex, robber: &AgentRecord) -> bool {
    let clock = facts.clock(&facts.members[at]);
    let graph = facts.graph_of(robber);
    clock == PursuitClock::Turns && graph.vertex(robber.setup.cell).is_some()
}

#[cfg(test)]
mod tests;
