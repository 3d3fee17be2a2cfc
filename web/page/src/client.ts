/** The page's side of the worker: questions and their answers. */

import type { Answers, Question } from "./protocol.js";

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const waiting = new Map<number, Waiting>();
let last = 0;
/** The error because of which there are no answers. */
let failure: Error | undefined;

worker.addEventListener("message", ({ data }: MessageEvent<{ id: number; answer: never; error?: string }>) => {
  const { resolve, reject } = waiting.get(data.id) as Waiting;
  waiting.delete(data.id);
  if (data.error === undefined) {
    resolve(data.answer);
  } else {
    reject(new Error(data.error));
  }
});

worker.addEventListener("error", ({ message }) => {
  const reason = message ? `: ${message}` : "";
  failure = new Error(`A part of this page, worker.js, does not run${reason}. Reload the page; old browsers cannot show it.`);
  for (const { reject } of waiting.values()) reject(failure);
  waiting.clear();
});

/** Asks the worker. Answers arrive in the order of the questions. */
export function ask<Q extends Question>(question: Q): Promise<Answers[Q["kind"]]> {
  if (failure) return Promise.reject(failure);
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject } as Waiting);
    worker.postMessage({ id, question });
  });
}
