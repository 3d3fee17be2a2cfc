//! What the arguments mean, checked before anything is read or written.

use std::borrow::Cow;

use absolve::archive::{ArchiveSettings, Container, Entity};
use absolve::container::{ContainerError, Format};
use absolve::{
    AbsoluteReferences, BaseCandidates, BaseElementPolicy, BaseScope, BaseSource, Document, Escape,
    FragmentPolicy, Grammar, LinkSelector, OutputForm, Profile, Resolver, Rewriter, Site,
    is_absolute,
};

use super::args::{
    BaseElementArg, BaseScopeArg, DocumentArgs, EscapeArg, FormArg, FragmentsArg, InputFormat,
    NO_PRESET, ProfileArg, RewriteArgs,
};
use super::fetch::Fetcher;
use super::input::{Input, LoadedInput};
use super::input_kind::InputKind;
use super::walk::Inputs;
use super::{Abort, input_kind, stdin, terminal};

impl From<ProfileArg> for Profile {
    fn from(arg: ProfileArg) -> Self {
        match arg {
            ProfileArg::Rfc1808 => Self::Rfc1808,
            ProfileArg::Rfc3986 => Self::Rfc3986,
            ProfileArg::Whatwg => Self::Whatwg,
        }
    }
}

impl From<BaseScopeArg> for BaseScope {
    fn from(arg: BaseScopeArg) -> Self {
        match arg {
            BaseScopeArg::Head => Self::Head,
            BaseScopeArg::Document => Self::Document,
        }
    }
}

impl From<EscapeArg> for Escape {
    fn from(arg: EscapeArg) -> Self {
        match arg {
            EscapeArg::Url => Self::Url,
            EscapeArg::None => Self::None,
        }
    }
}

impl From<FragmentsArg> for FragmentPolicy {
    fn from(arg: FragmentsArg) -> Self {
        match arg {
            FragmentsArg::Resolve => Self::Resolve,
            FragmentsArg::Keep => Self::Keep,
            FragmentsArg::Auto => Self::Auto,
        }
    }
}

/// The rewriter that the arguments of `rewrite` ask for.
pub(super) fn rewriter(settings: &Settings<'_>, args: &RewriteArgs) -> Result<Rewriter, Abort> {
    let form = match args.to {
        FormArg::Absolute => OutputForm::Absolute,
        FormArg::Relative => OutputForm::Relative,
        FormArg::RootRelative => OutputForm::RootRelative,
    };
    let absolute = if args.normalize {
        AbsoluteReferences::Normalize
    } else {
        AbsoluteReferences::Keep
    };
    let base_element = match args.base_element {
        BaseElementArg::Absolutize => BaseElementPolicy::Absolutize,
        BaseElementArg::Keep => BaseElementPolicy::Keep,
        BaseElementArg::Remove => BaseElementPolicy::Remove,
        BaseElementArg::Insert => BaseElementPolicy::Insert,
    };
    let rewriter = settings
        .rewriter
        .clone()
        .output(form)
        .escape(args.escape.into())
        .fragments(args.fragments.into())
        .base_element(base_element)
        .absolute_references(absolute);
    args.map.iter().try_fold(rewriter, |rewriter, mapping| {
        let profile = Profile::from(args.document.profile);
        match mapping.split_once('=') {
            Some((from, to)) if is_absolute(from, profile) && is_absolute(to, profile) => Ok(rewriter.map(from, to)),
            _ => {
                let mapping = terminal::quoted(mapping);
                Err(Abort::Usage(format!(
                    "--map {mapping}: not two URLs with an equals sign between; give them as http://old.example/=http://new.example/"
                )))
            }
        }
    })
}

/// `rewriter` with the links that the arguments ask for.
fn with_links(mut rewriter: Rewriter, args: &DocumentArgs) -> Result<Rewriter, Abort> {
    if args.preset.iter().any(|name| name == NO_PRESET) {
        rewriter = rewriter.no_presets();
    }
    // The parser of the arguments lets no other names pass.
    for preset in args.preset.iter().filter_map(|name| name.parse().ok()) {
        rewriter = rewriter.preset(preset);
    }
    for link in &args.link {
        let (selector, grammar) = link.rsplit_once("]=").ok_or_else(|| {
            let link = terminal::quoted(link);
            Abort::Usage(format!(
                "--link {link}: no grammar behind it; give it as div[data-image]=url"
            ))
        })?;
        let grammar: Grammar = grammar.trim_ascii().parse().map_err(|error| {
            let names: Vec<_> = Grammar::ALL.iter().map(|grammar| grammar.name()).collect();
            let (link, names) = (terminal::quoted(link), names.join(", "));
            Abort::Usage(format!("--link {link}: {error}; there are {names}"))
        })?;
        rewriter = rewriter.link(selector_of("--link", &format!("{selector}]"))?, grammar);
    }
    for skip in &args.skip {
        rewriter = rewriter.skip(selector_of("--skip", skip)?);
    }
    Ok(match &args.placeholders {
        Some(openers) => rewriter.placeholders(openers.split_ascii_whitespace()),
        None => rewriter,
    })
}

