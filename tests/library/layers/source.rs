//! The parts of a source file that tell which other files it uses.

/// A path, or an item that a `use` declaration imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    /// Name in this file; `*` if everything is imported.
    pub(crate) name: String,
    pub(crate) path: Vec<String>,
    pub(crate) visibility: Visibility,
}

/// Whether a `use` declaration also exports the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visibility {
    Private,
    Exported,
}

/// A source file without its comments, literals and tests.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// Modules declared with `mod name;`.
    pub(crate) modules: Vec<String>,
    pub(crate) imports: Vec<Import>,
    /// Paths in the code, of two segments or more.
    pub(crate) paths: Vec<Vec<String>>,
    /// Every identifier that is no part of a declaration.
    pub(crate) words: Vec<String>,
}

impl Source {
    pub(crate) fn parse(text: &str) -> Self {
        let tokens = without_tests(&tokens(text));
        let mut source = Self::default();
        let mut rest = &tokens[..];
        while let Some((first, after)) = rest.split_first() {
            match &**first {
                "mod" if after.get(1).is_some_and(|token| token == ";") => {
                    source.modules.push(after[0].clone());
                    rest = &after[2..];
                }
                "pub" if after.first().is_some_and(|token| token == "(") => {
                    let end = after.iter().position(|token| token == ")");
                    rest = &after[end.map_or(0, |end| end + 1)..];
                    if rest.first().is_some_and(|token| token == "use") {
                        rest = source.imports(&rest[1..], Visibility::Exported);
                    }
                }
                "pub" if after.first().is_some_and(|token| token == "use") => {
                    rest = source.imports(&after[1..], Visibility::Exported);
                }
                // `use<'a>` is a bound.
                "use" if after.first().is_none_or(|token| token != "<") => {
                    rest = source.imports(after, Visibility::Private);
                }
                _ => rest = source.path(rest),
            }
        }
        source
    }

    /// Reads a `use` declaration after the keyword, and returns the tokens after it.
    fn imports<'t>(&mut self, tokens: &'t [String], visibility: Visibility) -> &'t [String] {
        let end = tokens.iter().position(|token| token == ";");
        let (tree, rest) = tokens.split_at(end.unwrap_or(tokens.len()));
        self.tree(&[], tree, visibility);
        rest
    }

    /// Reads a part of a `use` declaration; `prefix` is the path before it.
    fn tree(&mut self, prefix: &[String], mut tokens: &[String], visibility: Visibility) {
        while !tokens.is_empty() {
            let mut path = prefix.to_vec();
            while let [name, next, after @ ..] = tokens
                && next == "::"
            {
                path.push(name.clone());
                tokens = after;
            }
            match tokens {
                [open, after @ ..] if open == "{" => {
                    let length = group_length(after, "{", "}");
                    self.tree(&path, &after[..length], visibility);
                    tokens = &after[length + 1..];
                }
                [name, after @ ..] => {
                    // `a::b::{self}` imports `b`.
                    if name != "self" {
                        path.push(name.clone());
                    }
                    let name = match after {
                        [keyword, name, ..] if keyword == "as" => name,
                        _ => path.last().expect("a name"),
                    };
                    let name = name.clone();
                    self.imports.push(Import {
                        name,
                        path,
                        visibility,
                    });
                    let comma = after.iter().position(|token| token == ",");
                    tokens = &after[comma.unwrap_or(after.len())..];
                }
                [] => {}
            }
            tokens = tokens.strip_prefix(&[",".to_owned()]).unwrap_or(tokens);
        }
    }

    /// Reads a path or another token, and returns the tokens after it.
    fn path<'t>(&mut self, mut tokens: &'t [String]) -> &'t [String] {
        let mut path = Vec::new();
        while let [name, after @ ..] = tokens
            && is_name(name)
        {
            path.push(name.clone());
            tokens = after;
            match tokens {
                [colons, name, ..] if colons == "::" && is_name(name) => tokens = &tokens[1..],
                _ => break,
            }
        }
        if path.is_empty() {
            return &tokens[1..];
        }
        self.words.extend_from_slice(&path);
        if path.len() > 1 {
            self.paths.push(path);
        }
        tokens
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns the number of tokens before the one that closes a group.
fn group_length(tokens: &[String], open: &str, close: &str) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token == open {
            depth += 1;
        } else if token == close {
            if depth == 0 {
                return index;
            }
            depth -= 1;
        }
    }
    tokens.len()
}

/// Drops every item after `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let Some((first, after)) = rest.split_first() {
        let is_attribute = rest.len() > ATTRIBUTE.len()
            && ATTRIBUTE
                .iter()
                .zip(rest)
                .all(|(expected, found)| expected == found);
        if !is_attribute {
            kept.push(first.clone());
            rest = after;
            continue;
        }
        rest = &rest[ATTRIBUTE.len()..];
        let end = rest.iter().position(|token| token == ";" || token == "{");
        let end = end.unwrap_or(rest.len() - 1);
        let is_block = rest[end] == "{";
        rest = &rest[end + 1..];
        if is_block {
            let length = group_length(rest, "{", "}");
            rest = rest.get(length + 1..).unwrap_or_default();
        }
    }
    kept
}

/// Splits Rust into names, `::` and single characters, without comments and literals.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = literal_length(rest) {
            length
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let length = end.unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the string or character literal at the beginning of `text`.
fn literal_length(text: &str) -> Option<usize> {
    let prefix = text.len() - text.trim_start_matches(['b', 'c', 'r']).len();
    if prefix > 2 {
        return None;
    }
    let body = &text[prefix..];
    let hashes = body.len() - body.trim_start_matches('#').len();
    if text[..prefix].ends_with('r') && body[hashes..].starts_with('"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return Some(start + text[start..].find(&end)? + end.len());
    }
    match body.as_bytes() {
        [b'"', ..] => {
            let mut chars = body.char_indices().skip(1);
            while let Some((index, c)) = chars.next() {
                match c {
                    '\\' => drop(chars.next()),
                    '"' => return Some(prefix + index + 1),
                    _ => {}
                }
            }
            None
        }
        [b'\'', b'\\', _, after @ ..] => {
            let quote = after.iter().position(|&byte| byte == b'\'')?;
            Some(prefix + 3 + quote + 1)
        }
        [b'\'', ..] => {
            let character = body[1..].chars().next()?;
            let end = 1 + character.len_utf8();
            // Without a quote it is a lifetime.
            body[end..].starts_with('\'').then_some(prefix + end + 1)
        }
        _ => None,
    }
}

#[test]
fn source_parse_reads_declarations_and_paths() {
    let source = Source::parse(
        "//! use crate::comment;
         mod a;
         pub(super) use self::a::{self, b::{C, D as E}, *};
         use std::io;
         fn f<'a>(x: &'a str) -> super::G { h::i::<'\\''>(\"j::k\"); r#\"l::\"m\"# }
         #[cfg(test)]
         mod tests { use n::o; }",
    );
    let imports = source.imports.iter().map(|import| {
        let path = import.path.join("::");
        format!("{path} as {}, {:?}", import.name, import.visibility)
    });
    let expected = [
        "self::a as a, Exported",
        "self::a::b::C as C, Exported",
        "self::a::b::D as E, Exported",
        "self::a::* as *, Exported",
        "std::io as io, Private",
    ];
    assert_eq!(source.modules, ["a"]);
    assert_eq!(imports.collect::<Vec<_>>(), expected);
    let paths: Vec<String> = source.paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["super::G", "h::i"]);
}
