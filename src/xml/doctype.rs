//! The document type declaration: its end, and the entities that its internal subset declares.
//!
//! Nothing is fetched and no entity is expanded. Declarations are read only to know which entities exist and whether
//! they contain markup. Attribute defaults in the internal subset are not applied: an attribute that is not written in
//! a tag is not in the document, so there is nothing to rewrite.

use std::collections::HashMap;

use memchr::{memchr, memmem};

use super::characters::{is_space, name_end, skip_space};
use super::error::ReadError;
use super::text::{TextReference, reference};
use crate::unsupported::IllFormedReason;

/// Entities of a document.
#[derive(Debug, Clone, Default)]
pub(super) struct Entities {
    declared: HashMap<Box<str>, GeneralEntity>,
    /// Whether other entities may be declared where this module does not look: in an external subset, or in a parameter
    /// entity.
    pub(super) may_be_external: bool,
}

/// A general entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GeneralEntity {
    /// Its replacement text is the contained text, which has no markup and no references that are not decoded.
    Text(Box<str>),
    /// Its replacement text contains markup, or references to other entities, which may contain markup.
    Markup,
    /// It is outside the document.
    External,
}

impl Entities {
    /// Returns the entity of that name, if the document declares it.
    pub(super) fn get(&self, name: &str) -> Option<&GeneralEntity> {
        self.declared.get(name)
    }

    /// Returns `value`, or the replacement text if all of it is a reference to an entity of text.
    ///
    /// Some drawing programs write the names of namespaces in this way.
    pub(super) fn expand<'v>(&'v self, value: &'v str) -> &'v str {
        let name = value
            .strip_prefix('&')
            .and_then(|rest| rest.strip_suffix(';'));
        match name.and_then(|name| self.get(name)) {
            Some(GeneralEntity::Text(text)) => text,
            _ => value,
        }
    }
}

/// Reads the document type declaration that begins at `start` of `text`, adds its entities to `entities`, and returns
/// its end.
///
/// # Source
/// XML 1.0, sections 2.8 and 4.2. Declarations other than those of entities are skipped.
///
/// # Complexity
/// Linear in the length of the declaration.
pub(super) fn read(text: &str, start: usize, entities: &mut Entities) -> Result<usize, ReadError> {
    let bytes = text.as_bytes();
    let mut pos = start + "<!DOCTYPE".len();
    let at = |pos: usize| bytes.get(pos).copied().ok_or(ReadError::Incomplete);
    if !is_space(at(pos)?) {
        return Err(ReadError::at(pos, IllFormedReason::Doctype));
    }
    loop {
        match at(pos)? {
            b'>' => return Ok(pos + 1),
            b'[' => pos = internal_subset(text, pos + 1, entities)?,
            b'<' => return Err(ReadError::at(pos, IllFormedReason::Doctype)),
            quote @ (b'"' | b'\'') => {
                // Only a public or system identifier is quoted, so there is an external subset.
                entities.may_be_external = true;
                pos = literal_end(bytes, pos, quote)?;
            }
            _ => pos += 1,
        }
    }
}

/// Returns the offset after the quoted literal that begins at `pos`.
fn literal_end(bytes: &[u8], pos: usize, quote: u8) -> Result<usize, ReadError> {
    let found = memchr(quote, &bytes[pos + 1..]).ok_or(ReadError::Incomplete)?;
    Ok(pos + 1 + found + 1)
}

/// Reads the internal subset from `start`, after its bracket, and returns the offset after the closing bracket.
fn internal_subset(text: &str, start: usize, entities: &mut Entities) -> Result<usize, ReadError> {
    let bytes = text.as_bytes();
    let mut pos = start;
    let find = |pos: usize, close: &str| {
        let found = memmem::find(&bytes[pos..], close.as_bytes());
        found
            .map(|found| pos + found + close.len())
            .ok_or(ReadError::Incomplete)
    };
    loop {
        pos = skip_space(bytes, pos);
        let rest = &text[pos..];
        match rest.as_bytes().first() {
            None => return Err(ReadError::Incomplete),
            Some(b']') => return Ok(pos + 1),
            Some(b'%') => {
                entities.may_be_external = true;
                pos = find(pos, ";")?;
            }
            _ if rest.starts_with("<!--") => pos = find(pos + 4, "-->")?,
            _ if rest.starts_with("<?") => pos = find(pos, "?>")?,
            _ if rest.starts_with("<!") => {
                let end = declaration_end(bytes, pos)?;
                if let Some(entity) = text[pos..end].strip_prefix("<!ENTITY") {
                    declare(entity, entities);
                }
                pos = end;
            }
            // The prefix of one of the above.
            Some(b'<') if rest.len() < 4 => return Err(ReadError::Incomplete),
            Some(_) => return Err(ReadError::at(pos, IllFormedReason::Doctype)),
        }
    }
}

