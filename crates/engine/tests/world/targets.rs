//! Pursuits with several robbers: which robber each cop chases.

use crate::common::hall::{agent, external, hall, tick, tick_with};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::Cell;
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, Control, PursuitClock, PursuitWorld,
};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

/// Robbers in columns of a row, and cops in other columns with their speeds.
struct Row {
    world: PursuitWorld,
    robbers: Vec<AgentId>,
    cops: Vec<AgentId>,
}

impl Row {
    fn new(clock: PursuitClock, robbers: &[u16], cops: &[(u16, u8)]) -> Self {
        let mut world = hall(clock, 80, 3);
        let robber = |&x: &u16| world.insert(external(Side::Robber, x, 1));
        let robbers = robbers.iter().map(robber).collect();
        let cop = |&(x, speed): &(u16, u8)| {
            world.insert(AgentSetup {
                speed: Speed::new(speed).expect("a speed"),
                ..agent(Side::Cops, x, 1)
            })
        };
        let cops = cops.iter().map(cop).collect();
        let mut row = Self {
            world,
            robbers,
            cops,
        };
        tick(&mut row.world);
        row
    }

    /// The index of the robber that each cop chases.
    fn targets(&self) -> Vec<usize> {
        let target = |&cop: &AgentId| {
            let target = self.world.agent(cop).and_then(AgentRecord::target);
            let index = self
                .robbers
                .iter()
                .position(|&robber| Some(robber) == target);
            index.expect("a robber")
        };
        self.cops.iter().map(target).collect()
    }
}

#[test]
fn cops_that_would_be_alone_form_pairs() {
    for clock in CLOCKS {
        let two = Row::new(clock, &[0, 70], &[(10, 1), (60, 1)]).targets();
        assert_eq!(
            two[0], two[1],
            "{clock:?}: a pair in place of two lone cops"
        );
        let four = Row::new(
            clock,
            &[0, 20, 50, 70],
            &[(5, 1), (25, 1), (45, 1), (65, 1)],
        );
        let mut sizes = [0; 4];
        four.targets().iter().for_each(|&robber| sizes[robber] += 1);
        sizes.sort_unstable();
        assert_eq!(sizes, [0, 0, 2, 2], "{clock:?}");
    }
}

#[test]
fn a_cop_that_is_faster_than_its_robber_chases_alone() {
    for clock in CLOCKS {
        let row = Row::new(clock, &[0, 70], &[(10, 2), (60, 2)]);
        assert_eq!(row.targets(), [0, 1], "{clock:?}");
    }
}

#[test]
fn a_lone_cop_stays_where_the_others_are_a_team() {
    for clock in CLOCKS {
        let row = Row::new(clock, &[0, 70], &[(10, 1), (12, 1), (60, 1)]);
        assert_eq!(row.targets(), [0, 0, 1], "{clock:?}");
    }
}

#[test]
fn a_lone_cop_captures_a_robber_beside_it_before_it_joins_others() {
    for clock in CLOCKS {
        let mut row = Row::new(clock, &[20, 40], &[(21, 1), (43, 1)]);
        for _ in 0..20 {
            tick(&mut row.world);
        }
        let robber = row.world.agent(row.robbers[0]).expect("it is there");
        assert!(robber.caught().is_some(), "{clock:?}");
    }
}

#[test]
fn a_pair_stays_together_until_its_robber_is_captured() {
    for clock in CLOCKS {
        let mut row = Row::new(clock, &[0, 70], &[(10, 1), (60, 1)]);
        let first = row.targets();
        let robber = row.robbers[first[0]];
        let is_caught = |row: &Row| {
            let robber = row.world.agent(robber).expect("a robber");
            robber.caught().is_some()
        };
        for _ in 0..80 * 16 {
            if is_caught(&row) {
                break;
            }
            assert_eq!(row.targets(), first, "{clock:?}");
            tick(&mut row.world);
        }
        assert!(is_caught(&row), "{clock:?}");
        for _ in 0..3 * 16 {
            tick(&mut row.world);
        }
        let other = 1 - first[0];
        assert_eq!(row.targets(), [other, other], "{clock:?}: the next robber");
    }
}