fn selector_of(option: &str, text: &str) -> Result<LinkSelector, Abort> {
    text.parse().map_err(|error| {
        let text = terminal::quoted(text);
        Abort::Usage(format!(
            "{option} {text}: {error}; give it as img[src], *[data-src], svg:use[href] or link[rel=canonical][href]"
        ))
    })
}

/// What holds for every document of a run.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    pub(super) rewriter: Rewriter,
    input_format: InputFormat,
    legacy_headers: bool,
    /// The candidates from outside the document, but for its retrieval URL.
    outside: Vec<(BaseSource, &'a str)>,
    /// What `--url` says.
    url: Option<&'a str>,
    /// What `--url` says of a directory.
    site: Option<Site>,
    /// A known label.
    encoding: Option<&'a str>,
    pub(super) fetcher: Fetcher,
}

impl<'a> Settings<'a> {
    /// Whether what was read from `input` is a style sheet.
    pub(super) fn is_style_sheet(&self, input: &Input, loaded: &LoadedInput) -> bool {
        self.form(input, loaded) == InputKind::StyleSheet
    }

    /// What was read from `input` is written in.
    pub(super) fn form(&self, input: &Input, loaded: &LoadedInput) -> InputKind {
        if let Some(asked) = InputKind::asked(self.input_format) {
            return asked;
        }
        match &loaded.transport {
            Some(transport) if transport.is_style_sheet => return InputKind::StyleSheet,
            Some(_) => return InputKind::Html,
            None => {}
        }
        let named = match input {
            Input::File { path, .. } => InputKind::of_name(path.as_os_str()),
            Input::Stdin | Input::Url(_) => None,
        };
        named.unwrap_or_else(|| {
            let length = loaded.bytes.len().min(input_kind::LOOKED_AT);
            InputKind::of_beginning(&loaded.bytes[..length])
        })
    }

    /// Whether standard input is an HTML document that is no part of another one, by the arguments or else by how it begins.
    pub(super) fn is_html_on_stdin(&self) -> bool {
        let form = InputKind::asked(self.input_format);
        form.unwrap_or_else(|| InputKind::of_beginning(stdin::beginning())) == InputKind::Html
    }