/// Returns the offset after the declaration that begins at `pos`.
fn declaration_end(bytes: &[u8], mut pos: usize) -> Result<usize, ReadError> {
    loop {
        match bytes.get(pos).ok_or(ReadError::Incomplete)? {
            b'>' => return Ok(pos + 1),
            quote @ (b'"' | b'\'') => pos = literal_end(bytes, pos, *quote)?,
            _ => pos += 1,
        }
    }
}

/// Adds the entity of a declaration, given what follows `<!ENTITY`.
fn declare(declaration: &str, entities: &mut Entities) {
    let bytes = declaration.as_bytes();
    let start = skip_space(bytes, 0);
    if bytes.get(start) == Some(&b'%') {
        // A parameter entity. Only a reference to it matters.
        return;
    }
    let Some(end) = name_end(declaration, start) else {
        return;
    };
    let value = declaration[end..].trim_start();
    let entity = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inner = &value[1..];
            classify(inner.split(quote).next().unwrap_or_default())
        }
        _ => GeneralEntity::External,
    };
    let name = &declaration[start..end];
    // XML 1.0, section 4.2: the first declaration is binding.
    entities.declared.entry(name.into()).or_insert(entity);
}

/// Returns the entity whose value is `value`, as written.
fn classify(value: &str) -> GeneralEntity {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(character) = rest.chars().next() {
        let (literal, length) = match character {
            '<' | '%' => return GeneralEntity::Markup,
            '&' => match reference(rest) {
                // A reference to `<` or `&` becomes markup when the entity is included.
                Some((TextReference::Character(literal), length))
                    if !matches!(literal, '<' | '&') =>
                {
                    (literal, length)
                }
                _ => return GeneralEntity::Markup,
            },
            literal => (literal, literal.len_utf8()),
        };
        text.push(literal);
        rest = &rest[length..];
    }
    GeneralEntity::Text(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_finds_the_end_and_the_entities() {
        let doctype = r#"<!DOCTYPE a [
            <!-- ]> " --> <?p ]> ?>
            <!ENTITY ns "http://a/">
            <!ENTITY ns "http://b/">
            <!ENTITY quote '&#34;&gt;'>
            <!ENTITY bold "<b/>">
            <!ENTITY hidden "&#60;b/>">
            <!ENTITY nested "&ns;">
            <!ENTITY file SYSTEM "x.xml">
            <!ENTITY % p "<!ENTITY q 'x'>">
            <!ATTLIST a b CDATA "]>">
        ] >"#;
        let text = format!("{doctype}<a/>");
        let mut entities = Entities::default();
        assert_eq!(read(&text, 0, &mut entities), Ok(doctype.len()));
        let text_of = |text: &str| Some(GeneralEntity::Text(text.into()));
        for (name, expected) in [
            ("ns", text_of("http://a/")),
            ("quote", text_of("\">")),
            ("bold", Some(GeneralEntity::Markup)),
            ("hidden", Some(GeneralEntity::Markup)),
            ("nested", Some(GeneralEntity::Markup)),
            ("file", Some(GeneralEntity::External)),
            ("p", None),
            ("q", None),
        ] {
            assert_eq!(entities.get(name), expected.as_ref(), "{name}");
        }
        assert!(!entities.may_be_external);
        for end in 9..doctype.len() {
            let error = read(&text[..end], 0, &mut Entities::default());
            assert_eq!(error, Err(ReadError::Incomplete), "{}", &text[..end]);
        }
    }

    #[test]
    fn read_knows_what_may_be_declared_elsewhere() {
        for (text, may_be_external) in [
            ("<!DOCTYPE html>", false),
            (
                "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x.dtd'>",
                true,
            ),
            ("<!DOCTYPE html [<!ENTITY % p SYSTEM 'p'> %p; ]>", true),
        ] {
            let mut entities = Entities::default();
            assert_eq!(read(text, 0, &mut entities), Ok(text.len()), "{text}");
            assert_eq!(entities.may_be_external, may_be_external, "{text}");
        }
    }
}
