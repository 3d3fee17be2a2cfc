//! Fetches documents: arguments that are `http://` or `https://` URLs.
//!
//! Redirects are followed here and not by the HTTP client, because the last URL is the retrieval URL (RFC 1808
//! section 3.3), and because insecure redirects and loops are reported. Only connections are kept between documents:
//! there are no cookies, no credentials and no cache.

mod close_notify;
mod error_text;
mod legacy_headers;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Read;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use absolve::DocumentKind;
use absolve_archive::container::content_type::ContentType;
use absolve_site::portable_name;
use ureq::http::Response;
use ureq::http::header::{
    CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, USER_AGENT,
};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector, DefaultConnector};
use ureq::{Agent, Body};
use url::{Position, Url};

use crate::args::{FetchArgs, RequestHeader};
use crate::inputs::kind::{InputFormat, InputKind};
use crate::print::job_result::JobResult;
use crate::print::terminal;
use close_notify::RequireCloseNotify;

/// Identification of this program in the logs of servers.
const DEFAULT_USER_AGENT: &str = concat!("absolve/", env!("CARGO_PKG_VERSION"));
/// Value of the `Accept` header field.
const ACCEPT: &str = "text/html, application/xhtml+xml, application/rss+xml;q=0.9, application/atom+xml;q=0.9, \
    application/xml;q=0.8, text/css;q=0.9, */*;q=0.1";

/// HTTP client with the limits of the command line.
#[derive(Debug)]
pub(crate) struct Fetcher {
    limits: FetchArgs,
    /// Value of `--input-format`. Unless it is `auto`, all media types are accepted, not only HTML and CSS.
    input_format: InputFormat,
    /// Value of `--legacy-headers`.
    has_legacy_headers: bool,
    /// Created when the first document is fetched.
    agent: OnceLock<Agent>,
}

/// Facts about a document from its HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transport {
    /// The retrieval URL: the last one after redirects.
    pub(crate) url: String,
    /// The base URLs in its header fields, in order of precedence; empty without `--legacy-headers`.
    pub(crate) base_urls: Vec<String>,
    /// The charset parameter of the media type.
    pub(crate) charset: Option<String>,
    /// The kind of the document. Its media type decides, or the file name in its URL if it has no media type.
    pub(crate) kind: DocumentKind,
}

