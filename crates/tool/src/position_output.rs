//! Prints lists of positions with more columns.

use crate::failure::Failure;
use crate::interrupt::waiting;
use crate::positions::Positions;
use std::io;

/// Prints a file of positions as comma-separated values with more columns. `fields` are those of each position.
pub fn print_with<const N: usize>(
    positions: &Positions,
    columns: [&str; N],
    fields: impl IntoIterator<Item = [String; N]>,
) -> Result<(), Failure> {
    let written = waiting(|| {
        let mut out = csv::Writer::from_writer(io::stdout().lock());
        out.write_record(positions.header.iter().chain(columns))?;
        for (record, fields) in positions.records.iter().zip(fields) {
            let fields = fields.iter().map(String::as_str);
            out.write_record(record.iter().chain(fields))?;
        }
        out.flush()?;
        Ok(())
    })?;
    written.map_err(|error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => Failure::Input(format!("stdout: {other:?}")),
    })
}
