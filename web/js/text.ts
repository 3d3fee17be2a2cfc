/** Documents in the memory of the module, and rewritten strings. */

import { RawInput, module_memory } from "../glue/absolve.js";

const encoder = new TextEncoder();

/** Returns a document in the memory of the module; the caller frees it. */
export function inputOf(html: string | Uint8Array): RawInput {
  if (typeof html === "string") {
    return textInput(html);
  }
  const input = new RawInput(html.length, false);
  view(input, html.length).set(html);
  return input;
}

/** Returns the first bytes of a document, which are valid until the memory of the module grows. */
function view(input: RawInput, length: number): Uint8Array {
  const address = input.resize(length);
  return new Uint8Array((module_memory() as WebAssembly.Memory).buffer, address, length);
}

/**
 * Returns a string in the memory of the module. U+FFFD replaces lone surrogates, for which UTF-8 has no form; it has one
 * code unit, too, so that offsets stay right.
 */
function textInput(text: string): RawInput {
  // Enough for most languages with the Latin alphabet.
  let capacity = text.length + (text.length >> 4) + 16;
  const input = new RawInput(capacity, true);
  let done = 0;
  let rest = text;
  for (;;) {
    const { read, written } = encoder.encodeInto(rest, view(input, capacity).subarray(done));
    done += written;
    if (read === rest.length) {
      input.resize(done);
      return input;
    }
    rest = rest.slice(read);
    // No code unit needs more than three bytes.
    capacity = done + rest.length * 3;
  }
}

/**
 * Returns a string with its edits: three numbers for each, its start, its end and the length of its replacement. What is
 * not replaced is never encoded and decoded, which takes longer than finding the links.
 */
export function applied(text: string, edits: Uint32Array, replacements: string): string {
  let result = "";
  let done = 0;
  let used = 0;
  for (let index = 0; index < edits.length; index += 3) {
    const next = used + (edits[index + 2] as number);
    result += text.slice(done, edits[index]) + replacements.slice(used, next);
    done = edits[index + 1] as number;
    used = next;
  }
  return result + text.slice(done);
}
