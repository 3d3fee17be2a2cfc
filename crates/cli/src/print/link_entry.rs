//! A link as a record of JSON Lines or CSV.

use absolve::{Document, ElementText, LinkReport, LinkRow, Position, Report, Rewriter};
use clap::ValueEnum;
use serde::Serialize;

use crate::inputs::located_document::LocatedDocument;

/// Returns the position of the reference of each link, or `None` for a link without a span.
fn positions(
    document: &Document<'_>,
    report: &Report<'_>,
) -> impl Iterator<Item = Option<Position>> {
    let start = |link_report: &LinkReport<'_>| link_report.link.span.map(|span| span.start);
    let starts: Vec<Option<usize>> = report.links.iter().map(start).collect();
    let known: Vec<usize> = starts.iter().copied().flatten().collect();
    let mut positions = document.positions(&known).into_iter();
    starts
        .into_iter()
        .map(move |start| start.and_then(|_| positions.next()))
}

/// Returns the record of each link of a document at `path`.
///
/// Every link repeats its base URL, which a document of a few bytes could give to thousands of links. So base URLs have
/// at most the length that targets may have ([`Rewriter::max_growth`]); those of the links after that are omitted.
pub(crate) fn entries<'l>(
    path: &'l str,
    located: &'l LocatedDocument<'_>,
    report: &'l Report<'_>,
    rewriter: &Rewriter,
) -> impl Iterator<Item = LinkEntry<'l>> {
    let mut left = rewriter.max_growth(located.document);
    let links = report.links.iter();
    links
        .zip(positions(located.document, report))
        .enumerate()
        .map(move |(place, (link_report, position))| {
            let mut link = link_report.row();
            let length = link.base.map_or(0, str::len);
            link.base = link.base.filter(|_| length <= left);
            left = left.saturating_sub(length);
            LinkEntry {
                located,
                place,
                report: link_report,
                path,
                line: position.map(|position| position.line),
                column: position.map(|position| position.column),
                link,
                entity: located.label(),
                text: None,
                rel: None,
                alt: None,
                date: None,
            }
        })
}

/// A column about the element of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ElementColumn {
    /// Text of an A element
    Text,
    /// Attribute `rel`
    Rel,
    /// Attribute `alt`
    Alt,
    /// Date of the capture in a WARC archive
    Date,
}

/// A link in the machine-readable formats. The names and order of the fields are part of the contract.
#[derive(Serialize)]
#[expect(
    clippy::option_option,
    reason = "a column that was not asked for is omitted, and one without a text is null"
)]
pub(crate) struct LinkEntry<'l> {
    /// The document.
    #[serde(skip)]
    pub(crate) located: &'l LocatedDocument<'l>,
    /// The number of links before this one in the document.
    #[serde(skip)]
    pub(crate) place: usize,
    /// The link.
    #[serde(skip)]
    pub(crate) report: &'l LinkReport<'l>,
    pub(crate) path: &'l str,
    pub(crate) line: Option<usize>,
    pub(crate) column: Option<usize>,
    #[serde(flatten)]
    link: LinkRow<'l>,
    /// Omitted for a document outside of containers.
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<&'l str>,
    /// The columns about the element; those that were not asked for are omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Option<&'l str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rel: Option<Option<&'l str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt: Option<Option<&'l str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<Option<&'l str>>,
}

impl<'l> LinkEntry<'l> {
    /// Names of the fields: the header line of CSV, without those of columns about the element.
    pub(crate) const HEADER: &'static str = "path,line,column,start,end,element,attribute,grammar,role,reference,\
        target,base,base_source,status,reason,entity";

    /// Returns the record with these columns about the element, which has `texts`.
    pub(crate) fn with(
        mut self,
        columns: &[ElementColumn],
        texts: Option<&'l ElementText>,
    ) -> Self {
        let record = self
            .located
            .entity
            .and_then(|entity| entity.record.as_ref());
        for column in columns {
            let (field, text) = match column {
                ElementColumn::Text => (&mut self.text, texts.map(|texts| &texts.text)),
                ElementColumn::Rel => (&mut self.rel, texts.map(|texts| &texts.rel)),
                ElementColumn::Alt => (&mut self.alt, texts.map(|texts| &texts.alt)),
                ElementColumn::Date => (&mut self.date, record.map(|record| &record.date)),
            };
            *field = Some(text.and_then(Option::as_deref));
        }
        self
    }

    /// Returns the record as a row of CSV: `entity` is a column of every row, also if it is `None`.
    pub(crate) fn csv(&self) -> impl Serialize {
        let position = (self.line, self.column);
        let texts = [self.text, self.rel, self.alt, self.date]
            .into_iter()
            .flatten();
        let texts: Vec<_> = texts.collect();
        (self.path, position, self.link, self.entity, texts)
    }

    /// Returns the record with its target and base URL as `shown` returns them.
    pub(crate) fn showing(mut self, shown: impl Fn(&'l str) -> &'l str) -> Self {
        self.link.target = self.link.target.map(&shown);
        self.link.base = self.link.base.map(&shown);
        self
    }
}
