//! Agreement of all drivers (see `support/agreement.rs`) on generated documents.

use proptest::prelude::*;
use support::generated::{Kind, agree_on};
use support::pieces;

#[test]
fn readers_agree_on_heads() {
    agree_on(
        &Kind {
            name: "heads",
            share: 16,
            bail_outs: 12,
        },
        pieces::documents(&pieces::HEAD, 10),
    );
}

#[test]
fn readers_agree_on_svg_and_mathml() {
    agree_on(
        &Kind {
            name: "foreign content",
            share: 12,
            bail_outs: 6,
        },
        pieces::documents(&pieces::FOREIGN, 10),
    );
}

#[test]
fn readers_agree_on_raw_text() {
    agree_on(
        &Kind {
            name: "raw text",
            share: 8,
            bail_outs: 4,
        },
        pieces::documents(&pieces::RAW_TEXT, 12),
    );
}

#[test]
fn readers_agree_on_markup() {
    agree_on(
        &Kind {
            name: "markup",
            share: 12,
            bail_outs: 5,
        },
        pieces::documents(&pieces::MARKUP, 16),
    );
}

#[test]
fn readers_agree_on_bodies() {
    agree_on(
        &Kind {
            name: "bodies",
            share: 12,
            bail_outs: 5,
        },
        pieces::documents(&pieces::BODY, 14),
    );
}

/// Compares the fast path for simple references with the general one.
#[test]
fn readers_agree_on_values() {
    agree_on(
        &Kind {
            name: "values",
            share: 16,
            bail_outs: 5,
        },
        pieces::documents(&pieces::VALUES, 16),
    );
}

#[test]
fn readers_agree_on_mixed_documents() {
    agree_on(
        &Kind {
            name: "everything",
            share: 13,
            bail_outs: 13,
        },
        pieces::mixed_documents(40),
    );
}

/// Documents of several segments, with generated content between and after many links.
#[test]
fn readers_agree_on_long_documents() {
    let links = |count: usize| {
        let link =
            |index| format!("<li class=a><a href=\"b/{index}\">c</a><img src='../{index}.png'>");
        (0..count).map(link).collect::<String>().into_bytes()
    };
    let in_links = pieces::mixed_documents(12).prop_map(move |piece| {
        let middle = piece.len() / 2;
        let head = &b"<!DOCTYPE html><link rel=icon href=a><body>"[..];
        [
            head,
            &links(70),
            &piece[..middle],
            &links(130),
            &piece[middle..],
            &links(3),
        ]
        .concat()
    });
    agree_on(
        &Kind {
            name: "long documents",
            share: 1,
            bail_outs: 14,
        },
        in_links,
    );
}
