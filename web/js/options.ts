/** Arguments of JavaScript as the lists of strings that the module takes. */

import type { AllOptions, Facts, Names, Options, Pairs, Url } from "./types.js";

/** The types of the values of options. Their values are checked by the module. */
export const OPTIONS = {
  profile: "string",
  baseScope: "string",
  baseOrigin: "string",
  unwrap: "string",
  limit: "numbers",
  to: "string",
  fragments: "string",
  baseElement: "string",
  map: "pairs",
  mapUrl: "pairs",
  normalize: "boolean",
  escape: "string",
  preset: "names",
  link: "pairs",
  skip: "names",
  placeholders: "names",
  remove: "names",
  removeAttribute: "names",
  insert: "pairs",
  keepOriginal: "string",
} as const satisfies Record<keyof Options, string>;

/** The types of the values of facts. */
const FACTS = {
  encoding: "string",
  kind: "string",
  enclosingBase: "names",
  defaultBase: "string",
} as const satisfies Record<keyof Facts, string>;

/** Returns the error for a value of a wrong type. */
function wrongType(name: string, expected: string, value: unknown): TypeError {
  const type = value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
  return new TypeError(`${name}: must be ${expected}, not ${type}`);
}

/** Returns a value that must be a string, or a URL for one. */
export function string(name: string, value: unknown): string {
  if (value instanceof URL) {
    return value.href;
  }
  if (typeof value !== "string") {
    throw wrongType(name, "a string", value);
  }
  return value;
}

/** Returns a list of strings. */
function names(name: string, value: Names): string[] {
  if (typeof value === "string") {
    return [value];
  }
  if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) {
    throw wrongType(name, "a string or an iterable of strings", value);
  }
  return Array.from(value, (item) => string(name, item));
}

/** Returns a list of pairs of strings. */
function pairs(name: string, value: Pairs): [string, string][] {
  if (typeof value !== "object" || value === null) {
    throw wrongType(name, "an object or an iterable of pairs", value);
  }
  const entries: Iterable<readonly [string, string]> =
    Symbol.iterator in value ? (value as Iterable<readonly [string, string]>) : Object.entries(value);
  return Array.from(entries, (pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw wrongType(name, "an object or an iterable of pairs", pair);
    }
    return [string(name, pair[0]), string(name, pair[1])];
  });
}

/** Returns the names and whole numbers of an object. */
function numbers(name: string, value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) {
    throw wrongType(name, "an object of numbers", value);
  }
  return Object.entries(value).map(([key, number]) => {
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) {
      throw wrongType(`${name}: ${key}`, "a whole number", number);
    }
    // The module has 32 bits for it, which no document reaches.
    return [key, String(Math.min(number, 0xffffffff))];
  });
}

/** Returns the arguments that are set. */
function entries(options: object | undefined): [string, unknown][] {
  if (options !== undefined && (typeof options !== "object" || options === null)) {
    throw wrongType("options", "an object", options);
  }
  return Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
}

/** Returns the error for an unknown option. */
function unknown(name: string, known: object): TypeError {
  return new TypeError(`unknown option: ${JSON.stringify(name)}; use one of ${Object.keys(known).join(", ")}`);
}

/** Returns the options of a rewriter: three strings for each, its name and one or two values. */
export function optionList(options: Options | undefined): string[] {
  const list: string[] = [];
  for (const [name, value] of entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw unknown(name, OPTIONS);
    }
    switch (OPTIONS[name as keyof Options]) {
      case "string":
        list.push(name, string(name, value), "");
        break;
      case "numbers":
        numbers(name, value).forEach(([first, second]) => list.push(name, first, second));
        break;
      case "boolean":
        if (typeof value !== "boolean") {
          throw wrongType(name, "a boolean", value);
        }
        if (value) {
          list.push(name, "true", "");
        }
        break;
      case "names": {
        const items = names(name, value as Names);
        // An empty list of delimiters means that there are none; an empty delimiter is ignored.
        for (const item of name === "placeholders" && items.length === 0 ? [""] : items) {
          list.push(name, item, "");
        }
        break;
      }
      case "pairs":
        pairs(name, value as Pairs).forEach(([first, second]) => list.push(name, first, second));
        break;
    }
  }
  return list;
}

/** Returns the facts about a document: two strings for each, its name and its value. */
export function factList(url: Url | undefined, facts: Facts | undefined): string[] {
  const list: string[] = [];
  if (url !== undefined) {
    list.push("url", string("url", url));
  }
  for (const [name, value] of entries(facts)) {
    if (!Object.hasOwn(FACTS, name)) {
      throw unknown(name, FACTS);
    }
    const items = FACTS[name as keyof Facts] === "names" ? names(name, value as Names) : [string(name, value)];
    items.forEach((item) => list.push(name, item));
  }
  return list;
}

/** Separates the options of a rewriter from facts about one document. */
export function separated(all: AllOptions | undefined): { options: Options; facts: Facts } {
  const options: Record<string, unknown> = {};
  const facts: Record<string, unknown> = {};
  for (const [name, value] of entries(all)) {
    if (!Object.hasOwn(OPTIONS, name) && !Object.hasOwn(FACTS, name)) {
      throw unknown(name, { ...OPTIONS, ...FACTS });
    }
    (Object.hasOwn(FACTS, name) ? facts : options)[name] = value;
  }
  return { options, facts };
}
