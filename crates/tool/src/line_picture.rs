//! Draws a line of play on its map.

use crate::failure::Failure;
use crate::glyphs::{self, fill};
use image::{ImageFormat, Rgb, RgbImage};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Cell;
use pursuit_engine::solve::PlayedTurn;
use std::io::Cursor;

const WALL: Rgb<u8> = Rgb([47, 59, 82]);
const FLOOR: Rgb<u8> = Rgb([250, 248, 242]);
/// The colours of the robber and of up to three cops, distinguishable with colour vision deficiencies
/// (M. Okabe and K. Ito, "Color universal design", 2008).
const ROBBER: Rgb<u8> = Rgb([213, 94, 0]);
const COPS: [Rgb<u8>; 3] = [Rgb([0, 114, 178]), Rgb([0, 158, 115]), Rgb([204, 121, 167])];

/// The approximate length in pixels of the longer side of the map.
const SIDE: u32 = 1400;

/// Draws the picture as a PNG file: the path of each agent, with a large square at its start, and the number of
/// turns at the cell where the robber is captured.
pub fn png(
    graph: &Graph,
    robber: Vertex,
    cops: &[Vertex],
    line: &[PlayedTurn],
) -> Result<Vec<u8>, Failure> {
    let (width, height) = (u32::from(graph.width()), u32::from(graph.height()));
    let scale = (SIDE / width.max(height).max(1)).clamp(3, 24);
    let mut image = RgbImage::from_pixel(width * scale, height * scale, WALL);
    for vertex in graph.iter() {
        let Cell { x, y } = graph.cell(vertex);
        fill(
            &mut image,
            u32::from(x) * scale,
            u32::from(y) * scale,
            scale,
            scale,
            FLOOR,
        );
    }
    for (index, &start) in cops.iter().enumerate() {
        let path = line.iter().filter_map(|turn| turn.cops.get(index).copied());
        draw_path(
            &mut image,
            graph,
            scale,
            COPS[index % COPS.len()],
            start,
            path,
        );
    }
    let path = line.iter().map(|turn| turn.robber);
    draw_path(&mut image, graph, scale, ROBBER, robber, path);
    if let Some(last) = line.last() {
        let Pixel { x, y } = middle(graph, last.robber, scale);
        let dot = (scale / 6).max(1) + 1;
        glyphs::write(
            &mut image,
            &line.len().to_string(),
            x + scale,
            y,
            dot,
            ROBBER,
        );
    }
    let mut bytes = Cursor::new(Vec::new());
    image
        .write_to(&mut bytes, ImageFormat::Png)
        .map_err(|error| Failure::Input(format!("picture: {error}")))?;
    Ok(bytes.into_inner())
}

/// A pixel of the picture, counted from its top left.
#[derive(Clone, Copy)]
struct Pixel {
    x: u32,
    y: u32,
}

/// The pixel at the centre of a cell.
fn middle(graph: &Graph, vertex: Vertex, scale: u32) -> Pixel {
    let Cell { x, y } = graph.cell(vertex);
    Pixel {
        x: u32::from(x) * scale + scale / 2,
        y: u32::from(y) * scale + scale / 2,
    }
}

fn draw_path(
    image: &mut RgbImage,
    graph: &Graph,
    scale: u32,
    color: Rgb<u8>,
    start: Vertex,
    path: impl Iterator<Item = Vertex>,
) {
    let thick = (scale / 4).max(1);
    let mut from = middle(graph, start, scale);
    square(image, from, scale.saturating_sub(2).max(2), color);
    for vertex in path {
        let to = middle(graph, vertex, scale);
        let length = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)).max(1);
        for step in 0..=length {
            let on = |from: u32, to: u32| (from * (length - step) + to * step) / length;
            let (x, y) = (on(from.x, to.x), on(from.y, to.y));
            square(image, Pixel { x, y }, thick, color);
        }
        square(image, to, (scale / 2).max(2), color);
        from = to;
    }
}

/// Draws a square around a point.
fn square(image: &mut RgbImage, at: Pixel, side: u32, color: Rgb<u8>) {
    let corner = |middle: u32| middle.saturating_sub(side / 2);
    fill(image, corner(at.x), corner(at.y), side, side, color);
}
