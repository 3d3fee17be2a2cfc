/** The parts of the page that show results. All text is set as text, never as markup. */

import type { Base, Candidate, Link } from "absolve";

import { PROFILES } from "./protocol.js";
import type { Changes, Findings, Overview, ProfileRow, Resolution } from "./protocol.js";

type Child = Node | string;

/** Creates an element. */
export function create<N extends keyof HTMLElementTagNameMap>(name: N, properties: object, ...children: Child[]): HTMLElementTagNameMap[N] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Returns an element of the page. */
export const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

const code = (text: string) => create("code", {}, create("bdi", {}, text));

/** The components of a URL or reference with their delimiters, by the expression of RFC 3986 appendix B. */
const COMPONENTS = /^([^:/?#]+:)?(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#[^]*)?/;
const COMPONENT_NAMES = ["scheme", "authority", "path", "query", "fragment"] as const;

/** Returns a URL with its components told apart. */
function urlCode(text: string): HTMLElement {
  const [, ...parts] = COMPONENTS.exec(text) as RegExpExecArray;
  const spans = parts.flatMap((part, index) => (part ? [create("span", { className: COMPONENT_NAMES[index] }, part)] : []));
  return create("code", {}, create("bdi", {}, ...spans));
}

const number = (value: number) => value.toLocaleString("en");
const quiet = (...children: Child[]) => create("p", { className: "quiet" }, ...children);

/** Returns a number with its noun. */
export const count = (value: number, noun: string) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;

/** Returns a button for some text. */
function button(text: Child, click: () => void, properties: object = {}): HTMLButtonElement {
  const result = create("button", { type: "button", ...properties }, text);
  result.addEventListener("click", click);
  return result;
}

/** What views call when people choose something, and the lines of places in the document. */
export interface Places {
  select(start: number, end: number): void;
  line(offset: number): number;
}

/** The sources of base URLs in the order of RFC 1808 section 3: names for people, and what is said of one that is absent. */
const LEVELS: Readonly<Record<string, readonly [name: string, absent: string]>> = {
  embedded: ["BASE in the document", "no BASE"],
  "encapsulating-entity": ["the entity around it", "no message, archive or feed entry around it"],
  retrieval: ["the URL it was retrieved from", "not given; enter it above"],
  default: ["the default base", "none; the options have a field for it"],
};

const nameOf = (source: string | null) => (source === null ? "" : (LEVELS[source]?.[0] ?? source));

/** Shows the base URL of a document, and the four levels that it may come from. */
export function showBase({ url, source, candidates }: Base, links: readonly Link[], places: Places): void {
  const from = url === null
    ? ["No base URL: ", create("span", { className: "source" }, "relative references have no target (RFC 1808 section 3.4)")]
    : [urlCode(url), create("span", { className: "source" }, `, from ${nameOf(source)}`)];
  byId("base-url").replaceChildren(...from);
  // A BASE is a link, too, which has the place.
  const bases = links.filter(({ role }) => role === "base");
  const candidate = ({ source, value, used, completing, reason }: Candidate) => {
    const index = source === "embedded" ? bases.findIndex(({ reference }) => reference.trim() === value) : -1;
    const place = bases.splice(index, index < 0 ? 0 : 1)[0];
    const [start, end] = [place?.start ?? null, place?.end ?? null];
    const shown = start === null || end === null ? code(value || "empty") : button(code(value || "empty"), () => places.select(start, end));
    const line = start === null ? [] : [` in line ${places.line(start)}`];
    return create("li", { className: used || completing ? "counts" : "" }, used ? "✓ " : "", shown, ...line, ` – ${reason}`);
  };
  const levels = Object.entries(LEVELS).map(([level, [name, absent]], index) => {
    const own = candidates.filter((other) => other.source === level);
    const section = `3.${index + 1}`;
    const href = `https://www.rfc-editor.org/rfc/rfc1808.html#section-${section}`;
    const link = create("a", { href, target: "_blank", rel: "noreferrer", ariaLabel: `RFC 1808 section ${section}` }, section);
    const content = own.length > 0 ? create("ul", {}, ...own.map(candidate)) : create("span", {}, absent);
    const className = own.some(({ used }) => used) ? "used" : own.length > 0 ? "" : "absent";
    return create("li", { className }, link, create("span", { className: "name" }, name), content);
  });
  byId("candidates").replaceChildren(...levels);
}

/** Returns a table in a box that scrolls. */
function table(label: string, heads: readonly string[], rows: readonly HTMLTableRowElement[]): HTMLElement {
  const head = create("tr", {}, ...heads.map((text) => create("th", { scope: "col" }, text)));
  const result = create("table", { ariaLabel: label }, create("thead", {}, head), create("tbody", {}, ...rows));
  return create("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: label }, result);
}

/** Returns a reference that selects its place. */
function reference(places: Places, { reference, start, end }: { reference: string; start: number | null; end: number | null }): HTMLElement {
  const text = code(reference || "empty");
  return start === null || end === null ? text : button(text, () => places.select(start, end));
}

/** Returns what is shown below a list that is cut. */
const rest = (more: number) => (more > 0 ? [create("p", {}, `and ${number(more)} more`)] : []);

/** Shows links; `total` is the number of those with the status that is chosen. */
export function showLinks(links: readonly Link[], total: number, { base, problem, linkCount }: Overview, places: Places, more: () => void): void {
  const rows = links.map((link) => {
    const target = link.target === null ? create("span", { className: "skipped" }, `left as it is: ${link.reason}`) : urlCode(link.target);
    const against = link.status === "resolved" ? [nameOf(link.baseSource)] : [link.status];
    // An entity in the document, such as an item of a feed, has a base URL of its own.
    if (link.status === "resolved" && link.base !== null && link.base !== base.url && link.role !== "base") against.push(": ", urlCode(link.base) as never);
    return create("tr", {},
      create("td", { className: "number" }, link.start === null ? "" : String(places.line(link.start))),
      create("td", { className: "where" }, create("code", {}, link.element, create("wbr", {}), `[${link.attribute}]`)),
      create("td", {}, reference(places, link)),
      create("td", {}, target),
      create("td", { className: "optional" }, ...against));
  });
  if (rows.length === 0) {
    const others = linkCount > 0 ? `No links to list: “Show” leaves out ${count(linkCount, "link")}.` : "No links to list.";
    byId("link-list").replaceChildren(quiet(problem === null ? others : "The document was not read, so its links are not known."));
    return;
  }
  const shown = table("Links", ["Line", "Where", "Reference", "Target", "Resolved against"], rows);
  shown.querySelector("th:last-child")?.classList.add("optional");
  const all = total > links.length ? [create("p", {}, button(`Show all ${number(total)} links`, more))] : [];
  byId("link-list").replaceChildren(shown, ...all);
}

/** Marks what belongs to a link, wherever it is shown. */
export function showSelected(index: number | undefined, link: Link | undefined): void {
  for (const row of document.querySelectorAll("#links tr.selected")) row.classList.remove("selected");
  const row = index === undefined ? undefined : document.querySelectorAll("#links tbody tr")[index];
  row?.classList.add("selected");
  const box = row?.closest(".scroll");
  // Not `scrollIntoView`, which would move the page, too.
  if (row instanceof HTMLElement && box) {
    const top = row.offsetTop - (box.querySelector("thead")?.offsetHeight ?? 0);
    const isShown = box.scrollTop <= top && row.offsetTop + row.offsetHeight <= box.scrollTop + box.clientHeight;
    // At the top: the other links of its line follow.
    if (!isShown) box.scrollTop = top;
  }
  for (const change of document.querySelectorAll<HTMLElement>("#diff button")) {
    const start = Number(change.dataset.start);
    change.classList.toggle("selected", link?.start != null && link.end !== null && link.start <= start && start <= link.end);
  }
}

/** Shows findings, or that they are not known yet. */
export function showFindings(findings: Findings | undefined, places: Places): void {
  const { list, count: total } = findings ?? { list: [], count: 0 };
  byId("tab-findings").textContent = total === 0 ? "Findings" : `Findings (${number(total)})`;
  if (total === 0) {
    byId("findings").replaceChildren(quiet(findings ? "No problems with the base URL or the links." : "Searching for problems…"));
    return;
  }
  const items = list.map(({ start, end, rule, message, help }) => {
    const line = start === null || end === null ? [] : [button(`Line ${places.line(start)}`, () => places.select(start, end)), " "];
    const place = create("p", {}, ...line, create("span", { className: "rule" }, rule));
    return create("li", {}, place, create("p", {}, message), quiet(help));
  });
  byId("findings").replaceChildren(create("ul", {}, ...items), ...rest(total - list.length));
}

/** Shows what rewriting changes. */
export function showChanges({ hunks, edits, length, removed, added }: Changes, places: Places, more: () => void): void {
  const untouched = `${number(length - removed)} of ${count(length, "byte")}`;
  byId("result-summary").textContent = edits === 0
    ? `Nothing changes: all ${count(length, "byte")} remain as they are.`
    : `${count(edits, "edit")}: ${count(removed, "byte")} replaced by ${number(added)}. The other ${untouched} remain as they are.`;
  let shown = 0;
  const items = hunks.map(({ parts }) => {
    const children = parts.map((part) => {
      if (typeof part === "string") return part;
      shown += 1;
      const { start, end, removed, added } = part;
      const change = button(create("del", {}, removed), () => places.select(start, end));
      change.append(create("ins", {}, added));
      change.dataset.start = String(start);
      return change;
    });
    const first = parts.find((part) => typeof part !== "string");
    const line = typeof first === "object" ? String(places.line(first.start)) : "";
    return create("li", {}, create("span", { className: "number" }, line), create("code", {}, ...children));
  });
  const all = edits > shown ? [create("p", {}, button(`Show all ${number(edits)} edits`, more))] : [];
  byId("diff").replaceChildren(create("ol", {}, ...items), ...all);
}

const PROFILE_NAMES = ["RFC 1808", "RFC 3986", "URL Standard (browsers)"] as const;

/** Shows the references whose targets depend on the profile. */
export function showProfiles(rows: readonly ProfileRow[], total: number, places: Places): void {
  if (total === 0) {
    byId("profiles").replaceChildren(quiet("Every link has the same target in the three profiles."));
    return;
  }
  const body = rows.map((row) => {
    const cells = row.targets.map((target, index) => {
      const differs = index > 0 && target !== row.targets[0];
      return create("td", { className: differs ? "differs" : "" }, target === null ? "left as it is" : urlCode(target));
    });
    return create("tr", {}, create("td", {}, reference(places, row)), ...cells);
  });
  const heads = ["Reference", ...PROFILE_NAMES];
  const verb = total === 1 ? "depends" : "depend";
  byId("profiles").replaceChildren(quiet(`${count(total, "link")} ${verb} on the profile.`), table("Links by profile", heads, body), ...rest(total - rows.length));
}

/** Shows how a reference is resolved: its target by each profile, the components, and the steps of one of the profiles. */
export function showSteps(base: string, reference: string, resolutions: readonly Resolution[], profile: string): void {
  const chosen = Math.max(0, PROFILES.indexOf(profile as (typeof PROFILES)[number]));
  const resolution = resolutions[chosen] as Resolution;
  const { target, isError, steps } = resolution;
  const output = byId("resolve-target");
  output.textContent = target;
  output.classList.toggle("error", isError);
  const byProfile = resolutions.map((other, index) => {
    const name = create("th", { scope: "row" }, PROFILE_NAMES[index] as string);
    const differs = other.target !== target ? "differs" : "";
    return create("tr", { className: index === chosen ? "selected" : "" }, name, create("td", { className: differs }, other.isError ? other.target : urlCode(other.target)));
  });
  const columns = [base, reference, isError ? "" : target].map((text) => COMPONENTS.exec(text) ?? []);
  const components = COMPONENT_NAMES.flatMap((name, index) => {
    if (columns.every((match) => !match[index + 1])) return [];
    const cells = columns.map((match) => create("td", {}, match[index + 1] ? create("code", { className: name }, match[index + 1] as string) : ""));
    return create("tr", {}, create("th", { scope: "row" }, name), ...cells);
  });
  byId("by-profile").replaceChildren(table("Target by profile", ["Profile", "Target"], byProfile));
  byId("components").replaceChildren(table("Components", ["Component", "Base", "Reference", "Target"], components));
  byId("steps").replaceChildren(...steps.map(({ place, what }) => create("li", {}, create("strong", {}, place), `: ${what}`)));
}
