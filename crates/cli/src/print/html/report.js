"use strict";
// The data: `kind` is "check" or "links"; `summary` is a sentence; `bars` are the rules, or the statuses of links, with their
// numbers; `version`, `time` and `arguments` are those of the run. A row is a group of findings (`GroupRow` in check/html.rs), or a
// target (`TargetRow` in links/html.rs).
const data = JSON.parse(document.getElementById("data").textContent);
const isCheck = data.kind === "check";
const byId = (id) => document.getElementById(id);
/** The number of rows that are shown at first, and added by each click. */
const STEP = 200;
/** The number of places of a group that are shown. */
const PLACES = 20;

function create(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const number = (value) => value.toLocaleString("en");
const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
const place = (path, line, column) => (line ? `${path}:${line}:${column}` : path);
const hostOf = isCheck ? ([, , [, , host]]) => host : ([, , host]) => host;
const textOf = isCheck
  ? ([bar, , [message, , , reference], excerpt]) => [data.bars[bar].name, message, reference, (excerpt ?? []).join("")].join("\n")
  : ([, target, , , , places]) => [target, ...places.flatMap(([path, , , element, reference]) => [data.paths[path], reference, element])].join("\n");
const inPlaces = (places) => places.reduce((sum, { length }) => sum + (length - 1) / 2, 0);

/** Shows a group with those of its places that are looked for. */
function showGroup({ row: [bar, severity, [message, help], excerpt], places }) {
  const rule = severity === "warning" ? `${data.bars[bar].name} (warning)` : data.bars[bar].name;
  const total = inPlaces(places);
  const first = [];
  for (const [path, ...positions] of places) {
    for (let index = 0; index < positions.length && first.length < PLACES; index += 2) {
      first.push(place(data.paths[path], positions[index], positions[index + 1]));
    }
    if (first.length === PLACES) break;
  }
  const others = first.slice(1).map((text) => create("li", {}, create("code", {}, text)));
  const rest = total > first.length ? [create("li", { className: "quiet" }, `and ${number(total - first.length)} more; search for a path to see those in it`)] : [];
  return create("article", {},
    create("p", { className: "place" }, create("span", { className: "rule" }, rule), create("code", {}, first[0]), total > 1 ? `and ${count(total - 1, "more place")}` : ""),
    ...(excerpt ? [create("pre", {}, excerpt[0], create("mark", {}, excerpt[1]), excerpt[2])] : []),
    create("p", {}, message), create("p", { className: "quiet" }, help),
    ...(total > 1 ? [create("details", {}, create("summary", {}, "Other places"), create("ul", {}, ...others, ...rest))] : []));
}

function showTarget({ row: [bar, target, , total, reason, places] }) {
  const status = reason === null ? data.bars[bar].name : `${data.bars[bar].name}: ${reason}`;
  const code = create("code", {}, target || "empty");
  const link = /^https?:\/\//i.test(target) ? create("a", { href: target, rel: "noreferrer" }, code) : code;
  const [first, ...others] = places.map(([path, line, column, , reference]) =>
    [create("code", {}, place(data.paths[path], line, column)), " ", create("code", { className: "quiet" }, reference)]);
  const rest = total > places.length ? [create("li", { className: "quiet" }, `and ${number(total - places.length)} more`)] : [];
  const list = create("ul", {}, ...others.map((other) => create("li", {}, ...other)), ...rest);
  return create("tr", {},
    create("td", { className: "count" }, number(total)),
    create("td", {}, link),
    create("td", { className: "short" }, status),
    create("td", { className: "short" }, create("code", {}, places[0][3])),
    create("td", {}, ...first, ...(total > 1 ? [create("details", {}, create("summary", {}, "Other places"), list)] : [])));
}

let found = [];
let shown = 0;

function showMore() {
  const rows = found.slice(shown, shown + STEP).map(isCheck ? showGroup : showTarget);
  shown += rows.length;
  (isCheck ? byId("rows") : byId("rows").querySelector("tbody")).append(...rows);
  byId("more").hidden = shown >= found.length;
  const findings = isCheck ? `, ${count(found.reduce((sum, { places }) => sum + inPlaces(places), 0), "finding")}` : "";
  const isCut = !isCheck && data.rows.length < data.targets;
  const cut = isCut ? `; targets with fewer links than these ${number(data.rows.length)} are not in this file` : "";
  byId("status").textContent = `${number(shown)} of ${count(found.length, isCheck ? "group" : "target")}${findings}${cut}`;
}

/** Returns a row with the places that are looked for, or nothing if it is not. */
function match(row, bar, host, search) {
  if ((bar !== "" && row[0] !== Number(bar)) || (host !== "" && hostOf(row) !== (host === "-" ? "" : host))) return [];
  if (search === "" || textOf(row).toLowerCase().includes(search)) return [{ row, places: row[4] }];
  const places = isCheck ? row[4].filter(([path]) => data.paths[path].toLowerCase().includes(search)) : [];
  return places.length > 0 ? [{ row, places }] : [];
}

function filter() {
  const bar = byId("kind").value;
  const search = byId("search").value.trim().toLowerCase();
  found = data.rows.flatMap((row) => match(row, bar, byId("host").value, search));
  for (const [index, button] of [...byId("bars").querySelectorAll("button")].entries()) {
    button.setAttribute("aria-pressed", String(bar === String(index)));
  }
  shown = 0;
  if (isCheck) {
    byId("rows").replaceChildren();
  } else {
    const heads = ["Links", "Target", "Status", "Where", "First places"].map((text) => create("th", { scope: "col" }, text));
    const table = create("table", {}, create("thead", {}, create("tr", {}, ...heads)), create("tbody", {}));
    byId("rows").replaceChildren(create("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: "Targets" }, table));
  }
  showMore();
}

const summary = data.summary.replace(/\d{4,}/g, (digits) => number(Number(digits)));
document.title = `absolve ${data.kind}: ${summary}`;
document.querySelector("h1").textContent = `absolve ${data.kind}`;
byId("summary").textContent = summary;
const quoted = (text) => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text}'`);
const date = new Date(data.time * 1000).toISOString().replace("T", " ").slice(0, 16);
byId("run").append(create("code", {}, ["absolve", ...data.arguments.map(quoted)].join(" ")), `, ${date} UTC, version ${data.version}`);
byId("bars-title").textContent = isCheck ? "Findings by rule" : "Links by status";
byId("rows-title").textContent = isCheck ? "Findings" : "Targets";
byId("kind-label").prepend(isCheck ? "Rule" : "Status");
const most = Math.max(1, ...data.bars.map(({ count }) => count));
for (const [index, { name, title, count }] of data.bars.entries()) {
  const bar = create("i", {});
  // Every second part is code.
  const words = title.split("`").map((part, position) => (position % 2 === 0 ? part : create("code", {}, part)));
  bar.style.width = `${(100 * count) / most}%`;
  const button = create("button", { type: "button" },
    create("span", { className: "name" }, name), create("span", { className: "count" }, number(count)),
    create("span", { className: "bar" }, bar, create("span", {}, ...words)));
  button.addEventListener("click", () => {
    const kind = byId("kind");
    kind.value = kind.value === String(index) ? "" : String(index);
    filter();
  });
  byId("bars").append(create("li", {}, button));
}
const hosts = new Map();
for (const row of data.rows) hosts.set(hostOf(row), (hosts.get(hostOf(row)) ?? 0) + 1);
const sorted = [...hosts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
byId("host").append(new Option("all", ""), ...sorted.map(([host, count]) => new Option(`${host || "none"} (${number(count)})`, host || "-")));
byId("kind").append(new Option("all", ""), ...data.bars.map(({ name }, index) => new Option(name, String(index))));
let timer;
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("input", ({ target }) => {
  clearTimeout(timer);
  timer = setTimeout(filter, target.id === "search" ? 120 : 0);
});
byId("more").addEventListener("click", showMore);
if (data.rows.length === 0) {
  const text = isCheck ? "No problems with base URLs and links were found." : "There are no links.";
  document.querySelector("main").replaceChildren(create("p", {}, text));
} else {
  filter();
}
