//! A world in which the positions of an experiment are set up.

use pursuit_engine::endgame::Endgames;
use pursuit_engine::game::{Agent, Side, State};
use pursuit_engine::graph::{Fingerprint, Graph, Vertex};
use pursuit_engine::map::Cell;
use pursuit_engine::policy::{Decision, Source};
use pursuit_engine::search::MoveEnds;
use pursuit_engine::table_cache::TableWork;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, PursuitClock, PursuitRecord,
    PursuitSettings, PursuitSetup, PursuitWorld,
};

/// The turns for which the world is asked for a move. A robber that joins sets out when the next turn begins.
const MOST_TURNS: u64 = 4;

/// How a world plays.
#[derive(Debug, Clone)]
pub(super) struct Play {
    pub(super) world: PursuitSettings,
    pub(super) pace: Pace,
    /// The turns that pass before the first game on a map.
    pub(super) warm_up: u64,
    /// Whether the world moves the cops.
    pub(super) moves_cops: bool,
    /// Whether the world moves the robber.
    pub(super) moves_robber: bool,
}

impl Play {
    fn turn_length(&self) -> u64 {
        u64::from(self.world.ticks_per_turn.max(1))
    }
}

/// How much work a decision may take.
#[derive(Debug, Clone, Copy)]
pub(super) enum Pace {
    /// This number of expansions in each tick.
    Budget(u64),
    /// As much as it needs. `proves`: local endgames are solved before the decision.
    AtOnce { proves: bool },
}

/// A world on a map, and the agents of the present game.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) map: Fingerprint,
    pub(super) world: PursuitWorld,
    pub(super) robber: AgentId,
    pub(super) cops: Vec<AgentId>,
    /// Where the cops and the robber are after all moves that the world knows of.
    at: Position,
    ends: MoveEnds,
    /// The local endgames that were known when the last turn began.
    pub(super) known: Option<Endgames>,
    /// The expansions of the last decision.
    pub(super) work: u64,
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

impl Stage {
    /// Makes the world of a map.
    pub(super) fn new(graph: &Graph, play: &Play, state: &State<'_>) -> Self {
        let mut world = PursuitWorld::of_graph(graph.clone(), play.world.clone());
        // The turns of the pursuit go on while nobody plays.
        let setup = PursuitSetup {
            clock: Some(PursuitClock::Turns),
            ..PursuitSetup::default()
        };
        world.set_up_pursuit(0, setup);
        let (robber, cops) = join(&mut world, play, state);
        let mut stage = Self {
            ends: MoveEnds::default(),
            known: None,
            map: graph.fingerprint(),
            world,
            robber,
            cops,
            at: Position::of(state),
            work: 0,
        };
        if play.warm_up > 0 {
            for _ in 0..play.warm_up * play.turn_length() {
                stage.tick(play);
            }
            stage.restart(play, state);
        }
        stage
    }

    /// Lets the world play until it has moved the side of a state that is to move. Begins another game if the state does
    /// not follow from the last one.
    pub(super) fn play_to(&mut self, graph: &Graph, play: &Play, state: &State<'_>) {
        self.work = 0;
        if !self.follow(graph, play, state) {
            self.restart(play, state);
        }
        // Where the world moves both, the robber has moved in the same tick as the cops.
        let is_both = play.moves_cops && play.moves_robber;
        if !is_both || state.to_move == Side::Cops {
            self.tick_until_turn(play);
        }
        self.note_moves(play, state.to_move);
    }

    /// The next position begins another game.
    pub(super) fn forget(&mut self) {
        self.at.cops.clear();
    }

    /// Begins another game. The agents join when a turn begins and set out with the next one, so that a world with a budget
    /// has a turn to prepare.
    fn restart(&mut self, play: &Play, state: &State<'_>) {
        for id in self.cops.drain(..).chain([self.robber]) {
            self.world.remove(id);
        }
        if play.warm_up > 0 {
            self.tick_until_turn(play);
        } else {
            self.tick(play);
        }
        (self.robber, self.cops) = join(&mut self.world, play, state);
        self.at = Position::of(state);
    }

