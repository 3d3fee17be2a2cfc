/** Strings as bytes and back. */

const encoder = new TextEncoder();
// A byte order mark is a character of the document.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A surrogate that is not part of a pair. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The number of code units that one call of `String.fromCharCode` takes. */
const BLOCK = 8192;

/** Returns whether a string has lone surrogates, for which UTF-8 has no form. */
export function hasLoneSurrogates(text: string): boolean {
  // A newer method than the versions of Node and browsers that the package supports.
  const { isWellFormed } = text as { isWellFormed?: () => boolean };
  return isWellFormed ? !isWellFormed.call(text) : LONE_SURROGATE.test(text);
}

/** Returns the UTF-8 form of a string. */
export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Returns the string of a UTF-8 form. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns the form of a string in which lone surrogates are encoded like other characters (WTF-8). */
export function encodeWithSurrogates(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code < 0xd800 || code > 0xdfff) {
      length += encoder.encodeInto(character, bytes.subarray(length)).written;
    } else {
      bytes[length] = 0xe0 | (code >> 12);
      bytes[length + 1] = 0x80 | ((code >> 6) & 0x3f);
      bytes[length + 2] = 0x80 | (code & 0x3f);
      length += 3;
    }
  }
  return bytes.subarray(0, length);
}

/** Returns the string of a form of {@link encodeWithSurrogates}. */
export function decodeWithSurrogates(bytes: Uint8Array): string {
  let text = "";
  let units: number[] = [];
  for (let index = 0; index < bytes.length; ) {
    const [lead, second, third, fourth] = bytes.subarray(index, index + 4) as unknown as [number, number, number, number];
    let code = lead;
    if (lead < 0x80) {
      index += 1;
    } else if (lead < 0xe0) {
      code = ((lead & 0x1f) << 6) | (second & 0x3f);
      index += 2;
    } else if (lead < 0xf0) {
      code = ((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
      index += 3;
    } else {
      code = ((lead & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f);
      index += 4;
    }
    if (code > 0xffff) {
      units.push(0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
    } else {
      units.push(code);
    }
    if (units.length >= BLOCK) {
      text += String.fromCharCode(...units);
      units = [];
    }
  }
  return text + String.fromCharCode(...units);
}
