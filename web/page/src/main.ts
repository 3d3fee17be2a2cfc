/**
 * The page: fields and editor in, results out.
 *
 * What is shown is one {@link State}. Events change it by `set`, which draws what has changed. The text is in the editor, and
 * the values of fields are in the form.
 */

import type { Facts, Link, Options } from "absolve";

import { ask } from "./client.js";
import { SourceEditor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { NO_FACTS, facts, fields, setFields } from "./fields.js";
import { ROWS, isContainer } from "./protocol.js";
import type { Changes, Findings, Loaded, Overview, Request } from "./protocol.js";
import rfcExamples from "../../../fixtures/rfc1808/examples.tsv";
import { fromFragment, toFragment } from "./share.js";
import { snippets } from "./snippets.js";
import { byId, count, create, showBase, showChanges, showFindings, showLinks, showProfiles, showSelected, showSteps } from "./views.js";

/** A file that was opened, or one of whose documents is shown. */
interface OpenFile extends Loaded {
  readonly bytes: Uint8Array;
  readonly index: number;
}

/** What is shown. */
interface State {
  /** The name of the file; empty for a text. */
  readonly name: string;
  readonly file: OpenFile | undefined;
  /** A text that looks like a container, but is read as it is. */
  readonly plain: string | undefined;
  /** The index of the example that is shown. */
  readonly example: number | undefined;
  /** The document that was read last, and its results. */
  readonly request: Request | undefined;
  readonly overview: Overview | undefined;
  /** The problems; absent while they are searched in a long document. */
  readonly findings: Findings | undefined;
  /** The links that are listed. */
  readonly links: readonly Link[];
  /** The index in `links` of the one that is selected. */
  readonly selected: number | undefined;
  /** The number of changes that are asked for. */
  readonly changes: number;
  readonly error: string | undefined;
  /** What is said about the last action. */
  readonly notice: string;
}

let state: State = {
  name: "",
  file: undefined,
  plain: undefined,
  example: undefined,
  request: undefined,
  overview: undefined,
  findings: undefined,
  links: [],
  selected: undefined,
  changes: ROWS,
  error: undefined,
  notice: "",
};

const status = byId("status");
const main = document.querySelector("main") as HTMLElement;
const parts = byId<HTMLSelectElement>("parts");
const filter = byId<HTMLSelectElement>("filter");
const editor = new SourceEditor(byId("source"), {
  changed(isPasted) {
    set({ example: undefined });
    // Nobody pastes as fast as people type.
    update(isPasted ? 0 : delay());
  },
  pastedOver() {
    setFields({ ...fields(), ...NO_FACTS });
    set({ name: "", file: undefined, plain: undefined });
  },
  movedTo(offset, line) {
    const within = (from: number, to: number) =>
      state.links.findIndex(({ start, end }) => start !== null && end !== null && editor.place(start) <= to && from <= editor.place(end));
    const index = [within(offset, offset), within(line.from, line.to)].find((index) => index >= 0);
    if (index !== undefined) set({ selected: index });
  },
});

/** The time after a change until the document is read, in milliseconds; longer for long documents. */
const delay = () => Math.min(1000, Math.max(60, state.overview?.milliseconds ?? 0));

/** Returns the extension of the file. */
const extension = () => /\.([^.]+)$/.exec(state.name)?.[1]?.toLowerCase() ?? "";

/** Returns the language of a document by the name of its file and by its content. */
function kindOf(text: string): NonNullable<Facts["kind"]> {
  if (extension() === "css") return "css";
  if (extension() === "json" || /^\uFEFF?\s*\{\s*"/.test(text)) return "json-feed";
  const isXml = ["xml", "svg", "xhtml", "atom", "rss", "rdf", "opml"].includes(extension());
  return isXml || /^\uFEFF?\s*<\?xml\s/.test(text) ? "xml" : "html";
}

function requestOf(text: string): Request {
  const { url = "", kind, enclosingBase, defaultBase, preset, skip, normalize, ...options } = fields();
  const list = (value: string) => value.split(/\s*,\s*/).filter(Boolean);
  const known: Facts = { kind: (kind as Facts["kind"]) ?? kindOf(text) };
  if (enclosingBase !== undefined) known.enclosingBase = enclosingBase.split(/\s+/);
  if (defaultBase !== undefined) known.defaultBase = defaultBase;
  const settings: Options = { ...(options as Options), normalize: normalize !== undefined };
  if (preset !== undefined) settings.preset = list(preset);
  if (skip !== undefined) settings.skip = list(skip);
  return { text: text === state.file?.text ? undefined : text, url, options: settings, facts: known };
}

const places = {
  select(start: number, end: number): void {
    editor.select(start, end);
    const index = state.links.findIndex((link) => link.start !== null && link.end !== null && link.start <= start && end <= link.end);
    if (index >= 0) set({ selected: index });
  },
  line: (offset: number) => editor.line(offset),
};

/** Changes what is shown. */
function set(changes: Partial<State>): void {
  const before = state;
  state = { ...state, ...changes };
  draw(before);
}

/** Draws what differs from the state before. */
function draw(before: State): void {
  const { name, file, example, overview, findings, links, selected, error, request } = state;
  const isFresh = overview !== before.overview || error !== before.error;
  if (file !== before.file) {
    const options = (file?.documents ?? []).map(({ label, url, kind }, index) => new Option(`${label}: ${url ?? kind}`, String(index)));
    parts.replaceChildren(...options);
    if (file) parts.value = String(file.index);
    byId("parts-label").hidden = options.length === 0;
  }
  document.title = name ? `${name} – absolve` : "absolve: base URLs and links, explained";
  byId("source-title").textContent = title();
  for (const [index, chip] of [...byId("examples").querySelectorAll("button")].entries()) chip.ariaPressed = String(index === example);
  if (isFresh || findings !== before.findings || state.notice !== before.notice) drawStatus();
  if (isFresh) byId("results").hidden = byId("base").hidden = error !== undefined;
  if (overview !== undefined && isFresh) {
    showBase(overview.base, overview.links, places);
    byId<HTMLInputElement>("resolve-base").value = overview.base.url ?? "";
  }
  if (findings !== before.findings) {
    showFindings(findings, places);
    if (findings) editor.underline(findings.list);
  }
  if (overview !== undefined && (isFresh || links !== before.links)) {
    const more = async () => set({ links: await listed(overview, overview.linkCount) });
    showLinks(links, filter.value === "" ? overview.linkCount : overview.counts[filter.value as Link["status"]], overview, places, () => void more());
  }
  const link = selected === undefined ? undefined : links[selected];
  if (selected !== before.selected || links !== before.links) {
    showSelected(selected, link);
    if (link) {
      byId<HTMLInputElement>("resolve-base").value = link.base ?? "";
      byId<HTMLInputElement>("resolve-reference").value = link.reference;
    }
  }
  if (selected !== before.selected || request !== before.request) void resolveReference();
}

/** Returns the name of the file, and what is no longer that of the file because the text was edited. */
function title(): string {
  const { file, name, request } = state;
  const text = name ? `Document: ${name}` : "Document";
  if (file === undefined) return text;
  const isUtf8 = file.encoding === null || file.encoding === "UTF-8";
  if (request?.text === undefined) return isUtf8 ? text : `${text} (${file.encoding})`;
  if (file.documents.length > 0) return `${text}, edited: read without its container`;
  return isUtf8 ? text : `${text}, edited: read as UTF-8`;
}

/** Shows the status: an error with the field that it is about, or the numbers of links and findings. */
function drawStatus(): void {
  const { error, overview, findings, notice } = state;
  const field = [...facts.elements].find((field) => error?.startsWith(`${(field as HTMLInputElement).name}:`));
  for (const other of facts.elements) other.removeAttribute("aria-invalid");
  const problem = overview?.problem ?? null;
  status.className = error !== undefined || problem !== null ? "error" : "";
  if (error !== undefined) {
    field?.setAttribute("aria-invalid", "true");
    const label = (field as HTMLInputElement | undefined)?.labels?.[0]?.firstChild?.textContent?.trim();
    status.textContent = label === undefined ? error : `${label}${error.slice((field as HTMLInputElement).name.length)}`;
  } else if (problem !== null) {
    const [, line, column] = /line (\d+), column (\d+)/.exec(problem) ?? [];
    status.replaceChildren(`The document cannot be read: ${problem}. `);
    if (line !== undefined) {
      const show = create("button", { type: "button" }, `Line ${line}`);
      show.addEventListener("click", () => editor.goTo(Number(line), Number(column)));
      status.append(show);
    }
  } else if (overview !== undefined) {
    const { linkCount, counts } = overview;
    const problems = findings ? `${count(findings.count, "finding")}.` : "searching for problems…";
    status.textContent = `${count(linkCount, "link")}, ${counts.resolved.toLocaleString("en")} of them rewritten; ${problems}${notice && ` ${notice}`}`;
  }
}

/** The length from which the links of a document are shown before its problems, which take longer. */
const LONG = 100_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let isBusy = false;
let isStale = false;
/** The number of files that are being loaded. */
let loading = 0;

/** Reads the document, after a delay if there is one; once, however often this is called until then. */
function update(delay = 0): void {
  main.ariaBusy = "true";
  clearTimeout(timer);
  timer = delay > 0 ? setTimeout(begin, delay) : undefined;
  if (delay === 0) begin();
}

/** Reads the document, or reads it again once it is read. */
function begin(): void {
  timer = undefined;
  // A long document may take longer than typing the next character.
  isStale = isBusy;
  if (!isBusy) void read();
}

async function read(): Promise<void> {
  isBusy = true;
  try {
    const text = editor.take();
    const isPlain = state.plain !== undefined && text.replace(/\r\n?/g, "\n") === state.plain;
    if (text !== state.file?.text && isContainer(text) && !isPlain) {
      await openBytes(new TextEncoder().encode(text), "", 0, (text) => editor.replace(text));
      // Undoing shows the text again.
      set({ plain: text.replace(/\r\n?/g, "\n") });
    } else {
      const request = requestOf(text);
      const isFirst = state.overview === undefined;
      const overview = await ask({ kind: "open", request });
      const notice = isPlain ? "This looks like an HTTP dump or a message, but it is read as a document." : "";
      const links = await listed(overview);
      const selected = links.length === 0 ? undefined : Math.min(state.selected ?? firstOf(links), links.length - 1);
      const findings = text.length > LONG ? undefined : await ask({ kind: "findings" });
      set({ request, overview, findings, links, selected, changes: ROWS, error: undefined, notice: noticeOf(notice) });
      await showTab();
      if (findings === undefined) set({ findings: await ask({ kind: "findings" }) });
      // The address of the page that nobody has changed remains short.
      if (!isFirst) await remember();
    }
  } catch (error) {
    set({ error: (error as Error).message });
  }
  isBusy = false;
  if (isStale) update();
  else settle();
}

/** Returns the first links with the status that is chosen. */
async function listed(overview: Overview, to: number = ROWS): Promise<readonly Link[]> {
  const status = filter.value;
  return status === "" && to === ROWS ? overview.links : ask({ kind: "links", status, to });
}

/** The link that explains most: the first one that is resolved. */
const firstOf = (links: readonly Link[]) => Math.max(0, links.findIndex(({ role, status }) => role !== "base" && status === "resolved"));

/** What is to be said once the document is read. */
let pending = "";

function noticeOf(notice: string): string {
  const said = pending || notice;
  pending = "";
  return said;
}

/** Ends being busy, unless there is more to do. */
function settle(): void {
  main.ariaBusy = String(isBusy || loading > 0 || timer !== undefined);
}

/** Shows what the open tab needs beyond the overview. */
async function showTab(): Promise<void> {
  if (state.overview === undefined) return;
  if (!byId("result").hidden) {
    const changes: Changes = await ask({ kind: "changes", to: state.changes });
    showChanges(changes, places, () => {
      set({ changes: changes.edits });
      void showTab();
    });
    showSelected(state.selected, state.selected === undefined ? undefined : state.links[state.selected]);
  } else if (!byId("profiles").hidden) {
    const { rows, count } = await ask({ kind: "profiles" });
    showProfiles(rows, count, places);
  }
}

const tabs = [...document.querySelectorAll<HTMLButtonElement>('[role="tab"]')];

function selectTab(selected: HTMLButtonElement): void {
  for (const tab of tabs) {
    const isSelected = tab === selected;
    tab.setAttribute("aria-selected", String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
    byId(tab.getAttribute("aria-controls") as string).hidden = !isSelected;
  }
  void showTab();
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => selectTab(tab));
  tab.addEventListener("keydown", ({ key }) => {
    const moves: Readonly<Record<string, number>> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
    const next = tabs.at((moves[key] ?? index) % tabs.length) as HTMLButtonElement;
    if (next !== tab) {
      selectTab(next);
      next.focus();
    }
  });
}

async function resolveReference(): Promise<void> {
  const base = byId<HTMLInputElement>("resolve-base").value;
  const reference = byId<HTMLInputElement>("resolve-reference").value;
  const resolutions = await ask({ kind: "resolve", base, reference }).catch(() => undefined);
  if (resolutions) showSteps(base, reference, resolutions, byId<HTMLSelectElement>("profile").value);
}

async function open(file: File): Promise<void> {
  main.ariaBusy = "true";
  loading += 1;
  try {
    setFields({ ...fields(), ...NO_FACTS });
    set({ example: undefined });
    await openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
  } catch (error) {
    set({ error: `${file.name} cannot be read: ${(error as Error).message}` });
  }
  loading -= 1;
  settle();
}

/** Shows a file, or one of the documents in it. */
async function openBytes(bytes: Uint8Array, name: string, index = 0, show = (text: string) => editor.show(text)): Promise<void> {
  set({ name, file: undefined, plain: undefined, selected: undefined });
  const { facts } = requestOf(new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024)));
  const loaded = await ask({ kind: "load", bytes, index, facts });
  if (loaded.isContainer && loaded.documents.length === 0) pending = "This looks like an HTTP dump or a message, but there are no documents in it.";
  show(loaded.text);
  set({ file: { ...loaded, bytes, index } });
  update();
}

/** Shows a text that is no file. */
function load(text: string, example?: number): void {
  set({ name: "", file: undefined, plain: undefined, example, selected: undefined });
  editor.show(text);
  update();
}

function showExample(index: number): void {
  const { text, fields = {} } = EXAMPLES[index] as (typeof EXAMPLES)[number];
  setFields(fields);
  load(text, index);
}

/** Puts the document into the address, and returns whether it fits. */
async function remember(): Promise<boolean> {
  const { file, name, request } = state;
  const isFile = file !== undefined && request?.text === undefined;
  // The bytes of a file, and its name, determine how it is read.
  const content = isFile ? file.bytes : editor.take();
  const fragment = await toFragment(content, { fields: fields(), ...(isFile ? { file: { name, index: file.index } } : {}) });
  window.history.replaceState(null, "", fragment ?? location.pathname + location.search);
  return fragment !== undefined;
}

/** Copies a text, and says so. */
async function copy(text: string, what: string, otherwise: string): Promise<void> {
  // The clipboard needs a permission in some browsers.
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  set({ notice: copied ? `${what} is in the clipboard.` : otherwise });
}

function setUp(): void {
  byId("examples").append(...EXAMPLES.map(({ title }, index) => {
    const chip = create("button", { type: "button" }, title);
    chip.addEventListener("click", () => showExample(index));
    return chip;
  }));
  facts.addEventListener("submit", (event) => event.preventDefault());
  facts.addEventListener("input", ({ target }) => update(target instanceof HTMLSelectElement ? 0 : delay()));
  byId("defaults").addEventListener("click", () => {
    const { url = "" } = fields();
    setFields({ url });
    update();
  });

  const examples = rfcExamples.trim().split("\n").slice(1).map((line) => line.split("\t"));
  const list = byId<HTMLSelectElement>("resolve-example");
  list.append(new Option("choose…", ""));
  for (const [section, base, reference] of examples) {
    list.append(new Option(`${section}: ${reference || "(empty)"}`, JSON.stringify([base, reference])));
  }
  list.addEventListener("change", () => {
    if (list.value === "") return;
    const [base, reference] = JSON.parse(list.value) as [string, string];
    byId<HTMLInputElement>("resolve-base").value = base;
    byId<HTMLInputElement>("resolve-reference").value = reference;
    void resolveReference();
  });
  const resolver = byId<HTMLFormElement>("resolver");
  resolver.addEventListener("submit", (event) => event.preventDefault());
  resolver.addEventListener("input", () => void resolveReference());

  filter.addEventListener("change", async () => {
    if (state.overview) set({ links: await listed(state.overview), selected: undefined });
  });
  parts.addEventListener("change", () => {
    const { file, name } = state;
    if (file) openBytes(file.bytes, name, Number(parts.value)).catch(({ message }: Error) => set({ error: message }));
  });

  const file = byId<HTMLInputElement>("file");
  file.addEventListener("change", () => {
    if (file.files?.[0]) void open(file.files[0]);
    file.value = "";
  });
  // In the capture phase: the editor would insert the text of a file.
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) {
      event.preventDefault();
      main.classList.add("dropping");
    }
  }, true);
  document.addEventListener("dragleave", () => main.classList.remove("dropping"), true);
  document.addEventListener("drop", (event) => {
    main.classList.remove("dropping");
    const dropped = event.dataTransfer?.files[0];
    if (dropped) {
      event.preventDefault();
      event.stopPropagation();
      void open(dropped);
    }
  }, true);

  byId("share").addEventListener("click", async () => {
    if (await remember()) await copy(location.href, "The link", "The link is in the address.");
    else set({ notice: "The document is too long for a link." });
  });
  byId("copy").addEventListener("click", async () => {
    await copy(await ask({ kind: "result" }), "The result", "The browser does not permit copying; use Download.");
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.addEventListener("click", () => {
      const { request, overview, file, name } = state;
      if (request === undefined || overview === undefined) return;
      const isContained = file?.isContainer === true && request.text === undefined;
      const text = snippets(request, name, isContained ? overview.base : undefined)[button.dataset.copy as "command" | "javascript" | "python"];
      byId("snippet").textContent = text;
      byId("snippet").hidden = false;
      void copy(text, "The code", "The code is below the result.");
    });
  }
  byId("download").addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([(await ask({ kind: "file" })) as BlobPart], { type: "application/octet-stream" }));
    link.download = `result.${extension() || fields().kind || "html"}`;
    link.click();
    // The browser reads the content after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
  window.addEventListener("hashchange", () => void restore());
}

/** Shows the document of the address, if it has one, and returns whether it has. */
async function restore(): Promise<boolean> {
  const shared = await fromFragment(location.hash);
  if (shared === undefined) {
    if (location.hash.length > 1) pending = "The link to this page is damaged or too long, so here is an example.";
    return false;
  }
  setFields(shared.fields);
  set({ example: undefined });
  if (shared.file) {
    const bytes = Uint8Array.from(shared.text, (character) => character.charCodeAt(0));
    await openBytes(bytes, String(shared.file.name), Number(shared.file.index)).catch(({ message }: Error) => set({ error: message }));
  } else {
    load(shared.text);
  }
  return true;
}

setUp();
if (!(await restore())) showExample(0);
if ("serviceWorker" in navigator && (location.protocol === "https:" || location.hostname === "localhost")) {
  // The page works without it, but not offline.
  navigator.serviceWorker.register("offline.js").catch(() => {});
}
