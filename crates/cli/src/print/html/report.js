"use strict";
// The data: `kind` is "check" or "links"; `summary` is a sentence; `bars` are the rules, or the statuses of links, with their
// numbers; a row is [index of its bar, path, finding] or [index of its bar, target, host, links].
const data = JSON.parse(document.getElementById("data").textContent);
const isCheck = data.kind === "check";
const byId = (id) => document.getElementById(id);
/** The number of rows that are shown at first, and added by each click. */
const STEP = 200;

function create(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

const number = (value) => value.toLocaleString("en");
const place = (path, { line, column }) => (line === null ? path : `${path}:${line}:${column}`);
const hostOf = isCheck ? ([, , { host }]) => host : ([, , host]) => host;
const textOf = isCheck
  ? ([bar, path, row]) => [data.bars[bar].name, path, row.before + row.within + row.after, row.message].join("\n")
  : ([, target, , row]) => [target, row.path, row.reference, `${row.element}[${row.attribute}]`].join("\n");

function showFinding([bar, path, row]) {
  const rule = row.severity === "warning" ? `${data.bars[bar].name} (warning)` : data.bars[bar].name;
  const head = create("p", { className: "place" }, create("code", {}, place(path, row)), create("span", { className: "rule" }, rule));
  const excerpt = row.line === null ? [] : [create("pre", {}, row.before, create("mark", {}, row.within), row.after)];
  return create("article", {}, head, ...excerpt, create("p", {}, row.message), create("p", { className: "quiet" }, row.help));
}

function showTarget([bar, target, , row]) {
  const status = row.reason === null ? data.bars[bar].name : `${data.bars[bar].name}: ${row.reason}`;
  return create("tr", {},
    create("td", { className: "count" }, number(row.count)),
    create("td", {}, create("code", {}, target || "empty")),
    create("td", { className: "short" }, status),
    create("td", { className: "short" }, create("code", {}, `${row.element}[${row.attribute}]`)),
    create("td", {}, create("code", {}, place(row.path, row)), " ", create("code", { className: "quiet" }, row.reference)));
}

let found = [];
let shown = 0;

function showMore() {
  const rows = found.slice(shown, shown + STEP).map(isCheck ? showFinding : showTarget);
  shown += rows.length;
  (isCheck ? byId("rows") : byId("rows").querySelector("tbody")).append(...rows);
  byId("more").hidden = shown >= found.length;
  byId("status").textContent = `${number(shown)} of ${number(found.length)} ${isCheck ? "findings" : "targets"}`;
}

function filter() {
  const bar = byId("kind").value;
  const host = byId("host").value;
  const search = byId("search").value.toLowerCase();
  found = data.rows.filter((row) =>
    (bar === "" || row[0] === Number(bar)) &&
    (host === "" || hostOf(row) === (host === "-" ? "" : host)) &&
    (search === "" || textOf(row).toLowerCase().includes(search)));
  for (const [index, button] of [...byId("bars").querySelectorAll("button")].entries()) {
    button.setAttribute("aria-pressed", String(bar === String(index)));
  }
  shown = 0;
  if (isCheck) {
    byId("rows").replaceChildren();
  } else {
    const heads = ["Links", "Target", "Status", "Where", "First place"].map((text) => create("th", { scope: "col" }, text));
    const table = create("table", {}, create("thead", {}, create("tr", {}, ...heads)), create("tbody", {}));
    byId("rows").replaceChildren(create("div", { className: "scroll", tabIndex: 0, role: "group", ariaLabel: "Targets" }, table));
  }
  showMore();
}

const summary = data.summary.replace(/\d{4,}/g, (digits) => number(Number(digits)));
document.title = `absolve ${data.kind}: ${summary}`;
document.querySelector("h1").textContent = `absolve ${data.kind}`;
byId("summary").textContent = summary;
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
const total = data.bars.reduce((sum, { count }) => sum + count, 0);
const isCut = isCheck ? data.rows.length < total : data.rows.length < data.targets;
if (isCut) {
  const text = isCheck ? `The first ${number(data.shown)} findings of each rule are listed; the numbers are those of all.`
    : `The ${number(data.rows.length)} targets with the most links are listed; the numbers are those of all.`;
  byId("summary").append(`. ${text}`);
}
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("input", filter);
byId("more").addEventListener("click", showMore);
if (data.rows.length === 0) byId("status").textContent = isCheck ? "No problems with base URLs and links." : "There are no links.";
filter();
