//! The texts below the map, and the banner at the end.

use super::input::{Player, Role};
use super::overlays;
use super::restart::Start;
use crate::record::Record;
use bevy::diagnostic::{Diagnostic, DiagnosticsStore, FrameTimeDiagnosticsPlugin};
use bevy::prelude::*;
use bevy_pursuit::TurnClock;
use bevy_pursuit::debug::{DecidedBy, FreeFor, IdleReason, PursuitDiagnostics, Reason, Source};
use bevy_pursuit::engine::game::{Outcome, Value};
use bevy_pursuit::prelude::*;
use std::fmt::Write as _;
use std::time::Duration;

const KEYS: &str = "\
1 watch   2 play the robber   3 play a cop (Tab: next cop)
arrows, WASD or click a tile: walk      click a door: open, close
right click: build or break a wall      wheel: zoom
Space pause   . one turn   + - speed   R restart   N new starts
B bookmark   Backspace go back   [ ] budget   T tactics   C clock
H hide texts   F12 screenshot   Esc quit
";

/// Agents that have their own line.
const LINES: usize = 4;

/// Behind the texts, which lie on the map when it is zoomed.
const SHADE: BackgroundColor = BackgroundColor(Color::srgba(0.08, 0.1, 0.15, 0.8));

#[derive(Component)]
struct Status;

#[derive(Component)]
struct Keys;

#[derive(Component)]
struct Banner;

/// All texts that H hides.
#[derive(Component)]
pub struct Texts;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_up)
        .add_systems(Update, (write_status, write_keys, write_banner));
}

fn text(size: f32) -> (TextFont, TextColor) {
    let font = TextFont {
        font_size: FontSize::Px(size),
        ..default()
    };
    (font, TextColor(Color::srgb_u8(226, 230, 240)))
}

fn set_up(mut commands: Commands) {
    let corner = |left: Val, right: Val| Node {
        position_type: PositionType::Absolute,
        bottom: px(8),
        left,
        right,
        padding: UiRect::axes(px(6), px(2)),
        ..default()
    };
    commands.spawn((
        Status,
        Texts,
        Text::default(),
        text(13.0),
        SHADE,
        Node {
            // Long lines wrap beside the keys.
            max_width: vw(50),
            ..corner(px(8), auto())
        },
    ));
    commands.spawn((
        Keys,
        Texts,
        Text::default(),
        text(13.0),
        SHADE,
        corner(auto(), px(8)),
    ));
    // Above the middle of the map, so that it does not hide the action.
    let row = Node {
        position_type: PositionType::Absolute,
        top: px(24),
        width: percent(100),
        justify_content: JustifyContent::Center,
        ..default()
    };
    let board = Node {
        padding: UiRect::axes(px(24), px(12)),
        display: Display::None,
        ..default()
    };
    commands.spawn(row).with_child((
        Banner,
        Text::default(),
        text(30.0),
        TextLayout::justify(Justify::Center),
        BackgroundColor(Color::srgba_u8(16, 20, 32, 225)),
        board,
    ));
}

fn idle(reason: IdleReason) -> &'static str {
    match reason {
        IdleReason::NotAsked => "waits for the first turn",
        IdleReason::NoMap => "has no map",
        IdleReason::MapLoading => "waits for its map",
        IdleReason::OffTheMap => "is off the map",
        IdleReason::NobodyThere => "has no free opponent",
        IdleReason::NobodySeen => "sees no opponent",
        IdleReason::Captured => "captured",
        IdleReason::Immobile => "cannot move",
        _ => "waits",
    }
}

/// The source of the agent's decision, in terms of the literature.
fn decider(state: PursuitState, is_robber: bool, tactics: Tactics) -> String {
    let who = match state.decided_by {
        DecidedBy::Nobody(reason) => return idle(reason).into(),
        DecidedBy::Game => "you",
        DecidedBy::Policy(Source::MixedTable) => "mixed strategy",
        DecidedBy::Policy(Source::Table) => "table",
        DecidedBy::Policy(Source::SubsetTable) => "table of fewer cops",
        DecidedBy::Policy(Source::Endgame) => "proven endgame",
        DecidedBy::Policy(Source::Guide) => "similar table",
        DecidedBy::Policy(Source::Stale) => "outdated plan",
        DecidedBy::Policy(Source::Greedy) => "last resort",
        DecidedBy::Policy(Source::Search) if is_robber => "TrailMax",
        DecidedBy::Policy(Source::Search) if tactics == Tactics::Chase => "shortest path",
        DecidedBy::Policy(Source::Search) => "interceptor",
        DecidedBy::Policy(Source::LookAround) => "looks around",
        DecidedBy::Policy(Source::Mistake) => "errs on purpose",
        DecidedBy::Policy(_) => "policy",
    };
    let mut text = String::from(who);
    let is_plan = matches!(
        state.decided_by,
        DecidedBy::Policy(Source::Search | Source::Stale)
    );
    if is_plan {
        let _ = write!(text, " {} ticks ago", state.age);
    }
    let _ = match state.free_for() {
        FreeFor::Unknown => Ok(()),
        FreeFor::Ever => write!(text, ", never captured"),
        FreeFor::Turns(turns) => write!(text, ", free for at least {turns} turns"),
        FreeFor::Exactly(0) => write!(text, ", captured next"),
        FreeFor::Exactly(turns) => write!(text, ", free for exactly {turns} turns"),
    };
    if let Some(Value::AtMost(Outcome::Caught(turns))) = state.value {
        let _ = write!(text, ", captured within {} turns", turns.0);
    }
    let is_by_subset = state.decided_by == DecidedBy::Policy(Source::SubsetTable);
    let why = match state.reason {
        Reason::NoTable if is_by_subset => Some("the table of all cops: too large"),
        reason => why(reason),
    };
    if let Some(why) = why {
        let _ = write!(text, " ({why})");
    }
    text
}

