//! The coding `gzip` (RFC 1952): members, one after another.
//!
//! `flate2` inflates. Its `GzDecoder` is not used, because it cannot be reset: an archive has a member for each record,
//! and setting up a decoder costs more than a short one.

use std::io::{self, BufRead, Read};

use flate2::{Crc, CrcReader, Decompress, FlushDecompress, Status};

/// The first bytes of a member (RFC 1952 section 2.3.1).
pub(super) const MAGIC: [u8; 2] = [0x1F, 0x8B];

/// Returns whether a member may begin with these bytes.
///
/// # Source
/// RFC 1952 section 2.3.1: signature, method 8, and flags of which the highest three are zero.
pub(in crate::container) fn begins_member(header: [u8; 4]) -> bool {
    matches!(header, [0x1F, 0x8B, 8, flags] if flags & 0xE0 == 0)
}

/// The maximum length of the name or comment of a member, in bytes.
const MAX_TEXT: u64 = 1 << 16;

/// A decoder of any number of members, one after another: setting it up costs more than a short member.
#[derive(Debug)]
pub(in crate::container) struct GzipDecoding {
    inflate: Decompress,
    /// The checksum of the decoded bytes.
    crc: Crc,
    next: MemberPart,
}

/// A part of a member.
#[derive(Debug)]
enum MemberPart {
    Header,
    Data,
    Trailer,
    End,
}

impl GzipDecoding {
    pub(in crate::container) fn new() -> Self {
        Self {
            inflate: Decompress::new(false),
            crc: Crc::new(),
            next: MemberPart::Header,
        }
    }

    /// Prepares for the next member.
    pub(in crate::container) fn begin(&mut self) {
        self.inflate.reset(false);
        self.crc.reset();
        self.next = MemberPart::Header;
    }

    /// Reads bytes of the member in `source`, as many as fit into `buffer`, and no byte after the member. Those before
    /// an error are returned first.
    ///
    /// # Errors
    /// `UnexpectedEof` if the source ends within the member, `InvalidData` for other damage, and the errors of the
    /// source.
    pub(in crate::container) fn read(
        &mut self,
        source: &mut impl BufRead,
        buffer: &mut [u8],
    ) -> io::Result<usize> {
        if let MemberPart::Header = self.next {
            read_header(source)?;
            self.next = MemberPart::Data;
        }
        let mut read = 0;
        while let MemberPart::Data = self.next
            && read < buffer.len()
        {
            match self.inflate(source, &mut buffer[read..]) {
                Ok(count) => read += count,
                Err(error) if read == 0 => return Err(error),
                Err(_) => break,
            }
        }
        self.crc.update(&buffer[..read]);
        if let (MemberPart::Trailer, 0) = (&self.next, read) {
            let sum = u32::from_le_bytes(read_array(source)?);
            let length = u32::from_le_bytes(read_array(source)?);
            self.next = MemberPart::End;
            if (sum, length) != (self.crc.sum(), self.crc.amount()) {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        Ok(read)
    }

    /// Decodes data that is buffered in `source`, and returns the number of decoded bytes.
    fn inflate(&mut self, source: &mut impl BufRead, buffer: &mut [u8]) -> io::Result<usize> {
        let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
        let input = source.fill_buf()?;
        let is_end = input.is_empty();
        let status = self
            .inflate
            .decompress(input, buffer, FlushDecompress::None);
        let count = |added| usize::try_from(added).map_err(io::Error::other);
        let read = count(self.inflate.total_out() - before_out)?;
        source.consume(count(self.inflate.total_in() - before_in)?);
        match status {
            Ok(Status::StreamEnd) => self.next = MemberPart::Trailer,
            Ok(_) if is_end && read == 0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            // The decoder remembers the error.
            Err(_) if read == 0 => return Err(io::ErrorKind::InvalidData.into()),
            _ => {}
        }
        Ok(read)
    }
}

/// The content of all members at the beginning of a body.
pub(super) struct GzipReader<'s> {
    decoding: GzipDecoding,
    /// The bytes after those that were read.
    pub(super) rest: &'s [u8],
}

impl<'s> GzipReader<'s> {
    pub(super) fn new(source: &'s [u8]) -> Self {
        Self {
            decoding: GzipDecoding::new(),
            rest: source,
        }
    }
}

impl Read for GzipReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.decoding.read(&mut self.rest, buffer)?;
            if read > 0 || buffer.is_empty() || !self.rest.starts_with(&MAGIC) {
                return Ok(read);
            }
            self.decoding.begin();
        }
    }
}

