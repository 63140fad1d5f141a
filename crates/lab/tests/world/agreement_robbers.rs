//! What is measured is what is played: the robbers by which `tournament` and `eval` measure choose the same moves as those
//! of a live world, and err in the same way.

use super::agreement::{PLENTY, ends_in_order, maps, rules};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::{Decision, Effort, Ground, GuideSolver, Source};
use pursuit_engine::search::Dice;
use pursuit_engine::table::Estimate;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, DecidedBy, Expansions, PursuitSettings, PursuitWorld,
    RobberPlanner,
};
use pursuit_lab::cop::Interceptor;
use pursuit_lab::eval::{Draw, LivePursuit, LiveSettings};
use pursuit_lab::robber::{DialledRobber, Difficulty, RobberKind};
use pursuit_lab::{CopPolicy, RobberPolicy};
use std::collections::BTreeMap;

/// The positions that are compared on each map, for each team.
const POSITIONS: u32 = 200;

/// The teams: the number of cops, and their speed.
const TEAMS: [(u8, u8); 8] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (3, 1),
    (3, 2),
    (4, 1),
    (4, 2),
];

/// A robber of a live world, and the name of the one that is measured.
struct Player {
    name: &'static str,
    planner: RobberPlanner,
    /// Whether the settings allow a guide.
    is_guided: bool,
    /// The seeds of the measured robber. Chance chooses the end of a path of `DATrailMax`, and so its first step where
    /// several ways lead to the ends.
    seeds: u64,
}

const PLAYERS: [Player; 3] = [
    Player {
        name: "trailmax:1",
        planner: RobberPlanner::TrailMax,
        is_guided: false,
        seeds: 1,
    },
    Player {
        name: "guided",
        planner: RobberPlanner::TrailMax,
        is_guided: true,
        seeds: 1,
    },
    Player {
        name: "datrailmax:1:10",
        planner: RobberPlanner::DaTrailMax,
        is_guided: false,
        seeds: 32,
    },
];

/// Numbers of moves.
#[derive(Debug, Default)]
struct Moved {
    all: u32,
    /// Those that the measured player does not make.
    differ: u32,
    /// Those that it makes with some seeds only.
    by_chance: u32,
}

/// The moves of live worlds that have been compared, by what is compared and what decided.
type Compared = BTreeMap<String, Moved>;

/// Fails if moves differ, if nothing was compared, or if chance decides more than one move of a hundred.
fn expect_agreement(compared: &Compared) {
    let sum = |of: fn(&Moved) -> u32| -> u32 { compared.values().map(of).sum() };
    let (all, differ) = (sum(|moved| moved.all), sum(|moved| moved.differ));
    assert!(all > 0 && differ == 0, "{differ} of {all}: {compared:#?}");
    let by_chance = sum(|moved| moved.by_chance);
    assert!(by_chance * 100 <= all, "{by_chance} of {all}");
}

impl Player {
    fn compare(&self, map: &TileMap, rules: Rules, compared: &mut Compared) {
        let graph = &Graph::new(map, Moves::Octile);
        let hierarchy = &Hierarchy::new(graph);
        let table = Estimate::new(graph.vertices(), &rules).map(|table| table.bytes);
        // The settings allow no table of the map.
        let max_bytes = if self.is_guided {
            table.map_or(u64::MAX, |bytes| bytes - 1).min(200_000_000)
        } else {
            0
        };
        let mut world = PursuitSettings {
            planner: self.planner,
            near_turns: u16::MAX,
            ..PursuitSettings::default()
        };
        world.tables.max_bytes = max_bytes;
        world.tables.max_milliseconds = u32::MAX;
        let mut live = LivePursuit::new(LiveSettings {
            world,
            budget: PLENTY,
            moves_cops: false,
            moves_robber: true,
        });
        let guide = self.is_guided.then(|| {
            let solver = GuideSolver::new(hierarchy, rules, u64::MAX, max_bytes);
            let mut solver = solver.ok().flatten()?;
            solver.run(|_| true);
            solver.finish()
        });
        let guide = guide.flatten();
        let ground = Ground {
            hierarchy: Some(hierarchy),
            guide: guide.as_ref(),
            ..Ground::from(graph)
        };
        let kind: RobberKind = self.name.parse().expect("a robber");
        let mut measured = kind.policy();
        let mut decide = |state: &State<'_>| {
            let played = decide(&mut live, ground, state);
            let same = (0..self.seeds).filter(|&seed| {
                measured.restart(seed);
                decide(measured.as_mut(), ground, state).next_move() == played.next_move()
            });
            let same = same.count() as u64;
            let source = played.source.name();
            let (cops, speed) = (state.cops.len(), rules.cop_speed.steps());
            let name = format!("{}, {cops} cops of speed {speed}: {source}", self.name);
            let moved = compared.entry(name).or_default();
            moved.all += 1;
            moved.differ += u32::from(same == 0);
            moved.by_chance += u32::from((1..self.seeds).contains(&same));
            played
        };
        let draw = &mut Draw::new(graph, 7);
        let (mut number, mut seen) = (0, 0);
        while seen < POSITIONS {
            number += 1;
            let start = draw.start(number, rules.cops.get()).expect("a vertex");
            let agent = |at, speed| Agent { at, speed };
            let cops = start.cops.iter().map(|&at| agent(at, rules.cop_speed));
            seen += flee(
                ground,
                agent(start.robber, Speed::ONE),
                cops.collect(),
                &mut decide,
            );
        }
    }
}

