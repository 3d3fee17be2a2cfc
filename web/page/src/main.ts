/** The page: fields and editor in, results out. */

import type { Facts, Options } from "absolve";

import { ask } from "./client.js";
import { SourceEditor, showDiff } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { isContainer } from "./protocol.js";
import type { Overview, Request } from "./protocol.js";
import rfcExamples from "../../../fixtures/rfc1808/examples.tsv";
import { fromFragment, toFragment } from "./share.js";
import { showBase, showFindings, showLinks, showProfiles, showSteps } from "./views.js";

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const status = byId("status");
const facts = byId<HTMLFormElement>("facts");
const example = byId<HTMLSelectElement>("example");
const main = document.querySelector("main") as HTMLElement;
const parts = byId<HTMLSelectElement>("parts");
const partsLabel = byId("parts-label");
const editor = new SourceEditor(byId("source"), () => {
  example.selectedIndex = 0;
  update(editorDelay);
});

/** The time after a change of the document until it is read, in milliseconds; longer for long documents. */
let editorDelay = 60;
/** The extension of the file that was opened. */
let extension = "";
/** The file that is shown, or one of whose documents is. */
let opened: { readonly bytes: Uint8Array; readonly name: string; readonly encoding: string | null } | undefined;
/** A text that looks like a container and has no documents. */
let plain: string | undefined;
let shown: { readonly request: Request; readonly overview: Overview } | undefined;

/** Returns the values of the fields that are not the default ones. */
function fields(): Record<string, string> {
  const values: Record<string, string> = {};
  for (const field of facts.elements) {
    if (field instanceof HTMLInputElement && field.type === "checkbox") {
      if (field.checked) values[field.name] = "on";
    } else if ((field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.name) {
      const isDefault = field instanceof HTMLSelectElement ? field.selectedIndex === 0 : field.value.trim() === "";
      if (!isDefault) values[field.name] = field.value.trim();
    }
  }
  return values;
}

/** Sets all fields: those without a value to the default one. */
function setFields(values: Readonly<Record<string, string>>): void {
  facts.reset();
  for (const [name, value] of Object.entries(values)) {
    const field = facts.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === "on";
    else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
  }
}

/** Returns the language of a document by the name of its file and by its content. */
function kindOf(text: string): NonNullable<Facts["kind"]> {
  if (extension === "css") return "css";
  if (extension === "json" || /^\uFEFF?\s*\{\s*"/.test(text)) return "json-feed";
  const isXml = ["xml", "svg", "xhtml", "atom", "rss", "rdf", "opml"].includes(extension);
  return isXml || /^\uFEFF?\s*<\?xml\s/.test(text) ? "xml" : "html";
}

function request(text: string): Request {
  const { url = "", kind, enclosingBase, defaultBase, preset, skip, normalize, ...options } = fields();
  const list = (value: string) => value.split(/\s*,\s*/).filter(Boolean);
  const known: Facts = { kind: (kind as Facts["kind"]) ?? kindOf(text) };
  if (enclosingBase !== undefined) known.enclosingBase = enclosingBase.split(/\s+/);
  if (defaultBase !== undefined) known.defaultBase = defaultBase;
  const settings: Options = { ...(options as Options), normalize: normalize !== undefined };
  if (preset !== undefined) settings.preset = list(preset);
  if (skip !== undefined) settings.skip = list(skip);
  return { text, url, options: settings, facts: known };
}

const places = {
  select: (start: number, end: number) => editor.select(start, end),
  line: (offset: number) => editor.line(offset),
};

let timer: ReturnType<typeof setTimeout> | undefined;
let isBusy = false;
let isStale = false;
/** The number of files that are being loaded. */
let loading = 0;

/** Reads the document after a delay; once, however often it is called until then. */
function update(delay = 0): void {
  main.ariaBusy = "true";
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    // A long document may take longer than typing the next character.
    isStale = isBusy;
    if (!isBusy) void read();
  }, delay);
}

async function read(): Promise<void> {
  isBusy = true;
  const asked = request(editor.take());
  try {
    if (isContainer(asked.text) && asked.text !== plain) {
      await openBytes(new TextEncoder().encode(asked.text), "");
    } else {
      const overview = await ask({ kind: "open", request: asked });
      shown = { request: asked, overview };
      show(overview);
      await showTab();
    }
  } catch (error) {
    fail((error as Error).message);
    byId("url").setAttribute("aria-invalid", String((error as Error).message.startsWith("url:")));
  }
  isBusy = false;
  if (isStale) update();
  else settle();
}

/** Ends being busy, unless there is more to do. */
function settle(): void {
  main.ariaBusy = String(isBusy || loading > 0 || timer !== undefined);
}

function fail(message: string): void {
  status.className = "error";
  status.textContent = message;
}

function show(overview: Overview): void {
  const { base, links, linkCount, findings, findingCount, edited, problem, milliseconds } = overview;
  editorDelay = Math.min(1000, Math.max(60, milliseconds));
  byId("url").removeAttribute("aria-invalid");
  status.className = problem === null ? "" : "error";
  const count = (number: number, noun: string) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const summary = `${count(linkCount, "link")}, ${edited.toLocaleString("en")} of them rewritten; ${count(findingCount, "finding")}.`;
  const hint = shown?.request.text === plain ? " This looks like an HTTP dump or a message, but there are no documents in it." : "";
  status.textContent = (problem === null ? summary : `The document cannot be read: ${problem}.`) + hint;
  showTitle(overview.isFile);
  showBase(base);
  showLinks(links, linkCount, places, async () => showLinks(await ask({ kind: "links", to: linkCount }), linkCount, places, () => {}));
  showFindings(findings, findingCount, places);
  editor.underline(findings);
}

/** Shows what the open tab needs beyond the overview. */
async function showTab(): Promise<void> {
  if (shown === undefined) return;
  if (!byId("result").hidden) {
    const text = await ask({ kind: "result" });
    const { request, overview } = shown;
    byId("result-summary").textContent = text === request.text ? "Nothing changes." : `${overview.edited} links are rewritten.`;
    showDiff(byId("diff"), request.text, text);
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
  const profile = byId<HTMLSelectElement>("profile").value;
  try {
    const { target, steps } = await ask({ kind: "resolve", base, reference, profile });
    showSteps(target, false, steps);
  } catch (error) {
    showSteps((error as Error).message, true, []);
  }
}

async function open(file: File): Promise<void> {
  main.ariaBusy = "true";
  loading += 1;
  try {
    await openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
  } catch (error) {
    fail(`${file.name} cannot be read: ${(error as Error).message}`);
  }
  loading -= 1;
  settle();
}

/** Shows a file, or one of the documents in it. */
async function openBytes(bytes: Uint8Array, name: string, index = 0): Promise<void> {
  extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const { facts } = request(new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024)));
  const { text, encoding, documents, isContainer } = await ask({ kind: "load", bytes, index, facts });
  example.selectedIndex = 0;
  load(text);
  opened = { bytes, name, encoding };
  plain = isContainer && documents.length === 0 ? text : undefined;
  parts.replaceChildren(...documents.map(({ label, url, kind }, index) => new Option(`${label}: ${url ?? kind}`, String(index))));
  parts.value = String(index);
  partsLabel.hidden = documents.length === 0;
  if (name) document.title = `${name} – absolve`;
}

