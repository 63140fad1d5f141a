//! Prints rows of figures as a table, with averages over the maps.

use std::collections::BTreeSet;
use std::io::{self, Write};

/// A column of numbers: its two heading lines, decimal places, value and average.
pub struct Column<R> {
    pub heading: [&'static str; 2],
    pub digits: usize,
    pub of: fn(&R) -> Option<f64>,
    pub average: fn(&[f64]) -> f64,
}

pub const fn column<R>(
    heading: [&'static str; 2],
    digits: usize,
    of: fn(&R) -> Option<f64>,
    average: fn(&[f64]) -> f64,
) -> Column<R> {
    Column {
        heading,
        digits,
        of,
        average,
    }
}

/// A row: what names it.
pub trait Named {
    /// The headings of the names.
    const HEADINGS: &'static [&'static str];

    /// The name of the map.
    fn map(&self) -> &str;

    /// The other names; rows of several maps are averaged where these are the same.
    fn others(&self) -> Vec<String>;
}

pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

pub fn sum(numbers: &[f64]) -> f64 {
    numbers.iter().sum()
}

pub fn greatest(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(0.0, f64::max)
}

/// Writes a row for each map and policy and, for several maps, the averages of each policy.
pub fn write_table<R: Named>(
    out: &mut impl Write,
    rows: &[R],
    columns: &[&Column<R>],
) -> io::Result<()> {
    let maps: BTreeSet<&str> = rows.iter().map(Named::map).collect();
    let average = format!("mean of {} maps", maps.len());
    let groups = if maps.len() > 1 {
        by_name(rows)
    } else {
        Vec::new()
    };
    let one = rows.iter().map(|row| (row.map(), vec![row]));
    let all = groups.into_iter().map(|rows| (average.as_str(), rows));
    let lines: Vec<(Vec<String>, Vec<&R>)> = one
        .chain(all)
        .map(|(map, rows)| {
            let mut names = vec![map.to_owned()];
            names.extend(rows[0].others());
            (names, rows)
        })
        .collect();
    let width = |index: usize| {
        let names = lines.iter().map(|(names, _)| names[index].len());
        names.max().unwrap_or(0).max(R::HEADINGS[index].len())
    };
    let widths: Vec<usize> = (0..R::HEADINGS.len()).map(width).collect();
    let write_names = |out: &mut dyn Write, names: &[&str]| {
        for (index, (name, width)) in names.iter().zip(&widths).enumerate() {
            let gap = if index == 0 { "" } else { "  " };
            write!(out, "{gap}{name:<width$}")?;
        }
        io::Result::Ok(())
    };
    for line in 0..2 {
        let blank = vec![""; widths.len()];
        write_names(out, if line == 0 { &blank } else { R::HEADINGS })?;
        for column in columns {
            write!(out, "  {:>10}", column.heading[line])?;
        }
        writeln!(out)?;
    }
    for (names, rows) in &lines {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        write_names(out, &names)?;
        for column in columns {
            let numbers: Vec<f64> = rows.iter().filter_map(|row| (column.of)(row)).collect();
            if numbers.is_empty() {
                write!(out, "  {:>10}", "-")?;
            } else {
                let number = (column.average)(&numbers);
                write!(out, "  {number:>10.*}", column.digits)?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The rows of each policy, in order of first appearance.
pub fn by_name<R: Named>(rows: &[R]) -> Vec<Vec<&R>> {
    let mut groups: Vec<Vec<&R>> = Vec::new();
    for row in rows {
        let is_same = |rows: &&mut Vec<&R>| rows[0].others() == row.others();
        match groups.iter_mut().find(is_same) {
            Some(rows) => rows.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}
