//! What the arguments mean, checked before anything is read or written.

use absolve::{
    AbsoluteReferences, BaseCandidates, BaseScope, BaseSource, Document, Escape, OutputForm,
    Profile, Resolver, Rewriter, is_absolute,
};

use super::Stop;
use super::args::{BaseScopeArg, DocumentArgs, EscapeArg, FormArg, ProfileArg, RewriteArgs};
use super::talk;

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

/// The rewriter that the arguments of `rewrite` ask for.
pub(super) fn rewriter(settings: &Settings<'_>, args: &RewriteArgs) -> Result<Rewriter, Stop> {
    let form = match args.to {
        FormArg::Absolute => OutputForm::Absolute,
        FormArg::Relative => OutputForm::Relative,
        FormArg::RootRelative => OutputForm::RootRelative,
    };
    let escape = match args.escape {
        EscapeArg::Url => Escape::Url,
        EscapeArg::None => Escape::None,
    };
    let absolute = if args.normalize {
        AbsoluteReferences::Normalize
    } else {
        AbsoluteReferences::Keep
    };
    let rewriter = settings
        .rewriter
        .clone()
        .output(form)
        .escape(escape)
        .absolute_references(absolute);
    args.map.iter().try_fold(rewriter, |rewriter, mapping| {
        let profile = Profile::from(args.document.profile);
        match mapping.split_once('=') {
            Some((from, to)) if is_absolute(from, profile) && is_absolute(to, profile) => Ok(rewriter.map(from, to)),
            _ => {
                let mapping = talk::quoted(mapping);
                Err(Stop::Usage(format!(
                    "--map {mapping}: not two URLs with an equals sign between; give them as http://old.example/=http://new.example/"
                )))
            }
        }
    })
}

/// What holds for every document of a run.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    pub(super) rewriter: Rewriter,
    /// The candidates from outside the document.
    pub(super) candidates: BaseCandidates<'a>,
    /// A known label.
    pub(super) encoding: Option<&'a str>,
}

impl<'a> Settings<'a> {
    /// The document with what is known about every document of the run.
    pub(super) fn document<'d>(&self, bytes: &'d [u8]) -> Document<'d>
    where
        'a: 'd,
    {
        let document = Document::new(bytes).candidates(self.candidates.clone());
        match self.encoding {
            Some(label) => document.encoding(label),
            None => document,
        }
    }
}

impl<'a> Settings<'a> {
    pub(super) fn new(args: &'a DocumentArgs) -> Result<Self, Stop> {
        let profile = Profile::from(args.profile);
        let mut candidates = BaseCandidates::new();
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
                    let url = talk::quoted(url);
                    return Err(Stop::Usage(format!(
                        "{option} {url}: {error}; give a whole URL, such as https://example.org/dir/page.html"
                    )));
                }
                candidates = candidates.with(source, url);
            }
        }
        if let Some(label) = &args.encoding
            && encoding_rs::Encoding::for_label(label.as_bytes()).is_none()
        {
            let label = talk::quoted(label);
            return Err(Stop::Usage(format!(
                "--encoding {label}: no encoding of that name; give a label of the Encoding Standard, such as utf-8 or windows-1252"
            )));
        }
        Ok(Self {
            rewriter: match args.base_scope {
                Some(scope) => Rewriter::new().profile(profile).base_scope(scope.into()),
                None => Rewriter::new().profile(profile),
            },
            candidates,
            encoding: args.encoding.as_deref(),
        })
    }
}
