/** Documents in the memory of the module, and rewritten strings. */

import { RawInput, module_memory } from "../glue/absolve.js";

/** Writes the code units of a string, which are `length` bytes, to an address of the memory. */
export type WriteUnits = (text: string, memory: ArrayBuffer, address: number, length: number) => void;

let writeUnits: WriteUnits | undefined;

/** Sets how code units are written, where that is possible and faster than encoding the string in JavaScript. */
export function setUnitWriter(writer: WriteUnits): void {
  writeUnits = writer;
}

const encoder = new TextEncoder();

/** The length of the longest document whose memory is kept for the next one: 24 MB at most. */
const LONGEST_KEPT = 1 << 23;

/** The memory of an earlier document, which is not in use. */
let kept: RawInput | undefined;

/** Returns a document in the memory of the module, which the caller passes to {@link release}. */
export function inputOf(html: string | Uint8Array): RawInput {
  const input = kept ?? new RawInput();
  kept = undefined;
  const isText = typeof html === "string";
  input.begin(isText);
  if (!isText) {
    const address = input.reserve(html.length);
    new Uint8Array(memory(), address, html.length).set(html);
    input.append(html.length);
  } else if (writeUnits) {
    appendUnits(input, html, writeUnits);
  } else {
    appendEncoded(input, html);
  }
  return input;
}

/** Frees the memory of a document, or keeps it for the next one. */
export function release(input: RawInput, html: string | Uint8Array): void {
  if (kept || html.length > LONGEST_KEPT) {
    input.free();
  } else {
    kept = input;
  }
}

/** Returns the memory of the module, as it is until it grows. */
function memory(): ArrayBuffer {
  return (module_memory() as WebAssembly.Memory).buffer;
}

/**
 * Appends a string, which the module encodes. U+FFFD replaces lone surrogates, for which UTF-8 has no form; it has one code
 * unit, too, so that offsets stay right.
 */
function appendUnits(input: RawInput, text: string, write: WriteUnits): void {
  const most = RawInput.most_units();
  for (let start = 0; start < text.length; ) {
    let end = start + most;
    // The halves of a pair are encoded together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) {
      end--;
    }
    const part = text.slice(start, end);
    const address = input.units();
    write(part, memory(), address, part.length * 2);
    input.append_units(part.length);
    start = end;
  }
}

/** Appends a string, encoded in JavaScript. The result is that of {@link appendUnits}. */
function appendEncoded(input: RawInput, text: string): void {
  // Enough for most languages with the Latin alphabet.
  let room = text.length + (text.length >> 4) + 16;
  for (let rest = text; ; ) {
    const address = input.reserve(room);
    const { read, written } = encoder.encodeInto(rest, new Uint8Array(memory(), address, room));
    input.append(written);
    if (read === rest.length) {
      return;
    }
    rest = rest.slice(read);
    // No code unit needs more than three bytes.
    room = rest.length * 3;
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
