//! Players of a live world, as a game has them.

use crate::game::{Agent, Side, State};
use crate::graph::{Fingerprint, Graph, Vertex};
use crate::map::Cell;
use crate::policy::{CopPolicy, Decision, Effort, Ground, RobberPolicy, Source};
use crate::search::MoveEnds;
use crate::table_cache::{TableSchedule, TableTiming, TableWork};
use crate::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, PursuitSettings, PursuitWorld,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The turns that pass before the first game on a map, so that tables and guides are there when it begins.
const WARM_UP: u64 = 64;

/// The turns for which the world is asked for a move. A robber that joins sets out when the next turn begins.
const MOST_TURNS: u64 = 4;

/// What a [`LivePursuit`] plays with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSettings {
    /// The settings of the world. Tables come into use at fixed ticks, as in [`TableTiming::Lockstep`], so that games can
    /// be repeated.
    pub world: PursuitSettings,
    /// The expansions that each tick may take.
    pub budget: u64,
    /// Whether the world moves the cops.
    pub moves_cops: bool,
    /// Whether the world moves the robber.
    pub moves_robber: bool,
}

impl Default for LiveSettings {
    /// The settings and the budget of a game that changes none of them, and nobody to move.
    fn default() -> Self {
        Self {
            world: PursuitSettings::default(),
            budget: 10_000,
            moves_cops: false,
            moves_robber: false,
        }
    }
}

/// A pursuit in a [`PursuitWorld`], which plays one side of a game, or both: with its clock of turns, its budget, and the
/// tables and guides that it has requested itself.
///
/// A position that does not follow from the last one begins another game: all agents leave, and others join.
#[derive(Debug, Clone)]
pub struct LivePursuit(Arc<Mutex<Live>>);

#[derive(Debug)]
struct Live {
    settings: LiveSettings,
    stage: Option<Stage>,
    ends: MoveEnds,
}

/// A world on a map, and the agents of the present game.
#[derive(Debug)]
struct Stage {
    map: Fingerprint,
    world: PursuitWorld,
    robber: AgentId,
    cops: Vec<AgentId>,
    /// Where the cops and the robber are after all moves that the world knows of.
    at: Position,
    work: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Position {
    robber: Agent,
    cops: Vec<Agent>,
}

impl Position {
    fn of(state: &State<'_>) -> Self {
        Self {
            robber: state.robber,
            cops: state.cops.to_vec(),
        }
    }
}

impl LivePursuit {
    /// A pursuit that no game has begun in. The world is made with the first decision.
    #[must_use]
    pub fn new(mut settings: LiveSettings) -> Self {
        let timing = &mut settings.world.tables.timing;
        *timing = TableTiming::Lockstep(TableSchedule {
            ticks_per_second: Some(64),
            ..match *timing {
                TableTiming::Scheduled(schedule) | TableTiming::Lockstep(schedule) => schedule,
                TableTiming::WhenReady => TableSchedule::default(),
            }
        });
        // The only pursuit of the world begins its turns at once.
        settings.world.stagger = false;
        Self(Arc::new(Mutex::new(Live {
            settings,
            stage: None,
            ends: MoveEnds::default(),
        })))
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    /// Lets the world play until it has moved the side of the state that is to move.
    fn play(&mut self, graph: &Graph, state: &State<'_>) -> Option<&Stage> {
        let Self {
            settings,
            stage,
            ends,
        } = self;
        let is_of = |stage: &Stage| stage.map == graph.fingerprint();
        if !stage.as_ref().is_some_and(is_of) {
            *stage = None;
        }
        let stage = match stage {
            Some(stage) => stage,
            None => stage.insert(Stage::new(graph, settings, state)),
        };
        stage.work = 0;
        if !stage.follow(graph, settings, state, ends) {
            stage.restart(settings, state);
        }
        let is_both = settings.moves_cops && settings.moves_robber;
        // Where the world moves both, the robber has moved in the same tick as the cops.
        if !is_both || state.to_move == Side::Cops {
            stage.tick_until_turn(settings);
        }
        stage.note_moves(settings, state.to_move);
        Some(stage)
    }
}

impl Stage {
    fn new(graph: &Graph, settings: &LiveSettings, state: &State<'_>) -> Self {
        let mut world = PursuitWorld::of_graph(graph.clone(), settings.world.clone());
        let (robber, cops) = join(&mut world, settings, state);
        let mut stage = Self {
            map: graph.fingerprint(),
            world,
            robber,
            cops,
            at: Position::of(state),
            work: 0,
        };
        for _ in 0..WARM_UP * u64::from(settings.world.ticks_per_turn.max(1)) {
            stage.tick(settings);
        }
        stage.restart(settings, state);
        stage
    }

    /// Begins another game.
    fn restart(&mut self, settings: &LiveSettings, state: &State<'_>) {
        for id in self.cops.drain(..).chain([self.robber]) {
            self.world.remove(id);
        }
        self.tick(settings);
        (self.robber, self.cops) = join(&mut self.world, settings, state);
        self.at = Position::of(state);
    }

