//! wget resolves references, and removes dot segments from paths. It follows RFC 3986, but keeps `..` segments above
//! the root for `ftp`, like RFC 1808.

use absolve::{Profile, resolve};
use serde_json::Value;

use super::{Compared, text};

pub(super) fn compare(row: &Value) -> Compared {
    let reference = text(row, "input_html");
    let target = |base, profile| match resolve(base, reference, profile) {
        Ok(target) => target.into_owned(),
        Err(error) => error.to_string(),
    };
    let ours = match text(&row["options"], "function") {
        "uri_merge" => target(text(row, "base"), Profile::Rfc3986),
        "path_simplify" => {
            let profile = match text(&row["options"], "scheme") {
                "ftp" => Profile::Rfc1808,
                _ => Profile::Rfc3986,
            };
            target("http://h/", profile).replace("http://h/", "")
        }
        function => panic!("no function {function}"),
    };
    Compared::new(ours, text(row, "expected"))
}
