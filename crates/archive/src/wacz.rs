//! The WARC archives in a WACZ file, which is a ZIP archive.
//!
//! [`ArchivePart`] is one of them, or a WARC archive that is a file itself, so that programs read both in one way.
//! Members that are stored are read in place. Others, which the format advises against, are decompressed into memory,
//! up to a limit. No name of a member becomes a path.
//!
//! # Source
//! WACZ 1.1.1, "Directory Layout": the archives are the members `archive/*.warc` and `archive/*.warc.gz`.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zip::{CompressionMethod, ZipArchive};

use super::settings::ArchiveSettings;

/// A WARC archive that is a file, or a part of a file.
#[derive(Debug, Clone)]
pub struct ArchivePart {
    /// The name of the member; `None` for a file.
    name: Option<String>,
    content: PartContent,
}

#[derive(Debug, Clone)]
enum PartContent {
    /// The bytes of the file between two offsets.
    Stored {
        start: u64,
        end: u64,
    },
    Decoded(Arc<[u8]>),
}

impl ArchivePart {
    /// A file that is a WARC archive as a whole.
    pub const WHOLE: Self = Self {
        name: None,
        content: PartContent::Stored {
            start: 0,
            end: u64::MAX,
        },
    };

    /// Returns whether a file that begins with `prefix` is a ZIP archive, which may be a WACZ file.
    #[must_use]
    pub fn is_zip(prefix: &[u8]) -> bool {
        prefix.starts_with(b"PK\x03\x04")
    }

    /// Returns the archives in a WACZ file, or none if it is another file. Those that are compressed in it may have as
    /// many bytes in total as a [document](crate::ContainerLimit::DecodedSize).
    ///
    /// # Errors
    /// An archive cannot be read, or is longer than that or than the file, or two members have the same name.
    pub fn in_wacz<R: Read + Seek>(
        mut file: R,
        settings: &ArchiveSettings,
    ) -> io::Result<Vec<Self>> {
        let mut prefix = [0; 4];
        if file.read_exact(&mut prefix).is_err() || !Self::is_zip(&prefix) {
            return Ok(Vec::new());
        }
        let length = file.seek(SeekFrom::End(0))?;
        let Ok(mut zip) = ZipArchive::new(&mut file) else {
            return Ok(Vec::new());
        };
        let (mut stored, mut left) = (0_u64, settings.document_limit);
        let mut parts = Vec::new();
        for index in 0..zip.len() {
            let name = zip.name_for_index(index).unwrap_or_default().to_owned();
            let is_archive = [".warc", ".warc.gz"].iter().any(|end| name.ends_with(end));
            let in_folder = name.strip_prefix("archive/");
            if !is_archive || in_folder.is_none_or(|name| name.contains('/')) {
                continue;
            }
            let damaged = |problem| {
                let message = format!("{name}: {problem}");
                io::Error::new(io::ErrorKind::InvalidData, message)
            };
            let mut member = zip
                .by_index(index)
                .map_err(|error| damaged(error.to_string()))?;
            let content = if member.compression() == CompressionMethod::Stored {
                let start = member.data_start().unwrap_or(length);
                let size = member.compressed_size();
                // Members that share bytes would multiply them.
                stored = stored.saturating_add(size);
                let end = start.saturating_add(size);
                if stored > length || end > length {
                    return Err(damaged("longer than the file".to_owned()));
                }
                PartContent::Stored { start, end }
            } else {
                let mut bytes = Vec::new();
                let limited = (&mut member).take(left as u64 + 1).read_to_end(&mut bytes);
                limited.map_err(|error| damaged(error.to_string()))?;
                left = left.checked_sub(bytes.len()).ok_or_else(|| {
                    damaged(
                        "compressed, and longer than the limit; unpack the file first".to_owned(),
                    )
                })?;
                PartContent::Decoded(bytes.into())
            };
            drop(member);
            let name = Some(name);
            parts.push(Self { name, content });
        }
        let (members, directory) = (zip.len(), zip.central_directory_start());
        // The last member of a name would hide the others.
        if !parts.is_empty() && directory_entries(&mut file, directory)? > members {
            let message = "several members have the same name";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(parts)
    }

    /// Returns the name of the archive in the file at `path`.
    #[must_use]
    pub fn path(&self, path: &Path) -> PathBuf {
        let mut path = path.as_os_str().to_owned();
        if let Some(name) = &self.name {
            path.push("!");
            path.push(name);
        }
        path.into()
    }

    /// Returns the bytes of the archive in `file`.
    ///
    /// # Errors
    /// `file` cannot seek.
    pub fn reader<R: Read + Seek>(&self, mut file: R) -> io::Result<PartReader<R>> {
        Ok(match &self.content {
            PartContent::Decoded(bytes) => PartReader::Decoded(Cursor::new(Arc::clone(bytes))),
            &PartContent::Stored { start, end } => {
                // A whole file may be a pipe.
                if start > 0 {
                    file.seek(SeekFrom::Start(start))?;
                }
                PartReader::Stored {
                    file,
                    start,
                    pos: start,
                    end,
                }
            }
        })
    }
}

/// Returns the number of entries of a directory of a ZIP archive: APPNOTE 6.3.10, section 4.3.12.
fn directory_entries(mut file: impl Read + Seek, start: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(start))?;
    let (mut entries, mut entry) = (0, [0; 46]);
    while file.read_exact(&mut entry).is_ok() && entry.starts_with(b"PK\x01\x02") {
        let lengths =
            [28, 30, 32].map(|at| i64::from(u16::from_le_bytes([entry[at], entry[at + 1]])));
        file.seek(SeekFrom::Current(lengths.iter().sum()))?;
        entries += 1;
    }
    Ok(entries)
}

/// The bytes of an [`ArchivePart`].
#[derive(Debug)]
pub enum PartReader<R> {
    /// Those of a file between two offsets.
    Stored {
        /// The file.
        file: R,
        /// The offset of the first byte.
        start: u64,
        /// The offset of the next byte.
        pos: u64,
        /// The offset after the last byte.
        end: u64,
    },
    /// Those of a compressed member.
    Decoded(Cursor<Arc<[u8]>>),
}

impl<R: Read> Read for PartReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Decoded(bytes) => bytes.read(buffer),
            Self::Stored { file, pos, end, .. } => {
                let read = file.take(end.saturating_sub(*pos)).read(buffer)?;
                *pos += read as u64;
                Ok(read)
            }
        }
    }
}

impl<R: Seek> Seek for PartReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Decoded(bytes) => bytes.seek(to),
            Self::Stored {
                file,
                start,
                pos,
                end,
            } => {
                let target = match to {
                    SeekFrom::Start(offset) => start.checked_add(offset),
                    SeekFrom::Current(distance) => pos.checked_add_signed(distance),
                    SeekFrom::End(distance) => end.checked_add_signed(distance),
                };
                let target = target.filter(|target| target >= start);
                *pos = file.seek(SeekFrom::Start(target.ok_or(io::ErrorKind::InvalidInput)?))?;
                Ok(*pos - *start)
            }
        }
    }
}
