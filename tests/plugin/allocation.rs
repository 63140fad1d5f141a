//! Carrying data between components and worlds does not allocate once the app is warm.

use crate::common;
use allocation_counter::measure;
use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};
use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableSettings;
use common::app::YARD;

#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Chase;

/// Thirty pursuits of players who walk in circles, so that no agent has to plan.
#[test]
fn a_tick_takes_no_memory() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Chase)))
        .insert_resource(PursuitSettings {
            ticks_per_turn: 2,
            tables: TableSettings {
                solve: false,
                ..default()
            },
            ..default()
        });
    app.edit_schedule(Chase, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    app.finish();
    app.cleanup();
    let map = PursuitMap::new(&common::map(&YARD), Moves::Octile);
    app.world_mut().spawn(map);
    let mut agents = Vec::new();
    for number in 0..30 {
        let pursuit = InPursuit(app.world_mut().spawn(Pursuit::default()).id());
        let place = GridPosition::new(number % 10, 0);
        agents.push(app.world_mut().spawn((Cop, place, pursuit)).id());
        let place = GridPosition::new(number % 10, 6);
        let player = AgentControl::Steer(IVec2::X);
        app.world_mut().spawn((Robber, place, player, pursuit));
    }
    let directions = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];
    let mut tick = 0;
    let mut play = |app: &mut App, ticks: usize| -> Vec<u64> {
        let mut taken = Vec::with_capacity(ticks);
        for _ in 0..ticks {
            tick += 1;
            for (index, &agent) in agents.iter().enumerate() {
                let mut agent = app.world_mut().entity_mut(agent);
                let direction = directions[(tick / 8 + index) % 4];
                *agent.get_mut::<AgentControl>().expect("an agent") =
                    AgentControl::Steer(direction);
                if (tick + index).is_multiple_of(16) {
                    agent.get_mut::<GridPosition>().expect("an agent").0 = IVec2::new(4, 3);
                }
            }
            taken.push(measure(|| app.world_mut().run_schedule(Chase)).count_total);
        }
        taken
    };
    let cold: u64 = play(&mut app, 500).iter().sum();
    assert!(cold > 0, "nothing is counted");
    let first = play(&mut app, 500).iter().position(|&taken| taken > 0);
    assert_eq!(first, None, "the first tick that takes memory");
}