/// Returns whether an argument is a URL to be fetched.
pub(crate) fn is_url(argument: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        argument
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// Returns the file name for a document: the last path segment of its URL, or `index.html` if that is empty.
///
/// Like wget, appends the query. Characters that Windows reserves are escaped there.
pub(crate) fn file_name(url: &str) -> String {
    let url = parse(url).ok();
    let path = url.as_ref().map_or("", Url::path);
    let name = match path.rsplit('/').next() {
        None | Some("") => "index.html",
        Some(name) => name,
    };
    let name = match url.as_ref().and_then(Url::query) {
        Some(query) => format!("{name}?{}", query.replace('/', "%2F")),
        None => name.to_owned(),
    };
    // A question mark is in no name there, and a colon begins the name of a stream of a file.
    if cfg!(windows) {
        portable_name(name.as_bytes())
    } else {
        name
    }
}

impl Fetcher {
    /// Returns a fetcher with these limits. It makes no connection yet.
    pub(crate) fn new(
        args: &FetchArgs,
        input_format: InputFormat,
        has_legacy_headers: bool,
    ) -> Self {
        Self {
            limits: args.clone(),
            input_format,
            has_legacy_headers,
            agent: OnceLock::new(),
        }
    }

    /// Fetches the document at `url`, following redirects. Returns its bytes and the facts from the response.
    ///
    /// # Source
    /// RFC 9110 sections 10.2.2 (Location, and the fragment it inherits) and 15.4 (redirects).
    ///
    /// # Errors
    /// A message with the reason and, where there is one, a remedy.
    pub(crate) fn fetch(
        &self,
        url: &str,
        job_result: &mut JobResult,
    ) -> Result<(Vec<u8>, Transport), String> {
        let deadline = Instant::now() + self.limits.timeout;
        let mut url = parse(url)?;
        let origin = url.origin();
        let mut seen = HashSet::new();
        loop {
            // The fragment is not sent to the server.
            if !seen.insert(url[..Position::AfterQuery].to_owned()) {
                return Err(format!("redirect loop at {url}"));
            }
            let headers: &[RequestHeader] = if url.origin() == origin {
                &self.limits.header
            } else {
                &[]
            };
            let response = self.get(&url, headers, deadline)?;
            let status = response.status();
            match status.as_u16() {
                // 204 and 205 have no content, 206 has only a part of it.
                200..=203 => return self.read_document(url, response),
                301 | 302 | 303 | 307 | 308 if seen.len() > self.limits.max_redirects => {
                    return Err(format!(
                        "more than {} redirects; raise the limit with --max-redirects",
                        self.limits.max_redirects
                    ));
                }
                301 | 302 | 303 | 307 | 308 => url = redirected(&url, &response, job_result)?,
                _ if seen.len() == 1 => return Err(format!("server returned {status}")),
                _ => {
                    return Err(format!(
                        "server returned {status} after a redirect to {url}"
                    ));
                }
            }
        }
    }

    /// Sends a request for `url` with these header fields. Returns the response, which may be a redirect or an error of
    /// the server.
    fn get(
        &self,
        url: &Url,
        headers: &[RequestHeader],
        deadline: Instant,
    ) -> Result<Response<Body>, String> {
        let remaining = deadline.saturating_duration_since(Instant::now());
        if remaining.is_zero() {
            return Err(self.timeout_error());
        }
        let request = self.agent().get(url.as_str());
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(name, value)
        });
        let request = match &self.limits.user_agent {
            Some(name) => request.header(USER_AGENT, name),
            None => request,
        };
        let request = request.config();
        let request = request.timeout_global(Some(remaining)).build();
        request.call().map_err(|error| self.describe_error(&error))
    }

    /// Reads the document in `response`, the final response from `url`.
    fn read_document(
        &self,
        url: Url,
        mut response: Response<Body>,
    ) -> Result<(Vec<u8>, Transport), String> {
        let fields = response.headers().get_all(CONTENT_TYPE);
        let content_type =
            ContentType::extract(fields.iter().map(HeaderValue::as_bytes)).unwrap_or_default();
        let kind = match DocumentKind::of(&content_type.essence) {
            Some(kind) => kind,
            // Checked below, unless --input-format has declared it.
            None if is_json(&content_type) => DocumentKind::JsonFeed,
            None if DocumentKind::needs_content(&content_type.essence) => DocumentKind::Xml,
            // Without a media type, the file name in the URL decides.
            None if content_type.essence.is_empty() => {
                match InputKind::from_name(OsStr::new(url.path())) {
                    Some(InputKind::Document(kind)) => kind,
                    _ => DocumentKind::Html,
                }
            }
            None if self.input_format != InputFormat::AUTO => DocumentKind::Html,
            None => return Err(unsupported(&content_type)),
        };
        // The client removes the header field if it decodes the body, so any coding that is left is unsupported.
        if let Some(coding) = header(&response, &CONTENT_ENCODING)
            && !coding.eq_ignore_ascii_case("identity")
        {
            let coding = terminal::quoted(coding);
            return Err(format!("unsupported Content-Encoding {coding}"));
        }
        let most = self.limits.max_size;
        // One byte more, to distinguish a document of the maximum size from a longer one.
        let mut body = response.body_mut().as_reader().take(most.saturating_add(1));
        let mut bytes = Vec::new();
        body.read_to_end(&mut bytes).map_err(|error| {
            match error.get_ref().and_then(|cause| cause.downcast_ref()) {
                Some(cause) => self.describe_error(cause),
                None => error_text::describe_io(&error),
            }
        })?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
            return Err(format!(
                "larger than {most} bytes; raise the limit with --max-size"
            ));
        }
        if is_json(&content_type)
            && self.input_format == InputFormat::AUTO
            && DocumentKind::of_content(&content_type.essence, &bytes).is_none()
        {
            return Err(unsupported(&content_type));
        }
        let base_urls = if self.has_legacy_headers {
            legacy_headers::base_urls(response.headers(), url.as_str())
        } else {
            Vec::new()
        };
        let transport = Transport {
            url: url.into(),
            base_urls,
            charset: content_type.charset(),
            kind,
        };
        Ok((bytes, transport))
    }

    /// Returns the message for an error of the HTTP client.
    fn describe_error(&self, error: &ureq::Error) -> String {
        match error {
            ureq::Error::Timeout(_) => self.timeout_error(),
            error => error_text::describe(error),
        }
    }

    /// Returns the message for a document that was not fetched within the time limit.
    fn timeout_error(&self) -> String {
        let seconds = self.limits.timeout.as_secs_f64();
        format!("timed out after {seconds} seconds; raise the limit with --timeout")
    }

    /// Returns the HTTP client, which is created on first use.
    fn agent(&self) -> &Agent {
        self.agent.get_or_init(|| {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            // The certificates that the system trusts: a built-in list would become outdated.
            let tls = TlsConfig::builder()
                .unversioned_rustls_crypto_provider(provider)
                .root_certs(RootCerts::PlatformVerifier)
                .build();
            let config = Agent::config_builder()
                .tls_config(tls)
                .http_status_as_error(false)
                .max_redirects(0)
                .user_agent(DEFAULT_USER_AGENT)
                .accept(ACCEPT)
                .build();
            let connector = DefaultConnector::new().chain(RequireCloseNotify);
            Agent::with_parts(config, connector, DefaultResolver::default())
        })
    }
}