#[test]
fn a_cop_chases_whom_the_game_sets_as_long_as_that_one_is_free() {
    for clock in CLOCKS {
        let mut row = Row::new(clock, &[0, 30, 70], &[(10, 1), (60, 1)]);
        for (name, &robber) in (1..).zip(&row.robbers) {
            row.world.change(robber, |setup| setup.user = name);
        }
        for (&cop, quarry) in row.cops.iter().zip([3, 2]) {
            row.world.change(cop, |setup| setup.quarry = Some(quarry));
        }
        for _ in 0..16 {
            tick(&mut row.world);
        }
        assert_eq!(row.targets(), [2, 1], "{clock:?}");
        let is_caught = |row: &Row, robber: usize| {
            let robber = row.world.agent(row.robbers[robber]);
            robber.is_some_and(|robber| robber.caught().is_some())
        };
        for _ in 0..200 * 16 {
            tick(&mut row.world);
        }
        // With nobody set any more, they have gone for the one that was left.
        assert!((0..3).all(|robber| is_caught(&row, robber)), "{clock:?}");
        // Nobody has that name.
        let unknown = row.world.insert(AgentSetup {
            quarry: Some(99),
            ..agent(Side::Cops, 5, 1)
        });
        row.world.release(row.robbers[1]);
        for _ in 0..16 {
            tick(&mut row.world);
        }
        let target = row.world.agent(unknown).and_then(AgentRecord::target);
        assert_eq!(target, Some(row.robbers[1]), "{clock:?}");
    }
}

#[test]
fn a_cop_chases_the_robber_that_is_nearest_on_foot() {
    for clock in CLOCKS {
        let mut world = hall(clock, 40, 21);
        let behind_the_wall = world.insert(external(Side::Robber, 2, 12));
        let in_the_room = world.insert(external(Side::Robber, 16, 8));
        let cop = world.insert(AgentSetup {
            control: Control::External,
            speed: Speed::new(2).expect("a speed"),
            ..agent(Side::Cops, 2, 8)
        });
        // A wall with a gap at its right end, and a door in it beside the cop.
        let tile = |x, passable| TileEdit {
            cell: Cell::new(x, 10),
            passable,
        };
        let wall: Vec<TileEdit> = (0..38).map(|x| tile(x, false)).collect();
        tick_with(&mut world, &wall);
        let target = |world: &PursuitWorld| world.agent(cop).and_then(AgentRecord::target);
        let mut next = |edits: &[TileEdit]| {
            tick_with(&mut world, edits);
            for _ in 0..2 * 16 {
                tick(&mut world);
            }
            target(&world)
        };
        assert_eq!(next(&[]), Some(in_the_room), "{clock:?}: a wall");
        let open = [tile(2, true)];
        assert_eq!(next(&open), Some(behind_the_wall), "{clock:?}: open");
        let closed = [tile(2, false)];
        assert_eq!(next(&closed), Some(in_the_room), "{clock:?}: closed");
    }
}

#[test]
fn a_cop_chases_the_robber_that_it_sees_and_not_one_that_nobody_has_seen() {
    for clock in CLOCKS {
        let mut world = hall(clock, 60, 3);
        // The robber that joins first is far beyond the cop's sight.
        world.insert(external(Side::Robber, 58, 1));
        let seen = world.insert(external(Side::Robber, 6, 1));
        let cop = world.insert(AgentSetup {
            sight: Some(8),
            ..agent(Side::Cops, 2, 1)
        });
        tick(&mut world);
        tick(&mut world);
        let target = world.agent(cop).and_then(AgentRecord::target);
        assert_eq!(target, Some(seen), "{clock:?}");
    }
}
