//! `TrailMax` for a robber and cops that walk on different grounds.

use super::origin::SearchOrigin;
use super::race::Touch;
use super::{FOUND, Footprint, Maps, Race, STALE, SearchStep, SlicedSearch};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, Outcome, State, Work};
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Walker};

/// The grounds of a world, by the agents that walk on them. All have the same vertices.
pub(crate) type ApartMaps<'a> = &'a dyn Fn(Walker) -> Maps<'a>;

/// The agents of a search, and the grounds that they walk on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ApartAgents<'a> {
    pub(crate) state: &'a State<'a>,
    /// The ground of the robber, and those of the cops.
    pub(crate) robber: Walker,
    pub(crate) cops: &'a [Walker],
    /// The steps from which the cops capture.
    pub(crate) reach: u8,
}

/// The grounds that the agents of a search walk on, each with a number, and the state in which the search began on them.
#[derive(Debug, Clone, Default)]
pub(super) struct NumberedGrounds {
    walkers: Vec<Walker>,
    origins: Vec<SearchOrigin>,
}

impl NumberedGrounds {
    pub(super) fn clear(&mut self) {
        self.walkers.clear();
        self.origins.clear();
    }

    /// The number of a ground.
    pub(super) fn number(&mut self, maps: ApartMaps<'_>, ground: Walker) -> u8 {
        let known = self.walkers.iter().position(|&walker| walker == ground);
        let number = known.unwrap_or_else(|| {
            self.walkers.push(ground);
            self.origins.push(origin(maps(ground)));
            self.walkers.len() - 1
        });
        // Agents on more grounds than that count as agents of the last one.
        number.min(u8::MAX.into()) as u8
    }

    /// The number of a ground that has one.
    pub(super) fn known_number(&self, ground: Walker) -> u8 {
        let known = self.walkers.iter().position(|&walker| walker == ground);
        known.unwrap_or(0).min(u8::MAX.into()) as u8
    }

    /// The maps of a number.
    pub(super) fn maps<'a>(&self, maps: ApartMaps<'a>, number: u8) -> Maps<'a> {
        maps(self.walker(number))
    }

    /// Who walks on the ground of a number.
    fn walker(&self, number: u8) -> Walker {
        let walker = self.walkers.get(usize::from(number));
        walker.copied().unwrap_or_default()
    }

    /// Where cops on these grounds capture a robber of a ground.
    fn overlap<'a>(&'a self, robber: &'a Graph) -> Overlap<'a> {
        let mut walkers = self.walkers.iter();
        Overlap {
            grounds: self,
            robber,
            is_plain: walkers.all(|walker| walker.size.is_one()),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.walkers.len()
    }

    /// Returns whether the grounds are still as they were when the search began.
    pub(super) fn are_as_before(&self, maps: ApartMaps<'_>) -> bool {
        let mut all = self.walkers.iter().zip(&self.origins);
        all.all(|(&walker, began)| *began == origin(maps(walker)))
    }
}

/// Cops and a robber of any sizes: a cop captures the robber if they overlap.
#[derive(Clone, Copy)]
struct Overlap<'a> {
    grounds: &'a NumberedGrounds,
    robber: &'a Graph,
    /// Whether all are of one cell.
    is_plain: bool,
}

impl Touch for Overlap<'_> {
    #[inline]
    fn touched_from(&self, ground: u8, cop: Vertex, mut visit: impl FnMut(Vertex)) {
        if self.is_plain {
            visit(cop);
            return;
        }
        let size = self.grounds.walker(ground).size;
        let touched = self.robber.vertices_touching(self.robber.cell(cop), size);
        touched.for_each(visit);
    }
}

fn origin(maps: Maps<'_>) -> SearchOrigin {
    SearchOrigin::of(maps.graph, maps.hierarchy)
}

/// `TrailMax` for agents that walk on different grounds: a [`Race`] in which each wave spreads over the ground of its
/// agents. If the robber reaches an exit of its ground before the cops do, it runs there. Otherwise it runs to the vertex of its ground that the cops reach last on theirs. If there are vertices that no
/// cop ever reaches, the robber runs to the nearest of them, and stays if it is at one.
///
/// Cost: at most two expansions per vertex (cops of different speeds or grounds: one more for each).
#[derive(Debug, Clone, Default)]
pub(crate) struct ApartFlight {
    race: Race,
    grounds: NumberedGrounds,
    robber: u8,
    /// Whether no cop can reach the robber where it is, so that there is nothing to search.
    is_safe: bool,
    is_done: bool,
    /// The cells of the cops, for the goal of a search that was cut.
    team: Vec<Cell>,
    path: Vec<Vertex>,
    outcome: Option<Outcome>,
}

