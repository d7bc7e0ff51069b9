//! The stream of an `.xls` in its OLE container, for what the reader of its cells does not tell.

/// Sectors of less than this stand in the small stream.
const SMALL: usize = 4096;
/// What ends or breaks a chain of sectors.
const LAST_SECTOR: u32 = 0xffff_fffa;

/// The workbook's stream; nothing where the container breaks its rules.
pub(super) fn workbook_stream(file: &[u8]) -> Option<Vec<u8>> {
    let container = Container::of(file)?;
    let directory = container.chain(u32_at(file, 48)?)?;
    let entries = || directory.chunks_exact(128);
    let root = entries().next()?;
    let entry = entries().find(|entry| ["Workbook", "Book"].iter().any(|wanted| is_named(entry, wanted)))?;
    let (start, size) = (u32_at(entry, 116)?, u32_at(entry, 120)? as usize);
    let mut stream = if size < SMALL {
        let sectors = container.chain(u32_at(root, 116)?)?;
        let next = container.chain(u32_at(file, 60)?)?;
        small_chain(&sectors, &next, start)?
    } else {
        container.chain(start)?
    };
    stream.truncate(size);
    Some(stream)
}

struct Container<'f> {
    file: &'f [u8],
    sector: usize,
    /// The sector after each sector.
    next: Vec<u32>,
}

impl<'f> Container<'f> {
    fn of(file: &'f [u8]) -> Option<Self> {
        let sector = match file.get(30)? {
            9 => 512,
            12 => 4096,
            _ => return None,
        };
        let mut container = Self { file, sector, next: Vec::new() };
        let mut tables: Vec<u32> = (0..109).map_while(|index| u32_at(file, 76 + 4 * index)).collect();
        let mut more = u32_at(file, 68)?;
        for _ in 0..file.len() / sector {
            let Some(list) = (more < LAST_SECTOR).then(|| container.at(more)).flatten() else { break };
            let (numbers, link) = list.split_at(sector - 4);
            tables.extend(numbers.chunks_exact(4).filter_map(|bytes| u32_at(bytes, 0)));
            more = u32_at(link, 0)?;
        }
        let mut next = Vec::new();
        for table in tables.into_iter().filter(|table| *table < LAST_SECTOR) {
            next.extend(container.at(table)?.chunks_exact(4).filter_map(|bytes| u32_at(bytes, 0)));
        }
        container.next = next;
        Some(container)
    }

    fn at(&self, sector: u32) -> Option<&'f [u8]> {
        let start = (sector as usize).checked_add(1)?.checked_mul(self.sector)?;
        self.file.get(start..start.checked_add(self.sector)?)
    }

    /// The bytes of a chain of sectors, of which the file's last one may be cut.
    fn chain(&self, first: u32) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut sector = first;
        while sector < LAST_SECTOR {
            match self.at(sector) {
                Some(whole) => bytes.extend_from_slice(whole),
                None => bytes
                    .extend_from_slice(self.file.get((sector as usize).checked_add(1)?.checked_mul(self.sector)?..)?),
            }
            // A chain that is longer than the file runs in a circle.
            if bytes.len() > self.file.len() {
                return None;
            }
            sector = *self.next.get(sector as usize)?;
        }
        Some(bytes)
    }
}

fn small_chain(sectors: &[u8], next: &[u8], first: u32) -> Option<Vec<u8>> {
    const SECTOR: usize = 64;
    let mut bytes = Vec::new();
    let mut sector = first;
    while sector < LAST_SECTOR {
        let start = (sector as usize).checked_mul(SECTOR)?;
        bytes.extend_from_slice(sectors.get(start..start.checked_add(SECTOR)?)?);
        if bytes.len() > sectors.len() {
            return None;
        }
        sector = u32_at(next, (sector as usize).checked_mul(4)?)?;
    }
    Some(bytes)
}

/// Whether a directory entry has this name.
fn is_named(entry: &[u8], wanted: &str) -> bool {
    let name: Vec<u8> = wanted.encode_utf16().flat_map(u16::to_le_bytes).collect();
    entry.starts_with(&name) && entry.get(name.len()..name.len() + 2) == Some(&[0, 0])
}

/// A little-endian number.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// A little-endian number.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}