fn why(reason: Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::NoTable => "no table: too large",
        Reason::TableSoon => "a table is being solved",
        Reason::NoTableForThis => "no table for these rules",
        Reason::Escapes => "no forced capture, says the table",
        Reason::Budget => "no budget left",
        Reason::MapChanged => "the map has changed",
        Reason::NoWay => "no path there",
        Reason::InWall => "in a wall",
        Reason::CutsOff => "cuts the robber off",
        Reason::OutOfSight => "out of sight",
        _ => return None,
    })
}

/// The costs of the plugin.
fn costs(record: &Record, settings: &PursuitSettings, diagnostics: &PursuitDiagnostics) -> String {
    let us = |time: Option<&Duration>| time.map_or(0.0, |time| time.as_secs_f64() * 1e6);
    let budget = match settings.budget {
        TickBudget::Expansions(all) => {
            let spent = record.spent;
            format!("{spent} of {all} expansions per tick")
        }
        TickBudget::Micros(all) => format!("{all} us per tick"),
    };
    let mut text = format!(
        "plugin: {:.0} us this turn, at most {budget}\ndropped plans: {}",
        us(record.turns.last()),
        record.decisions.dropped,
    );
    if diagnostics.tick.pending_edits > 0 {
        let _ = write!(text, "; pending edits: {}", diagnostics.tick.pending_edits);
    }
    text
}

fn write_status(
    mut status: Single<&mut Text, With<Status>>,
    clock: Single<&TurnClock>,
    start: Res<Start>,
    player: Res<Player>,
    time: Res<Time<Virtual>>,
    record: Res<Record>,
    settings: Res<PursuitSettings>,
    diagnostics: Res<PursuitDiagnostics>,
    store: Res<DiagnosticsStore>,
    agents: Query<(&Name, &PursuitState, &PursuitSpeed, Has<Robber>)>,
) {
    let fps = store.get(&FrameTimeDiagnosticsPlugin::FPS);
    let fps = fps.and_then(Diagnostic::smoothed).unwrap_or_default();
    let seed = start
        .seed
        .map_or("as in the level".into(), |seed| seed.to_string());
    let speed = if time.is_paused() {
        "paused".into()
    } else {
        format!("x{}", time.relative_speed())
    };
    let role = match player.role {
        Role::Watch => "watching",
        Role::Robber => "you are the robber",
        Role::Cop => "you are a cop",
    };
    let order = match settings.clock {
        PursuitClock::Turns => "turns",
        PursuitClock::FreeRunning => "free-running",
        PursuitClock::Simultaneous => "simultaneous",
        _ => "another clock",
    };
    let mut text = format!(
        "turn {}   {speed}   {order}   {role}   starts: {seed}   {fps:.0} fps\n{}\n",
        clock.turn,
        costs(&record, &settings, &diagnostics),
    );
    let mut agents: Vec<_> = agents.iter().collect();
    agents.sort_by_key(|&(name, _, _, is_robber)| (!is_robber, name.as_str()));
    for (name, state, speed, is_robber) in agents.iter().take(LINES) {
        let who = decider(**state, *is_robber, settings.tactics);
        let _ = writeln!(text, "{name} (speed {}): {who}", speed.0);
    }
    if agents.len() > LINES {
        let _ = write!(text, "... and {} more", agents.len() - LINES);
    }
    if status.0 != text {
        status.0 = text;
    }
}

fn write_keys(mut text: Single<&mut Text, With<Keys>>, store: Res<GizmoConfigStore>) {
    let keys = format!("{KEYS}{}", overlays::keys(&store));
    if text.0 != keys {
        text.0 = keys;
    }
}

fn write_banner(
    banner: Single<(&mut Text, &mut Node), With<Banner>>,
    running: Query<(), (With<Robber>, Without<Caught>)>,
    record: Res<Record>,
) {
    let (mut text, mut node) = banner.into_inner();
    let last = record.captures.last().filter(|_| running.is_empty());
    let display = if last.is_some() {
        Display::Flex
    } else {
        Display::None
    };
    if node.display != display {
        node.display = display;
        text.0 = last.map_or_else(String::new, |capture| {
            format!(
                "Captured on turn {} by {}\nR restart     N new starts",
                capture.turn, capture.cop
            )
        });
    }
}
