//! Documents that are fetched: arguments that are `http://` or `https://` URLs.
//!
//! Redirects are followed here and not by the client, for the last URL is the retrieval URL (RFC 1808 section 3.3), and
//! everybody who asks must be able to see how it came to that. Nothing is kept between documents but connections: no
//! cookies, no credentials, no cache.

mod error_text;
mod media_type;

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ureq::http::Response;
use ureq::http::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LOCATION};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};
use url::Url;

use super::args::FetchArgs;
use super::terminal;
use media_type::MediaType;

/// What the server says about itself to a person who reads its log.
const USER_AGENT: &str = concat!("absolve/", env!("CARGO_PKG_VERSION"));
const ACCEPT: &str = "text/html, application/xhtml+xml, text/css;q=0.9, */*;q=0.1";

/// Fetches documents.
#[derive(Debug)]
pub(super) struct Fetcher {
    timeout: Duration,
    max_size: u64,
    max_redirects: usize,
    /// Whether a document is taken whatever type the server says it has.
    takes_all: bool,
    /// Made for the first document that is fetched.
    agent: OnceLock<Agent>,
}

/// A document as it was fetched.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) bytes: Vec<u8>,
    pub(super) transport: Transport,
}

/// What the transport says about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Transport {
    /// The retrieval URL: what the last redirect led to.
    pub(super) url: String,
    /// The charset of its type.
    pub(super) charset: Option<String>,
    /// Whether its type is that of style sheets.
    pub(super) is_style_sheet: bool,
}

/// Whether an argument is a URL to be fetched.
pub(super) fn is_url(argument: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        argument
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// The name that a document has as a file, after its URL: `index.html`, if that ends in a slash. As wget has it, a query
/// is part of it.
pub(super) fn file_name(url: &str) -> String {
    let url = parse(url).ok();
    let path = url.as_ref().map_or("", Url::path);
    let name = match path.rsplit('/').next() {
        None | Some("") => "index.html",
        Some(name) => name,
    };
    match url.as_ref().and_then(Url::query) {
        Some(query) => format!("{name}?{}", query.replace('/', "%2F")),
        None => name.to_owned(),
    }
}

impl Fetcher {
    pub(super) fn new(args: &FetchArgs, takes_all: bool) -> Self {
        Self {
            timeout: args.timeout,
            max_size: args.max_size,
            max_redirects: args.max_redirects,
            takes_all,
            agent: OnceLock::new(),
        }
    }

    /// The document at `url`.
    ///
    /// # Source
    /// RFC 9110 sections 10.2.2 (Location, and the fragment it inherits) and 15.4 (redirects).
    ///
    /// # Errors
    /// Why it could not be fetched and what to do, for people.
    pub(super) fn fetch(&self, url: &str) -> Result<Fetched, String> {
        let end = Instant::now() + self.timeout;
        let mut url = parse(url)?;
        let mut seen = HashSet::new();
        loop {
            if !seen.insert(without_fragment(&url)) {
                return Err(format!("its redirects lead in a circle, back to {url}"));
            }
            let response = self.get(&url, end)?;
            let status = response.status();
            match status.as_u16() {
                // Behind them: no document, or a part of one.
                200..=203 => return self.document(url, response),
                301 | 302 | 303 | 307 | 308 if seen.len() > self.max_redirects => {
                    return Err(format!(
                        "it is redirected more than {} times; --max-redirects follows more",
                        self.max_redirects
                    ));
                }
                301 | 302 | 303 | 307 | 308 => url = redirected(&url, &response)?,
                _ => {
                    let place = if seen.len() > 1 {
                        format!(" about {url}, to which it is redirected")
                    } else {
                        String::new()
                    };
                    return Err(format!("the server says {status}{place}"));
                }
            }
        }
    }

    fn get(&self, url: &Url, end: Instant) -> Result<Response<Body>, String> {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.too_slow());
        }
        let request = self
            .agent()
            .get(url.as_str())
            .config()
            .timeout_global(Some(left))
            .build();
        request.call().map_err(|error| self.explain(&error))
    }

    /// The document in `response`, which came from `url`.
    fn document(&self, url: Url, mut response: Response<Body>) -> Result<Fetched, String> {
        let media_type = header(&response, &CONTENT_TYPE).map(MediaType::parse);
        let essence = media_type.as_ref().map(|media_type| &*media_type.essence);
        let essence = essence.filter(|essence| !essence.is_empty());
        let is_style_sheet = match essence {
            Some("text/css") => true,
            Some("text/html" | "application/xhtml+xml") => false,
            // Who sends no type leaves it to the name.
            None => Path::new(url.path())
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("css")),
            Some(_) if self.takes_all => false,
            Some(other) => {
                return Err(format!(
                    "it is {}, neither HTML nor CSS; say --input-format html or css if it is one of them all the same",
                    terminal::escape_control(other)
                ));
            }
        };
        // What the client unpacks it takes off there.
        if let Some(coding) = header(&response, &CONTENT_ENCODING)
            && !coding.eq_ignore_ascii_case("identity")
        {
            return Err(format!(
                "it is packed as {}, which was not asked for",
                terminal::quoted(coding)
            ));
        }
        let mut bytes = Vec::new();
        response
            .body_mut()
            .as_reader()
            .take(self.max_size.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| {
                let cause = error
                    .get_ref()
                    .and_then(|cause| cause.downcast_ref::<ureq::Error>());
                cause.map_or_else(
                    || error_text::of_connection(&error),
                    |cause| self.explain(cause),
                )
            })?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > self.max_size {
            return Err(format!(
                "it is larger than {} bytes; --max-size allows more",
                self.max_size
            ));
        }
        Ok(Fetched {
            bytes,
            transport: Transport {
                url: url.into(),
                charset: media_type.and_then(|media_type| media_type.charset),
                is_style_sheet,
            },
        })
    }

    fn explain(&self, error: &ureq::Error) -> String {
        match error {
            ureq::Error::Timeout(_) => self.too_slow(),
            error => error_text::of(error),
        }
    }

    fn too_slow(&self) -> String {
        let seconds = self.timeout.as_secs_f64();
        format!("it takes longer than {seconds} seconds; --timeout allows more")
    }

    fn agent(&self) -> &Agent {
        self.agent.get_or_init(|| {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            // Whom the system trusts, and no list that ages with this program.
            let tls = TlsConfig::builder()
                .unversioned_rustls_crypto_provider(provider)
                .root_certs(RootCerts::PlatformVerifier)
                .build();
            Agent::config_builder()
                .tls_config(tls)
                .http_status_as_error(false)
                .max_redirects(0)
                .user_agent(USER_AGENT)
                .accept(ACCEPT)
                .build()
                .into()
        })
    }
}

