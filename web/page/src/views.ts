/** The parts of the page that show results. All text is set as text, never as markup. */

import type { Base, Finding, Link } from "absolve";

import { PROFILES } from "./protocol.js";
import type { ProfileRow } from "./protocol.js";

type Child = Node | string;

/** Creates an element. */
function create<N extends keyof HTMLElementTagNameMap>(name: N, properties: object, ...children: Child[]): HTMLElementTagNameMap[N] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const code = (text: string) => create("code", {}, text);

/** The names of sources of base URLs, for people. */
const SOURCES: Readonly<Record<string, string>> = {
  embedded: "BASE in the document",
  "encapsulating-entity": "the entity around it",
  retrieval: "the URL it was retrieved from",
  default: "the default base",
};

/** Shows the base URL of a document and its candidates. */
export function showBase({ url, source, candidates }: Base): void {
  const parent = document.getElementById("base-url") as HTMLElement;
  if (url === null) {
    parent.replaceChildren("No base URL: ", create("span", { className: "source" }, "relative references have no target (RFC 1808 section 3.4)"));
  } else {
    parent.replaceChildren(url, create("span", { className: "source" }, `, from ${SOURCES[source ?? ""] ?? source}`));
  }
  const items = candidates.map(({ source, section, value, used, completing, reason }) => {
    const counts = used || completing;
    const name = create(counts ? "strong" : "span", {}, `${counts ? "✓ " : ""}${SOURCES[source] ?? source}`);
    return create("li", {}, name, ` (section ${section}): `, code(value || "empty"), ` – ${reason}`);
  });
  (document.getElementById("candidates") as HTMLElement).replaceChildren(...items);
}

/** Returns a table in a box that scrolls. */
function table(label: string, heads: readonly string[], rows: readonly HTMLTableRowElement[]): HTMLElement {
  const head = create("tr", {}, ...heads.map((text) => create("th", { scope: "col" }, text)));
  const body = create("tbody", {}, ...rows);
  const result = create("table", { ariaLabel: label }, create("thead", {}, head), body);
  return create("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: label }, result);
}

/** What views call when people choose a place in the document. */
export interface Places {
  select(start: number, end: number): void;
  line(offset: number): number;
}

/** Returns a reference that selects its place. */
function reference(places: Places, row: { reference: string; start: number | null; end: number | null }): HTMLElement {
  const { start, end } = row;
  const text = row.reference || "empty";
  if (start === null || end === null) {
    return code(text);
  }
  const button = create("button", { type: "button", title: "Select in the document" }, text);
  button.addEventListener("click", () => {
    const rows = button.closest("tbody")?.rows ?? [];
    for (const other of rows) other.classList.toggle("selected", other.contains(button));
    places.select(start, end);
  });
  return button;
}

/** Shows links; `more` shows further ones. */
export function showLinks(links: readonly Link[], count: number, places: Places, more: () => void): void {
  const parent = document.getElementById("links") as HTMLElement;
  if (count === 0) {
    parent.replaceChildren(create("p", { className: "quiet" }, "There are no links."));
    return;
  }
  const rows = links.map((link) => {
    const target = link.target === null ? create("span", { className: "skipped" }, `left as it is: ${link.reason}`) : code(link.target);
    const base = link.baseSource === null ? "" : (SOURCES[link.baseSource] ?? link.baseSource);
    return create("tr", {},
      create("td", { className: "number" }, link.start === null ? "" : String(places.line(link.start))),
      create("td", { className: "where" }, create("code", {}, link.element, create("wbr", {}), `[${link.attribute}]`)),
      create("td", {}, reference(places, link)),
      create("td", {}, target),
      create("td", { className: "optional" }, link.status === "resolved" ? base : link.status));
  });
  const shown = table("Links", ["Line", "Where", "Reference", "Target", "Resolved against"], rows);
  shown.querySelector("th:last-child")?.classList.add("optional");
  const rest = count - links.length;
  const button = create("button", { type: "button" }, `Show all ${count.toLocaleString("en")} links`);
  button.addEventListener("click", more);
  parent.replaceChildren(shown, ...(rest > 0 ? [create("p", {}, button)] : []));
}

/** Shows findings. */
export function showFindings(findings: readonly Finding[], count: number, places: Places): void {
  const parent = document.getElementById("findings") as HTMLElement;
  const tab = document.getElementById("tab-findings") as HTMLElement;
  tab.textContent = count === 0 ? "Findings" : `Findings (${count.toLocaleString("en")})`;
  if (count === 0) {
    parent.replaceChildren(create("p", { className: "quiet" }, "No problems with the base URL or the links."));
    return;
  }
  const items = findings.map((finding) => {
    const { start, end, rule, message, help } = finding;
    const place = create("p", {});
    if (start !== null && end !== null) {
      const button = create("button", { type: "button" }, `Line ${places.line(start)}`);
      button.addEventListener("click", () => places.select(start, end));
      place.append(button, " ");
    }
    place.append(create("span", { className: "rule" }, rule));
    return create("li", {}, place, create("p", {}, message), create("p", { className: "quiet" }, help));
  });
  const rest = count - findings.length;
  parent.replaceChildren(create("ul", {}, ...items), ...(rest > 0 ? [create("p", {}, `and ${rest.toLocaleString("en")} more`)] : []));
}

const PROFILE_NAMES = ["RFC 1808", "RFC 3986", "URL Standard"] as const;

/** Shows the references whose targets depend on the profile. */
export function showProfiles(rows: readonly ProfileRow[], count: number, places: Places): void {
  const parent = document.getElementById("profiles") as HTMLElement;
  if (count === 0) {
    parent.replaceChildren(create("p", { className: "quiet" }, "Every link has the same target in the three profiles."));
    return;
  }
  const body = rows.map((row) => {
    const cells = row.targets.map((target, index) => {
      const differs = index > 0 && target !== row.targets[0];
      return create("td", { className: differs ? "differs" : "" }, target === null ? "left as it is" : code(target));
    });
    return create("tr", {}, create("td", {}, reference(places, row)), ...cells);
  });
  const heads = ["Reference", ...PROFILES.map((_, index) => PROFILE_NAMES[index] as string)];
  const rest = count - rows.length;
  parent.replaceChildren(
    create("p", { className: "quiet" }, `${count.toLocaleString("en")} ${count === 1 ? "link depends" : "links depend"} on the profile.`),
    table("Links by profile", heads, body),
    ...(rest > 0 ? [create("p", {}, `and ${rest.toLocaleString("en")} more`)] : []),
  );
}

/** Shows how a reference is resolved. */
export function showSteps(target: string, isError: boolean, steps: readonly { place: string; what: string }[]): void {
  const output = document.getElementById("resolve-target") as HTMLElement;
  output.textContent = target;
  output.classList.toggle("error", isError);
  const items = steps.map(({ place, what }) => create("li", {}, create("strong", {}, place), `: ${what}`));
  (document.getElementById("steps") as HTMLElement).replaceChildren(...items);
}
