//! The search for robbers that the cops have lost: where these robbers may be, and where each cop looks.

use super::agent::{AgentRecord, SearchWalk};
use super::agent_id::AgentId;
use super::facts::Facts;
use super::hash::mix;
use super::pace::Pace;
use super::pursuit::{PursuitIndex, PursuitRecord, Tracked};
use super::settings::PursuitClock;
use super::sightings::{Sighting, Sightings, search_goal};
use crate::belief::{Belief, PossibleCells};
use crate::graph::Graph;
use crate::map::Cell;
use crate::search::Dice;

/// At most this many cops of a pursuit search. This bounds the cost of crowds.
const MOST_SEARCHERS: usize = 16;

/// The number of places among which a cop chooses the next goal of its search.
const SEARCH_DRAWS: u64 = 8;

/// The number of random cells of which a cop without particles takes the first one that it can reach.
const GOAL_DRAWS: u64 = 32;

/// A cop gives up the goal of a search walk that it has not reached after this number of turns.
const SEARCH_TURNS: u64 = 256;

/// The greatest number of robbers out of sight for which a pursuit keeps particles.
const MOST_TRACKED: usize = 16;

/// The greatest number of steps that particles take at once. More are left out.
const MOST_STEPS: u64 = 8;

/// On a map with more vertices, nothing is noted of what is ruled out for a robber that may be anywhere.
const MOST_PLACES: usize = 1 << 16;

impl Facts {
    /// Updates where the cops of a pursuit believe robbers out of sight to be, after `known` has been updated.
    ///
    /// Cost for each of at most [`MOST_TRACKED`] robbers: the edge of the places where it can be, and lines of sight to the
    /// part of it that is near cops. Returns this work, in expansions.
    pub(super) fn track_robbers(
        &self,
        at: PursuitIndex,
        known: &Sightings,
        beliefs: &mut Vec<(AgentId, Tracked)>,
    ) -> u64 {
        let mut work = 0;
        let pursuit = &self.members[at];
        let hidden = |id: AgentId| {
            let last = known.get(id.key());
            let is_seen = last.is_some_and(|last| last.sees_now);
            let robber = self.agent(id).filter(|robber| robber.caught.is_none());
            // Nobody looks for a robber off the map that nobody has seen.
            let may_be_there =
                |robber: &&AgentRecord| last.is_some() || self.graph.is_on_map(robber.setup.cell);
            robber.filter(|_| !is_seen).filter(may_be_there)
        };
        beliefs.retain(|&(id, _)| hidden(id).is_some());
        for &id in &pursuit.robbers {
            let Some(robber) = hidden(id) else {
                continue;
            };
            let last = known.get(id.key());
            let index = match beliefs.binary_search_by_key(&id, |&(who, _)| who) {
                Ok(index) => index,
                Err(_) if beliefs.len() >= MOST_TRACKED => continue,
                Err(index) => {
                    let graph = self.graph_of(robber);
                    let tracked = self.begin_tracking(graph, self.pace(pursuit, robber), last);
                    beliefs.insert(index, (id, tracked));
                    index
                }
            };
            work += self.track(pursuit, id, robber, last, &mut beliefs[index].1);
        }
        work
    }

    /// What the cops believe about a robber that they have just lost, or have never seen.
    fn begin_tracking(&self, graph: &Graph, pace: Pace, last: Option<Sighting>) -> Tracked {
        let Some(last) = last else {
            return Tracked {
                belief: Belief::default(),
                places: self.all_places(graph),
                tick: self.tick,
            };
        };
        let mut places = PossibleCells::nowhere(graph);
        places.insert(graph, last.cell);
        Tracked {
            belief: Belief::at(last.cell),
            places: Some(places),
            tick: pace.start(last.tick),
        }
    }

    /// All cells of the map; `None` on a large map, where nobody remembers what is ruled out of all these.
    fn all_places(&self, graph: &Graph) -> Option<PossibleCells> {
        self.is_small().then(|| PossibleCells::anywhere(graph))
    }

    fn is_small(&self) -> bool {
        self.graph.vertices() <= MOST_PLACES
    }

