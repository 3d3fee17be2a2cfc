/** Documents that the worker reads: texts of the editor, files, and documents in containers. */

// The sources: the page asks for edits, and for the first links of a long document, which are no functions of the package.
import { Rewriter } from "../../js/web.js";
import type { Report } from "../../js/api.js";
import type { Facts, Options } from "../../js/web.js";
import type { OpenContainer } from "./containers.js";
import type { Change, Changes, Findings, Hunk } from "./protocol.js";

/** The settings of the page, and what it knows about the document. */
export interface Settings {
  readonly options: Options;
  readonly url: string;
  readonly facts: Facts;
}

/** The most characters of a line that are shown on each side of a change. */
const AROUND = 60;

/** A document as bytes. Offsets in results are in UTF-16 code units of the text that the editor shows. */
export class Source {
  readonly #bytes: Uint8Array;
  /** The text of the document, with a byte order mark. */
  readonly text: string;
  /** The name of the encoding in which the document was read. */
  readonly encoding: string | null;
  /** What is known of a text of the editor: its encoding. */
  readonly #known: Facts = {};
  readonly #container: { readonly open: OpenContainer; readonly index: number } | undefined;

  /** Reads a text, or a file: bytes with what is known about them, which may be a document in a container. */
  constructor(content: string | Uint8Array, facts: Facts = {}, container?: { readonly open: OpenContainer; readonly index: number }) {
    this.#container = container;
    if (typeof content === "string") {
      this.#bytes = new TextEncoder().encode(content);
      this.#known = { encoding: "utf-8" };
      this.encoding = "UTF-8";
      this.text = content;
    } else {
      this.#bytes = content;
      this.encoding = this.#raw({ options: {}, url: "", facts }, 0).encoding;
      this.text = this.#decoder().decode(content);
    }
  }

  #decoder(): TextDecoder {
    // The replacement encoding has no decoder for scripts, and documents in it are not read.
    const label = this.encoding === null || this.encoding === "replacement" ? "windows-1252" : this.encoding;
    return new TextDecoder(label, { ignoreBOM: true });
  }

  #raw({ options, url, facts }: Settings, limit: number): Report {
    if (this.#container === undefined) {
      return new Rewriter(options).firstLinks(this.#bytes, limit, url || undefined, { ...facts, ...this.#known });
    }
    const { open, index } = this.#container;
    return open.report(options, url, index, limit);
  }

  /** Returns the first links, the numbers of all of them, and the base URL. */
  report(settings: Settings, limit: number): Report {
    const report = this.#raw(settings, limit);
    return { ...report, links: this.#inCodeUnits(report.links) };
  }

  /** Returns the first findings, and the number of all. */
  findings({ options, url, facts }: Settings, limit: number): Findings {
    const container = this.#container;
    const all = container
      ? container.open.findings(options, url, container.index)
      : new Rewriter(options).check(this.#bytes, url || undefined, { ...facts, ...this.#known });
    return { list: this.#inCodeUnits(all.slice(0, limit)), count: all.length };
  }

  /** Returns the rewritten document. */
  rewritten({ options, url, facts }: Settings): Uint8Array {
    const container = this.#container;
    return container
      ? container.open.document(options, url, container.index)
      : new Rewriter(options).rewriteContent(this.#bytes, url || undefined, { ...facts, ...this.#known });
  }

  /** Returns the text of the rewritten document. */
  result(settings: Settings): string {
    return this.#decoder().decode(this.rewritten(settings));
  }

  /** Returns the file with the document rewritten. */
  file(settings: Settings): Uint8Array {
    return this.#container ? this.#container.open.rewritten(settings.options, settings.url) : this.rewritten(settings);
  }

  /** Returns what rewriting changes, by its edits, with the first `limit` of them. */
  changes(settings: Settings, limit: number): Changes {
    const { options, url, facts } = settings;
    const container = this.#container;
    const edits = container
      ? container.open.edits(options, url, container.index)
      : new Rewriter(options).edits(this.#bytes, url || undefined, { ...facts, ...this.#known });
    const result = this.rewritten(settings);
    const decoder = this.#decoder();
    const shown: Change[] = [];
    let [removed, added] = [0, 0];
    for (let index = 0; index < edits.length; index += 3) {
      const [start, end, length] = edits.subarray(index, index + 3) as unknown as [number, number, number];
      if (shown.length <= limit) {
        const place = start - removed + added;
        const text = (bytes: Uint8Array, from: number, to: number) => decoder.decode(bytes.subarray(from, to));
        shown.push({ start, end, removed: text(this.#bytes, start, end), added: text(result, place, place + length) });
      }
      removed += end - start;
      added += length;
    }
    const hunks = this.#hunks(this.#inCodeUnits(shown), limit);
    return { hunks, edits: edits.length / 3, length: this.#bytes.length, removed, added };
  }

  /** Returns the first changes with the text around them; those of a line that are near to each other together. */
  #hunks(changes: readonly Change[], limit: number): Hunk[] {
    const { text } = this;
    const hunks: (string | Change)[][] = [];
    let parts: (string | Change)[] | undefined;
    for (const [index, change] of changes.slice(0, limit).entries()) {
      if (parts === undefined) {
        const before = text.slice(Math.max(0, change.start - AROUND), change.start);
        const isCut = change.start > AROUND && !before.includes("\n");
        parts = [(isCut ? "…" : "") + before.slice(before.lastIndexOf("\n") + 1)];
        hunks.push(parts);
      }
      const next = changes[index + 1];
      const between = text.slice(change.end, Math.min(next?.start ?? Infinity, change.end + 2 * AROUND));
      const [line = ""] = between.split(/\r?\n/, 1);
      const isNear = next?.start === change.end + line.length;
      if (isNear && index + 1 < limit) {
        parts.push(change, line);
      } else if (isNear) {
        parts.push(change, `${line}…`);
      } else {
        parts.push(change, line.slice(0, AROUND) + (line.length > AROUND ? "…" : ""));
        parts = undefined;
      }
    }
    return hunks.map((parts) => ({ parts }));
  }

  /** Converts the offsets of rows from bytes to code units. */
  #inCodeUnits<R extends { start: number | null; end: number | null }>(rows: R[]): R[] {
    const offsets = new Set(rows.flatMap(({ start, end }) => [start ?? 0, end ?? 0]));
    const units = new Map<number, number>();
    const stream = this.#decoder();
    let done = 0;
    let length = 0;
    for (const offset of [...offsets].sort((a, b) => a - b)) {
      length += stream.decode(this.#bytes.subarray(done, offset), { stream: true }).length;
      units.set(offset, length);
      done = offset;
    }
    const converted = (offset: number | null) => (offset === null ? null : (units.get(offset) as number));
    return rows.map((row) => ({ ...row, start: converted(row.start), end: converted(row.end) }));
  }
}
