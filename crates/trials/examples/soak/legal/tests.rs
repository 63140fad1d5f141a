//! Where a player that the game moves may be captured.

use crate::api::{Doing, Facts, Member};
use crate::grid::Grid;
use crate::ledger::Ledger;
use crate::ops::{Budget, Clock, Ground, Kind, Role, Rules, Setup, Steering, Style, Tile};
use crate::referee::{Referee, Seen, Stage, Verdict};
use bevy::prelude::Entity;
use std::collections::BTreeMap;

/// The numbers of the player and of the cop that captures it.
const PLAYER: usize = 5;
const COP: usize = 4;
/// The tick at which the turn of the tests begins, and the one at which it ends.
const BEGINS: u64 = 8;
const ENDS: u64 = 16;

/// A turn of a player, as the referee sees it.
struct Turn {
    referee: Referee,
    ledger: Ledger,
    ground: Ground,
    at: Tile,
}

impl Turn {
    /// Begins a turn in which the player stands on a tile.
    fn new(at: Tile) -> Self {
        let ground = Ground {
            style: Style::Yard,
            width: 16,
            height: 12,
            seed: 1,
            is_layer: false,
            octile: false,
            offset: (0, 0),
        };
        let rules = Rules {
            ticks_per_turn: 8,
            budget: Budget::Expansions(5_000),
            clock: Clock::Turns,
            stagger: true,
            chase: false,
            tables: false,
        };
        let setup = Setup {
            kind: Kind::Time,
            seed: 1,
            grounds: vec![ground],
            rules,
            hz: 64,
        };
        let mut turn = Self {
            referee: Referee::new(&setup),
            ledger: Ledger::default(),
            ground,
            at,
        };
        for tick in BEGINS - 1..=BEGINS {
            turn.tick(tick, None, None).expect("a player at rest");
        }
        turn
    }

    /// Plays a tick, before which the game may place the player. `captured`: where the player is then captured.
    fn tick(&mut self, tick: u64, placed: Option<Tile>, captured: Option<Tile>) -> Verdict {
        if let Some(to) = placed {
            self.ledger.place(PLAYER, to, self.at, false);
            self.at = to;
        }
        let seen = |at: Tile, caught: bool| {
            let facts = Facts {
                role: Some(Role::Robber),
                enabled: true,
                on: None,
                pursuit: 0,
                speed: 2,
                ticks_per_step: 0,
                sees_all: true,
                steering: Steering::External,
                at,
                from: at,
                way: Vec::new(),
                departs: if tick < BEGINS { 0 } else { BEGINS },
                arrives: if tick < BEGINS { BEGINS } else { ENDS },
                doing: if caught { Doing::Captured } else { Doing::Game },
                caught,
                ordered: false,
                errs: false,
                is_solid: false,
                within: None,
            };
            BTreeMap::from([(
                PLAYER,
                Seen {
                    facts,
                    home: Some(0),
                },
            )])
        };
        let grid = Grid::of(&self.ground);
        self.referee.begin(vec![Some(&grid)]);
        self.referee.expect(seen(self.at, false));
        self.referee
            .captures
            .extend(captured.map(|_| (PLAYER, COP)));
        self.at = captured.unwrap_or(self.at);
        let member = Member {
            entity: Entity::PLACEHOLDER,
            role: Role::Robber,
            pursuit: 0,
            at: Some(self.at),
            way: Vec::new(),
        };
        let stage = Stage {
            tick: Some(tick),
            members: vec![(Some(PLAYER), member)],
        };
        let now = seen(self.at, captured.is_some());
        let verdict = self.referee.look(&self.ledger, &now, &[stage]);
        self.ledger.turn_over();
        verdict
    }
}

/// The verdict on a capture at the end of a turn in which a player has stepped from (2, 1) to (2, 2), and in its last tick
/// perhaps to (2, 3).
fn capture_at(at: Tile, steps_at_the_end: bool) -> Verdict {
    let mut turn = Turn::new((2, 1));
    for tick in BEGINS + 1..ENDS {
        let step = (tick == BEGINS + 4).then_some((2, 2));
        turn.tick(tick, step, None)?;
    }
    turn.tick(ENDS, steps_at_the_end.then_some((2, 3)), Some(at))
}

#[test]
fn a_player_may_be_captured_where_it_has_stood_since_its_turn_began() {
    for steps_at_the_end in [true, false] {
        for at in [(2, 1), (2, 2)] {
            let verdict = capture_at(at, steps_at_the_end);
            assert_eq!(verdict, Ok(()), "{at:?} {steps_at_the_end}");
        }
        for at in [(2, 0), (3, 1), (3, 2)] {
            let verdict = capture_at(at, steps_at_the_end);
            assert!(verdict.is_err(), "{at:?} {steps_at_the_end}");
        }
    }
}
