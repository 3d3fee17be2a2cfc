/** The state of the page in the fragment of its URL, which browsers do not send. */

/** What a link to the page contains: a document, and the values of the fields that are not the default ones. */
export interface Shared {
  /** The text; of a file, its bytes, as code units. */
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The file, and the index of the document that is shown if it is a container. */
  readonly file?: { readonly name: string; readonly index: number };
}

/** The length of a fragment that every browser and most chat programs keep. */
const LONGEST = 60_000;

/** The length of the longest text that is compressed into a link or read from one. */
const LONGEST_TEXT = 1_000_000;

/** Returns what a stream makes of bytes, or throws if that is too long. */
async function piped(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const result = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, BufferSource>);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const reader = result.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length > LONGEST_TEXT) {
      await reader.cancel();
      throw new RangeError("too long");
    }
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** Returns a string with a code unit for each byte. */
const units = (bytes: Uint8Array) => bytes.reduce((text, byte) => text + String.fromCharCode(byte), "");

/** Returns the fragment for a text, or for the bytes of a file; `undefined` if it is too long for a link. */
export async function toFragment(content: string | Uint8Array, others: Omit<Shared, "text">): Promise<string | undefined> {
  if (content.length > LONGEST_TEXT) return undefined;
  const text = typeof content === "string" ? content : units(content);
  const json = new TextEncoder().encode(JSON.stringify({ text, ...others }));
  if (json.length > LONGEST_TEXT) return undefined;
  const bytes = await piped(json, new CompressionStream("deflate-raw"));
  if (bytes.length > (LONGEST * 3) / 4) return undefined;
  return `#${btoa(units(bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** Returns the state in a fragment, or `undefined` if it has none that is complete. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (fragment.length < 2) return undefined;
  try {
    const binary = atob(fragment.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw"))));
    const isState = typeof state?.text === "string" && typeof state.fields === "object" && state.fields !== null;
    return isState ? (state as Shared) : undefined;
  } catch {
    return undefined;
  }
}
