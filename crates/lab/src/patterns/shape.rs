//! Shapes of patterns: sets of lattice cells, compared up to the symmetries of the lattice.

/// A cell of a shape, by its two coordinates on the lattice.
pub type Site = (i8, i8);

/// A symmetry of a lattice: a linear map of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Symmetry {
    /// The images of (1, 0) and (0, 1).
    columns: [Site; 2],
}

impl Symmetry {
    const IDENTITY: Self = Self {
        columns: [(1, 0), (0, 1)],
    };

    /// The image of a cell. Coordinates of more than 63 may wrap around.
    #[must_use]
    pub const fn apply(self, site: Site) -> Site {
        let [a, b] = self.columns;
        (
            a.0.wrapping_mul(site.0)
                .wrapping_add(b.0.wrapping_mul(site.1)),
            a.1.wrapping_mul(site.0)
                .wrapping_add(b.1.wrapping_mul(site.1)),
        )
    }

    /// The symmetry that applies `self` first and then `next`.
    const fn then(self, next: Self) -> Self {
        let [a, b] = self.columns;
        Self {
            columns: [next.apply(a), next.apply(b)],
        }
    }

    /// All products of some symmetries, the identity first.
    fn group(generators: &[Self]) -> Vec<Self> {
        let mut all = vec![Self::IDENTITY];
        let mut next = 0;
        while next < all.len() {
            for generator in generators {
                let product = all[next].then(*generator);
                if !all.contains(&product) {
                    all.push(product);
                }
            }
            next += 1;
        }
        all
    }

    /// The eight symmetries of the square lattice, the identity first.
    #[must_use]
    pub(crate) fn of_squares() -> Vec<Self> {
        let quarter = Self {
            columns: [(0, 1), (-1, 0)],
        };
        let mirror = Self {
            columns: [(-1, 0), (0, 1)],
        };
        Self::group(&[quarter, mirror])
    }

    /// The twelve symmetries of the hexagonal lattice in axial coordinates, the identity first.
    #[must_use]
    pub(crate) fn of_hexagons() -> Vec<Self> {
        let sixth = Self {
            columns: [(0, 1), (-1, 1)],
        };
        let mirror = Self {
            columns: [(0, 1), (1, 0)],
        };
        Self::group(&[sixth, mirror])
    }
}

/// A set of cells, translated so that the least coordinates are 0. The cells are sorted by row, then by column,
/// and are numbered in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    sites: Vec<Site>,
}

/// A shape, and the number in the shape of each cell from which it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted {
    /// The shape.
    pub shape: Shape,
    /// For each given cell, its number in the shape.
    pub numbers: Vec<usize>,
    /// The symmetry that maps the given cells to the shape.
    pub by: Symmetry,
}

impl Shape {
    /// The shape of some distinct cells, which lie at most 127 columns and rows apart.
    #[must_use]
    pub fn new(sites: &[Site]) -> Self {
        Self::fitted(sites, Symmetry::IDENTITY).shape
    }

    /// A rectangle. Sides of more than 127 cells become 127.
    #[must_use]
    pub fn rectangle(width: u8, height: u8) -> Self {
        let [width, height] = [width, height].map(|side| side.min(127).cast_signed());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self::new(&cells.collect::<Vec<Site>>())
    }

    /// The cells.
    #[must_use]
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// The number of cells.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.sites.len()
    }

    /// The number of columns and of rows that the shape spans.
    #[must_use]
    pub fn span(&self) -> (u8, u8) {
        let far = |of: fn(&Site) -> i8| {
            let far = self.sites.iter().map(of).max();
            far.map_or(0, |far| far.unsigned_abs() + 1)
        };
        (far(|site| site.0), far(|site| site.1))
    }

    /// The number of a cell; `None` if the cell is not in the shape.
    #[must_use]
    pub fn number(&self, site: Site) -> Option<usize> {
        let key = |site: &Site| (site.1, site.0);
        self.sites.binary_search_by_key(&key(&site), key).ok()
    }

    fn fitted(sites: &[Site], by: Symmetry) -> Fitted {
        let images: Vec<Site> = sites.iter().map(|&site| by.apply(site)).collect();
        let least = |of: fn(&Site) -> i8| images.iter().map(of).min().unwrap_or(0);
        let (left, top) = (least(|site| site.0), least(|site| site.1));
        let from = |least: i8, at: i8| at.saturating_sub(least);
        let moved = images.iter().map(|&(x, y)| (from(left, x), from(top, y)));
        let moved: Vec<Site> = moved.collect();
        let mut sorted = moved.clone();
        sorted.sort_unstable_by_key(|&(x, y)| (y, x));
        sorted.dedup();
        let shape = Self { sites: sorted };
        let numbers = moved.iter().map(|&site| shape.number(site).unwrap_or(0));
        Fitted {
            numbers: numbers.collect(),
            shape,
            by,
        }
    }

    /// The least image of some cells under the symmetries. Sets of cells that are equal under the symmetries
    /// have the same canonical shape.
    #[must_use]
    pub fn canonical(sites: &[Site], symmetries: &[Symmetry]) -> Fitted {
        let images = symmetries.iter().map(|&by| Self::fitted(sites, by));
        let least = images.min_by(|a, b| a.shape.cmp(&b.shape));
        least.unwrap_or_else(|| Self::fitted(sites, Symmetry::IDENTITY))
    }

    /// The symmetries that map the shape onto itself. Each comes with the number of the image of each cell.
    #[must_use]
    pub(crate) fn automorphisms(&self, symmetries: &[Symmetry]) -> Vec<Fitted> {
        let images = symmetries.iter().map(|&by| Self::fitted(&self.sites, by));
        images.filter(|image| image.shape == *self).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_far_apart_and_long_sides_do_no_harm() {
        assert_eq!(Shape::new(&[]).span(), (0, 0));
        assert_eq!(Shape::rectangle(200, 1).span(), (127, 1));
        assert_eq!(Shape::new(&[(-128, 0), (127, 0)]).span(), (128, 1));
        for by in Symmetry::of_squares()
            .into_iter()
            .chain(Symmetry::of_hexagons())
        {
            let fitted = Shape::fitted(&[(-128, -128), (127, -128)], by);
            assert_eq!(fitted.numbers.len(), 2);
        }
    }

    #[test]
    fn there_are_eight_and_twelve_symmetries() {
        assert_eq!(Symmetry::of_squares().len(), 8);
        assert_eq!(Symmetry::of_hexagons().len(), 12);
        assert_eq!(Symmetry::of_hexagons()[0], Symmetry::IDENTITY);
    }

    #[test]
    fn a_square_has_eight_automorphisms_and_a_rectangle_four() {
        let all = Symmetry::of_squares();
        assert_eq!(Shape::rectangle(3, 3).automorphisms(&all).len(), 8);
        assert_eq!(Shape::rectangle(3, 2).automorphisms(&all).len(), 4);
        let upright = Shape::canonical(Shape::rectangle(2, 3).sites(), &all).shape;
        let lying = Shape::canonical(Shape::rectangle(3, 2).sites(), &all).shape;
        assert_eq!(upright, lying);
        assert_eq!(Shape::rectangle(4, 2).span(), (4, 2));
    }

    #[test]
    fn an_image_keeps_its_cells_apart() {
        let shape = Shape::new(&[(0, 0), (1, 0), (2, 0), (0, 1)]);
        for image in Symmetry::of_squares() {
            let fitted = Shape::fitted(shape.sites(), image);
            let mut numbers = fitted.numbers.clone();
            numbers.sort_unstable();
            assert_eq!(numbers, [0, 1, 2, 3]);
        }
    }
}
