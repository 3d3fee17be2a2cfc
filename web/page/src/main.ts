/** The page: fields and editor in, results out. */

import type { Facts, Options } from "absolve";

import { ask } from "./client.js";
import { SourceEditor, showDiff } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import type { Overview, Request } from "./protocol.js";
import rfcExamples from "../../../fixtures/rfc1808/examples.tsv";
import { fromFragment, toFragment } from "./share.js";
import { showBase, showFindings, showLinks, showProfiles, showSteps } from "./views.js";

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const status = byId("status");
const facts = byId<HTMLFormElement>("facts");
const example = byId<HTMLSelectElement>("example");
const main = document.querySelector("main") as HTMLElement;
const editor = new SourceEditor(byId("source"), () => {
  example.selectedIndex = 0;
  update(editorDelay);
});

/** The time after a change of the document until it is read, in milliseconds; longer for long documents. */
let editorDelay = 60;
/** The extension of the file that was opened. */
let extension = "";
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
function kindOf(text: string): "html" | "css" | "xml" {
  if (extension === "css") return "css";
  const isXml = ["xml", "svg", "xhtml", "atom", "rss", "rdf", "opml"].includes(extension);
  return isXml || /^\uFEFF?\s*<\?xml\s/.test(text) ? "xml" : "html";
}

/** Returns whether a text begins like an HTTP response or a mail message, whose documents only the command finds. */
function isContainer(text: string): boolean {
  return /^HTTP\/[\d.]+ \d/.test(text) || /^(?:[!-9;-~]+:.*\r?\n(?:[ \t].*\r?\n)*)*?MIME-Version:/i.test(text.slice(0, 4096));
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
    // A long document may take longer than typing the next character.
    isStale = isBusy;
    if (!isBusy) void read();
  }, delay);
}

async function read(): Promise<void> {
  isBusy = true;
  const asked = request(editor.take());
  try {
    const overview = await ask({ kind: "open", request: asked });
    shown = { request: asked, overview };
    show(overview);
    await showTab();
  } catch (error) {
    status.className = "error";
    status.textContent = (error as Error).message;
    byId("url").setAttribute("aria-invalid", String((error as Error).message.startsWith("url:")));
  }
  isBusy = false;
  if (isStale) update();
  else main.ariaBusy = String(loading > 0);
}

function show(overview: Overview): void {
  const { base, links, linkCount, findings, findingCount, edited, problem, milliseconds } = overview;
  editorDelay = Math.min(1000, Math.max(60, milliseconds));
  byId("url").removeAttribute("aria-invalid");
  status.className = problem === null ? "" : "error";
  const count = (number: number, noun: string) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const summary = `${count(linkCount, "link")}, ${edited.toLocaleString("en")} of them rewritten; ${count(findingCount, "finding")}.`;
  const hint = isContainer(shown?.request.text ?? "") ? " This is an HTTP dump or a message: the command finds the documents in it." : "";
  status.textContent = (problem === null ? summary : `The document cannot be read: ${problem}.`) + hint;
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

/** Opens a file: as UTF-8, or else as windows-1252, which has a character for every byte. */
async function open(file: File): Promise<void> {
  main.ariaBusy = "true";
  loading += 1;
  const buffer = await file.arrayBuffer().catch((error: Error) => error);
  loading -= 1;
  if (buffer instanceof Error) {
    status.className = "error";
    status.textContent = `${file.name} cannot be read: ${buffer.message}`;
    main.ariaBusy = String(loading > 0);
    return;
  }
  const bytes = new Uint8Array(buffer);
  let text: string;
  let note = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes);
    note = " It is not UTF-8: the page shows it as windows-1252; the command and the package keep its encoding.";
  }
  extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? "";
  byId<HTMLSelectElement>("example").selectedIndex = 0;
  load(text);
  document.title = `${file.name} – absolve`;
  byId("source-title").textContent = `Document: ${file.name}${note}`;
}

function load(text: string): void {
  byId("source-title").textContent = "Document";
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
    link.href = URL.createObjectURL(new Blob([await ask({ kind: "result" })], { type: "application/octet-stream" }));
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