/// Returns the target of the redirect `response` from `url`, and warns if it leads from `https` to `http`.
///
/// # Source
/// RFC 9110 section 10.2.2: the target inherits the fragment if it has none.
fn redirected(
    url: &Url,
    response: &Response<Body>,
    job_result: &mut JobResult,
) -> Result<Url, String> {
    let Some(location) = header(response, &LOCATION) else {
        let status = response.status();
        return Err(format!("server returned {status} without a Location"));
    };
    let next = url.join(location).map_err(|error| error.to_string());
    let mut next = next.and_then(fetchable).map_err(|error| {
        let location = terminal::quoted(location);
        format!("redirected to {location}: {error}")
    })?;
    if next.fragment().is_none() {
        next.set_fragment(url.fragment());
    }
    if url.scheme() == "https" && next.scheme() == "http" {
        job_result.warn(format!(
            "{url}: insecure redirect from https to http: {next}"
        ));
    }
    Ok(next)
}

/// Returns whether the media type is that of JSON of any kind.
fn is_json(content_type: &ContentType) -> bool {
    content_type.essence == "application/json"
}

/// Returns the message for a media type that is not that of a document.
fn unsupported(content_type: &ContentType) -> String {
    format!(
        "unsupported content type {}; use --input-format html, css, xml or json-feed to read it anyway",
        terminal::escape_control(&content_type.essence)
    )
}

/// Parses the URL of an argument as the URL Standard does.
fn parse(url: &str) -> Result<Url, String> {
    let url = Url::parse(url).map_err(|error| format!("invalid URL: {error}"))?;
    fetchable(url)
}

/// Returns `url` if it can be fetched.
///
/// # Errors
/// It has another scheme, or contains credentials.
fn fetchable(url: Url) -> Result<Url, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err("unsupported scheme; only http and https URLs can be fetched".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Credentials would appear in every link that is written.
        return Err(
            "credentials in URLs are not supported; download the document with another program and use --url"
                .to_owned(),
        );
    }
    Ok(url)
}

/// Returns the value of the first header field `name`, if it is text.
fn header<'r>(response: &'r Response<Body>, name: &HeaderName) -> Option<&'r str> {
    let value = response.headers().get(name)?;
    // `HeaderValue::to_str` rejects all non-ASCII text; here it is accepted if it is UTF-8.
    std::str::from_utf8(value.as_bytes()).ok()
}
