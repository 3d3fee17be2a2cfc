//! [`ScopeResolvers`]: the resolvers of the parts of an XML document that have base URLs of their own.

use super::resolve::LinkResolver;
use crate::html::tokens::ElementScope;

/// The resolvers of the scopes around the current element, outermost first.
///
/// Scopes are entered in document order, so a resolver is created once for each scope, or once more if elements of the
/// scope follow an inner one that was left together with it.
pub(super) struct ScopeResolvers<'r, 's> {
    document: LinkResolver<'s>,
    scopes: &'r [ElementScope],
    /// The scopes other than that of the document, each with its index.
    path: Vec<(u32, LinkResolver<'s>)>,
}

impl<'r, 's> ScopeResolvers<'r, 's> {
    /// Creates the resolvers for a document whose own resolver is `document`.
    pub(super) fn new(document: &LinkResolver<'s>, scopes: &'r [ElementScope]) -> Self {
        let document = match scopes.first() {
            Some(scope) => document.in_scope(scope),
            None => document.clone(),
        };
        Self {
            document,
            scopes,
            path: Vec::new(),
        }
    }

    /// Returns the resolver of the scope with that index.
    pub(super) fn enter(&mut self, scope: u32) -> &LinkResolver<'s> {
        let mut missing = Vec::new();
        let mut current = scope;
        let known = loop {
            if current == 0 {
                break 0;
            }
            // The reader limits the number of scopes within each other.
            if let Some(index) = self.path.iter().position(|(known, _)| *known == current) {
                break index + 1;
            }
            missing.push(current);
            current = self.scopes[current as usize].parent;
        };
        self.path.truncate(known);
        for &scope in missing.iter().rev() {
            let outer = self.path.last().map_or(&self.document, |(_, outer)| outer);
            let resolver = outer.in_scope(&self.scopes[scope as usize]);
            self.path.push((scope, resolver));
        }
        self.path
            .last()
            .map_or(&self.document, |(_, resolver)| resolver)
    }
}
