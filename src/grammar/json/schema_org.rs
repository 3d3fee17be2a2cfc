//! The terms whose strings schema.org types as URLs.
//!
//! A remote context is not fetched, but nearly all linked data in pages is in this vocabulary.

/// The terms with `"@type": "@id"` in the context of schema.org, sorted, and `item`, which the context does not type
/// and search engines document as a URL. `target` is left out: its strings are URI templates.
///
/// # Source
/// schema.org 30.0, `schemaorgcontext.jsonld`; Google Search Central, "Breadcrumb structured data", for `item`.
#[rustfmt::skip]
const TERMS: [&str; 80] = [
    "acquireLicensePage", "actionableFeedbackPolicy", "afterMedia", "archivedAt", "associatedDisease",
    "beforeMedia", "benefitsSummaryUrl", "codeRepository", "colleague", "colorSwatch", "constraintProperty",
    "contentUrl", "correctionsPolicy", "discussionUrl", "diseasePreventionInfo", "diseaseSpreadStatistics",
    "diversityPolicy", "diversityStaffingReport", "documentation", "downloadUrl", "duringMedia", "embedUrl",
    "ethicsPolicy", "gameLocation", "gettingTestedInfo", "hasGS1DigitalLink", "hasMap", "hasMolecularFunction",
    "healthPlanMarketingUrl", "image", "inCodeSet", "inDefinedTermSet", "installUrl", "isBasedOn", "isBasedOnUrl",
    "isInvolvedInBiologicalProcess", "isLocatedInSubcellularLocation", "isPartOf", "item", "labelDetails",
    "layoutImage", "license", "logo", "mainEntityOfPage", "map", "maps", "masthead", "merchantReturnLink",
    "missionCoveragePrioritiesPolicy", "newsUpdatesAndGuidelines", "noBylinesPolicy", "originalMediaLink",
    "paymentUrl", "prescribingInfo", "productReturnLink", "publicTransportClosuresInfo", "publishingPrinciples",
    "quarantineGuidelines", "relatedLink", "replyToUrl", "sameAs", "schoolClosuresInfo", "screenshot", "sdLicense",
    "season", "serviceUrl", "shippingSettingsLink", "significantLink", "significantLinks", "speakable", "targetUrl",
    "thumbnailUrl", "tourBookingPage", "trackingUrl", "travelBans", "unnamedSourcesPolicy", "url", "usageInfo",
    "verificationFactCheckingPolicy", "webFeed",
];

/// Returns whether the strings of a term are URLs.
pub(super) fn is_url_term(name: &str) -> bool {
    TERMS.binary_search(&name).is_ok()
}

/// Returns whether a context that is given by URL is that of schema.org.
///
/// # Source
/// schema.org, "How does JSON-LD work": the context is requested from the root, with `http` or `https`.
pub(super) fn is_context(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let rest = rest.map(|rest| rest.strip_prefix("www.").unwrap_or(rest));
    rest.is_some_and(|rest| {
        let path = rest.strip_prefix("schema.org");
        matches!(
            path,
            Some("" | "/" | "/docs/jsonldcontext.json" | "/docs/jsonldcontext.jsonld")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_sorted() {
        assert!(TERMS.is_sorted());
    }
}
