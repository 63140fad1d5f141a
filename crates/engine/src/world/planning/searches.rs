//! All searches behind one interface. Each begins in a situation in its own way; the rest is common.

use crate::game::Side;
use crate::map::Walker;
use crate::search::{
    ApartAgents, ApartFlight, ApartMaps, ApartTeam, DaTrailMax, KnownRoutes, Maps, Refiner,
    SearchStep, SlicedSearch, Surround, TeamParameters, TeamSearch, TimedTrailMax, TrailMax,
};
use crate::world::facts::Facts;
use crate::world::situation::Situation;
use serde::{Deserialize, Serialize};

/// The threshold of `DATrailMax` in plies (C. Moldenhauer, *Game tree search algorithms for the game of
/// cops and robber*, section 5.4).
const THRESHOLD: u16 = 10;
/// The threshold of the search in ticks, in steps of the robber.
const TIMED_THRESHOLD: u16 = 5;
/// The number of turns that `DATrailMax` looks ahead, and within which a robber in a crowd regards cops.
pub(in crate::world) const LOOK_AHEAD: u32 = 32;

/// The kinds of searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SearchKind {
    /// For all cops of a robber.
    Team,
    /// For all cops of a robber on clocks with turns, where the budget allows: with joint moves near the robber.
    Joint,
    /// For a robber, on the map.
    Whole,
    /// For a robber, on abstract levels.
    Abstract,
    /// For a robber on the free running clock.
    Timed,
    /// For an agent that walks to a cell.
    Walk,
    /// For all cops of a robber, if they and the robber walk on different grounds.
    ApartTeam,
    /// For a robber that walks on another ground than its cops.
    ApartFlight,
}

/// The parameters of a search, in addition to the situation.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchParameters {
    /// Whether a team compares joint moves.
    pub(super) joint: bool,
    /// Whether cops cut the robber off, or all chase.
    pub(super) cut_off: bool,
    /// The minimum number of steps of a path.
    pub(super) steps: usize,
    /// The seed of random choices.
    pub(super) seed: u64,
    /// The pressure of a team; see [`Pressure`](crate::search::Pressure).
    pub(super) pressure: u32,
    /// The turns that a flight on several grounds is searched ahead; 0 for no limit.
    pub(super) turns: u32,
}

/// Where a search begins.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    /// The ground of all agents of the situation; the map's own if they walk on different ones.
    pub(super) maps: Maps<'a>,
    /// All grounds.
    pub(super) grounds: ApartMaps<'a>,
    pub(super) situation: &'a Situation,
    pub(super) parameters: SearchParameters,
}

/// A search that begins in a situation.
pub(super) trait SituationSearch: SlicedSearch {
    /// Begins to search. Does nothing if the situation is for another kind of search.
    fn start(&mut self, at: Start<'_>);

    /// Continues for at most `budget` expansions: on the maps of one ground, or on all grounds.
    fn go_on(&mut self, maps: Maps<'_>, _: ApartMaps<'_>, budget: u32) -> SearchStep {
        self.advance(maps.graph, maps.hierarchy, budget)
    }

    /// Returns whether the grounds are still as they were when the search began, for a search on several.
    fn is_on_same_grounds(&self, _: ApartMaps<'_>) -> bool {
        true
    }
}

impl SituationSearch for Surround {
    fn start(&mut self, at: Start<'_>) {
        if let Some(state) = at.situation.state(Side::Cops) {
            let parameters = TeamParameters {
                joint: at.parameters.joint,
                cut_off: at.parameters.cut_off,
                steps: at.parameters.steps,
                pressure: at.parameters.pressure,
            };
            self.begin(at.maps, &state, parameters);
        }
    }
}

impl SituationSearch for TrailMax {
    fn start(&mut self, at: Start<'_>) {
        if let Some(state) = at.situation.state(Side::Robber) {
            self.begin(at.maps.graph, &state);
        }
    }
}

impl SituationSearch for DaTrailMax {
    fn start(&mut self, at: Start<'_>) {
        if let Some(state) = at.situation.state(Side::Robber) {
            self.limit_steps(at.parameters.steps);
            self.restart(at.parameters.seed);
            self.begin(at.maps.graph, at.maps.hierarchy, &state);
        }
    }
}

impl SituationSearch for TimedTrailMax {
    fn start(&mut self, at: Start<'_>) {
        if let Some(state) = at.situation.timed() {
            self.limit_steps(at.parameters.steps);
            self.restart(at.parameters.seed);
            self.begin(at.maps.graph, at.maps.hierarchy, &state);
        }
    }
}

impl SituationSearch for Refiner {
    fn start(&mut self, at: Start<'_>) {
        if let Some((from, to)) = at.situation.walk {
            self.begin_find(at.maps.graph, at.maps.hierarchy, from, to);
        }
    }
}

impl SituationSearch for ApartTeam {
    fn start(&mut self, at: Start<'_>) {
        if let Some(state) = at.situation.state(Side::Cops) {
            let Situation {
                ground,
                grounds,
                reach,
                ..
            } = at.situation;
            let parameters = TeamParameters {
                cut_off: at.parameters.cut_off,
                steps: at.parameters.steps,
                ..TeamParameters::default()
            };
            let agents = ApartAgents {
                state: &state,
                robber: *ground,
                cops: grounds,
                reach: *reach,
            };
            self.begin(at.grounds, agents, parameters);
        }
    }

