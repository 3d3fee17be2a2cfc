//! The host parser.
//!
//! <https://url.spec.whatwg.org/#host-parsing>

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use percent_encoding::percent_decode_str;

use crate::reference::characters::CharacterSet;
use crate::reference::escape::{a_label, encode};

/// The standard's "failure": the input is not a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reference) struct Failure;

/// Appends the host of a special URL, which `input` is parsed to.
///
/// # Errors
/// Returns [`Failure`] if `input` is not a host; `target` is unchanged then.
pub(super) fn write(input: &str, target: &mut String) -> Result<(), Failure> {
    if let Some(address) = input.strip_prefix('[') {
        return write_ipv6(address, target);
    }
    let domain = domain_to_ascii(input)?;
    if ends_in_a_number(&domain) {
        target.push_str(&ipv4(&domain)?.to_string());
    } else {
        target.push_str(&domain);
    }
    Ok(())
}

/// Appends the host of a URL that is not special: the "opaque-host parser".
///
/// # Errors
/// Returns [`Failure`] if `input` is not a host; `target` is unchanged then.
pub(super) fn write_opaque(input: &str, target: &mut String) -> Result<(), Failure> {
    if let Some(address) = input.strip_prefix('[') {
        return write_ipv6(address, target);
    }
    if !CharacterSet::HOST.contains_all(input.as_bytes()) {
        return Err(Failure);
    }
    encode(input, url_escape::CONTROLS, target);
    Ok(())
}

/// Returns the domain that `input` means, in ASCII: percent-decoding, "domain to ASCII" and the test for "forbidden
/// domain code points".
fn domain_to_ascii(input: &str) -> Result<Cow<'_, str>, Failure> {
    if CharacterSet::DOMAIN.contains_all(input.as_bytes()) {
        let is_upper = input.bytes().any(|byte| byte.is_ascii_uppercase());
        return Ok(if is_upper {
            Cow::Owned(input.to_ascii_lowercase())
        } else {
            Cow::Borrowed(input)
        });
    }
    let domain: Cow<'_, [u8]> = percent_decode_str(input).into();
    if !domain.is_ascii() {
        return a_label(&domain).map(Cow::Owned).ok_or(Failure);
    }
    // An ASCII domain is only lowercased, even if a label that begins with "xn--" is not valid.
    if !CharacterSet::DOMAIN.contains_all(&domain) {
        return Err(Failure);
    }
    let lower = domain
        .iter()
        .map(|byte| char::from(byte.to_ascii_lowercase()));
    Ok(Cow::Owned(lower.collect()))
}

/// Returns whether `domain` must be an IPv4 address: the "ends in a number checker".
fn ends_in_a_number(domain: &str) -> bool {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let last = domain.rsplit('.').next().unwrap_or_default();
    let is_decimal = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    is_decimal || ipv4_number(last).is_ok()
}

/// Returns the address that `input` means: the "IPv4 parser".
fn ipv4(input: &str) -> Result<Ipv4Addr, Failure> {
    let input = input.strip_suffix('.').unwrap_or(input);
    let (mut address, mut count) = (0, 0);
    let mut parts = input.split('.').peekable();
    while let Some(part) = parts.next() {
        let number = ipv4_number(part)?;
        // The last part fills the bytes that the others leave.
        let bits = if parts.peek().is_some() {
            8
        } else {
            32_u32.saturating_sub(8 * count)
        };
        count += 1;
        if count > 4 || number >> bits != 0 {
            return Err(Failure);
        }
        address = address << bits | number;
    }
    u32::try_from(address)
        .map(Ipv4Addr::from)
        .map_err(|_| Failure)
}

/// Returns the number in hexadecimal, octal or decimal notation that `input` is: the "IPv4 number parser".
///
/// A number that is too large for any address is returned as [`u64::MAX`].
fn ipv4_number(input: &str) -> Result<u64, Failure> {
    let (digits, radix) = match input.as_bytes() {
        [] => return Err(Failure),
        [b'0', b'x' | b'X', ..] => (&input[2..], 16),
        [b'0', _, ..] => (&input[1..], 8),
        _ => (input, 10),
    };
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(Failure);
    }
    if digits.is_empty() {
        return Ok(0);
    }
    // Only overflow is left as an error.
    Ok(u64::from_str_radix(digits, radix).unwrap_or(u64::MAX))
}

/// Appends the address at the start of `input`, which a bracket must end: the "IPv6 parser" and "IPv6 serializer".
fn write_ipv6(input: &str, target: &mut String) -> Result<(), Failure> {
    let address: Ipv6Addr = input
        .strip_suffix(']')
        .and_then(|address| address.parse().ok())
        .ok_or(Failure)?;
    // The standard has no notation of its own for IPv4-mapped addresses.
    let serialized = match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] => format!("[::ffff:{high:x}:{low:x}]"),
        _ => format!("[{address}]"),
    };
    target.push_str(&serialized);
    Ok(())
}
