//! Settings of a run: the arguments of a verb, validated and converted to types of the library.
//!
//! Everything that can be wrong with a single argument is reported here, before anything is read or written.

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

use absolve::options::{check_base_url, check_encoding};
use absolve::{
    AbsoluteReferences, Base, BaseCandidates, BaseElementPolicy, BaseSource, Document,
    DocumentKind, IllFormedPolicy, IndexFiles, OutputForm, Rewriter, saved_from,
};
use absolve_archive::container::{ContainerError, Format};
use absolve_archive::{ArchiveSettings, Container, DocumentRewriter, Entity};
use absolve_site::files::site_path_bytes;
use absolve_site::{Site, UNKNOWN_ORIGIN, url_of_path};

use crate::args::{
    BasePath, CommonArgs, DocumentArgs, FetchArgs, IndexFilesArg, LimitArg, NO_PRESET, RewriteArgs,
};
use crate::exit::Abort;
use crate::inputs::fetch::Fetcher;
use crate::inputs::input::{Input, LoadedInput};
use crate::inputs::kind::{InputFormat, InputKind};
use crate::inputs::{Inputs, stdin};
use crate::print::job_result::JobResult;
use crate::print::terminal;

/// Adds the options that select links to `rewriter`.
///
/// # Errors
/// An invalid value of `--link` or `--skip`.
fn with_link_options(mut rewriter: Rewriter, args: &CommonArgs) -> Result<Rewriter, Abort> {
    // `none` disables what is enabled before it.
    let (none, presets): (Vec<_>, Vec<_>) = args.preset.iter().partition(|name| *name == NO_PRESET);
    for preset in none.into_iter().chain(presets) {
        rewriter = rewriter.with_option("--preset", preset, "")?;
    }
    for link in &args.link {
        // The last one: a condition of the selector may contain `]=`, a grammar cannot.
        let (selector, grammar) = link.rsplit_once("]=").ok_or_else(|| {
            let hint = "use EL[ATTR]=GRAMMAR, such as div[data-image]=url";
            Abort::invalid_value("--link", link, "missing grammar", hint)
        })?;
        let selector = format!("{selector}]");
        rewriter = rewriter.with_option("--link", &selector, grammar.trim_ascii())?;
    }
    for skip in &args.skip {
        rewriter = rewriter.with_option("--skip", skip, "")?;
    }
    Ok(match &args.placeholders {
        Some(openers) => rewriter.placeholders(openers.split_ascii_whitespace()),
        None => rewriter,
    })
}

/// Settings for all documents of a run.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) rewriter: Rewriter,
    /// The arguments of all verbs that read documents.
    pub(crate) args: &'a CommonArgs,
    input_format: InputFormat,
    pub(crate) containers: ArchiveSettings,
    /// Base URL candidates from `--enclosing-base` and `--default-base`, which apply to every document.
    base_candidates: BaseCandidates<'a>,
    /// Value of `--url`, or the URL of `base_path`.
    url: Option<&'a str>,
    /// Value of `--base-path`.
    base_path: Option<&'a BasePath>,
    /// The site whose root has the URL of `--url`, if that is the URL of a directory.
    site: Option<Site>,
    pub(crate) fetcher: Fetcher,
    /// Whether the documents are written for another place than the one they were published at.
    pub(crate) moves_site: bool,
    /// The URLs that `--map` moves.
    moved_urls: Vec<String>,
}

impl<'a> Settings<'a> {
    /// Sets the path that the directory is published under, in place of `--url`, if it is known.
    pub(crate) fn published_under(self, base_path: Option<&'a BasePath>) -> Self {
        let Some(base_path) = base_path else {
            return self;
        };
        Self {
            url: Some(&base_path.url),
            base_path: Some(base_path),
            rewriter: self.rewriter.unknown_origin(UNKNOWN_ORIGIN),
            ..self
        }
    }

    /// Returns whether only the path of the directory is known: `--base-path`.
    pub(crate) fn is_host_unknown(&self) -> bool {
        self.base_path.is_some()
    }

