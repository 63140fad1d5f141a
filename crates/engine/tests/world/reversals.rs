//! Agents make up their minds: they hardly turn back while nothing changes, whoever hunts and whatever the budget.

use crate::common::reversals::{Game, Player, Who};
use crate::common::town::rooms;
use pursuit_engine::world::{PursuitClock, Tactics};

const TACTICS: [Tactics; 7] = [
    Tactics::Intercept,
    Tactics::Chase,
    Tactics::Ahead(4),
    Tactics::Flank,
    Tactics::Shy(4),
    Tactics::Keep(4),
    Tactics::Surround,
];

/// At most one step in a hundred turns leads back where the agent comes from, also if the player trembles over the border of
/// two tiles. `cargo run --release -p pursuit_lab --example reversals` shows more maps.
#[test]
fn agents_hardly_turn_back_while_nothing_changes() {
    let maps = [0, 1, 2].map(|seed| rooms(40, 40, seed).map);
    let clocks = [PursuitClock::Turns, PursuitClock::FreeRunning];
    let cops = TACTICS.map(|tactics| [1, 2, 4].map(|many| Who::Cops(tactics, many)));
    let all = cops.into_iter().flatten().chain([Who::Robber]);
    for who in all {
        for player in [Player::Stands, Player::Trembles] {
            for budget in [0, 250, 10_000] {
                let mut sum = 0.0;
                for (seed, map) in (0..).zip(&maps) {
                    for clock in clocks {
                        let game = Game {
                            who,
                            player,
                            clock,
                            budget,
                            seed,
                        };
                        sum += game.reversals(map);
                    }
                }
                let mean = sum / (maps.len() * clocks.len()) as f64;
                assert!(mean <= 1.0, "{who:?}, {player:?}, {budget}: {mean:.2}");
            }
        }
    }
}
