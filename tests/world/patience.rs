//! No agent starves. However small the budget, no plan is followed for longer than it takes to compute
//! four plans for every target (three in practice, since targets that have waited also come up among the
//! others).

use crate::common::hall::add_pursuits;
use crate::common::town;
use bevy_pursuit::map::{Cell, Moves};
use bevy_pursuit::search::Dice;
use bevy_pursuit::world::{Expansions, PursuitSettings, PursuitWorld, Tactics};

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
