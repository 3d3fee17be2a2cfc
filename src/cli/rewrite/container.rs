//! Containers that are read as a whole: every document in them rewritten, and put back.

use std::borrow::Cow;
use std::path::Path;

use absolve::archive::Entity;
use absolve::container::Format;
use absolve::{Document, Rewritten};

use super::Work;
use crate::cli::answer::Answer;
use crate::cli::args::Emit;
use crate::cli::input::{Input, Reading};
use crate::cli::output::Output;
use crate::cli::report;
use crate::cli::tally::Tally;
use crate::cli::{Exit, diff, enclosed, put};

/// A document of a container that was rewritten.
pub(super) struct Piece<'p> {
    pub(super) entity: &'p Entity<'p>,
    pub(super) document: &'p Document<'p>,
    pub(super) rewritten: &'p Rewritten<'p>,
    pub(super) changed: bool,
}

impl Work<'_> {
    /// Rewrites the documents in a container of that format.
    pub(super) fn container(
        &self,
        input: &Input,
        output: &Output,
        format: Format,
        reading: &Reading,
        answer: &mut Answer,
    ) {
        if self.refuses_tree(input, answer) {
            return;
        }
        let url = self.settings.url_of(input, reading);
        let read = self
            .settings
            .container(format, &reading.bytes, url.as_deref());
        let container = match read {
            Ok(container) => container,
            Err(error) => {
                enclosed::say_no_container(input, format, error, answer);
                return;
            }
        };
        let entities = container.entities();
        let documents: Vec<Document<'_>> = entities
            .iter()
            .map(|entity| self.settings.enclosed(entity))
            .collect();
        let rewritten: Vec<Rewritten<'_>> = entities
            .iter()
            .zip(&documents)
            .map(|(entity, document)| entity.rewrite_as(document, &self.rewriter))
            .collect();
        let new: Vec<Option<Cow<'_, [u8]>>> = rewritten
            .iter()
            .map(|rewritten| match &rewritten.bytes {
                Cow::Borrowed(_) => None,
                Cow::Owned(bytes) => Some(Cow::Borrowed(&**bytes)),
            })
            .collect();
        let rebuilt = container.with_documents(&new);
        let mut changed: Vec<bool> = entities
            .iter()
            .zip(&new)
            .map(|(entity, new)| new.as_ref().is_some_and(|new| **new != *entity.bytes))
            .collect();
        for refused in &rebuilt.refused {
            changed[refused.entity] = false;
        }
        enclosed::say_what_is_wrong(input, &container, answer);
        let is_shown = matches!(output, Output::Shown { .. });
        if !is_shown {
            let (others, source) = (self.args.others, source_of(input));
            let written = put::document(output, &rebuilt.bytes, reading, others, source, answer);
            if let Err(error) = written {
                answer.trouble(format!("{}: cannot be written: {error}", output.name()));
                return;
            }
        }
        answer.tally = Tally::of_container();
        let pieces = entities.iter().zip(&documents).zip(&rewritten).zip(changed);
        for (((entity, document), rewritten), changed) in pieces {
            let piece = Piece {
                entity,
                document,
                rewritten,
                changed,
            };
            enclosed::say_of(input, entity, answer);
            self.tell_piece(input, output, &piece, answer);
        }
        for refused in &rebuilt.refused {
            let entity = &entities[refused.entity];
            // It was said already what is wrong with it.
            if entity.remark.is_none() {
                let name = enclosed::name(input, entity);
                answer.trouble(format!("{name}: left as it is: {}", refused.error));
            }
        }
    }

    /// Says that there are no trees of documents in containers, if one is asked for.
    pub(super) fn refuses_tree(&self, input: &Input, answer: &mut Answer) -> bool {
        let is_tree = matches!(self.args.emit, Emit::Tree);
        if is_tree {
            answer.trouble(format!(
                "{}: a container, of which no tree is written; leave out --emit tree",
                input.name()
            ));
        }
        is_tree
    }

    /// Adds what there is to tell of a document in a container.
    pub(super) fn tell_piece(
        &self,
        input: &Input,
        output: &Output,
        piece: &Piece<'_>,
        answer: &mut Answer,
    ) {
        let &Piece {
            entity,
            document,
            rewritten,
            changed,
        } = piece;
        let name = enclosed::name(input, entity);
        if output.is_dry() && changed {
            answer.exit = answer.exit.max(Exit::Findings);
        }
        if let (Output::Shown { path, is_coloured }, true) = (output, changed) {
            let path = enclosed::path(path, Some(&entity.label));
            let (before, after) = (&entity.bytes, &rewritten.bytes);
            // What is written to there takes everything.
            let _ = diff::write(&path, before, after, *is_coloured, &mut answer.data);
        }
        let mut tally = Tally::of(&rewritten.findings, entity.bytes.len());
        tally.changed = usize::from(changed);
        answer.tally.add(&tally);
        if self.args.report.is_some() {
            let told = report::Told {
                path: &input.path(),
                entity: Some(&entity.label),
                url: entity.url.as_deref(),
                edited: rewritten.edited,
                changed,
            };
            let written = report::write(&told, document, &rewritten.findings, &mut answer.report);
            if let Err(error) = written {
                answer.trouble(format!("{name}: not in the report: {error}"));
            }
        }
        let failures = super::failures(&rewritten.findings);
        self.talk(&name, &rewritten.findings, &failures, changed, answer);
    }
}

/// The file an input is.
pub(super) fn source_of(input: &Input) -> Option<&Path> {
    match input {
        Input::Stdin | Input::Url(_) => None,
        Input::File { path, .. } => Some(path),
    }
}
