//! Attributes that the replacement of a file keeps: owner, group, mode, access control list, extended attributes.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata, Permissions};
use std::io;

/// An attribute of a file that its replacement does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LostAttribute {
    /// The owner, which only root may set.
    Owner,
    /// The group, of which the process is not a member.
    Group,
    /// The extended attribute of this name.
    Extended(OsString),
}

impl fmt::Display for LostAttribute {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner => formatter.write_str("owner"),
            Self::Group => formatter.write_str("group"),
            Self::Extended(name) => {
                write!(formatter, "extended attribute {}", name.to_string_lossy())
            }
        }
    }
}

/// Returns the permissions of a file for another one: without the set-user-ID, set-group-ID and sticky bits.
///
/// The other file may belong to somebody else, in whose name a program with these bits would run.
pub(super) fn permissions(model: &Metadata) -> Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Permissions::from_mode(model.permissions().mode() & !0o7000)
    }
    #[cfg(not(unix))]
    model.permissions()
}

/// Returns the permissions of a directory for another one, like [`permissions`]: its owner may write files into it.
pub(super) fn directory_permissions(model: &Metadata) -> Permissions {
    let permissions = permissions(model);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Permissions::from_mode(permissions.mode() | 0o700)
    }
    #[cfg(not(unix))]
    permissions
}

/// Gives `replacement` the attributes of `original`, whose metadata is `model`. Returns those that it cannot have.
///
/// # Errors
/// The attributes cannot be read, or the mode or the access control list cannot be set. Without the list, the
/// mode would grant other rights: its bits for the group are the upper limit of all entries.
#[cfg(unix)]
pub(super) fn copy_attributes(
    original: &File,
    model: &Metadata,
    replacement: &File,
) -> io::Result<Vec<LostAttribute>> {
    use std::os::unix::fs::{MetadataExt, fchown};

    use xattr::FileExt;

    /// Name under which Linux has the access control list.
    const ACCESS_CONTROL_LIST: &str = "system.posix_acl_access";
    let mut lost = Vec::new();
    let current = replacement.metadata()?;
    // Other users than root become the owner of the replacement, as with any editor, but can keep the group if they are
    // members of it.
    if current.uid() != model.uid() && fchown(replacement, Some(model.uid()), None).is_err() {
        lost.push(LostAttribute::Owner);
    }
    if current.gid() != model.gid() && fchown(replacement, None, Some(model.gid())).is_err() {
        lost.push(LostAttribute::Group);
    }
    let names = match original.list_xattr() {
        // The file system has none.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
        names => Some(names?),
    };
    for name in names.into_iter().flatten() {
        let Some(value) = original.get_xattr(&name)? else {
            continue;
        };
        // The system itself sets some of them on every file.
        let is_set = replacement.get_xattr(&name);
        if is_set.is_ok_and(|set| set.as_ref() == Some(&value)) {
            continue;
        }
        match replacement.set_xattr(&name, &value) {
            Err(error) if name == ACCESS_CONTROL_LIST => {
                return Err(io::Error::other(format!(
                    "cannot keep the access control list: {error}"
                )));
            }
            Err(_) => lost.push(LostAttribute::Extended(name)),
            Ok(()) => {}
        }
    }
    replacement.set_permissions(permissions(model))?;
    Ok(lost)
}

/// Gives `replacement` the mode of the original, whose metadata is `model`.
///
/// # Errors
/// The mode cannot be set.
#[cfg(not(unix))]
pub(super) fn copy_attributes(
    _original: &File,
    model: &Metadata,
    replacement: &File,
) -> io::Result<Vec<LostAttribute>> {
    replacement.set_permissions(permissions(model))?;
    Ok(Vec::new())
}
