/** Documents that the worker reads: strings of the editor, bytes of files, and documents in containers. */

// The sources: the page asks for the first links of a long document, which is no function of the package.
import { Rewriter } from "../../js/web.js";
import type { Report } from "../../js/api.js";
import type { Facts, Finding, Html, Options } from "../../js/web.js";
import type { OpenContainer } from "./containers.js";

/** The settings of the page, and what it knows about the document. */
export interface Settings {
  readonly options: Options;
  readonly url: string;
  readonly facts: Facts;
}

/** A document. Offsets are in UTF-16 code units of the text that the editor shows. */
export interface Source {
  /** Returns the first links, the numbers of all of them, and the base URL. */
  report(settings: Settings, limit: number): Report;
  findings(settings: Settings): Finding[];
  /** Returns the text of the rewritten document. */
  result(settings: Settings): string;
  /** Returns the file with the document rewritten. */
  file(settings: Settings): Html;
}

/** A string. */
export class TextSource implements Source {
  constructor(readonly text: string) {}

  report({ options, url, facts }: Settings, limit: number): Report {
    return new Rewriter(options).firstLinks(this.text, limit, url || undefined, facts);
  }

  findings({ options, url, facts }: Settings): Finding[] {
    return new Rewriter(options).check(this.text, url || undefined, facts);
  }

  result({ options, url, facts }: Settings): string {
    return new Rewriter(options).rewriteContent(this.text, url || undefined, facts);
  }

  file(settings: Settings): string {
    return this.result(settings);
  }
}

/** Returns bytes as text in the encoding in which they were read; all of it, with a byte order mark. */
function decoded(bytes: Uint8Array, encoding: string | null): string {
  return decoder(encoding).decode(bytes);
}

function decoder(encoding: string | null): TextDecoder {
  // The replacement encoding has no decoder for scripts, and documents in it are not read.
  return new TextDecoder(encoding === null || encoding === "replacement" ? "windows-1252" : encoding, { ignoreBOM: true });
}

/** Converts the offsets of rows from bytes to code units. */
function inCodeUnits<R extends { start: number | null; end: number | null }>(bytes: Uint8Array, encoding: string | null, rows: R[]): R[] {
  const offsets = new Set(rows.flatMap(({ start, end }) => [start ?? 0, end ?? 0]));
  const units = new Map<number, number>();
  const stream = decoder(encoding);
  let done = 0;
  let length = 0;
  for (const offset of [...offsets].sort((a, b) => a - b)) {
    length += stream.decode(bytes.subarray(done, offset), { stream: true }).length;
    units.set(offset, length);
    done = offset;
  }
  const converted = (offset: number | null) => (offset === null ? null : (units.get(offset) as number));
  return rows.map((row) => ({ ...row, start: converted(row.start), end: converted(row.end) }));
}

/** Bytes: of a file, or in a container. */
export class BytesSource implements Source {
  /** The text of the document. */
  readonly text: string;
  /** The name of the encoding in which the document was read. */
  readonly encoding: string | null;
  readonly #bytes: Uint8Array;
  readonly #container: { readonly open: OpenContainer; readonly index: number } | undefined;

  constructor(bytes: Uint8Array, facts: Facts, container?: { readonly open: OpenContainer; readonly index: number }) {
    this.#bytes = bytes;
    this.#container = container;
    this.encoding = this.#raw({ options: {}, url: "", facts }, 0).encoding;
    this.text = decoded(bytes, this.encoding);
  }

  #raw({ options, url, facts }: Settings, limit: number): Report {
    if (this.#container === undefined) return new Rewriter(options).firstLinks(this.#bytes, limit, url || undefined, facts);
    const { open, index } = this.#container;
    return open.report(options, url, index, limit);
  }

  report(settings: Settings, limit: number): Report {
    const report = this.#raw(settings, limit);
    return { ...report, links: inCodeUnits(this.#bytes, this.encoding, report.links) };
  }

  findings({ options, url, facts }: Settings): Finding[] {
    const container = this.#container;
    const findings = container
      ? container.open.findings(options, url, container.index)
      : new Rewriter(options).check(this.#bytes, url || undefined, facts);
    return inCodeUnits(this.#bytes, this.encoding, findings);
  }

  result(settings: Settings): string {
    return decoded(this.#rewritten(settings), this.encoding);
  }

  file(settings: Settings): Uint8Array {
    const { options, url } = settings;
    return this.#container ? this.#container.open.rewritten(options, url) : this.#rewritten(settings);
  }

  #rewritten({ options, url, facts }: Settings): Uint8Array {
    const container = this.#container;
    return container
      ? container.open.document(options, url, container.index)
      : new Rewriter(options).rewriteContent(this.#bytes, url || undefined, facts);
  }
}
