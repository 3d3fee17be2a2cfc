/** HTTP dumps and messages: a module of its own, which is loaded when the first one is opened. */

import type { Report } from "../../js/api.js";
import { call } from "../../js/module.js";
import { optionList } from "../../js/options.js";
import type { Finding, Options } from "../../js/types.js";
import { init } from "../../js/web.js";
import { RawContainer, RawRewriter } from "../glue/absolve.js";
import type { ContainedDocument } from "./protocol.js";

/** Calls a function of the module with a rewriter. */
function withRewriter<R>(options: Options, operation: (rewriter: RawRewriter) => R): R {
  return call(() => {
    const rewriter = new RawRewriter(optionList(options));
    try {
      return operation(rewriter);
    } finally {
      rewriter.free();
    }
  });
}

/** A container and the documents in it. */
export class OpenContainer {
  readonly #raw: RawContainer;

  private constructor(raw: RawContainer) {
    this.#raw = raw;
  }

  /** Returns the container in a file; `undefined` if it is something else. */
  static async open(bytes: Uint8Array): Promise<OpenContainer | undefined> {
    await init(new URL("./containers.wasm", import.meta.url));
    const raw = RawContainer.open(bytes);
    return raw && new OpenContainer(raw);
  }

  documents(): ContainedDocument[] {
    return JSON.parse(call(() => this.#raw.documents())) as ContainedDocument[];
  }

  /** Returns a document without the codings in which it is stored. */
  content(index: number): Uint8Array {
    return call(() => this.#raw.content(index));
  }

  report(options: Options, url: string, index: number, limit: number): Report {
    return JSON.parse(withRewriter(options, (rewriter) => this.#raw.links(rewriter, url, index, limit))) as Report;
  }

  findings(options: Options, url: string, index: number): Finding[] {
    return JSON.parse(withRewriter(options, (rewriter) => this.#raw.check(rewriter, url, index))) as Finding[];
  }

  /** Returns start, end and length of the replacement of each edit of a document, in bytes. */
  edits(options: Options, url: string, index: number): Uint32Array {
    return withRewriter(options, (rewriter) => this.#raw.edits(rewriter, url, index));
  }

  /** Returns a rewritten document. */
  document(options: Options, url: string, index: number): Uint8Array {
    return withRewriter(options, (rewriter) => this.#raw.rewrite_document(rewriter, url, index));
  }

  /** Returns the container with all documents rewritten. */
  rewritten(options: Options, url: string): Uint8Array {
    return withRewriter(options, (rewriter) => this.#raw.rewrite(rewriter, url));
  }
}