    /// Moves the side that the world does not move to its places in the state. Returns `false` if one move does not
    /// lead there.
    fn follow(&mut self, graph: &Graph, play: &Play, state: &State<'_>) -> bool {
        let now = Position::of(state);
        let is_same = |cops: &[Agent]| now.cops.len() == cops.len();
        if !is_same(&self.at.cops) || now.cops.contains(&now.robber) {
            return false;
        }
        let before = std::mem::replace(&mut self.at, now);
        let agents = [self.robber].into_iter().chain(self.cops.iter().copied());
        let places = [(before.robber, self.at.robber, play.moves_robber)];
        let cops = before.cops.iter().zip(&self.at.cops);
        let cops = cops.map(|(&from, &to)| (from, to, play.moves_cops));
        let mut path = Vec::new();
        for (id, (from, to, is_played)) in agents.zip(places.into_iter().chain(cops)) {
            if from == to {
                continue;
            }
            let found = self.ends.find(graph, from.at, from.speed, |_| false);
            if is_played || from.speed != to.speed || !found.contains(&to.at) {
                return false;
            }
            path.clear();
            self.ends.way_to(to.at, &mut path);
            let cells: Vec<Cell> = path.iter().map(|&at| graph.cell(at)).collect();
            self.world.order(id, &cells);
        }
        true
    }

    fn tick(&mut self, play: &Play) {
        self.world.begin_tick(&[]);
        while let Some(request) = self.world.next_request() {
            let key = request.key;
            let solved = TableWork::new(request).ok().and_then(|mut work| {
                work.run(1 << 17, |_| true);
                work.finish()
            });
            let Some((_, solution)) = solved else {
                self.world.give_back(&key);
                break;
            };
            self.world.deliver(&key, Ok(solution));
        }
        self.world.arrive();
        match play.pace {
            Pace::Budget(budget) => self.world.decide(&mut Expansions(budget)),
            Pace::AtOnce { proves } => self.world.decide_at_once(proves),
        }
        self.work += self.world.report().spent;
    }

    fn tick_until_turn(&mut self, play: &Play) {
        let ticks = MOST_TURNS * play.turn_length();
        let turn = |world: &PursuitWorld| world.pursuit(0).map(PursuitRecord::turn_ticks);
        for _ in 0..ticks {
            if turn(&self.world).is_some_and(|(_, next)| next == self.world.tick() + 1) {
                self.known = Some(self.world.endgames().copy_of_regions());
            }
            self.tick(play);
            if turn(&self.world).is_some_and(|(began, _)| began == self.world.tick()) {
                break;
            }
        }
    }

    /// Records where the agents of a side go, if the world moves them.
    fn note_moves(&mut self, play: &Play, side: Side) {
        let end = |world: &PursuitWorld, id| world.agent(id)?.way().last().copied();
        match side {
            Side::Cops if play.moves_cops => {
                for (place, &id) in self.at.cops.iter_mut().zip(&self.cops) {
                    place.at = end(&self.world, id).unwrap_or(place.at);
                }
            }
            Side::Robber if play.moves_robber => {
                let at = &mut self.at.robber.at;
                *at = end(&self.world, self.robber).unwrap_or(*at);
            }
            Side::Cops | Side::Robber => {}
        }
    }

    /// The move that an agent has begun.
    pub(super) fn decision(&self, id: AgentId) -> Decision {
        let Some(agent) = self.world.agent(id) else {
            return Decision::wait(Source::Greedy);
        };
        let path: &[Vertex] = agent.way();
        let source = match agent.state().decided_by {
            DecidedBy::Policy(source) => source,
            DecidedBy::Game | DecidedBy::Nobody(_) => Source::Greedy,
        };
        Decision {
            path: path.to_vec(),
            steps: path.len(),
            source,
            value: agent.state().value,
        }
    }
}

/// Lets the agents of a state join a world.
fn join(world: &mut PursuitWorld, play: &Play, state: &State<'_>) -> (AgentId, Vec<AgentId>) {
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
    let robber = insert(Side::Robber, state.robber, play.moves_robber);
    let cops = state.cops.iter();
    let cops = cops.map(|&cop| insert(Side::Cops, cop, play.moves_cops));
    let cops = cops.collect();
    (robber, cops)
}