    /// The encoding that the arguments say.
    pub(super) fn encoding_asked(&self) -> Option<&'a str> {
        self.encoding
    }

    /// Whether `input` is an archive, which is not read as a whole.
    pub(super) fn is_archive(&self, input: &Input) -> bool {
        InputKind::is_archive(self.input_format, input)
    }

    /// What is known about a container with the retrieval URL `url`.
    pub(super) fn archive(&self, url: Option<&str>) -> ArchiveSettings {
        let settings = ArchiveSettings::new().legacy_headers(self.legacy_headers);
        match url {
            Some(url) => settings.retrieved_from(url),
            None => settings,
        }
    }

    /// The container, which is no archive, with the retrieval URL `url`.
    pub(super) fn container<'c>(
        &self,
        format: Format,
        bytes: &'c [u8],
        url: Option<&str>,
    ) -> Result<Container<'c>, ContainerError> {
        let settings = self.archive(url);
        match format {
            Format::Http => Container::http(bytes, &settings),
            _ => Container::mime(bytes, &settings),
        }
    }

    /// The document in a container, with what is known about every document of the run.
    pub(super) fn enclosed<'d>(&self, entity: &'d Entity<'_>) -> Document<'d>
    where
        'a: 'd,
    {
        let outside = self.outside.iter();
        let candidates = outside.fold(entity.candidates(), |candidates, &(source, url)| {
            candidates.with(source, url)
        });
        let document = entity.document().candidates(candidates);
        match self.encoding {
            Some(label) => document.encoding(label),
            None => document,
        }
    }

    /// The transport's word on the encoding of the document that was read: that of the arguments goes before.
    pub(super) fn encoding<'d>(&self, loaded: &'d LoadedInput) -> Option<&'d str>
    where
        'a: 'd,
    {
        let transport = loaded.transport.as_ref();
        self.encoding
            .or_else(|| transport.and_then(|transport| transport.charset.as_deref()))
    }

    /// What is known about `--url` once it is known what it is the URL of.
    pub(super) fn with_inputs(
        mut self,
        inputs: &Inputs,
        args: &DocumentArgs,
    ) -> Result<Self, Abort> {
        let (Some(url), true) = (self.url, inputs.has_directory() || args.run.root.is_some())
        else {
            return Ok(self);
        };
        let site = Site::new(url).map_err(|error| {
            let url = terminal::quoted(url);
            Abort::Usage(format!(
                "--url {url}: {error}; give the URL the directory is published under, such as https://example.org/docs/"
            ))
        })?;
        if let Some(outside) = inputs
            .documents
            .iter()
            .find(|input| input.below().is_none())
        {
            return Err(Abort::Usage(format!(
                "--url is the URL of a directory, and {} is in none; name the one it is in with --root, or give it a run of its own",
                outside.name()
            )));
        }
        self.site = Some(site);
        Ok(self)
    }

    /// The retrieval URL of the document that was read from `input`; what the arguments say goes before what a server
    /// said.
    pub(super) fn url_of<'d>(&self, input: &Input, loaded: &'d LoadedInput) -> Option<Cow<'d, str>>
    where
        'a: 'd,
    {
        let fetched = loaded.transport.as_ref().map(|transport| &*transport.url);
        self.url_of_file(input)
            .or_else(|| fetched.map(Cow::Borrowed))
    }

    /// The same before anything was read.
    pub(super) fn url_of_file(&self, input: &Input) -> Option<Cow<'a, str>> {
        match &self.site {
            Some(site) => site.url_of(input.below()?).map(Cow::Owned),
            None => self.url.map(Cow::Borrowed),
        }
    }

    /// All that is known from outside about the base URL of a document with the retrieval URL `url`.
    pub(super) fn candidates<'d>(&self, url: Option<&'d str>) -> BaseCandidates<'d>
    where
        'a: 'd,
    {
        let outside = self.outside.iter();
        let candidates = outside.fold(BaseCandidates::new(), |candidates, &(source, url)| {
            candidates.with(source, url)
        });
        match url {
            Some(url) => candidates.with(BaseSource::Retrieval, url),
            None => candidates,
        }
    }

    /// The document that was read from `input`, with what is known about every document of the run and the retrieval URL
    /// of this one.
    pub(super) fn document<'d>(
        &self,
        input: &Input,
        loaded: &'d LoadedInput,
        url: Option<&'d str>,
    ) -> Document<'d>
    where
        'a: 'd,
    {
        let document = if self.is_style_sheet(input, loaded) {
            Document::style_sheet(&loaded.bytes)
        } else {
            Document::new(&loaded.bytes)
        };
        let document = document.candidates(self.candidates(url));
        match self.encoding(loaded) {
            Some(label) => document.encoding(label),
            None => document,
        }
    }

    pub(super) fn new(args: &'a DocumentArgs) -> Result<Self, Abort> {
        let profile = Profile::from(args.profile);
        let mut outside: Vec<(BaseSource, &str)> = Vec::new();
        let options = [
            ("--url", BaseSource::Retrieval, args.url.as_slice()),
            (
                "--enclosing-base",
                BaseSource::EncapsulatingEntity,
                &args.enclosing_base,
            ),
            (
                "--default-base",
                BaseSource::Default,
                args.default_base.as_slice(),
            ),
        ];
        for (option, source, urls) in options {
            for url in urls {
                if let Err(error) = Resolver::new(url.trim_ascii(), profile) {
                    let url = terminal::quoted(url);
                    return Err(Abort::Usage(format!(
                        "{option} {url}: {error}; give a whole URL, such as https://example.org/dir/page.html"
                    )));
                }
                if source != BaseSource::Retrieval {
                    outside.push((source, url));
                }
            }
        }
        if let Some(label) = &args.encoding
            && encoding_rs::Encoding::for_label(label.as_bytes()).is_none()
        {
            let label = terminal::quoted(label);
            return Err(Abort::Usage(format!(
                "--encoding {label}: no encoding of that name; give a label of the Encoding Standard, such as utf-8 or windows-1252"
            )));
        }
        let rewriter = with_links(Rewriter::new().profile(profile), args)?;
        Ok(Self {
            rewriter: match args.base_scope {
                Some(scope) => rewriter.base_scope(scope.into()),
                None => rewriter,
            },
            input_format: args.input_format,
            legacy_headers: args.legacy_headers,
            outside,
            url: args.url.as_deref(),
            site: None,
            encoding: args.encoding.as_deref(),
            fetcher: Fetcher::new(&args.fetch, !matches!(args.input_format, InputFormat::Auto)),
        })
    }
}
