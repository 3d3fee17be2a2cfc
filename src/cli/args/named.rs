//! Values of options that are enums of the library: their names and help texts on the command line.

use absolve::{BaseElementPolicy, BaseScope, Escape, FragmentPolicy, Layout, OutputForm, Profile};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value of an option, with its name and its help text.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedValue<T> {
    name: &'static str,
    help: &'static str,
    value: T,
}

/// Defines a table: a name, the value, and the help text in each row.
macro_rules! table {
    ($table:ident: $type:ty { $($name:literal => $value:expr, $help:literal;)* }) => {
        pub(super) const $table: &[NamedValue<$type>] =
            &[$(NamedValue { name: $name, help: $help, value: $value }),*];
    };
}

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

/// The layout of a folder, or `None` to detect it. An alias because clap takes an `Option` for an optional argument.
pub(in crate::cli) type LayoutChoice = Option<Layout>;

table! { PROFILES: Profile {
    "rfc1808" => Profile::Rfc1808, "RFC 1808";
    "rfc3986" => Profile::Rfc3986, "RFC 3986 (strict)";
    "whatwg" => Profile::Whatwg, "The URL Standard, which browsers implement";
} }

table! { BASE_SCOPES: BaseScope {
    "head" => BaseScope::Head, "In HEAD only (RFC 1808 section 10)";
    "document" => BaseScope::Document, "Anywhere in the document (HTML)";
} }

table! { OUTPUT_FORMS: OutputForm {
    "absolute" => OutputForm::Absolute, "Absolute URL";
    "relative" => OutputForm::Relative, "Shortest reference from the document's base URL";
    "root-relative" => OutputForm::RootRelative, "Path from the root";
} }

table! { FRAGMENT_POLICIES: FragmentPolicy {
    "resolve" => FragmentPolicy::Resolve, "Resolve them like any other reference";
    "keep" => FragmentPolicy::Keep, "Leave them unchanged";
    "auto" => FragmentPolicy::Auto,
        "Leave them unchanged if they refer to the document itself: its base URL is its retrieval URL";
} }

table! { BASE_ELEMENT_POLICIES: BaseElementPolicy {
    "absolutize" => BaseElementPolicy::Absolutize, "Make its `href` absolute like any other link";
    "keep" => BaseElementPolicy::Keep, "Leave it unchanged";
    "remove" => BaseElementPolicy::Remove,
        "Delete its `href`, and the element if it has no other attribute, unless the `href` could not be resolved";
    "insert" => BaseElementPolicy::Insert, "Add one if the base URL comes from elsewhere";
} }

table! { ESCAPES: Escape {
    "url" => Escape::Url, "Percent-encode as the URL Standard does";
    "none" => Escape::None, "Keep the characters as written";
} }

table! { LAYOUTS: LayoutChoice {
    "auto" => None, "HTTrack if its log is present, otherwise wget";
    "wget" => Some(Layout::Wget), "wget --recursive: the query in the file name";
    "httrack" => Some(Layout::HtTrack), "HTTrack: a digest of the query in the file name";
    "host-path" => Some(Layout::HostPath), "Unchanged path of the URL";
    "site" => Some(Layout::Site), "Files of a static site";
} }
