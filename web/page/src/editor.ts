/** The editors of the page: the document, and the differences of the result. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

import type { Finding } from "absolve";

/** Documents beyond this length are shown without colours and differences, which would take too long. */
export const LONG = 3_000_000;

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--back)", fontSize: "13px" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--select)",
  },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)", maxWidth: "480px" },
  ".cm-diagnostic": { borderLeftColor: "var(--warn)", whiteSpace: "pre-wrap" },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.5px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--added) !important" },
  ".cm-changedText, .cm-insertedLine .cm-changedText": { background: "var(--added-text) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--removed)" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--removed-text) !important" },
  ".cm-collapsedLines": { backgroundColor: "var(--panel)", backgroundImage: "none", color: "var(--accent)" },
  ".tok-typeName, .tok-tagName, .tok-keyword": { color: "var(--tag)" },
  ".tok-propertyName, .tok-attributeName": { color: "var(--attribute)" },
  ".tok-string, .tok-string2": { color: "var(--string)" },
  ".tok-comment, .tok-meta": { color: "var(--quiet)" },
});

/** Returns the place for an editor. In a shadow tree its styles are style sheets, which the security policy permits. */
function root(parent: HTMLElement): ShadowRoot {
  return parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
}

function common(label: string, text: string): Extension[] {
  return [
    lineNumbers(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
    theme,
    ...(text.length > LONG ? [] : [html(), syntaxHighlighting(classHighlighter)]),
  ];
}

/** The editor of the document. It has one character for each line break, also for those of two. */
export class SourceEditor {
  readonly #view: EditorView;
  readonly #changed: () => void;
  /** The document as it came, until it is edited. */
  #original: string | undefined;
  #lineBreak = "\n";
  /** The offsets of line breaks of two characters in the text that was taken last. */
  #pairs: number[] = [];

  constructor(parent: HTMLElement, changed: () => void) {
    this.#changed = changed;
    const shadow = root(parent);
    this.#view = new EditorView({ parent: shadow, root: shadow });
  }

  /** Shows another document, which people can edit. */
  show(text: string): void {
    this.#original = text;
    this.#lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
    const extensions = [
      common("Document", text),
      history(),
      // Tab leaves the editor, as it leaves other fields.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          this.#original = undefined;
          this.#changed();
        }
      }),
    ];
    this.#view.setState(EditorState.create({ doc: text, extensions, selection: { anchor: 0 } }));
  }

  /** Returns the document. The line breaks of one that was edited are all alike. */
  take(): string {
    const { doc } = this.#view.state;
    const text = this.#original ?? doc.sliceString(0, doc.length, this.#lineBreak);
    this.#pairs = Array.from(text.matchAll(/\r\n/g), (match) => match.index);
    return text;
  }

  /** Returns the offset in the editor of an offset in the text that was taken last. */
  #place(offset: number): number {
    let [low, high] = [0, this.#pairs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#pairs[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return Math.min(offset - low, this.#view.state.doc.length);
  }

  /** Returns the number of the line of an offset. */
  line(offset: number): number {
    return this.#view.state.doc.lineAt(this.#place(offset)).number;
  }

  /** Selects a range, and scrolls to it. */
  select(start: number, end: number): void {
    const range = { anchor: this.#place(start), head: this.#place(end) };
    this.#view.dispatch({ selection: range, effects: EditorView.scrollIntoView(range.anchor, { y: "center" }) });
    this.#view.focus();
  }

  /** Underlines findings. */
  underline(findings: readonly Finding[]): void {
    const diagnostics = findings.flatMap(({ start, end, rule, message, help }) => {
      if (start === null || end === null) return [];
      const [from, to] = [this.#place(start), this.#place(end)];
      return [{ from, to, severity: "warning" as const, source: rule, message: `${message}\n${help}` }];
    });
    this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
  }
}

let diff: EditorView | undefined;

/** Shows the differences between the document and the result. */
export function showDiff(parent: HTMLElement, original: string, text: string): void {
  const shadow = root(parent);
  diff?.destroy();
  const merge = unifiedMergeView({
    original,
    mergeControls: false,
    collapseUnchanged: { margin: 2, minSize: 6 },
    diffConfig: { scanLimit: 400, timeout: 150 },
  });
  const isLong = Math.max(original.length, text.length) > LONG;
  const extensions = [common("Result", text), EditorState.readOnly.of(true), ...(isLong ? [] : [merge])];
  diff = new EditorView({ parent: shadow, root: shadow, state: EditorState.create({ doc: text, extensions }) });
}
