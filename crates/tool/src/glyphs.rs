//! A bitmap font with the few characters of a picture's legend.

use image::{Rgb, RgbImage};

/// The size of a character in dots; `ADVANCE` includes the gap to the next one.
const WIDTH: u32 = 3;
const HEIGHT: u32 = 5;
const ADVANCE: u32 = WIDTH + 1;

/// The rows of dots, from the top; of each row's three bits, the highest is the leftmost dot.
const fn dots(symbol: char) -> [u8; HEIGHT as usize] {
    match symbol {
        '0' => [0b111, 0b101, 0b101, 0b101, 0b111],
        '1' => [0b010, 0b110, 0b010, 0b010, 0b111],
        '2' => [0b111, 0b001, 0b111, 0b100, 0b111],
        '3' => [0b111, 0b001, 0b011, 0b001, 0b111],
        '4' => [0b101, 0b101, 0b111, 0b001, 0b001],
        '5' => [0b111, 0b100, 0b111, 0b001, 0b111],
        '6' => [0b111, 0b100, 0b111, 0b101, 0b111],
        '7' => [0b111, 0b001, 0b010, 0b010, 0b010],
        '8' => [0b111, 0b101, 0b111, 0b101, 0b111],
        '9' => [0b111, 0b101, 0b111, 0b001, 0b111],
        'i' => [0b010, 0b000, 0b010, 0b010, 0b010],
        'n' => [0b000, 0b110, 0b101, 0b101, 0b101],
        'f' => [0b011, 0b010, 0b111, 0b010, 0b010],
        _ => [0; HEIGHT as usize],
    }
}

/// The width of a text in pixels, with dots of `size` pixels.
pub fn width(text: &str, size: u32) -> u32 {
    (text.chars().count() as u32 * ADVANCE).saturating_sub(1) * size
}

/// The height of a text in pixels, with dots of `size` pixels.
pub const fn height(size: u32) -> u32 {
    HEIGHT * size
}

/// Draws digits and `inf` with the top left dot at this position, clipped to the picture.
pub fn write(image: &mut RgbImage, text: &str, left: u32, top: u32, size: u32, color: Rgb<u8>) {
    for (index, symbol) in text.chars().enumerate() {
        let left = left + index as u32 * ADVANCE * size;
        for (row, bits) in dots(symbol).into_iter().enumerate() {
            for column in (0..WIDTH).filter(|column| bits >> (WIDTH - 1 - column) & 1 == 1) {
                let (x, y) = (left + column * size, top + row as u32 * size);
                fill(image, x, y, size, size, color);
            }
        }
    }
}

/// Fills a rectangle, clipped to the picture.
pub fn fill(image: &mut RgbImage, left: u32, top: u32, width: u32, height: u32, color: Rgb<u8>) {
    for y in top..top.saturating_add(height).min(image.height()) {
        for x in left..left.saturating_add(width).min(image.width()) {
            image.put_pixel(x, y, color);
        }
    }
}
