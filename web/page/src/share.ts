/** The state of the page in the fragment of its URL, which browsers do not send. */

/** What a link to the page contains: the document, and the values of the fields that are not the default ones. */
export interface State {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The length of a fragment that every browser and most chat programs keep. */
const LONGEST = 60_000;

async function piped(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const result = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, BufferSource>);
  return new Uint8Array(await new Response(result as ReadableStream).arrayBuffer());
}

/** Returns the fragment for a state, or `undefined` if it is too long for a link. */
export async function toFragment(state: State): Promise<string | undefined> {
  const bytes = await piped(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  if (bytes.length > (LONGEST * 3) / 4) return undefined;
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `#${btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** Returns the state in a fragment, or `undefined` if it has none that is complete. */
export async function fromFragment(fragment: string): Promise<State | undefined> {
  if (fragment.length < 2) return undefined;
  try {
    const binary = atob(fragment.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw"))));
    const isState = typeof state?.text === "string" && typeof state.fields === "object" && state.fields !== null;
    return isState ? (state as State) : undefined;
  } catch {
    return undefined;
  }
}
