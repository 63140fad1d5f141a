//! A picture of the longest capture time for each start cell of the robber.

use crate::failure::Failure;
use crate::glyphs::{self, fill};
use image::{ImageFormat, Rgb, RgbImage};
use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::map::Cell;
use std::io::Cursor;

const WALL: Rgb<u8> = Rgb([47, 59, 82]);
const PAPER: Rgb<u8> = Rgb([250, 248, 242]);
const INK: Rgb<u8> = Rgb([24, 28, 40]);
/// Cells from which the robber can escape: a blue that is easy to distinguish from the scale.
const ESCAPE: Rgb<u8> = Rgb([40, 120, 210]);
/// From the shortest capture time (light) to the longest (dark).
const SCALE: [Rgb<u8>; 5] = [
    Rgb([255, 246, 200]),
    Rgb([252, 204, 104]),
    Rgb([240, 138, 58]),
    Rgb([200, 62, 54]),
    Rgb([110, 16, 66]),
];

/// The approximate length in pixels of the longer side of the map, whose cells take at least a pixel.
const SIDE: u32 = 1400;
/// The minimum width in pixels that the legend needs.
const MIN_WIDTH: u32 = 360;
/// The size in pixels of a dot of the legend's digits.
const DOT: u32 = 3;
const MARGIN: u32 = 12;
const BAR: u32 = 18;

/// The picture as a PNG file: the map, and below it the colour scale in turns with the colour of `inf`.
pub fn png(width: u16, height: u16, worst: &[(Cell, Outcome)]) -> Result<Vec<u8>, Failure> {
    let turns = worst.iter().filter_map(|&(_, outcome)| match outcome {
        Outcome::Caught(Turns(turns)) => Some(turns),
        Outcome::Escapes | Outcome::Away(_) => None,
    });
    let range = turns.clone().min().zip(turns.max());
    let (width, height) = (u32::from(width), u32::from(height));
    let scale = (SIDE / width.max(height)).clamp(1, 24);
    let legend = MARGIN * 2 + BAR + DOT * 2 + glyphs::height(DOT);
    let mut image = RgbImage::from_pixel(
        (width * scale).max(MIN_WIDTH),
        height * scale + legend,
        PAPER,
    );
    fill(&mut image, 0, 0, width * scale, height * scale, WALL);
    for &(cell, outcome) in worst {
        let color = match (outcome, range) {
            (Outcome::Caught(Turns(turns)), Some((least, most))) => color(turns, least, most),
            _ => ESCAPE,
        };
        let (x, y) = (u32::from(cell.x) * scale, u32::from(cell.y) * scale);
        fill(&mut image, x, y, scale, scale, color);
    }
    let escapes = worst
        .iter()
        .any(|(_, outcome)| *outcome == Outcome::Escapes);
    draw_legend(&mut image, height * scale + MARGIN, range, escapes);
    let mut bytes = Cursor::new(Vec::new());
    image
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| Failure::Input(format!("picture: {error}")))?;
    Ok(bytes.into_inner())
}

/// Draws a bar of all colours, labelled with turns, and a box for escapes to its right.
fn draw_legend(image: &mut RgbImage, top: u32, range: Option<(u16, u16)>, escapes: bool) {
    let text_top = top + BAR + DOT * 2;
    let box_width = glyphs::width("inf", DOT) + MARGIN;
    let right = image.width() - MARGIN;
    let bar_right = right - if escapes { box_width + MARGIN } else { 0 };
    if escapes {
        fill(image, right - box_width, top, box_width, BAR, ESCAPE);
        let left = right - box_width + MARGIN / 2;
        glyphs::write(image, "inf", left, text_top, DOT, INK);
    }
    let Some((least, most)) = range else {
        return;
    };
    let length = bar_right - MARGIN;
    for x in 0..length {
        let at = f64::from(x) / f64::from(length - 1);
        fill(image, MARGIN + x, top, 1, BAR, mixed(at));
    }
    let marks = u32::from(most - least).clamp(1, 5);
    for mark in 0..=marks {
        let share = f64::from(mark) / f64::from(marks);
        let turns = f64::from(least) + share * f64::from(most - least);
        // A mark is drawn at the position of its rounded number.
        let turns = turns.round();
        let place = match most - least {
            0 => 0.0,
            span => (turns - f64::from(least)) / f64::from(span),
        };
        let x = MARGIN + (place * f64::from(length - 1)).round() as u32;
        fill(image, x, top + BAR, 1, DOT, INK);
        let text = turns.to_string();
        let half = glyphs::width(&text, DOT) / 2;
        let left = x.saturating_sub(half);
        let left = left.clamp(DOT, bar_right.saturating_sub(half * 2).max(DOT));
        glyphs::write(image, &text, left, text_top, DOT, INK);
        if most == least {
            break;
        }
    }
}

/// The colour of a capture time between the shortest and the longest one.
fn color(turns: u16, least: u16, most: u16) -> Rgb<u8> {
    mixed(f64::from(turns - least) / f64::from((most - least).max(1)))
}

/// The colour at a position of the scale from 0 to 1.
fn mixed(at: f64) -> Rgb<u8> {
    let place = at.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let left = (place as usize).min(SCALE.len() - 2);
    let share = place - left as f64;
    let mix = |channel: usize| {
        let ends = [left, left + 1].map(|end| f64::from(SCALE[end].0[channel]));
        (ends[0] + share * (ends[1] - ends[0])).round() as u8
    };
    Rgb([mix(0), mix(1), mix(2)])
}
