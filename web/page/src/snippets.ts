/** The result of the page by other means: the command, and the packages for JavaScript and Python. */

import type { Base } from "absolve";

import type { Request } from "./protocol.js";

/** Returns a name such as `baseElement` with other separators of its words. */
const separated = (name: string, separator: string) => name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());

const quoted = (text: string) => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A value of Python: JSON, but for the names of the two truth values. */
const python = (value: unknown) => (value === true ? "True" : JSON.stringify(value));

/**
 * Returns the code that rewrites a file as the page does, by language. For a document in a container, `base` has what
 * the container says of it: the command reads the container, and the functions the document.
 */
export function snippets({ url, options, facts }: Request, name: string, base?: Base): Readonly<Record<"command" | "javascript" | "python", string>> {
  const isHtml = facts.kind === "html";
  const given = { ...options, ...facts, kind: isHtml ? undefined : facts.kind };
  const present = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined && value !== false);
  const file = name || (base ? "message.eml" : "page.html");
  const flags = present(given).flatMap(([key, value]) => {
    const flag = key === "kind" ? "--input-format" : `--${separated(key, "-")}`;
    return value === true ? [flag] : [value].flat().flatMap((item) => [flag, quoted(String(item))]);
  });
  const of = (source: string) => base?.candidates.filter((candidate) => candidate.source === source).map(({ value }) => value) ?? [];
  const [retrieved = url] = of("retrieval");
  const enclosing = of("encapsulating-entity");
  const settings = present(enclosing.length > 0 ? { ...given, enclosingBase: enclosing } : given);
  const call = (separator: string, list: readonly string[]) => list.join(separator);
  const javascript = settings.length > 0 ? [`{ ${call(", ", settings.map(([key, value]) => `${key}: ${JSON.stringify(value)}`))} }`] : [];
  const keywords = settings.map(([key, value]) => `${separated(key, "_")}=${python(value)}`);
  return {
    command: call(" ", ["absolve rewrite", ...(url ? ["--url", quoted(url)] : []), ...flags, quoted(file), "> result"]),
    javascript: `import { rewrite } from "absolve";\n\nconst result = rewrite(html, ${call(", ", [retrieved ? JSON.stringify(retrieved) : "undefined", ...javascript])});\n`,
    python: `import absolve\n\nresult = absolve.rewrite(html, ${call(", ", [retrieved ? JSON.stringify(retrieved) : "None", ...keywords])})\n`,
  };
}
