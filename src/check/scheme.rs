//! The part of a reference before its first colon: a scheme, a misspelled one, or the beginning of a path.

use crate::find::starts_with_ignore_case;
use crate::markup::name::NameList;

/// Schemes in use whose URLs have no authority. The rules about references do not apply to such URLs.
static OPAQUE: NameList<55> = NameList::of(
    "about acct aim bitcoin blob callto cid data doi ethereum facetime facetime-audio fax geo hdl im info \
     intent javascript lightning line litecoin livescript lsid magnet mailto mid mk mocha modem ms-its \
     news note oid pres res sip sips skype sms smsto spotify steam tag tel tg urn uuid vbscript viber \
     view-source whatsapp wyciwyg xmpp ymsgr",
);

/// Other schemes in use.
static OTHERS: NameList<100> = NameList::of(
    "afp alipays android-app app browser capacitor chrome chrome-extension cifs content cvs dav davs dict \
     discord dns ed2k edge fb fb-messenger feed file filesystem finger ftp ftps gemini git git+https \
     git+ssh gopher gtalk http https imap ios-app ipfs ipns irc irc6 ircs itms itms-apps itms-appss \
     itms-services itmss jabber jar ldap ldaps maps market mms mmsh moz-extension msnim msteams nfs nntp \
     obsidian opera pop prospero resource rsync rtmp rtmps rtsp rtsps rtspu sftp shttp slack smb snapchat \
     snews ssh stun stuns svn svn+ssh telnet thunder turn turns twitter vemmi vnc vscode wais waze webcal \
     webcals weixin ws wss z39.50r z39.50s zoommtg zoomus",
);

/// Schemes that are recognized in spite of one edit. The first match is used, so the most likely scheme is first.
const OFTEN_MISSPELLED: &[&str] = &["https", "http", "mailto", "javascript"];

/// Returns whether URLs with the scheme have no hierarchy, so that the rules about references do not apply to them.
pub(super) fn is_opaque(scheme: &str) -> bool {
    OPAQUE.contains(scheme)
}

/// Returns whether the scheme is known, or has a prefix of custom schemes.
pub(super) fn is_known(scheme: &str) -> bool {
    let begins = |prefix: &str| starts_with_ignore_case(scheme.as_bytes(), prefix.as_bytes());
    is_opaque(scheme) || OTHERS.contains(scheme) || ["web+", "ms-", "x-"].into_iter().any(begins)
}

/// Returns the intended scheme if one letter of `scheme` is wrong, missing, extra, or swapped with its neighbour, and
/// the scheme is not a known one.
pub(super) fn corrected(scheme: &str) -> Option<&'static str> {
    if is_known(scheme) {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    OFTEN_MISSPELLED
        .iter()
        .copied()
        .find(|name| is_one_edit_apart(scheme.as_bytes(), name.as_bytes()))
}

/// Returns whether one insertion, deletion, replacement or swap of neighbours turns `one` into `other`.
fn is_one_edit_apart(one: &[u8], other: &[u8]) -> bool {
    if one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let prefix = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[prefix..], &other[prefix..]);
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
    fn corrected_allows_one_edit() {
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
            assert_eq!(corrected(scheme), expected, "{scheme}");
        }
    }
}