/// What a redirect from `url` leads to.
fn redirected(url: &Url, response: &Response<Body>) -> Result<Url, String> {
    let Some(location) = header(response, &LOCATION) else {
        let status = response.status();
        return Err(format!(
            "the server says {status}, and does not say where it is"
        ));
    };
    let next = url.join(location).map_err(|error| error.to_string());
    let mut next = next.and_then(fetchable).map_err(|error| {
        let location = terminal::quoted(location);
        format!("it is redirected to {location}: {error}")
    })?;
    if next.fragment().is_none() {
        next.set_fragment(url.fragment());
    }
    if url.scheme() == "https" && next.scheme() == "http" {
        terminal::print_message(&format!(
            "{url}: redirected to {next}, which others can read and change on its way"
        ));
    }
    Ok(next)
}

/// The URL of an argument, as the URL Standard writes it.
fn parse(url: &str) -> Result<Url, String> {
    let url = Url::parse(url).map_err(|error| format!("this is no URL: {error}"))?;
    fetchable(url)
}

/// The URL, if it is one that is fetched.
fn fetchable(url: Url) -> Result<Url, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err("only http and https are fetched".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        // They would stand in every link that is written.
        return Err(
            "credentials are not sent; fetch it with another program and give its URL with --url"
                .to_owned(),
        );
    }
    Ok(url)
}

fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

/// The value of the first header field of that name, if it is text.
fn header<'r>(response: &'r Response<Body>, name: &HeaderName) -> Option<&'r str> {
    let value = response.headers().get(name)?;
    // Other bytes than those of ASCII are UTF-8 there, if they are text at all.
    std::str::from_utf8(value.as_bytes()).ok()
}