/// Reads the header of a member.
///
/// # Source
/// RFC 1952 section 2.3.
fn read_header(source: &mut impl BufRead) -> io::Result<()> {
    let mut source = CrcReader::new(source);
    let [id1, id2, method, flags, ..] = read_array::<10>(&mut source)?;
    if !begins_member([id1, id2, method, flags]) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let has = |flag| flags & flag != 0;
    if has(4) {
        let length = u16::from_le_bytes(read_array(&mut source)?);
        io::copy(&mut source.by_ref().take(length.into()), &mut io::sink())?;
    }
    let texts = [8, 16].into_iter().filter(|&flag| has(flag));
    for _ in texts {
        source.by_ref().take(MAX_TEXT).skip_until(0)?;
    }
    let sum = source.crc().sum().to_le_bytes();
    if has(2) && read_array(&mut source)? != [sum[0], sum[1]] {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(())
}

fn read_array<const N: usize>(source: &mut impl BufRead) -> io::Result<[u8; N]> {
    let mut array = [0; N];
    source.read_exact(&mut array)?;
    Ok(array)
}

#[cfg(test)]
mod tests {
    use flate2::{Compression, GzBuilder};

    use super::*;

    /// Returns a member with every field of the header, whose last two bytes are its checksum.
    fn member(content: &[u8]) -> Vec<u8> {
        let builder = GzBuilder::new().extra("ab").filename("a").comment("b");
        let mut encoder = builder.buf_read(content, Compression::default());
        let mut member = Vec::new();
        encoder
            .read_to_end(&mut member)
            .expect("memory can be read");
        member[3] |= 2;
        let end = 10 + 2 + "ab".len() + "a\0b\0".len();
        let mut crc = Crc::new();
        crc.update(&member[..end]);
        let [a, b, ..] = crc.sum().to_le_bytes();
        member.splice(end..end, [a, b]);
        member
    }

    fn decode(source: &[u8]) -> (Vec<u8>, Option<io::ErrorKind>) {
        let mut decoded = Vec::new();
        let result = GzipReader::new(source).read_to_end(&mut decoded);
        (decoded, result.err().map(|error| error.kind()))
    }

    #[test]
    fn every_field_of_the_header_is_passed() {
        let members = [member(b"<a href"), member(b"=b>")].concat();
        assert_eq!(decode(&members), (b"<a href=b>".to_vec(), None));
        let mut damaged = member(b"<p>");
        damaged[4] ^= 1;
        assert_eq!(
            decode(&damaged),
            (Vec::new(), Some(io::ErrorKind::InvalidData))
        );
        for end in 0..damaged.len() {
            let cut_off = &member(b"<p>")[..end];
            assert_eq!(
                decode(cut_off).1,
                Some(io::ErrorKind::UnexpectedEof),
                "{end}"
            );
        }
    }

    /// The data are a stored block, and one whose type does not exist (RFC 1951 section 3.2.3).
    #[test]
    fn bytes_before_damage_are_returned() {
        let mut damaged = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0, 3, 0, 0xFC, 0xFF];
        damaged.extend(b"<p>\x07");
        assert_eq!(
            decode(&damaged),
            (b"<p>".to_vec(), Some(io::ErrorKind::InvalidData))
        );
    }
}
