//! Hexagons by the places of their centres.

use pursuit_engine::map::{Cell, HexLayout, TileMap};

/// The centre of a hexagon in halves of its width and in rows, or for columns in columns and in halves of its height.
#[must_use]
pub fn center(layout: HexLayout, cell: Cell) -> [i32; 2] {
    let [x, y] = [cell.x, cell.y].map(i32::from);
    match layout {
        HexLayout::RowEven => [2 * x + i32::from(y % 2 == 0), y],
        HexLayout::RowOdd => [2 * x + i32::from(y % 2 == 1), y],
        HexLayout::Row => [2 * x - y, y],
        HexLayout::ColumnEven => [x, 2 * y - i32::from(x % 2 == 0)],
        HexLayout::ColumnOdd => [x, 2 * y - i32::from(x % 2 == 1)],
        HexLayout::Column => [x, 2 * y - x],
    }
}

/// Returns whether a line of sight leads from a hexagon to another, both of which count as transparent. The line is on the
/// hexagons whose centres are nearest after each whole step; of two equally near ones, one is enough.
#[must_use]
pub fn sees(map: &TileMap, layout: HexLayout, a: Cell, b: Cell) -> bool {
    let many = i64::from(steps(layout, a, b));
    let wide = |cell: Cell| center(layout, cell).map(i64::from);
    let ([ax, ay], [bx, by]) = (wide(a), wide(b));
    // Four times the square of the length, in sides.
    let squared = |x: i64, y: i64| match layout {
        HexLayout::RowEven | HexLayout::RowOdd | HexLayout::Row => x * x + 3 * y * y,
        HexLayout::ColumnEven | HexLayout::ColumnOdd | HexLayout::Column => 3 * x * x + y * y,
    };
    // A hexagon off the map can be as near, but nobody sees across it.
    (1..many).all(|step| {
        let (x, y) = (
            ax * (many - step) + bx * step,
            ay * (many - step) + by * step,
        );
        let far = |cell: Cell| {
            let [cx, cy] = wide(cell);
            squared(many * cx - x, many * cy - y)
        };
        let least = map.cells().map(far).min();
        let nearest = map.cells().filter(|&cell| Some(far(cell)) == least);
        nearest.into_iter().any(|cell| map.is_passable(cell))
    })
}

/// Returns whether two hexagons share a side.
#[must_use]
pub fn are_beside(layout: HexLayout, a: Cell, b: Cell) -> bool {
    let ([ax, ay], [bx, by]) = (center(layout, a), center(layout, b));
    let apart = [ax.abs_diff(bx), ay.abs_diff(by)];
    let beside = match layout {
        HexLayout::RowEven | HexLayout::RowOdd | HexLayout::Row => [2, 0],
        HexLayout::ColumnEven | HexLayout::ColumnOdd | HexLayout::Column => [0, 2],
    };
    apart == beside || apart == [1, 1]
}

/// Four times the square of the distance of two hexagons that are 1 apart from their neighbours.
#[must_use]
pub fn squared_distance(layout: HexLayout, a: Cell, b: Cell) -> u64 {
    let ([ax, ay], [bx, by]) = (center(layout, a), center(layout, b));
    let [x, y] = [ax.abs_diff(bx), ay.abs_diff(by)].map(u64::from);
    match layout {
        HexLayout::RowEven | HexLayout::RowOdd | HexLayout::Row => x * x + 3 * y * y,
        HexLayout::ColumnEven | HexLayout::ColumnOdd | HexLayout::Column => 3 * x * x + y * y,
    }
}

/// The number of steps between two hexagons on a map without walls.
#[must_use]
pub fn steps(layout: HexLayout, a: Cell, b: Cell) -> u32 {
    let ([ax, ay], [bx, by]) = (center(layout, a), center(layout, b));
    let [x, y] = [ax.abs_diff(bx), ay.abs_diff(by)];
    // Each step across changes both by one; the rest is straight, by two.
    let (long, across) = match layout {
        HexLayout::RowEven | HexLayout::RowOdd | HexLayout::Row => (x, y),
        HexLayout::ColumnEven | HexLayout::ColumnOdd | HexLayout::Column => (y, x),
    };
    across + long.saturating_sub(across) / 2
}
