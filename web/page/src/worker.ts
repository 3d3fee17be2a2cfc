/** The worker of the page: reads documents, so that the page remains responsive. */

// The sources: the page asks for the first links of a long document, which is no function of the package.
import { Rewriter, explain, init } from "../../js/web.js";
import type { Facts, Link, Links, Profile } from "../../js/web.js";

import { PROFILES } from "./protocol.js";
import type { Answers, Overview, ProfileRow, Question, Request } from "./protocol.js";

/** The number of rows that are sent at once. */
const ROWS = 200;

const loaded = init();

let request: Request;
let rewriter: Rewriter;

function open(asked: Request): Overview {
  const start = performance.now();
  request = asked;
  rewriter = new Rewriter(request.options);
  const { text, url, facts } = request;
  const { links, counts, base, problem } = rewriter.firstLinks(text, ROWS, url || undefined, facts);
  const findings = rewriter.check(text, url || undefined, facts);
  return {
    base,
    problem,
    links,
    linkCount: counts.resolved + counts.absolute + counts.skipped,
    findings: findings.slice(0, ROWS),
    findingCount: findings.length,
    edited: counts.resolved,
    milliseconds: performance.now() - start,
  };
}

/** Returns the references whose targets depend on the profile. */
function profiles(): Answers["profiles"] {
  const lists = PROFILES.map((profile) => {
    const { text, url, facts, options } = request;
    return new Rewriter({ ...options, profile, to: "absolute" }).links(text, url || undefined, facts as Facts);
  });
  // Links are the same in every profile, but for BASE that does not count.
  const rows: ProfileRow[] = [];
  const [first, ...others] = lists as [Links, ...Links[]];
  for (const [index, { reference, start, end, target }] of first.entries()) {
    const targets = [target, ...others.map((list) => list[index]?.target ?? null)];
    if (targets.some((other) => other !== target)) {
      rows.push({ reference, start, end, targets });
    }
  }
  return { rows: rows.slice(0, ROWS), count: rows.length };
}

function answer(question: Question): Answers[Question["kind"]] {
  switch (question.kind) {
    case "open":
      return open(question.request);
    case "links":
      return rewriter.firstLinks(request.text, question.to, request.url || undefined, request.facts).links as Link[];
    case "result":
      return rewriter.rewriteContent(request.text, request.url || undefined, request.facts);
    case "profiles":
      return profiles();
    case "resolve":
      return explain(question.base, question.reference, { profile: question.profile as Profile });
  }
}

addEventListener("message", async ({ data }: MessageEvent<{ id: number; question: Question }>) => {
  try {
    await loaded;
    postMessage({ id: data.id, answer: answer(data.question) });
  } catch (error) {
    postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) });
  }
});
