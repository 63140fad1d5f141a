//! No agent starves. However small the budget, no plan is followed for longer than it takes to compute
//! four plans for every target (three in practice, since targets that have waited also come up among the
//! others).

use crate::common::hall::{add_pursuits, agent, hall, tick_with};
use crate::common::town;
use pursuit_engine::game::Side;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    DecidedBy, Expansions, PursuitClock, PursuitSettings, PursuitWorld, Tactics,
};

const PURSUITS: u32 = 40;
const TICKS: u64 = 4_000;

/// A busy town. Returns the greatest age in ticks of a plan that was followed, and the cost of a plan.
fn busy(budget: u64, tactics: Tactics) -> (u32, f64) {
    let town::Town { map, .. } = town::town(96, 96, 5);
    let mut settings = PursuitSettings {
        tactics,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let dice = &mut Dice::new(7);
    let robbers = add_pursuits(&mut world, PURSUITS, 2, &free, dice);
    let (mut oldest, mut plans, mut spent) = (0, 0, 0);
    for _ in 0..TICKS {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(budget));
        // Agents that stand still for ever want no new plan, so each pursuit has a moving agent.
        for &robber in &robbers {
            let agent = world.agent(robber).expect("nobody goes");
            if agent.caught().is_some() || dice.below(200) == 0 {
                world.place(robber, free[dice.below(free.len())]);
                world.release(robber);
            }
        }
        let report = world.report();
        oldest = oldest.max(report.oldest);
        plans += u64::from(report.plans);
        spent += report.spent;
    }
    (oldest, spent as f64 / plans as f64)
}

#[test]
fn a_plan_gets_no_older_than_three_for_everybody_take() {
    for tactics in [Tactics::Intercept, Tactics::Chase] {
        for budget in [30, 100, 300] {
            let (oldest, cost) = busy(budget, tactics);
            let units = f64::from(2 * PURSUITS);
            let bound = 3.0 * units * cost / budget as f64;
            println!("{tactics:?} {budget}: {oldest} ticks, at most {bound:.0}; {cost:.0} a plan");
            assert!(f64::from(oldest) <= bound + 64.0, "{oldest} > {bound}");
            assert!(oldest > 64, "{oldest} ticks: the budget is not small");
        }
    }
}

/// The number of turns of 100 in which a robber on a large map made a greedy step, if a far corner changes every few
/// ticks.
fn greedy_turns(ticks_between_edits: u64) -> u32 {
    let mut world = hall(PursuitClock::Turns, 180, 180);
    let robber = world.insert(agent(Side::Robber, 90, 90));
    for x in [60, 120] {
        world.insert(agent(Side::Cops, x, 70));
    }
    let mut greedy = 0;
    for tick in 0..100 * 16 {
        let edits = [TileEdit {
            cell: Cell::new(179, 179),
            passable: tick / ticks_between_edits % 2 == 1,
        }];
        let is_due = tick % ticks_between_edits == 0;
        tick_with(&mut world, if is_due { &edits } else { &[] });
        let robber = world.agent(robber).expect("it is there");
        if robber.caught().is_some() {
            break;
        }
        let decided = robber.state().decided_by;
        greedy += u32::from(tick % 16 == 0 && decided == DecidedBy::Policy(Source::Greedy));
    }
    greedy
}

#[test]
fn edits_in_every_tick_do_not_keep_agents_from_planning() {
    for ticks in [1, 2, 4, 7, 16] {
        let greedy = greedy_turns(ticks);
        assert!(greedy <= 20, "{ticks}: {greedy} turns");
    }
}
