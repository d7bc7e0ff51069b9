//! Requests as the ledger keeps them: most of a body is the same in every order, and nine million of them are to fit on a
//! disk.
//!
//! A packed body begins with the number of its dictionary and a zlib stream follows; any other is kept as it stands, and
//! begins with a brace. What is taken out again must have the hash that was noted when it was frozen.

use std::borrow::Cow;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use sha2::{Digest, Sha256};

use super::error::LedgerError;

/// The dictionary's number. A ledger may hold bodies of every number that there ever was.
const FIRST: u8 = 1;

/// What bodies have in common, the commonest last. Never changed: ledgers hold what was packed by it.
const DICTIONARY: &[u8] = include_bytes!("dictionary_1.txt");

/// Bodies are small: a window of four kilobytes holds dictionary and body, and is cheaply made ready for the next.
const WINDOW_BITS: u8 = 12;

/// A body is never larger than this once it is taken out.
const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A body as the ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed(Vec<u8>);

impl Packed {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// More than the packer takes at once. Its library panics where it does not get that, so it is asked for beforehand.
const PACKER_BYTES: usize = 512 * 1024;

/// Packs one body after the other. Where memory is short, bodies are kept as they stand.
pub struct Packer(Option<Compress>);

impl Default for Packer {
    fn default() -> Self {
        let mut room = Vec::<u8>::new();
        let has_room = room.try_reserve_exact(PACKER_BYTES).is_ok();
        // Without this the compiler leaves the unused memory out, and the question with it.
        std::hint::black_box(&room);
        drop(room);
        Self(has_room.then(|| Compress::new_with_window_bits(Compression::fast(), true, WINDOW_BITS)))
    }
}

impl Packer {
    /// Packs a body, or keeps it as it stands where that is shorter.
    pub fn pack(&mut self, body: &[u8]) -> Packed {
        self.try_pack(body).filter(|packed| packed.len() < body.len()).map_or_else(|| Packed(body.to_vec()), Packed)
    }

    fn try_pack(&mut self, body: &[u8]) -> Option<Vec<u8>> {
        if body.first() != Some(&b'{') {
            return None;
        }
        let Self(compress) = self;
        let compress = compress.as_mut()?;
        compress.reset();
        compress.set_dictionary(DICTIONARY).ok()?;
        // As long as the body, at most: what is not shorter is not kept.
        let mut packed = Vec::with_capacity(body.len());
        packed.push(FIRST);
        let status = compress.compress_vec(body, &mut packed, FlushCompress::Finish).ok()?;
        (status == Status::StreamEnd).then_some(packed)
    }
}

/// Takes one body after the other out again.
pub(super) struct Unpacker(Decompress);

impl Default for Unpacker {
    fn default() -> Self {
        Self(Decompress::new_with_window_bits(true, WINDOW_BITS))
    }
}

impl Unpacker {
    /// The body as it is sent: proven by the hash that was noted for it.
    pub(super) fn unpack<'k>(&mut self, kept: &'k [u8], sha256: &[u8; 32]) -> Result<Cow<'k, [u8]>, LedgerError> {
        let damaged = || LedgerError::Damaged("a request is not what was frozen".to_owned());
        let body = match kept {
            [FIRST, stream @ ..] => Cow::Owned(self.inflated(stream).ok_or_else(damaged)?),
            _ => Cow::Borrowed(kept),
        };
        let found: [u8; 32] = Sha256::digest(&body).into();
        if found == *sha256 { Ok(body) } else { Err(damaged()) }
    }

    /// The same, where the body may have been removed with what is personal: then it is empty.
    pub(super) fn unpack_what_is_left<'k>(
        &mut self,
        kept: &'k [u8],
        sha256: &[u8; 32],
    ) -> Result<Cow<'k, [u8]>, LedgerError> {
        if kept.is_empty() { Ok(Cow::Borrowed(kept)) } else { self.unpack(kept, sha256) }
    }

    fn inflated(&mut self, stream: &[u8]) -> Option<Vec<u8>> {
        let Self(decompress) = self;
        decompress.reset(true);
        let mut body = Vec::with_capacity(4096);
        // It stops at its head and asks for the dictionary.
        if let Err(error) = decompress.decompress_vec(stream, &mut body, FlushDecompress::Finish) {
            error.needs_dictionary()?;
            decompress.set_dictionary(DICTIONARY).ok()?;
        }
        loop {
            let read = usize::try_from(decompress.total_in()).ok()?;
            match decompress.decompress_vec(stream.get(read..)?, &mut body, FlushDecompress::Finish).ok()? {
                Status::StreamEnd => return Some(body),
                _ if body.len() < body.capacity() || body.len() >= BODY_BYTES_MAX => return None,
                _ => body.reserve(body.len()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(body: &[u8]) -> [u8; 32] {
        Sha256::digest(body).into()
    }

    #[test]
    fn what_is_packed_is_taken_out_as_it_was() {
        let (mut packing, mut unpacking) = (Packer::default(), Unpacker::default());
        let text = String::from_utf8(DICTIONARY.to_vec()).unwrap();
        let body = &text[text.find("{\"orderNumber").unwrap()..];
        let long: String = (0..40_000_u32).map(|n| char::from(b'a' + (n * n % 23) as u8)).collect();
        for body in [
            body.to_owned(),
            body.replace("ORD-", "नौ-🚚"),
            format!("{{\"sku\":\"{long}\"}}"),
            "{1}".to_owned(),
            String::new(),
        ] {
            let packed = packing.pack(body.as_bytes());
            assert_eq!(unpacking.unpack(packed.bytes(), &hash(body.as_bytes())).unwrap(), body.as_bytes());
            assert!(packed.bytes().len() <= body.len());
        }
        assert!(packing.pack(body.as_bytes()).bytes().len() < body.len() / 10);
    }

    #[test]
    fn without_a_packer_a_body_is_kept_as_it_stands() {
        let body = b"{\"orderNumber\":\"ORD-1\",\"orderNumber\":\"ORD-1\",\"orderNumber\":\"ORD-1\"}";
        let kept = Packer(None).pack(body);
        assert_eq!(kept.bytes(), body);
        assert_eq!(Unpacker::default().unpack(kept.bytes(), &hash(body)).unwrap(), body.as_slice());
    }

    /// What was packed once must be taken out for ever.
    #[test]
    fn the_first_dictionary_is_what_it_was() {
        assert_eq!(hash(DICTIONARY)[..8], [0x06, 0x18, 0x4d, 0x69, 0x5f, 0x63, 0x7e, 0xde]);
    }

    /// Promise 11: a request that was damaged in the ledger is not sent.
    #[test]
    fn no_damage_goes_unnoticed() {
        let body =
            br#"{"orderNumber":"A-1","orderCreatedAt":"1700000000000","warehouseId":"WH-1","returnAddressId":""}"#;
        let packed = Packer::default().pack(body);
        // The same one all the time: what went wrong before leaves nothing behind.
        let mut unpacking = Unpacker::default();
        for place in 0..packed.bytes().len() {
            for bit in 0..8 {
                let mut kept = packed.bytes().to_vec();
                kept[place] ^= 1 << bit;
                // A few bits of a stream mean nothing.
                let found = unpacking.unpack(&kept, &hash(body));
                assert!(found.is_err() || found.unwrap() == body.as_slice(), "bit {bit} of byte {place}");
            }
            assert!(unpacking.unpack(&packed.bytes()[..place], &hash(body)).is_err());
            assert_eq!(unpacking.unpack(packed.bytes(), &hash(body)).unwrap(), body.as_slice());
        }
    }
}