    /// Lets the side that the world does not move go where it is in the state. `false` if it has not come there with one
    /// move.
    fn follow(
        &mut self,
        graph: &Graph,
        settings: &LiveSettings,
        state: &State<'_>,
        ends: &mut MoveEnds,
    ) -> bool {
        let now = Position::of(state);
        let is_same = |cops: &[Agent]| now.cops.len() == cops.len();
        if !is_same(&self.at.cops) || now.cops.contains(&now.robber) {
            return false;
        }
        let before = std::mem::replace(&mut self.at, now);
        let agents = [self.robber].into_iter().chain(self.cops.iter().copied());
        let places = [(before.robber, self.at.robber, settings.moves_robber)];
        let cops = before.cops.iter().zip(&self.at.cops);
        let cops = cops.map(|(&from, &to)| (from, to, settings.moves_cops));
        let mut way = Vec::new();
        for (id, (from, to, is_played)) in agents.zip(places.into_iter().chain(cops)) {
            if from == to {
                continue;
            }
            let found = ends.find(graph, from.at, from.speed, |_| false);
            if is_played || from.speed != to.speed || !found.contains(&to.at) {
                return false;
            }
            way.clear();
            ends.way_to(to.at, &mut way);
            let cells: Vec<Cell> = way.iter().map(|&at| graph.cell(at)).collect();
            self.world.order(id, &cells);
        }
        true
    }

    fn tick(&mut self, settings: &LiveSettings) {
        self.world.begin_tick(&[]);
        while let Some(request) = self.world.next_request() {
            let key = request.key;
            let solved = TableWork::new(request).ok().and_then(|mut work| {
                work.run(1 << 17, |_| true);
                work.finish()
            });
            match solved {
                Some((_, solution)) => self.world.deliver(&key, Ok(solution)),
                None => {
                    self.world.give_back(&key);
                    break;
                }
            }
        }
        self.world.arrive();
        self.world.decide(&mut Expansions(settings.budget));
        self.work += self.world.report().spent;
    }

    fn tick_until_turn(&mut self, settings: &LiveSettings) {
        let ticks = MOST_TURNS * u64::from(settings.world.ticks_per_turn.max(1));
        for _ in 0..ticks {
            self.tick(settings);
            let pursuit = self.world.pursuit(0);
            if pursuit.is_some_and(|pursuit| pursuit.turn_ticks().0 == self.world.tick()) {
                break;
            }
        }
    }

    /// Notes where the agents of a side go, if the world moves them.
    fn note_moves(&mut self, settings: &LiveSettings, side: Side) {
        let end = |world: &PursuitWorld, id| world.agent(id)?.way().last().copied();
        match side {
            Side::Cops if settings.moves_cops => {
                for (place, &id) in self.at.cops.iter_mut().zip(&self.cops) {
                    place.at = end(&self.world, id).unwrap_or(place.at);
                }
            }
            Side::Robber if settings.moves_robber => {
                let at = &mut self.at.robber.at;
                *at = end(&self.world, self.robber).unwrap_or(*at);
            }
            Side::Cops | Side::Robber => {}
        }
    }

    /// The move that an agent has begun.
    fn decision(&self, id: AgentId) -> Decision {
        let Some(agent) = self.world.agent(id) else {
            return Decision::wait(Source::Greedy);
        };
        let way: &[Vertex] = agent.way();
        let source = match agent.state().decided_by {
            DecidedBy::Policy(source) => source,
            DecidedBy::Game | DecidedBy::Nobody(_) => Source::Greedy,
        };
        Decision {
            path: way.to_vec(),
            steps: way.len(),
            source,
            value: agent.state().value,
        }
    }
}

/// Lets the agents of a state join a world.
fn join(
    world: &mut PursuitWorld,
    settings: &LiveSettings,
    state: &State<'_>,
) -> (AgentId, Vec<AgentId>) {
    let mut insert = |side, agent: Agent, is_played| {
        let cell = world.graph().cell(agent.at);
        let control = if is_played {
            Control::Policy
        } else {
            Control::External
        };
        world.insert(AgentSetup {
            speed: agent.speed,
            control,
            ..AgentSetup::new(side, cell)
        })
    };
    let robber = insert(Side::Robber, state.robber, settings.moves_robber);
    let cops = state.cops.iter();
    let cops = cops.map(|&cop| insert(Side::Cops, cop, settings.moves_cops));
    (robber, cops.collect())
}

impl CopPolicy for LivePursuit {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let state = State {
            to_move: Side::Cops,
            ..*state
        };
        let mut live = self.live();
        let stage = live.play(ground.graph, &state);
        stage.map_or_else(Vec::new, |stage| {
            stage.cops.iter().map(|&id| stage.decision(id)).collect()
        })
    }
}

impl RobberPolicy for LivePursuit {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) {
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        let mut live = self.live();
        if let Some(stage) = live.play(ground.graph, &state) {
            *decision = stage.decision(stage.robber);
        }
    }

    fn effort(&self) -> Effort {
        let live = self.live();
        let work = live.stage.as_ref().map_or(0, |stage| stage.work);
        Effort {
            planned: true,
            expansions: work,
            touched: 0,
        }
    }

    fn restart(&mut self, _seed: u64) {
        // The next position is not one after a move.
        if let Some(stage) = &mut self.live().stage {
            stage.at.cops.clear();
        }
    }
}