impl ApartFlight {
    /// Starts to search for a robber that is to move. `turns`: as in
    /// [`TrailMax::limit_turns`](super::TrailMax::limit_turns).
    pub(crate) fn begin(&mut self, maps: ApartMaps<'_>, agents: ApartAgents<'_>, turns: u32) {
        let ApartAgents {
            state,
            robber: ground,
            cops: grounds,
            reach,
        } = agents;
        self.grounds.clear();
        self.robber = self.grounds.number(maps, ground);
        for &ground in grounds {
            self.grounds.number(maps, ground);
        }
        self.path.clear();
        self.outcome = None;
        let (at, size) = (state.robber.at, ground.size);
        let is_apart = |(cop, &ground): (&Agent, &Walker)| {
            let Maps { graph, hierarchy } = maps(ground);
            let touches = |all: &Hierarchy| {
                let mut ends = graph.vertices_touching(graph.cell(at), size);
                ends.any(|end| all.connected(cop.at, end))
            };
            hierarchy.is_some_and(|all| !touches(all))
        };
        let graph = maps(ground).graph;
        let cops = state.cops.iter().zip(grounds);
        // A cop may reach out to where it cannot go only on its own ground.
        self.is_safe = !graph.has_exits() && !state.cops.is_empty() && { cops }.all(is_apart);
        self.is_done = self.is_safe;
        if self.is_safe {
            self.outcome = Some(Outcome::Escapes);
            return;
        }
        self.team.clear();
        self.team
            .extend(state.cops.iter().map(|cop| graph.cell(cop.at)));
        self.race.limit_turns(turns);
        let number = |cop: usize| {
            grounds
                .get(cop)
                .map_or(0, |&walker| self.grounds.known_number(walker))
        };
        self.race.begin_apart(graph.slots(), state, number);
        let grounds = &self.grounds;
        let touch = grounds.overlap(graph);
        if reach > 0 || !touch.is_plain {
            self.race
                .extend_reach(|number| grounds.maps(maps, number).graph, reach, &touch);
        }
        if graph.has_exits() {
            self.race.add_exits(graph.exit_vertices());
        }
    }

    /// Returns whether the grounds are still as they were when the search began.
    pub(crate) fn is_current(&self, maps: ApartMaps<'_>) -> bool {
        self.grounds.are_as_before(maps)
    }

    /// Continues for at most `budget` expansions.
    pub(crate) fn advance_on(&mut self, maps: ApartMaps<'_>, budget: u32) -> SearchStep {
        if self.is_done {
            return FOUND;
        }
        if !self.grounds.are_as_before(maps) {
            return STALE;
        }
        let Self { race, grounds, .. } = self;
        let graph = grounds.maps(maps, self.robber).graph;
        let of_cops = |number| grounds.maps(maps, number).graph;
        let step = race.advance_apart(graph, of_cops, &grounds.overlap(graph), budget);
        if step != FOUND {
            return step;
        }
        if race.is_cut() {
            let team = &self.team;
            race.aim(|vertex| {
                let cell = graph.cell(vertex);
                let cops = team.iter().map(|cop| cop.squared_distance(cell));
                cops.min().unwrap_or(u64::MAX)
            });
        }
        if let Some(plan) = race.plan() {
            self.path.extend_from_slice(&plan.path);
            self.outcome = Some(plan.outcome);
        }
        self.is_done = true;
        FOUND
    }
}

impl SlicedSearch for ApartFlight {
    /// Searches with all agents on this graph.
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep {
        self.advance_on(&|_| Maps::new(graph, hierarchy), budget)
    }

    fn path_of(&self, _: usize) -> &[Vertex] {
        if self.is_done { &self.path } else { &[] }
    }

    fn best_so_far(&self, _: &Graph, path: &mut Vec<Vertex>) {
        if self.is_done {
            path.extend_from_slice(&self.path);
        } else {
            self.race.path(path);
        }
    }

    fn is_complete(&self, _: usize) -> bool {
        true
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.filter(|_| self.is_done)
    }

    /// The footprint follows from the waves.
    fn keep_footprint(&mut self) {}

    fn add_footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        if self.is_safe {
            // Whether a cop can come depends on the whole map.
            let [right, bottom] =
                [graph.width(), graph.height()].map(|side| side.saturating_sub(1));
            footprint.insert_rectangle(Cell::new(0, 0), Cell::new(right, bottom));
            return;
        }
        self.race
            .for_each_reached(|vertex| footprint.insert(graph.cell(vertex)));
    }

    fn work(&self) -> Work {
        if self.is_safe {
            Work::NONE
        } else {
            self.race.work()
        }
    }
}

#[cfg(test)]
mod tests;
