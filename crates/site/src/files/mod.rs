//! Output files: complete or not there, and never a mixture of old and new.
//!
//! # The problem
//!
//! A program may be killed at any time, its disk may be full, and other programs may read the files that it replaces.
//! No reader may ever see half a document, and a replacement must never lose an original.
//!
//! # The approach
//!
//! [`AtomicFile`] creates a temporary file in the directory of its target, because a rename is atomic only within a
//! file system. When the content is complete, [`AtomicFile::persist`] renames it to the target, which replaces an
//! existing file in one step. An [`AtomicFile`] that is dropped without having been persisted removes its temporary
//! file. Pipes and devices cannot be replaced by a rename; [`open_special_file`] opens them for writing instead.
//! [`write_file`] does all of this for the path of a file, and `replace_in_place` for a file that is rewritten.
//!
//! # Directories
//!
//! [`walk()`] finds the files of a directory that [`WalkOptions`] select, [`Overlap::of`] detects an output directory
//! that must not be used, and `create_directory` prepares one. In it, [`write_counterpart`] writes a rewritten
//! file, and [`SiteFile::transfer`] copies another. [`run`](crate::run) uses these for all files of a folder.
//!
//! Another process may change the directories at the same time. Nothing in them may lead out of them: [`open_regular`]
//! opens only regular files, and `PinnedPath` makes the path of an output independent of the names above it.
//!
//! # Leftovers of killed processes
//!
//! A killed process cannot remove its temporary files. Their names therefore follow a pattern that contains the process
//! ID (`is_temp_file`), a run over a directory does not read them as input, and a later run over it removes them
//! (`remove_leftover`). A file of a process that still runs is kept where the system has `/proc`; elsewhere, two runs
//! that write to the same directory at the same time may remove each other's temporary files.
//!
//! # Files of earlier runs
//!
//! [`OutputManifest`] lists the files that were written to a directory, so that those can be deleted that a later run
//! does not write.
//!
//! # Mode, owner and dates
//!
//! * A replacement and a copy get the mode of their model: the file that is replaced or copied. While it is written,
//!   the temporary file is never accessible to more users than the model.
//! * `replace_in_place` keeps owner, group, access control list and extended attributes, as far as the process may
//!   set them, and returns those that are lost ([`LostAttribute`]). Copies do not have them.
//! * An unchanged copy keeps the modification time, so that tools such as `rsync` or `make` see no change. A document
//!   with new content gets the current time. A file that has its content already keeps its own (`write_document`).
//!
//! # Signals
//!
//! [`remove_temp_files`] removes the temporary files of the process, for a handler of signals that end it.
//!
//! # Limits
//!
//! After a killed run, every file is old or new. After a power failure, that is certain with [`Durability::Synced`]
//! only; otherwise, the result is what the file system makes of a rename. Access control lists are known on Linux.

mod atomic_file;
mod attributes;
mod current;
mod directory;
mod manifest;
mod overlap;
mod pinned_path;
mod regular;
mod replace;
mod site_file;
mod temp_files;
mod walk;
mod walk_options;
mod write;

pub use atomic_file::{AtomicFile, Durability, open_special_file};
pub(crate) use atomic_file::{is_temp_file, remove_leftover};
pub use attributes::LostAttribute;
pub(crate) use directory::{create_directory, create_directory_inside};
pub use manifest::{OutputManifest, path_from_bytes};
pub use overlap::{Overlap, canonical_directory, resolved_path};
pub(crate) use pinned_path::PinnedPath;
pub(crate) use regular::read_regular;
pub use regular::{open_regular, read_all};
pub(crate) use replace::replace_in_place;
pub use site_file::{SiteFile, Transfer, site_path_bytes};
pub use temp_files::{NoTempFiles, remove_temp_files};
pub use walk::{Walk, WalkError, walk};
pub use walk_options::{InvalidGlob, WalkOptions};
pub(crate) use write::{write_buffered, write_document};
pub use write::{write_counterpart, write_file};
