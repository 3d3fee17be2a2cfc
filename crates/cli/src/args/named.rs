//! Values of options that have names: enums of the library, and output formats. Their help texts on the command line.

use std::ffi::OsStr;

use absolve::check::Rule;
use absolve::{
    BaseElementPolicy, BaseOrigin, BaseScope, Escape, FragmentPolicy, OutputForm, Profile, Unwrap,
};
use absolve_site::Layout;
use absolve_site::files::Transfer;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

/// A value of an option, with its name and its help text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedValue<T> {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) value: T,
}

/// Defines a table: a value and its help text in each row. The name is that of the value, unless the row has one.
macro_rules! table {
    ($table:ident: $type:ty { $($name:expr => $value:expr, $help:literal;)* }) => {
        pub(crate) const $table: &[NamedValue<$type>] =
            &[$(NamedValue { name: $name, help: $help, value: $value }),*];
    };
    ($table:ident: $type:ty { $($value:expr, $help:literal;)* }) => {
        table! { $table: $type { $($value.name() => $value, $help;)* } }
    };
}

pub(crate) use table;

/// Returns a parser for the names in a table.
pub(super) fn parser<T: Copy + Send + Sync + 'static>(
    table: &'static [NamedValue<T>],
) -> impl TypedValueParser<Value = T> {
    let value = |row: &NamedValue<T>| PossibleValue::new(row.name).help(row.help);
    let names: Vec<PossibleValue> = table.iter().map(value).collect();
    PossibleValuesParser::new(names).try_map(|name| {
        let row = table.iter().find(|row| row.name == name);
        row.map(|row| row.value).ok_or("unknown name")
    })
}

/// A parser of any text that proposes the names of rules to shell completions. The verb reports unknown names, with
/// similar ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct RuleName;

impl TypedValueParser for RuleName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let rules = Rule::ALL.into_iter();
        Some(Box::new(rules.map(|rule| PossibleValue::new(rule.name()))))
    }
}

/// The layout of a folder, or `None` to detect it. An alias because clap takes an `Option` for an optional argument.
pub(crate) type LayoutChoice = Option<Layout>;

/// The way in which other files than documents are transferred, or `None` to leave them out. An alias, as above.
pub(crate) type TransferChoice = Option<Transfer>;

table! { PROFILES: Profile {
    Profile::Rfc1808, "RFC 1808";
    Profile::Rfc3986, "RFC 3986 (strict)";
    Profile::Whatwg, "The URL Standard, which browsers implement";
} }

table! { BASE_SCOPES: BaseScope {
    BaseScope::Head, "In HEAD only (RFC 1808 section 10)";
    BaseScope::Document, "Anywhere in the document (HTML)";
} }

table! { BASE_ORIGINS: BaseOrigin {
    BaseOrigin::Any, "Any origin";
    BaseOrigin::Same, "The origin of the retrieval URL";
} }

table! { UNWRAPS: Unwrap {
    Unwrap::None, "None";
    Unwrap::Wayback, "The Wayback Machine, pywb and others with the same URLs";
} }

table! { OUTPUT_FORMS: OutputForm {
    OutputForm::Absolute, "Absolute URL";
    OutputForm::Relative, "Shortest reference from the document's base URL";
    OutputForm::RootRelative, "Path from the root";
} }

table! { FRAGMENT_POLICIES: FragmentPolicy {
    FragmentPolicy::Resolve, "Resolve them like any other reference";
    FragmentPolicy::Keep, "Leave them unchanged";
    FragmentPolicy::Auto,
        "Leave them unchanged if they refer to the document itself: its base URL is its retrieval URL";
} }

table! { BASE_ELEMENT_POLICIES: BaseElementPolicy {
    BaseElementPolicy::Absolutize, "Make its `href` absolute like any other link";
    BaseElementPolicy::Keep, "Leave it unchanged";
    BaseElementPolicy::Remove,
        "Delete its `href`, and the element if it has no other attribute, unless the `href` could not be resolved";
    BaseElementPolicy::Insert, "Add one if the base URL comes from elsewhere";
} }

table! { ESCAPES: Escape {
    Escape::Url, "Percent-encode as the URL Standard does";
    Escape::None, "Keep the characters as written";
} }

table! { LAYOUTS: LayoutChoice {
    "auto" => None, "HTTrack if its log is present, otherwise wget";
    Layout::Wget.name() => Some(Layout::Wget), "wget --recursive: the query in the file name";
    Layout::HtTrack.name() => Some(Layout::HtTrack), "HTTrack: a digest of the query in the file name";
    Layout::HostPath.name() => Some(Layout::HostPath), "Unchanged path of the URL";
    Layout::Saved.name() => Some(Layout::Saved), "Pages that state their URLs, saved by browsers, SingleFile or monolith";
    Layout::Site.name() => Some(Layout::Site), "Files of a static site";
} }

table! { TRANSFERS: TransferChoice {
    "copy" => Some(Transfer::Copy), "Copy them";
    "link" => Some(Transfer::Link), "Make hard links, or copies where hard links are not supported";
    "skip" => None, "Leave them out";
} }
