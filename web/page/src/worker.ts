/** The worker of the page: reads documents, so that the page remains responsive. */

import { explain, init } from "../../js/web.js";
import type { Facts, Link } from "../../js/web.js";

import { EXAMPLES } from "./examples.js";
import type { Example } from "./examples.js";
import { isContainer, PROFILES, ROWS } from "./protocol.js";
import type { Answers, Loaded, Overview, ProfileRow, Question, Request, Resolution } from "./protocol.js";
import { Source } from "./sources.js";
import type { Settings } from "./sources.js";

/** The number of links that no document exceeds. */
const ALL = 0xffffffff;

const loaded = init();

let settings: Settings;
let source: Source;
/** What was loaded last. */
let file: Source;

/** Loads a file. In a container, the document at `index` is read. */
async function load({ bytes, index, facts }: { bytes: Uint8Array; index: number; facts: Facts }): Promise<Loaded> {
  const container = isContainer(bytes) ? await (await import("./containers.js")).OpenContainer.open(bytes) : undefined;
  const documents = container?.documents() ?? [];
  file =
    container && documents.length > 0
      ? new Source(container.content(index), facts, { open: container, index })
      : new Source(bytes, facts);
  return { text: file.text, encoding: file.encoding, isContainer: container !== undefined, documents };
}

function open({ text, ...known }: Request): Overview {
  const start = performance.now();
  settings = known;
  source = text === undefined ? file : new Source(text);
  const { links, counts, base, problem } = source.report(settings, ROWS);
  return {
    base,
    problem,
    links,
    linkCount: counts.resolved + counts.absolute + counts.skipped,
    counts,
    milliseconds: performance.now() - start,
  };
}

/** Returns the references whose targets depend on the profile. */
function profiles(): Answers["profiles"] {
  const lists = PROFILES.map((profile) => {
    const options = { ...settings.options, profile, to: "absolute" } as const;
    return source.report({ ...settings, options }, ALL).links;
  });
  // Links are the same in every profile, but for BASE that does not count.
  const rows: ProfileRow[] = [];
  const [first, ...others] = lists as [Link[], ...Link[][]];
  for (const [index, { reference, start, end, target }] of first.entries()) {
    const targets = [target, ...others.map((list) => list[index]?.target ?? null)];
    if (targets.some((other) => other !== target)) {
      rows.push({ reference, start, end, targets });
    }
  }
  return { rows: rows.slice(0, ROWS), count: rows.length };
}

/** Resolves a reference by each profile. */
function resolve(base: string, reference: string): Resolution[] {
  return PROFILES.map((profile) => {
    try {
      return { ...explain(base, reference, { profile }), isError: false };
    } catch (error) {
      return { target: (error as Error).message, isError: true, steps: [] };
    }
  });
}

async function answer(question: Question): Promise<Answers[Question["kind"]]> {
  switch (question.kind) {
    case "load":
      return load(question);
    case "open":
      return open(question.request);
    case "links":
      return source.report(settings, ALL).links.filter(({ status }) => status.includes(question.status)).slice(0, question.to);
    case "findings":
      return source.findings(settings, ROWS);
    case "changes":
      return source.changes(settings, question.to);
    case "result":
      return source.result(settings);
    case "file":
      return source.file(settings);
    case "profiles":
      return profiles();
    case "resolve":
      return resolve(question.base, question.reference);
  }
}

/**
 * Reads an example a thousand times, a little at a time. Browsers compile functions well once they have run often: without
 * this, the first long document takes three times as long as the next ones.
 */
async function warmUp(): Promise<void> {
  const { text } = EXAMPLES[0] as Example;
  for (let part = 0; part < 16; part += 1) {
    new Source(text.repeat(64)).report({ options: {}, url: "", facts: {} }, ROWS);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

void loaded.then(warmUp, () => {});

// One after the other, although loading waits.
let last: Promise<void> = loaded.catch(() => {});

addEventListener("message", ({ data }: MessageEvent<{ id: number; question: Question }>) => {
  last = last.then(async () => {
    try {
      await loaded;
      postMessage({ id: data.id, answer: await answer(data.question) });
    } catch (error) {
      postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) });
    }
  });
});
