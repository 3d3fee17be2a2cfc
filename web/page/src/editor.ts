/** The editor of the document. */

import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { html } from "@codemirror/lang-html";
import { syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

import type { Finding } from "absolve";

/** Documents beyond this length are shown without colours, which would take too long. */
const LONG = 3_000_000;

const COLOURS = [html(), syntaxHighlighting(classHighlighter)];

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
  ".tok-typeName, .tok-tagName, .tok-keyword": { color: "var(--tag)" },
  ".tok-propertyName, .tok-attributeName": { color: "var(--attribute)" },
  ".tok-string, .tok-string2": { color: "var(--string)" },
  ".tok-comment, .tok-meta": { color: "var(--quiet)" },
});

/** What happens in the editor. */
export interface EditorEvents {
  changed(isPasted: boolean): void;
  /** A text is about to be pasted in place of the whole document. */
  pastedOver(): void;
  /** The cursor was moved to an offset in the editor, in the line with these ends. */
  movedTo(offset: number, line: { readonly from: number; readonly to: number }): void;
}

/** Marks a change that nobody has typed. */
const isReplacement = Annotation.define<boolean>();

/** The editor of the document. It has one character for each line break, also for those of two. */
export class SourceEditor {
  readonly #view: EditorView;
  readonly #events: EditorEvents;
  readonly #colours = new Compartment();
  /** The document as it came, until it is edited. */
  #original: string | undefined;
  #lineBreak = "\n";
  /** The offsets of line breaks of two characters in the text that was taken last. */
  #pairs: number[] = [];

  constructor(parent: HTMLElement, events: EditorEvents) {
    this.#events = events;
    // In a shadow tree its styles are style sheets, which the security policy permits.
    const root = parent.attachShadow({ mode: "open" });
    this.#view = new EditorView({ parent: root, root });
  }

  /** Shows another document, from its beginning. */
  show(text: string): void {
    const extensions = [
      lineNumbers(),
      drawSelection(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Document", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      theme,
      this.#colours.of(text.length > LONG ? [] : COLOURS),
      history(),
      // Tab leaves the editor, as it leaves other fields.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.domEventHandlers({
        paste: ({ clipboardData }, { state: { doc, selection } }) => {
          const text = clipboardData?.getData("text/plain");
          if (!text || selection.main.from > 0 || selection.main.to < doc.length) return false;
          this.#events.pastedOver();
          // The editor would show the end, and parse what is before it.
          this.replace(text);
          this.#events.changed(true);
          return true;
        },
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          this.#original = undefined;
          if (update.transactions.some((transaction) => transaction.annotation(isReplacement))) return;
          this.#events.changed(update.transactions.some((transaction) => transaction.isUserEvent("input.paste")));
        } else if (update.transactions.some((transaction) => transaction.isUserEvent("select"))) {
          const { head } = update.state.selection.main;
          this.#events.movedTo(head, update.state.doc.lineAt(head));
        }
      }),
    ];
    this.#view.setState(EditorState.create({ doc: text, extensions }));
    this.#view.scrollDOM.scrollTop = 0;
    this.#keep(text);
  }

  /** Replaces the document, which can be undone. {@link underline} adds its colours. */
  replace(text: string): void {
    const { state } = this.#view;
    const changes = { from: 0, to: state.doc.length, insert: state.toText(text) };
    const annotations = [isReplacement.of(true), isolateHistory.of("full")];
    this.#view.dispatch({ changes, selection: { anchor: 0 }, effects: this.#colours.reconfigure([]), annotations });
    this.#view.scrollDOM.scrollTop = 0;
    this.#keep(text);
  }

  #keep(text: string): void {
    this.#original = text;
    this.#lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  }

  /** Returns the document. The line breaks of one that was edited are all alike. */
  take(): string {
    const { doc } = this.#view.state;
    const text = this.#original ?? doc.sliceString(0, doc.length, this.#lineBreak);
    this.#pairs = this.#lineBreak === "\n" ? [] : Array.from(text.matchAll(/\r\n/g), (match) => match.index);
    return text;
  }

  /** Returns the offset in the editor of an offset in the text that was taken last. */
  place(offset: number): number {
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
    return this.#view.state.doc.lineAt(this.place(offset)).number;
  }

  /** Selects a range, and scrolls to it. */
  select(start: number, end: number): void {
    const range = { anchor: this.place(start), head: this.place(end) };
    this.#view.dispatch({ selection: range, effects: EditorView.scrollIntoView(range.anchor, { y: "center" }) });
    this.#view.focus();
  }

  /** Selects a place by the numbers of its line and column. */
  goTo(line: number, column: number): void {
    const { doc } = this.#view.state;
    const { from, to } = doc.line(Math.min(line, doc.lines));
    const anchor = Math.min(from + column - 1, to);
    this.#view.dispatch({ selection: { anchor, head: to }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.#view.focus();
  }

  /** Underlines findings, and colours the document. */
  underline(findings: readonly Finding[]): void {
    const diagnostics = findings.flatMap(({ start, end, rule, message, help }) => {
      if (start === null || end === null) return [];
      const [from, to] = [this.place(start), this.place(end)];
      return [{ from, to, severity: "warning" as const, source: rule, message: `${message}\n${help}` }];
    });
    const { state } = this.#view;
    const effects = this.#colours.reconfigure(state.doc.length > LONG ? [] : COLOURS);
    this.#view.dispatch(setDiagnostics(state, diagnostics), { effects });
  }
}