    fn go_on(&mut self, _: Maps<'_>, grounds: ApartMaps<'_>, budget: u32) -> SearchStep {
        self.advance_on(grounds, budget)
    }

    fn is_on_same_grounds(&self, grounds: ApartMaps<'_>) -> bool {
        self.is_current(grounds)
    }
}

impl SituationSearch for ApartFlight {
    fn start(&mut self, at: Start<'_>) {
        if let Some(state) = at.situation.state(Side::Robber) {
            let Situation {
                ground,
                grounds,
                reach,
                ..
            } = at.situation;
            let agents = ApartAgents {
                state: &state,
                robber: *ground,
                cops: grounds,
                reach: *reach,
            };
            self.begin(at.grounds, agents, at.parameters.turns);
        }
    }

    fn go_on(&mut self, _: Maps<'_>, grounds: ApartMaps<'_>, budget: u32) -> SearchStep {
        self.advance_on(grounds, budget)
    }

    fn is_on_same_grounds(&self, grounds: ApartMaps<'_>) -> bool {
        self.is_current(grounds)
    }
}

/// A search of each kind. Their memory is kept from plan to plan.
#[derive(Debug)]
pub(super) struct Searches {
    cops: Surround,
    whole: TrailMax,
    by_level: DaTrailMax,
    timed: TimedTrailMax,
    walker: Refiner,
    apart_team: ApartTeam,
    apart_flight: ApartFlight,
}

/// What the searches for cops know from earlier plans, and on which ground: the routes for [`SearchKind::Team`] and for [`SearchKind::Joint`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedRoutes([Option<(Walker, KnownRoutes)>; 2]);

impl Searches {
    pub(super) fn new() -> Self {
        let mut by_level = DaTrailMax::new(THRESHOLD, 0);
        by_level.keep_footprint();
        by_level.limit_turns(LOOK_AHEAD);
        let mut timed = TimedTrailMax::new(TIMED_THRESHOLD, 0);
        timed.keep_footprint();
        timed.limit_look_ahead(LOOK_AHEAD);
        Self {
            cops: Surround::default(),
            whole: TrailMax::new(),
            by_level,
            timed,
            walker: Refiner::new(),
            apart_team: ApartTeam::default(),
            apart_flight: ApartFlight::default(),
        }
    }

    /// The comparison of joint moves of [`SearchKind::Joint`].
    pub(super) const fn joint(&mut self) -> &mut TeamSearch {
        self.cops.joint_mut()
    }

    /// Notes that a plan begins, with the routes that the searches know now.
    pub(super) fn mark_routes(&mut self) {
        self.cops.team_mut().mark_routes();
        self.cops.joint_mut().interception_mut().mark_routes();
    }

    /// The routes that the searches know, for a saved game that repeats the search under way.
    pub(super) fn save_routes(&self, facts: &Facts, under_way: Option<SearchKind>) -> SavedRoutes {
        let interceptions = [self.cops.team(), self.cops.joint().interception()];
        // A plan with joint moves may use both.
        let is_under_way = matches!(under_way, Some(SearchKind::Team | SearchKind::Joint));
        let own = [Walker::PLAIN];
        let others = facts.grounds.list().iter();
        let grounds = || {
            own.into_iter()
                .chain(others.clone().map(|ground| ground.graph.walker()))
        };
        SavedRoutes(interceptions.map(|search| {
            grounds().find_map(|ground| {
                let known = search.known_routes(facts.maps_on(ground), is_under_way)?;
                Some((ground, known))
            })
        }))
    }

    /// Restores the routes that the searches knew.
    pub(super) fn restore_routes(&mut self, facts: &Facts, saved: &SavedRoutes) {
        for (index, known) in saved.0.iter().enumerate() {
            if let Some((ground, known)) = known {
                let interception = match index {
                    0 => self.cops.team_mut(),
                    _ => self.cops.joint_mut().interception_mut(),
                };
                interception.know_routes(facts.maps_on(*ground), known);
            }
        }
    }

    pub(super) fn of(&mut self, engine: SearchKind) -> &mut dyn SituationSearch {
        match engine {
            SearchKind::Team | SearchKind::Joint => &mut self.cops,
            SearchKind::Whole => &mut self.whole,
            SearchKind::Abstract => &mut self.by_level,
            SearchKind::Timed => &mut self.timed,
            SearchKind::Walk => &mut self.walker,
            SearchKind::ApartTeam => &mut self.apart_team,
            SearchKind::ApartFlight => &mut self.apart_flight,
        }
    }
}