    /// Moves the particles as the robber may have moved since, and rules out those that the cops know to be wrong. Returns
    /// the work, in expansions.
    fn track(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        robber: &AgentRecord,
        last: Option<Sighting>,
        tracked: &mut Tracked,
    ) -> u64 {
        let seed = mix(mix(self.settings.seed, id.key()), self.tick);
        let graph = self.graph_of(robber);
        let pace = self.pace(pursuit, robber);
        let steps = pace.steps_in(self.tick.saturating_sub(tracked.tick));
        tracked.tick += pace.ticks_of(steps);
        for number in 0..steps.min(MOST_STEPS) {
            tracked.belief.step(graph, mix(seed, number));
        }
        // Only on this clock have the cops moved when the robber chooses its way.
        let is_blocked = self.clock(pursuit) == PursuitClock::Turns;
        self.update_places(graph, steps, is_blocked, tracked);
        let work = tracked
            .places
            .as_mut()
            .map_or(0, PossibleCells::take_expansions);
        let places = tracked.places.as_ref();
        let is_wrong = |cell: Cell| match places {
            Some(places) => !places.contains(cell),
            None => !graph.is_passable(cell) || self.sight.is_seen(&self.graph, cell),
        };
        let dice = &mut Dice::new(mix(seed, MOST_STEPS + 1));
        let mut drawn = mix(seed, MOST_STEPS + 1);
        let mut picks = 0;
        let draw = || {
            let cell = if let Some(places) = places {
                picks += 1;
                places.pick(dice)?
            } else {
                drawn = mix(drawn, 0);
                self.draw_near(graph, pace, last, drawn)?
            };
            (!is_wrong(cell) && self.is_within_reach(pursuit, cell)).then_some(cell)
        };
        (tracked.belief).rule_out(is_wrong, draw, mix(seed, MOST_STEPS));
        work + picks * places.map_or(0, PossibleCells::cost_of_pick)
    }

    /// Extends the places where a robber can be by some steps, not past cops if they block its way, and rules out what the
    /// cops see. If nothing is left, the robber has not walked: the game has placed it, and it may be anywhere.
    fn update_places(&self, graph: &Graph, steps: u64, is_blocked: bool, tracked: &mut Tracked) {
        let Tracked { belief, places, .. } = tracked;
        let look = |places: &mut PossibleCells| {
            let from = self.sight.cops().chain(belief.cells());
            let is_seen = |cell: Cell| self.sight.is_seen(&self.graph, cell);
            places.rule_out(graph, from, is_seen);
        };
        let Some(now) = places.as_mut().filter(|places| places.fits(graph)) else {
            *places = self.all_places(graph).filter(|_| places.is_some());
            return;
        };
        let is_taken = |cell: Cell| is_blocked && self.sight.has_cop_within(cell, 0);
        for _ in 0..steps {
            if !now.step(graph, is_taken) {
                break;
            }
        }
        look(now);
        if now.is_empty() {
            if self.is_small() {
                now.fill(graph);
                look(now);
            } else {
                *places = None;
            }
        }
    }

    /// How fast an agent walks, on the clock of its pursuit.
    pub(super) fn pace(&self, pursuit: &PursuitRecord, agent: &AgentRecord) -> Pace {
        let (steps, ticks) = if self.clock(pursuit).is_in_turns() {
            (agent.setup.speed.steps().into(), self.turn_length())
        } else {
            (1, self.ticks_per_step(agent).into())
        };
        Pace { steps, ticks }
    }

    /// A random cell that a robber can have reached since the last sighting; one of the whole map if there is none.
    fn draw_near(
        &self,
        graph: &Graph,
        pace: Pace,
        last: Option<Sighting>,
        seed: u64,
    ) -> Option<Cell> {
        let (around, steps) = match last {
            Some(last) => {
                let ticks = self.tick.saturating_sub(last.tick);
                (last.cell, pace.steps_in(ticks))
            }
            None => (Cell::new(graph.width() / 2, graph.height() / 2), u64::MAX),
        };
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let goal = search_goal(graph, around, steps, seed)?;
        Some(graph.cell(goal))
    }

    /// Sends cops that may move now and have lost their robber on a search walk. Ends the walk when a cop sees the
    /// robber again.
    pub(super) fn update_search_walks(&mut self, at: PursuitIndex) {
        let pursuit = &self.members[at];
        if !self.cops_have_limited_sight(pursuit) {
            return;
        }
        for index in 0..pursuit.cops.len() {
            let id = self.members[at].cops[index];
            let Some(cop) = self.agent(id).filter(|cop| self.tick >= cop.arrives()) else {
                continue;
            };
            let pursuit = &self.members[at];
            if cop.pursuit_number() != pursuit.number {
                continue;
            }
            let next = if cop.is_free_to_choose() {
                self.next_search(pursuit, id, cop)
            } else {
                None
            };
            if next == cop.search {
                continue;
            }
            if let Some(cop) = self.members.get_mut(id) {
                cop.search = next;
                // A cop that hears where the robber is walks on until it has a plan, which may take more than this turn.
                if next.is_some() || cop.plan.falls_short {
                    cop.plan.drop();
                }
            }
        }
    }