    /// Returns whether relative links with the base URL `base` become absolute, because only the path of the directory
    /// is known and `base` has a host that is not moved.
    pub(crate) fn keeps_host_of(&self, base: &Base) -> bool {
        let mut moved_urls = self.moved_urls.iter();
        self.is_host_unknown()
            && self.shown_url(&base.url) == base.url
            && !moved_urls.any(|moved| base.url.starts_with(moved))
    }

    /// Returns `url` as it is shown to the user: without the host if that is not known.
    pub(crate) fn shown_url<'u>(&self, url: &'u str) -> &'u str {
        let path = url.strip_prefix(UNKNOWN_ORIGIN);
        let path = path.filter(|path| self.is_host_unknown() && path.starts_with('/'));
        path.unwrap_or(url)
    }

    /// Adds the options of `absolve rewrite`.
    ///
    /// # Errors
    /// An invalid value of `--map`, or an option that needs the host if only the path is known.
    pub(crate) fn with_rewrite_options(mut self, args: &RewriteArgs) -> Result<Self, Abort> {
        if self.is_host_unknown() {
            check_needs_no_host(args)?;
        }
        let absolute = if args.normalize {
            AbsoluteReferences::Normalize
        } else {
            AbsoluteReferences::Keep
        };
        self.moves_site = args.to != OutputForm::Absolute || !args.map.is_empty();
        self.rewriter = self
            .rewriter
            .output(args.to)
            .escape(args.escape)
            .fragments(args.fragments)
            .base_element(args.base_element_policy())
            .absolute_references(absolute)
            .link_detail(args.output.link_detail());
        let elements = args.remove.iter().map(|text| ("--remove", text));
        let attributes = &args.remove_attribute;
        let attributes = attributes.iter().map(|text| ("--remove-attribute", text));
        for (option, selector) in elements.chain(attributes) {
            self.rewriter = self.rewriter.with_option(option, selector, "")?;
        }
        for (option, place, files) in [
            ("--insert-head", "head", &args.insert_head),
            ("--insert-head-end", "head-end", &args.insert_head_end),
            ("--insert-body-end", "body-end", &args.insert_body_end),
        ] {
            for file in files {
                let name = file.display().to_string();
                let hint = "use a file of markup in UTF-8 that ends with a complete tag or comment";
                let invalid = |error| Abort::invalid_value(option, &name, error, hint);
                let markup =
                    fs::read_to_string(file).map_err(|error| invalid(error.to_string()))?;
                let rewriter = self.rewriter.clone().with_option("insert", place, &markup);
                self.rewriter = rewriter.map_err(|error| invalid(error.problem))?;
            }
        }
        for mapping in &args.map {
            let mapped = mapping.split_once('=').and_then(|(from, to)| {
                let (from, to) = (self.map_url(from), self.map_url(to));
                let rewriter = self.rewriter.clone().with_option("--map", &from, &to);
                Some((rewriter.ok()?, from.into_owned()))
            });
            let Some((rewriter, from)) = mapped else {
                let (problem, hint) = if self.is_host_unknown() {
                    (
                        "not two paths or absolute URLs separated by =",
                        "use FROM=TO, such as /old/=/new/",
                    )
                } else {
                    (
                        "not two absolute URLs separated by =",
                        "use FROM=TO, such as https://example.org/=https://example.org/blog/; paths need --base-path in place of --url",
                    )
                };
                return Err(Abort::invalid_value("--map", mapping, problem, hint));
            };
            self.rewriter = rewriter;
            self.moved_urls.push(from);
        }
        Ok(self)
    }

    /// Returns FROM or TO of `--map` as a URL if it is a path, and only the path of the directory is known.
    fn map_url<'u>(&self, side: &'u str) -> Cow<'u, str> {
        let url = url_of_path(side).filter(|_| self.is_host_unknown());
        url.map_or(Cow::Borrowed(side), Cow::Owned)
    }

    /// Adds the option `--index-files` of `absolve rewrite`. The inputs must be [known](Self::with_inputs).
    ///
    /// # Errors
    /// The URL of the directory is not known.
    pub(crate) fn with_index_files(
        mut self,
        index_files: IndexFilesArg,
        inputs: &Inputs,
    ) -> Result<Self, Abort> {
        if index_files == IndexFilesArg::Keep {
            return Ok(self);
        }
        let Some(site) = &self.site else {
            return Err(Abort::Usage(
                "--index-files explicit needs the URL of a directory\n  hint: name a directory or use --root DIR, and set its URL with --url or its path with --base-path".to_owned(),
            ));
        };
        let left_out = inputs.left_out.iter().map(PathBuf::as_path);
        let paths = inputs.site_paths().chain(left_out).map(site_path_bytes);
        let index_files = IndexFiles::new(site.url(), paths);
        self.rewriter = self.rewriter.index_files(index_files);
        Ok(self)
    }

    /// Returns the site whose root has the URL of `--url`, if that is the URL of a directory.
    pub(crate) fn site(&self) -> Option<&Site> {
        self.site.as_ref()
    }

    /// Returns the kind of `loaded`, the content of `input`: see [`InputKind`].
    pub(crate) fn input_kind(
        &self,
        input: &Input,
        loaded: &LoadedInput,
        job_result: &mut JobResult,
    ) -> InputKind {
        // The fetcher rejects media types other than those of HTML and CSS if the format is `auto`.
        let transport = loaded.transport.as_ref();
        self.input_format
            .kind
            .or_else(|| transport.map(|transport| InputKind::Document(transport.kind)))
            .or_else(|| InputKind::from_name(input.file_path()?.as_os_str()))
            .unwrap_or_else(|| {
                let kind = InputKind::sniff_whole(&loaded.bytes);
                if kind != InputKind::sniff(&loaded.bytes) {
                    let read = "read as HTML, since it is no well-formed XML";
                    job_result.info(format!("{}: {read}", input.name()));
                }
                kind
            })
    }

    /// Returns the kind of an input if it is recognized before it is read, so that the input can be streamed.
    ///
    /// A fetched input is never recognized. A named pipe is recognized only by its name or by `--input-format`.
    pub(crate) fn kind_before_reading(&self, input: &Input) -> Option<InputKind> {
        let explicit = self.input_format.kind;
        let sniffed =
            |prefix: &[u8]| (!DocumentKind::needs_whole(prefix)).then(|| InputKind::sniff(prefix));
        match input {
            Input::Stdin => explicit.or_else(|| sniffed(stdin::prefix())),
            // The file is opened only if its name determines nothing.
            Input::File { path, .. } => explicit
                .or_else(|| InputKind::from_name(path.as_os_str()))
                .or_else(|| sniffed(&input.file_prefix()?)),
            Input::Url(_) => None,
        }
    }

    /// Returns whether `input` is an archive that can be streamed.
    pub(crate) fn is_archive(&self, input: &Input) -> bool {
        let kind = self.kind_before_reading(input);
        matches!(kind, Some(InputKind::Container(format)) if format.is_archive())
    }

    /// Returns the settings for a container with the retrieval URL `url`.
    pub(crate) fn archive_settings(&self, url: Option<&str>) -> ArchiveSettings {
        let settings = self.containers.clone();
        url.into_iter()
            .fold(settings, ArchiveSettings::retrieved_from)
    }

    /// Parses a container with the retrieval URL `url`; returns `None` for an archive.
    pub(crate) fn container<'c>(
        &self,
        format: Format,
        bytes: &'c [u8],
        url: Option<&str>,
    ) -> Option<Result<Container<'c>, ContainerError>> {
        Container::of_format(format, bytes, &self.archive_settings(url))
    }

    /// Returns the document of an entity with what the arguments say about it.
    pub(crate) fn document_of<'d>(&'d self, entity: &'d Entity<'_>) -> Document<'d> {
        entity.document_with(&self.base_candidates, self.args.encoding.as_deref())
    }

    /// Returns the way in which the documents of a container are rewritten.
    pub(crate) fn document_rewriter(&self) -> DocumentRewriter<'_> {
        DocumentRewriter {
            rewriter: &self.rewriter,
            candidates: self.base_candidates.clone(),
            encoding: self.args.encoding.as_deref(),
        }
    }

    /// Returns the encoding that the transport declares: `--encoding`, or else the charset of the HTTP response.
    pub(crate) fn encoding<'d>(&'d self, loaded: &'d LoadedInput) -> Option<&'d str> {
        let transport = loaded.transport.as_ref();
        let encoding = self.args.encoding.as_deref();
        encoding.or_else(|| transport.and_then(|transport| transport.charset.as_deref()))
    }

    /// Interprets `--url`, which is the URL of a document or of a directory, depending on the inputs.
    ///
    /// # Errors
    /// `--url` is the URL of one document and there are several, it cannot be the URL of a directory, or there are
    /// inputs outside the directory.
    pub(crate) fn with_inputs(mut self, inputs: &Inputs) -> Result<Self, Abort> {
        let Some(url) = self.url else {
            return Ok(self);
        };
        if !inputs.is_site && self.is_host_unknown() {
            return Err(Abort::Usage(
                "--base-path is the path of a directory\n  hint: name a directory, or use --root DIR".to_owned(),
            ));
        }
        let (option, value) = match self.base_path {
            Some(base_path) => ("--base-path", &*base_path.path),
            None => ("--url", url),
        };
        if !inputs.is_site {
            let count = inputs.documents.len();
            if count < 2 {
                return Ok(self);
            }
            let root = inputs.common_directory();
            let root = root.map(|root| format!(", such as --root {}", terminal::path(&root)));
            return Err(Abort::Usage(format!(
                "{count} documents cannot all have the URL {}\n  hint: use --root DIR with the directory that has this URL{}, or process each in a separate run",
                terminal::quoted(url),
                root.unwrap_or_default()
            )));
        }
        let site = Site::new(url).map_err(|error| {
            let hint =
                "use the URL the directory is published under, such as https://example.org/docs/";
            Abort::invalid_value(option, value, error, hint)
        })?;
        let mut documents = inputs.documents.iter();
        if let Some(outside) = documents.find(|input| input.site_path().is_none()) {
            return Err(Abort::Usage(format!(
                "{option} is for a directory, and {} is not in it\n  hint: process it in a separate run, or name the directory of a file with --root DIR",
                outside.name()
            )));
        }
        self.site = Some(site);
        Ok(self)
    }

    /// Returns the retrieval URL of `loaded`, the content of `input`. `--url` takes precedence over the URL that it was
    /// fetched from, and both over that which a saved page states.
    pub(crate) fn retrieval_url<'d>(
        &'d self,
        input: &Input,
        loaded: &'d LoadedInput,
    ) -> Option<Cow<'d, str>> {
        let fetched = loaded.transport.as_ref().map(|transport| &*transport.url);
        self.url_from_args(input)
            .or_else(|| fetched.map(Cow::Borrowed))
            .or_else(|| saved_from(&loaded.bytes).map(Cow::Borrowed))
    }

    /// Returns the retrieval URL of `input` that `--url` determines. Does not require that the input is loaded.
    pub(crate) fn url_from_args(&self, input: &Input) -> Option<Cow<'a, str>> {
        match &self.site {
            Some(site) => site.url_of(input.site_path()?).map(Cow::Owned),
            None => self.url.map(Cow::Borrowed),
        }
    }

    /// Returns the base URL candidates of `loaded`, whose retrieval URL is `url`, without those in its content.
    pub(crate) fn candidates<'d>(
        &'d self,
        loaded: &'d LoadedInput,
        url: Option<&'d str>,
    ) -> BaseCandidates<'d> {
        let transport = loaded.transport.iter();
        let declared = transport.flat_map(|transport| &transport.base_urls);
        BaseCandidates::new()
            .with_all(declared.map(|url| (BaseSource::EncapsulatingEntity, url.as_str())))
            .with_all(self.base_candidates.iter())
            .with_all(url.map(|url| (BaseSource::Retrieval, url)))
    }

    /// Returns the document for `loaded`, with its base URL candidates and encoding.
    ///
    /// `url` is its retrieval URL.
    pub(crate) fn document<'d>(
        &'d self,
        kind: DocumentKind,
        loaded: &'d LoadedInput,
        url: Option<&'d str>,
    ) -> Document<'d> {
        let document =
            Document::of_kind(kind, &loaded.bytes).candidates(self.candidates(loaded, url));
        let label = self.encoding(loaded);
        label.into_iter().fold(document, Document::encoding)
    }

    /// Validates the arguments of all verbs that read documents. There are no base URLs but `--url`.
    ///
    /// `--url` is the URL of a document until [`with_inputs`](Self::with_inputs) interprets it.
    ///
    /// # Errors
    /// An invalid URL, encoding or selector.
    pub(crate) fn new(args: &'a CommonArgs) -> Result<Self, Abort> {
        if let Some(url) = &args.url {
            check_base_url("--url", url, args.profile)?;
        }
        if let Some(label) = &args.encoding {
            check_encoding("--encoding", label)?;
        }
        let mut containers = ArchiveSettings::new();
        let mut rewriter = Rewriter::new();
        for limit in &args.limit {
            match *limit {
                LimitArg::Document(limit, value) => rewriter = rewriter.limit(limit, value),
                LimitArg::Container(limit, value) => containers = containers.limit(limit, value),
            }
        }
        let rewriter = rewriter
            .profile(args.profile)
            .base_origin(args.base_origin)
            .unwrap_urls(args.unwrap)
            .ill_formed_xml(if args.lenient {
                IllFormedPolicy::Recover
            } else {
                IllFormedPolicy::Leave
            });
        let rewriter = with_link_options(rewriter, args)?;
        let base_scope = args.base_scope.into_iter();
        Ok(Self {
            rewriter: base_scope.fold(rewriter, Rewriter::base_scope),
            args,
            input_format: InputFormat::AUTO,
            containers,
            base_candidates: BaseCandidates::new(),
            url: args.url.as_deref(),
            base_path: None,
            site: None,
            moves_site: true,
            moved_urls: Vec::new(),
            // Without options for fetching, no input is a URL.
            fetcher: Fetcher::new(&FetchArgs::default(), InputFormat::AUTO, false),
        })
    }

    /// Validates the arguments of the verbs that read documents of any kind.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and an invalid base URL.
    pub(crate) fn of_documents(args: &'a DocumentArgs) -> Result<Self, Abort> {
        let mut base_candidates = BaseCandidates::new();
        for url in &args.enclosing_base {
            check_base_url("--enclosing-base", url, args.common.profile)?;
            base_candidates = base_candidates.with(BaseSource::EncapsulatingEntity, url);
        }
        if let Some(url) = &args.default_base {
            check_base_url("--default-base", url, args.common.profile)?;
            base_candidates = base_candidates.with(BaseSource::Default, url);
        }
        let settings = Self::new(&args.common)?;
        Ok(Self {
            input_format: args.input_format,
            containers: settings.containers.legacy_headers(args.legacy_headers),
            base_candidates,
            fetcher: Fetcher::new(&args.fetch, args.input_format, args.legacy_headers),
            ..settings
        })
    }
}

/// Rejects the options of `absolve rewrite` that write the host of the directory.
fn check_needs_no_host(args: &RewriteArgs) -> Result<(), Abort> {
    let (problem, hint) = if args.to == OutputForm::Absolute {
        ("--to absolute", "use --to relative or --to root-relative")
    } else {
        let option = match args.base_element_policy() {
            BaseElementPolicy::Keep | BaseElementPolicy::Remove => return Ok(()),
            BaseElementPolicy::Absolutize => "--base-element absolutize",
            BaseElementPolicy::Insert => "--base-element insert",
        };
        (option, "use --base-element remove or --base-element keep")
    };
    Err(Abort::Usage(format!(
        "{problem} needs the host, which --base-path does not set\n  hint: {hint}, or set the host with --url in place of --base-path"
    )))
}
