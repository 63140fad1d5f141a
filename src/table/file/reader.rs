//! Reads numbers from bytes that have not been checked.

use super::TableError;

/// Reads numbers from bytes that have not been checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
}

impl Reader<'_> {
    /// Reads `N` bytes at an offset.
    pub(crate) fn chunk<const N: usize>(&self, offset: usize) -> Result<[u8; N], TableError> {
        let chunk = self.bytes.get(offset..).and_then(<[u8]>::first_chunk);
        chunk.copied().ok_or_else(|| TableError::Length {
            expected: offset as u64 + N as u64,
            found: self.bytes.len() as u64,
        })
    }

    pub(crate) fn u16(&self, offset: usize) -> Result<u16, TableError> {
        self.chunk(offset).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&self, offset: usize) -> Result<u32, TableError> {
        self.chunk(offset).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&self, offset: usize) -> Result<u64, TableError> {
        self.chunk(offset).map(u64::from_le_bytes)
    }

    /// The first bytes, as an error shows them where they are not `magic`.
    pub(crate) fn expect_magic(&self, magic: [u8; 8]) -> Result<(), String> {
        let start = &self.bytes[..self.bytes.len().min(magic.len())];
        if start == magic {
            return Ok(());
        }
        let shown: Vec<String> = start.iter().map(|byte| format!("{byte:02x}")).collect();
        Err(match start {
            [] => "nothing".to_owned(),
            _ => shown.join(" "),
        })
    }
}

/// Checks the CRC-32 of bytes that begin at an offset of the file.
pub(crate) fn expect_checksum(
    section: &'static str,
    offset: u64,
    expected: u32,
    bytes: &[u8],
) -> Result<(), TableError> {
    let found = crc32fast::hash(bytes);
    if found == expected {
        return Ok(());
    }
    Err(TableError::Checksum {
        section,
        offset,
        expected,
        found,
    })
}

/// The error of bytes that contradict each other.
pub(crate) fn malformed(offset: u64, expected: &str, found: impl ToString) -> TableError {
    TableError::Malformed {
        offset,
        expected: expected.to_owned(),
        found: found.to_string(),
    }
}