    /// The search walk that a cop starts or continues with its next move, if it needs one.
    fn next_search(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        cop: &AgentRecord,
    ) -> Option<SearchWalk> {
        let target = cop.target?;
        let graph = self.graph_of(cop);
        let from = graph.vertex(cop.setup.cell)?;
        // A sighting that no cop has checked is followed first.
        let last = pursuit.cops_know.get(target.key());
        if last.is_some_and(|last| last.sees_now || !last.checked) {
            return None;
        }
        let continued = cop.search.filter(|search| {
            let waited = self.tick.saturating_sub(search.since);
            let is_empty = !search.is_in_view && self.sight.is_seen(&self.graph, search.goal);
            // A goal that is a wall by now, is seen to be empty, is unreachable, or has not been reached for this long, is
            // given up.
            graph.is_passable(search.goal)
                && search.goal != graph.cell(from)
                && !is_empty
                && !(cop.plan.is_made() && cop.plan.falls_short)
                && waited <= SEARCH_TURNS * self.turn_length()
        });
        continued.or_else(|| {
            let goal = self.choose_goal(pursuit, id, cop, target)?;
            Some(SearchWalk {
                goal,
                since: self.tick,
                is_in_view: self.sight.is_seen(&self.graph, goal),
            })
        })
    }

    /// The next goal of a cop that has no sighting of its robber, or has found the place of the last sighting empty: one
    /// of the particles, near to the cop, and far from the goals of others that search. If there are no particles, because
    /// all that is near is in sight, it is a random cell there. `None` if there is no such cell.
    fn choose_goal(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        cop: &AgentRecord,
        target: AgentId,
    ) -> Option<Cell> {
        let seed = mix(mix(self.settings.seed, id.key()), self.tick);
        let (beliefs, dice) = (&pursuit.beliefs, &mut Dice::new(seed));
        let belief = beliefs.binary_search_by_key(&target, |&(robber, _)| robber);
        let belief = belief.map(|index| &beliefs[index].1.belief);
        let drawn = belief.ok().and_then(|belief| {
            let goals = (0..SEARCH_DRAWS).filter_map(|_| belief.pick(dice));
            goals.min_by_key(|&goal| {
                let near = i64::from(goal.max_norm(cop.setup.cell));
                let apart = self.distance_of_goals(pursuit, id, goal);
                near - i64::from(apart.unwrap_or_default())
            })
        });
        drawn.or_else(|| {
            let pace = self.pace(pursuit, self.agent(target)?);
            let last = pursuit.cops_know.get(target.key());
            let mut goals = (0..GOAL_DRAWS).filter_map(|draw| {
                let goal = self.draw_near(self.graph_of(cop), pace, last, mix(seed, draw))?;
                self.is_way(cop, goal).then_some(goal)
            });
            goals.next()
        })
    }

    /// The first cops of a pursuit that may search: those that the world moves.
    fn searchers<'a>(
        &'a self,
        pursuit: &'a PursuitRecord,
    ) -> impl Iterator<Item = (AgentId, &'a AgentRecord)> {
        let cops = self.agents(&pursuit.cops);
        let plays =
            |cop: &AgentRecord| cop.is_free_to_choose() && cop.pursuit_number() == pursuit.number;
        cops.filter(move |(_, cop)| plays(cop)).take(MOST_SEARCHERS)
    }

    /// Returns whether one of the first cops of the pursuit can reach a cell.
    fn is_within_reach(&self, pursuit: &PursuitRecord, cell: Cell) -> bool {
        let mut cops = self.searchers(pursuit);
        cops.any(|(_, cop)| self.is_way(cop, cell))
    }

    /// Returns whether a path leads from a cop to a cell, as far as is known while the abstraction is repaired.
    fn is_way(&self, cop: &AgentRecord, cell: Cell) -> bool {
        let ground = self.ground_of(cop);
        let graph = self.graph_on(ground);
        let (Some(hierarchy), Some(to)) = (self.hierarchy_on(ground), graph.vertex(cell)) else {
            // A passable cell that does not admit the cop is none of its goals.
            return graph.is_passable(cell) || !graph.is_floor(cell);
        };
        let from = graph.vertex(cop.setup.cell);
        from.is_none_or(|from| hierarchy.connected(from, to))
    }

    /// The distance of a cell to the nearest goal of another cop that searches; `None` if no other cop does.
    fn distance_of_goals(&self, pursuit: &PursuitRecord, id: AgentId, cell: Cell) -> Option<u32> {
        let cops = self.searchers(pursuit);
        let others = cops.filter(|&(other, _)| other != id);
        let goals = others.filter_map(|(_, cop)| Some(cop.search?.goal));
        goals.map(|goal| goal.max_norm(cell)).min()
    }
}