fn decide(policy: &mut dyn RobberPolicy, ground: Ground<'_>, state: &State<'_>) -> Decision {
    let mut decision = Decision::wait(Source::Greedy);
    policy.decide(ground, state, &mut decision);
    decision
}

/// Plays a game of at most 20 turns against cops that cut the robber off, and returns the number of its decisions.
fn flee(
    ground: Ground<'_>,
    mut robber: Agent,
    mut cops: Vec<Agent>,
    mut decide: impl FnMut(&State<'_>) -> Decision,
) -> u32 {
    let mut chasers = Interceptor::default();
    for seen in 0..20 {
        let to_move = Side::Cops;
        let state = State {
            robber,
            cops: &cops,
            to_move,
        };
        if state.is_capture() {
            return seen;
        }
        let to = ends_in_order(&cops, &chasers.decide(ground, &state));
        for (cop, end) in cops.iter_mut().zip(to) {
            cop.at = end;
        }
        let to_move = Side::Robber;
        let state = State {
            robber,
            cops: &cops,
            to_move,
        };
        if state.is_capture() {
            return seen;
        }
        let decision = decide(&state);
        robber.at = decision.next_move().last().copied().unwrap_or(robber.at);
    }
    20
}

#[test]
fn measured_robbers_move_like_those_that_are_played() {
    let mut compared = Compared::new();
    for map in maps() {
        for (cops, speed) in TEAMS {
            for player in &PLAYERS {
                player.compare(&map, rules(cops, speed), &mut compared);
            }
        }
    }
    let is_guided = |name: &&String| name.starts_with("guided") && name.ends_with("guide");
    let guided = compared.keys().filter(is_guided);
    assert_eq!(guided.count(), TEAMS.len(), "teams that played by a guide");
    expect_agreement(&compared);
}

/// Makes the moves that it is told.
struct Told(Vec<Vertex>);

impl RobberPolicy for Told {
    fn decide(&mut self, _: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        decision.take(&self.0, state.robber.speed, Source::Search);
        Effort::default()
    }
}

/// A chase in a live world.
struct Chase {
    world: PursuitWorld,
    robber: AgentId,
    cops: Vec<AgentId>,
    cells: Vec<Cell>,
}

impl Chase {
    fn new(map: &TileMap, rules: Rules, robber_speed: Speed, dice: &mut Dice) -> Self {
        let mut settings = PursuitSettings {
            ticks_per_turn: 1,
            ..PursuitSettings::default()
        };
        settings.tables.solve = false;
        let mut world = PursuitWorld::new(map, Moves::Octile, settings);
        let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let mut insert = |side, speed| {
            let cell = dice.pick(&cells).expect("a free cell");
            world.insert(AgentSetup {
                speed,
                control: Control::Policy,
                ..AgentSetup::new(side, cell)
            })
        };
        let robber = insert(Side::Robber, robber_speed);
        let cops = (0..rules.cops.get()).map(|_| insert(Side::Cops, rules.cop_speed));
        let cops = cops.collect();
        Self {
            world,
            robber,
            cops,
            cells,
        }
    }

    fn at(&self, id: AgentId) -> Cell {
        self.world.agent(id).expect("an agent").setup().cell
    }

    fn way(&self, id: AgentId) -> Vec<Vertex> {
        self.world.agent(id).expect("an agent").way().to_vec()
    }

    fn end(&self, id: AgentId) -> Cell {
        let end = self.way(id).last().copied();
        end.map_or(self.at(id), |end| self.world.graph().cell(end))
    }

    fn tick(&mut self, mistakes: u16) {
        self.world
            .change(self.robber, |setup| setup.mistakes = mistakes);
        self.world.begin_tick(&[]);
        self.world.arrive();
        self.world.decide(&mut Expansions(PLENTY));
    }

    /// Lets the robber move without mistakes, then err in the same position, and asks the measured robber, which is told
    /// the move without mistakes. `false` if the robber does not choose in this tick.
    fn compare(&mut self, dice: &mut Dice, name: &str, compared: &mut Compared) -> bool {
        if self
            .world
            .agent(self.robber)
            .expect("a robber")
            .caught()
            .is_some()
        {
            let cell = dice.pick(&self.cells).expect("a free cell");
            self.world.place(self.robber, cell);
            self.world.release(self.robber);
        }
        let before = self.world.snapshot();
        self.tick(0);
        let best = self.way(self.robber);
        self.world.restore(before).expect("its own");
        self.tick(AgentSetup::MOVES_OF_MISTAKES);
        let record = self.world.agent(self.robber).expect("a robber");
        let (decided, speed) = (record.state().decided_by, record.setup().speed);
        let cops: Vec<Cell> = self.cops.iter().map(|&cop| self.end(cop)).collect();
        let here = self.at(self.robber);
        let DecidedBy::Policy(source) = decided else {
            return false;
        };
        if cops.contains(&here) {
            return false;
        }
        let graph = self.world.graph();
        let at = |cell| graph.vertex(cell).expect("a vertex");
        let agent = |at, speed| Agent { at, speed };
        let team: Vec<Agent> = cops.iter().map(|&cop| agent(at(cop), speed)).collect();
        let state = State {
            robber: agent(at(here), speed),
            cops: &team,
            to_move: Side::Robber,
        };
        let always = Difficulty {
            mistakes: 1.0,
            ..Difficulty::default()
        };
        let mut measured = DialledRobber::new(Told(best.clone()), always);
        measured.restart(number(dice));
        let measured = decide(&mut measured, Ground::from(graph), &state);
        let end = |way: &[Vertex]| way.last().map_or(here, |&end| graph.cell(end));
        // Of several mistakes that look equally good, one is drawn.
        let look = |end: Cell| cops.iter().map(|cop| cop.max_norm(end)).min();
        let (played, measured_end) = (self.end(self.robber), end(measured.next_move()));
        let are_mistakes = source == Source::Mistake && measured.source == Source::Mistake;
        let is_same = if are_mistakes {
            let best = end(&best);
            look(played) == look(measured_end) && played != best && measured_end != best
        } else {
            source != Source::Mistake && measured.source != Source::Mistake
        };
        let name = format!("{name}: {}", source.name());
        let moved = compared.entry(name).or_default();
        moved.all += 1;
        moved.differ += u32::from(!is_same);
        true
    }
}

fn number(dice: &mut Dice) -> u64 {
    dice.below(1 << 20) as u64
}

#[test]
fn measured_robbers_err_like_those_that_are_played() {
    let mut compared = Compared::new();
    let dice = &mut Dice::new(3);
    for map in maps() {
        for (cops, speed) in TEAMS {
            let robber_speed = Speed::new(1 + number(dice) as u8 % 2).expect("a speed");
            let mut chase = Chase::new(&map, rules(cops, speed), robber_speed, dice);
            let name = format!("{cops} cops of speed {speed}, a robber of {robber_speed:?}");
            let mut seen = 0;
            while seen < POSITIONS {
                seen += u32::from(chase.compare(dice, &name, &mut compared));
            }
        }
    }
    let erred = compared.keys().any(|name| name.ends_with("mistake"));
    assert!(erred, "nobody has erred");
    expect_agreement(&compared);
}