/** Shows the name of the file, and what is no longer that of the file because the text was edited. */
function showTitle(isFile: boolean): void {
  const title = opened?.name ? `Document: ${opened.name}` : "Document";
  const { encoding = null } = opened ?? {};
  const isUtf8 = encoding === null || encoding === "UTF-8";
  let note = "";
  if (opened && !isFile && !(isUtf8 && partsLabel.hidden)) {
    note = partsLabel.hidden ? ", edited: read as UTF-8" : ", edited: read without its container";
  } else if (!isUtf8) {
    note = ` (${encoding})`;
  }
  byId("source-title").textContent = title + note;
}

/** Shows a text that is no file. */
function load(text: string): void {
  opened = undefined;
  plain = undefined;
  partsLabel.hidden = true;
  editor.show(text);
  update();
}

function setUp(): void {
  example.append(new Option("choose…", ""), ...EXAMPLES.map(({ title }, index) => new Option(title, String(index))));
  example.addEventListener("change", () => {
    const chosen = EXAMPLES[Number(example.value || "-1")];
    if (chosen === undefined) return;
    const { value } = example;
    extension = "";
    setFields(chosen.fields ?? {});
    example.value = value;
    load(chosen.text);
  });
  facts.addEventListener("submit", (event) => event.preventDefault());
  facts.addEventListener("input", ({ target }) => {
    if (target !== example) update(target instanceof HTMLSelectElement ? 0 : editorDelay);
  });
  byId("profile").addEventListener("change", () => void resolveReference());

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

  parts.addEventListener("change", () => {
    if (opened) openBytes(opened.bytes, opened.name, Number(parts.value)).catch((error: Error) => fail(error.message));
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
    const fragment = await toFragment({ text: editor.take(), fields: fields() });
    if (fragment === undefined) {
      status.textContent = "The document is too long for a link.";
      return;
    }
    window.history.replaceState(null, "", fragment);
    // The clipboard needs a permission in some browsers; the address has the link in any case.
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    status.textContent = copied ? "The link is in the clipboard and in the address." : "The link is in the address.";
  });
  byId("copy").addEventListener("click", async () => {
    const text = await ask({ kind: "result" });
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    status.textContent = copied ? "The result is in the clipboard." : "The browser does not permit copying; use Download.";
  });
  byId("download").addEventListener("click", async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([(await ask({ kind: "file" })) as BlobPart], { type: "application/octet-stream" }));
    link.download = `result.${extension || fields().kind || "html"}`;
    link.click();
    // The browser reads the content after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
  window.addEventListener("hashchange", () => void restore());
}

/** Shows the document of the address, if it has one, and returns whether it has. */
async function restore(): Promise<boolean> {
  const state = await fromFragment(location.hash);
  if (state === undefined) return false;
  extension = "";
  setFields(state.fields);
  load(state.text);
  return true;
}

setUp();
void resolveReference();
if (!(await restore())) {
  setFields(EXAMPLES[0]?.fields ?? {});
  example.value = "0";
  load(EXAMPLES[0]?.text ?? "");
}
if ("serviceWorker" in navigator && (location.protocol === "https:" || location.hostname === "localhost")) {
  // The page works without it, but not offline.
  navigator.serviceWorker.register("offline.js").catch(() => {});
}
