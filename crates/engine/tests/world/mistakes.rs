//! Mistakes on purpose: how many there are, which moves they are, and what they leave of values.

use crate::common::chase::{any_map, noise};
use crate::common::table_cache::deliver;
use pursuit_engine::game::{Outcome, Rules, Side, Speed, Turns, Value};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, Solver};
use pursuit_engine::table_cache::TableTiming;
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, Expansions, PursuitClock, PursuitSettings, PursuitWorld,
};
use std::collections::BTreeSet;

const BUDGET: u64 = 20_000;

fn settings(clock: PursuitClock) -> PursuitSettings {
    let mut settings = PursuitSettings {
        ticks_per_turn: 1,
        clock,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    settings
}

fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(BUDGET));
}

fn errs(world: &PursuitWorld, id: AgentId) -> bool {
    let by = world.agent(id).expect("an agent").state().decided_by;
    by == DecidedBy::Policy(Source::Mistake)
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

/// Where the agent's move ends.
fn end(world: &PursuitWorld, id: AgentId) -> Cell {
    let way = world.agent(id).expect("an agent").way();
    way.last()
        .map_or(cell(world, id), |&end| world.graph().cell(end))
}

fn set_mistakes(world: &mut PursuitWorld, ids: &[AgentId], mistakes: u16) {
    for &id in ids {
        world.change(id, |setup| setup.mistakes = mistakes);
    }
}

/// The cells where a move may end, found step by step; `blocked` cells are not entered.
fn ends(graph: &Graph, from: Cell, speed: u8, blocked: &[Cell]) -> BTreeSet<Cell> {
    let mut reached = BTreeSet::from([from]);
    for _ in 0..speed {
        for cell in reached.clone() {
            let at = graph.vertex(cell).expect("a vertex");
            let next = graph.neighbours(at).iter().map(|&next| graph.cell(next));
            reached.extend(next.filter(|cell| !blocked.contains(cell)));
        }
    }
    reached
}

fn nearest(cell: Cell, to: &[Cell]) -> Option<u32> {
    to.iter().map(|other| other.max_norm(cell)).min()
}

/// A robber and two cops on a map, at random.
struct Game {
    world: PursuitWorld,
    robber: AgentId,
    cops: [AgentId; 2],
    cells: Vec<Cell>,
}

impl Game {
    fn any(map: &TileMap, clock: PursuitClock, dice: &mut Dice) -> Self {
        let mut world = PursuitWorld::new(map, Moves::Octile, settings(clock));
        let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let speed = Speed::new(1 + dice.below(2) as u8).expect("a speed");
        let mut insert = |side, speed| {
            let cell = dice.pick(&cells).expect("a free cell");
            let setup = AgentSetup {
                speed,
                ..AgentSetup::new(side, cell)
            };
            world.insert(setup)
        };
        let robber = insert(Side::Robber, Speed::ONE);
        let cops = [(); 2].map(|()| insert(Side::Cops, speed));
        Self {
            world,
            robber,
            cops,
            cells,
        }
    }

    /// Ends a chase after a capture: the robber goes on somewhere else.
    fn go_on(&mut self, dice: &mut Dice) {
        let robber = self.world.agent(self.robber).expect("a robber");
        if robber.caught().is_some() {
            let cell = dice.pick(&self.cells).expect("a free cell");
            self.world.place(self.robber, cell);
            self.world.release(self.robber);
        }
    }

    /// Plays a tick twice: without mistakes, to learn where the agents would go, and then as it is.
    fn tick_beside(&mut self, erring: &[AgentId], mistakes: u16) -> Vec<Cell> {
        let saved = self.world.snapshot();
        set_mistakes(&mut self.world, erring, 0);
        tick(&mut self.world);
        let best = erring.iter().map(|&id| end(&self.world, id)).collect();
        self.world.restore(saved).expect("its own");
        // The same change as before, so that both games plan anew.
        set_mistakes(&mut self.world, erring, 0);
        set_mistakes(&mut self.world, erring, mistakes);
        tick(&mut self.world);
        best
    }
}

#[test]
fn as_many_moves_are_mistakes_as_the_game_asks_for() {
    let dice = &mut Dice::new(1);
    let map = noise(dice, 20, 20, 15);
    for (mistakes, share) in [(0, 0.0..=0.0), (250, 0.22..=0.28), (1000, 1.0..=1.0)] {
        let mut game = Game::any(&map, PursuitClock::Turns, dice);
        set_mistakes(&mut game.world, &[game.robber], mistakes);
        let (mut moves, mut wrong) = (0_u32, 0_u32);
        for _ in 0..3_000 {
            game.go_on(dice);
            tick(&mut game.world);
            let state = game.world.agent(game.robber).expect("a robber").state();
            // A robber without a second move cannot err, nor one that is being captured.
            let cops = game.cops.map(|cop| end(&game.world, cop));
            let here = cell(&game.world, game.robber);
            let is_free = matches!(state.decided_by, DecidedBy::Policy(_)) && !cops.contains(&here);
            if is_free && ends(game.world.graph(), here, 1, &cops).len() > 1 {
                moves += 1;
                wrong += u32::from(errs(&game.world, game.robber));
            }
        }
        let found = f64::from(wrong) / f64::from(moves);
        assert!(share.contains(&found), "{found} of {moves} for {mistakes}");
        assert!(moves > 300, "{moves}");
    }
}

#[test]
fn a_cop_that_errs_runs_straight_at_the_robber() {
    let (mut wrong, mut captures) = (0, 0);
    for seed in 0..40 {
        let dice = &mut Dice::new(seed);
        let map = any_map(dice, 20);
        let clock = [PursuitClock::Turns, PursuitClock::FreeRunning][seed as usize % 2];
        let mut game = Game::any(&map, clock, dice);
        for _ in 0..50 {
            game.go_on(dice);
            let speed = game.world.agent(game.cops[0]).expect("a cop").setup().speed;
            let cops = game.cops;
            let best = game.tick_beside(&cops, 600);
            let target = cell(&game.world, game.robber);
            for (&cop, best) in cops.iter().zip(best) {
                let (from, to) = (cell(&game.world, cop), end(&game.world, cop));
                if best == target {
                    assert_eq!(to, best, "it misses no capture");
                    captures += 1;
                }
                if !errs(&game.world, cop) {
                    continue;
                }
                assert_ne!(to, best, "a mistake is another move");
                // On the free-running clock, an agent takes one step at a time.
                let speed = match clock {
                    PursuitClock::FreeRunning => 1,
                    _ => speed.steps(),
                };
                let all = ends(game.world.graph(), from, speed, &[]);
                let others = all.into_iter().filter(|&end| end != best);
                let least = others.map(|end| end.max_norm(target)).min();
                assert_eq!(Some(to.max_norm(target)), least);
                wrong += 1;
            }
        }
    }
    assert!(wrong > 500 && captures > 20, "{wrong} mistakes, {captures}");
}

#[test]
fn a_robber_that_errs_runs_straight_away_and_onto_no_cop() {
    let mut wrong = 0;
    for seed in 0..40 {
        let dice = &mut Dice::new(seed);
        let map = any_map(dice, 20);
        let mut game = Game::any(&map, PursuitClock::Turns, dice);
        for _ in 0..50 {
            game.go_on(dice);
            let robber = game.robber;
            let best = game.tick_beside(&[robber], 600);
            if !errs(&game.world, robber) {
                continue;
            }
            let (from, to) = (cell(&game.world, robber), end(&game.world, robber));
            assert_ne!(to, best[0], "a mistake is another move");
            // The robber moves after the cops.
            let cops = game.cops.map(|cop| end(&game.world, cop));
            let all = ends(game.world.graph(), from, 1, &cops);
            let others = all.into_iter().filter(|&end| end != best[0]);
            let most = others.map(|end| nearest(end, &cops)).max().flatten();
            assert_eq!(nearest(to, &cops), most);
            assert!(to == from || !cops.contains(&to));
            wrong += 1;
        }
    }
    assert!(wrong > 200, "{wrong} mistakes");
}

/// A game with a table: the values that both sides are told, and the value of the table.
fn told(
    mistakes_of_cops: u16,
    mistakes_of_robber: u16,
) -> Vec<(Option<Value>, Option<Value>, Outcome)> {
    let dice = &mut Dice::new(7);
    let map = noise(dice, 9, 9, 0);
    let mut settings = settings(PursuitClock::Turns);
    settings.tables.solve = true;
    settings.tables.timing = TableTiming::WhenReady;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let robber = world.insert(AgentSetup::new(Side::Robber, cells[0]));
    let cop = world.insert(AgentSetup::new(Side::Cops, cells[1]));
    set_mistakes(&mut world, &[robber], mistakes_of_robber);
    set_mistakes(&mut world, &[cop], mistakes_of_cops);
    let mut solver = {
        let arena = Arena::of_map(world.graph());
        Solver::new(arena.into(), Rules::default(), 1 << 30).expect("a small table")
    };
    solver.run(|_| true);
    let table = solver.finish().expect("it is done");
    let mut all = Vec::new();
    for _ in 0..400 {
        let [at, from] = [(); 2].map(|()| dice.pick(&cells).expect("a cell"));
        if at == from {
            continue;
        }
        world.place(robber, at);
        world.place(cop, from);
        world.release(robber);
        world.begin_tick(&[]);
        while let Some(request) = world.next_request() {
            deliver(&mut world, request);
        }
        world.arrive();
        world.decide(&mut Expansions(BUDGET));
        let vertex = |cell| world.graph().vertex(cell).expect("a vertex");
        let value = table.value(vertex(at), &[vertex(from)]).expect("a value");
        let state = |id| world.agent(id).expect("an agent").state().value;
        all.push((state(cop), state(robber), value));
    }
    all
}

#[test]
fn values_are_weakened_by_the_mistakes_that_may_come() {
    /// A robber that a cop has reached in this turn is captured whoever errs.
    const NOW: Value = Value::Exact(Outcome::Caught(Turns(0)));
    let mut exact = 0;
    for (cop, _, value) in told(0, 0) {
        if let Some(Value::Exact(told)) = cop {
            assert_eq!(told, value);
            exact += 1;
        }
    }
    assert!(exact > 300, "{exact}");
    // A mistake a thousand moves is enough.
    let of = |cops, robber| -> Vec<Value> {
        let all = told(cops, robber).into_iter();
        all.flat_map(|(cop, robber, _)| [cop, robber])
            .flatten()
            .collect()
    };
    let (cops_err, robber_errs) = (of(1, 0), of(0, 1));
    assert!(cops_err.len() > 300 && robber_errs.len() > 300);
    for told in cops_err {
        assert!(told == NOW || matches!(told, Value::AtLeast(_)), "{told:?}");
    }
    for told in robber_errs {
        let is_upper = matches!(told, Value::AtMost(Outcome::Caught(_)));
        assert!(told == NOW || is_upper, "{told:?}");
    }
    assert!(of(1, 1).into_iter().all(|told| told == NOW));
}
