//! Outlines of parts of a grid.

use bevy::prelude::*;

/// The lines around a part of a grid that run along one of its squares, slightly inside: pairs of end
/// points, in squares from the centre of the square at 0, 0.
///
/// `is_inside` says whether the square at a column and row belongs to the part; the square at 0, 0
/// must. `inset` is how far inside the lines run, in squares, below one half.
pub(super) fn around_square(
    at: IVec2,
    inset: f32,
    is_inside: impl Fn(IVec2) -> bool,
    mut line: impl FnMut(Vec2, Vec2),
) {
    for out in [IVec2::NEG_Y, IVec2::X, IVec2::Y, IVec2::NEG_X] {
        if is_inside(at + out) {
            continue;
        }
        let along = out.perp();
        // How far the line reaches depends on whether, and in which direction, the outline turns there.
        let reach = |side: IVec2| {
            if !is_inside(at + side) {
                0.5 - inset
            } else if is_inside(at + side + out) {
                0.5 + inset
            } else {
                0.5
            }
        };
        let middle = at.as_vec2() + out.as_vec2() * (0.5 - inset);
        let [before, after] = [-along, along].map(|side| side.as_vec2() * reach(side));
        line(middle + before, middle + after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the area that the lines enclose clockwise, and the sum of the lines, which is zero if they
    /// close.
    fn area(part: &[IVec2], inset: f32) -> (f32, Vec2) {
        let (mut twice, mut gap) = (0.0, Vec2::ZERO);
        for &square in part {
            around_square(
                square,
                inset,
                |at| part.contains(&at),
                |a, b| {
                    twice += a.perp_dot(b);
                    gap += b - a;
                },
            );
        }
        (twice, gap)
    }

    #[test]
    fn an_outline_closes_and_lies_inside_by_its_inset() {
        let at = |squares: &[(i32, i32)]| -> Vec<IVec2> {
            squares.iter().map(|&(x, y)| IVec2::new(x, y)).collect()
        };
        let (single, gap) = area(&at(&[(3, 5)]), 0.25);
        assert!(
            (single / 2.0 - 0.25).abs() < 1e-4 && gap.length() < 1e-4,
            "{single} {gap}"
        );
        // An L has one inner corner: 3 squares less their margin, plus one corner.
        let (corner, gap) = area(&at(&[(0, 0), (0, 1), (1, 1)]), 0.1);
        let expected = 3.0 - 8.0 * 0.1 + 4.0 * 0.01;
        assert!(
            (corner / 2.0 - expected).abs() < 1e-4 && gap.length() < 1e-4,
            "{corner} {gap}"
        );
        // A ring is an outline with a hole: 8 squares less 0.1 along 12 sides outside and 4 inside.
        let ring: Vec<(i32, i32)> = (0..9)
            .map(|i| (i % 3, i / 3))
            .filter(|&at| at != (1, 1))
            .collect();
        let (ring, gap) = area(&at(&ring), 0.1);
        let expected = (2.8 * 2.8) - (1.2 * 1.2);
        assert!(
            (ring / 2.0 - expected).abs() < 1e-4 && gap.length() < 1e-4,
            "{ring} {gap}"
        );
    }
}
