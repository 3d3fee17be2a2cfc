//! What stands before the first colon of a reference: a scheme, one with a slip of the pen, or the head of a path.

/// Schemes in use that are followed by no authority: what stands behind them is not for us to judge.
const OPAQUE: &[&str] = &[
    "about",
    "acct",
    "aim",
    "bitcoin",
    "blob",
    "callto",
    "cid",
    "data",
    "doi",
    "ethereum",
    "facetime",
    "facetime-audio",
    "fax",
    "geo",
    "hdl",
    "im",
    "info",
    "intent",
    "javascript",
    "lightning",
    "line",
    "litecoin",
    "livescript",
    "lsid",
    "magnet",
    "mailto",
    "mid",
    "mk",
    "mocha",
    "modem",
    "ms-its",
    "news",
    "note",
    "oid",
    "pres",
    "res",
    "sip",
    "sips",
    "skype",
    "sms",
    "smsto",
    "spotify",
    "steam",
    "tag",
    "tel",
    "tg",
    "urn",
    "uuid",
    "vbscript",
    "viber",
    "view-source",
    "whatsapp",
    "wyciwyg",
    "xmpp",
    "ymsgr",
];

/// Other schemes in use.
const OTHERS: &[&str] = &[
    "afp",
    "alipays",
    "android-app",
    "app",
    "browser",
    "capacitor",
    "chrome",
    "chrome-extension",
    "cifs",
    "content",
    "cvs",
    "dav",
    "davs",
    "dict",
    "discord",
    "dns",
    "ed2k",
    "edge",
    "fb",
    "fb-messenger",
    "feed",
    "file",
    "filesystem",
    "finger",
    "ftp",
    "ftps",
    "gemini",
    "git",
    "git+https",
    "git+ssh",
    "gopher",
    "gtalk",
    "http",
    "https",
    "imap",
    "ios-app",
    "ipfs",
    "ipns",
    "irc",
    "irc6",
    "ircs",
    "itms",
    "itms-apps",
    "itms-appss",
    "itms-services",
    "itmss",
    "jabber",
    "jar",
    "ldap",
    "ldaps",
    "maps",
    "market",
    "mms",
    "mmsh",
    "moz-extension",
    "msnim",
    "msteams",
    "nfs",
    "nntp",
    "obsidian",
    "opera",
    "pop",
    "prospero",
    "resource",
    "rsync",
    "rtmp",
    "rtmps",
    "rtsp",
    "rtsps",
    "rtspu",
    "sftp",
    "shttp",
    "slack",
    "smb",
    "snapchat",
    "snews",
    "ssh",
    "stun",
    "stuns",
    "svn",
    "svn+ssh",
    "telnet",
    "thunder",
    "turn",
    "turns",
    "twitter",
    "vemmi",
    "vnc",
    "vscode",
    "wais",
    "waze",
    "webcal",
    "webcals",
    "weixin",
    "ws",
    "wss",
    "z39.50r",
    "z39.50s",
    "zoommtg",
    "zoomus",
];

/// Schemes that a browser expects two slashes and a host behind.
const WITH_HOST: &[&str] = &["http", "https", "ftp", "ws", "wss"];

/// Schemes that are worth recognising with one letter wrong, the one that is likelier meant first.
const OFTEN_MISSPELLED: &[&str] = &["https", "http", "mailto", "javascript"];

/// What stands before the first colon of `reference`, if it reads as a scheme, and what stands behind it.
///
/// # Source
/// RFC 1808 section 2.2 (`scheme`), which lets it begin with a digit; section 2.4.2 finds it.
pub(super) fn split(reference: &str) -> Option<(&str, &str)> {
    let end = reference.find([':', '/', '?', '#'])?;
    let rest = reference[end..].strip_prefix(':')?;
    let scheme = &reference[..end];
    let is_scheme = !scheme.is_empty()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    is_scheme.then_some((scheme, rest))
}

fn is_one_of(scheme: &str, list: &[&str]) -> bool {
    list.iter().any(|name| name.eq_ignore_ascii_case(scheme))
}

/// Whether what stands behind the scheme has no hierarchy, and so nothing that is looked at here.
pub(super) fn is_opaque(scheme: &str) -> bool {
    is_one_of(scheme, OPAQUE)
}

/// Whether two slashes and a host belong behind the scheme.
pub(super) fn has_host(scheme: &str) -> bool {
    is_one_of(scheme, WITH_HOST)
}

/// Whether the scheme is known, or of a kind that everyone makes their own of.
pub(super) fn is_known(scheme: &str) -> bool {
    let begins = |prefix: &str| {
        scheme
            .get(..prefix.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    };
    is_opaque(scheme) || is_one_of(scheme, OTHERS) || ["web+", "ms-", "x-"].into_iter().any(begins)
}

/// The scheme that was probably meant, where one letter is wrong, missing, too much, or changed places with its
/// neighbour.
pub(super) fn meant(scheme: &str) -> Option<&'static str> {
    if is_known(scheme) {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    OFTEN_MISSPELLED
        .iter()
        .copied()
        .find(|name| is_near(scheme.as_bytes(), name.as_bytes()))
}

/// Whether one edit makes `one` of `other`.
fn is_near(one: &[u8], other: &[u8]) -> bool {
    if one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    match (one, other) {
        ([], []) => false,
        ([a, b, one @ ..], [c, d, other @ ..]) if a == d && b == c && one == other => true,
        _ if one.len() > other.len() => one[1..] == *other,
        _ if one.len() < other.len() => *one == other[1..],
        _ => one[1..] == other[1..],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_is_a_slip_of_the_pen_and_two_are_not() {
        for (scheme, expected) in [
            ("htp", Some("http")),
            ("htpp", Some("http")),
            ("hhttp", Some("http")),
            ("Htttp", Some("http")),
            ("htpt", Some("http")),
            ("htps", Some("https")),
            ("httpd", Some("https")),
            ("httsp", Some("https")),
            ("mailt", Some("mailto")),
            ("javascipt", Some("javascript")),
            ("http", None),
            ("shttp", None),
            ("ftp", None),
            ("hp", None),
            ("mail", None),
        ] {
            assert_eq!(meant(scheme), expected, "{scheme}");
        }
    }
}
