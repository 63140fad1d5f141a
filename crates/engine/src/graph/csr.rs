//! Compressed sparse rows: rows of different lengths in one array.

/// Rows of different lengths, stored contiguously.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Csr<T> {
    /// The index of the first item of each row, then the number of items.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Csr<T> {
    /// Stores the rows in order, at most 2^32 - 1 items in all.
    #[doc(hidden)]
    pub fn from_rows<I: IntoIterator<Item = T>>(rows: impl Iterator<Item = I>) -> Self {
        let mut all = Self {
            starts: vec![0],
            items: Vec::new(),
        };
        rows.for_each(|row| all.push_row(row));
        all
    }

    /// Adds a row.
    pub(crate) fn push_row(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.starts.push(self.items.len() as u32);
    }

    /// Reserves memory for this many rows and items.
    pub(crate) fn with_capacity(rows: usize, items: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        let items = Vec::with_capacity(items);
        Self { starts, items }
    }

    /// The number of items in all rows.
    #[doc(hidden)]
    #[must_use]
    pub const fn item_count(&self) -> usize {
        self.items.len()
    }

    /// A row.
    #[doc(hidden)]
    #[must_use]
    pub fn row(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The number of rows.
    #[doc(hidden)]
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

impl<T: Copy> Csr<T> {
    /// Adds a row.
    pub(crate) fn push(&mut self, row: &[T]) {
        self.items.extend_from_slice(row);
        self.starts.push(self.items.len() as u32);
    }
}

impl Csr<u32> {
    /// The transpose: row `i` lists the rows that contain `i`, in order.
    pub(crate) fn transposed(&self, rows: usize) -> Self {
        let mut starts = vec![0_u32; rows + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for index in 0..rows {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for row in 0..self.rows() {
            for &item in self.row(row) {
                let place = &mut next[item as usize];
                items[*place as usize] = row as u32;
                *place += 1;
            }
        }
        Self { starts, items }
    }
}
