import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Highlights with the language's own tokens instead of a second grammar. */

const kinds = ['operator', 'word', 'call', 'number', 'string', 'comment', 'pipe'] as const;
export type MarkKind = (typeof kinds)[number];

export interface TextMark {
  readonly start: number;
  readonly end: number;
  readonly kind: MarkKind;
}

/** Longer texts are not highlighted: each keystroke tokenizes all of it. */
const LONGEST = 32 * 1024;

const marks = Object.fromEntries(kinds.map((name) => [name, Decoration.mark({ class: `tok-${name}` })]));

/** @param marksOf in the order of their places, without overlaps */
export const highlighter = (marksOf: (text: string) => Iterable<TextMark>) => {
  /** Decorates only the viewport, again on each keystroke. */
  const decorate = (view: EditorView): DecorationSet => {
    const { from, to } = view.viewport;
    const builder = new RangeSetBuilder<Decoration>();
    const text = view.state.doc.toString();
    if (text.length > LONGEST) return builder.finish();
    // A token that starts above the viewport may extend into it.
    for (const { start, end, kind } of marksOf(text))
      if (end >= from && end <= to && end > start) builder.add(start, end, marks[kind]!);
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
};

/** A comment in the text between two tokens. */
export function* commentIn(text: string, from: number, to: number): Generator<TextMark> {
  const at = text.slice(from, to).indexOf('//');
  if (at < 0) return;
  const start = from + at;
  yield { start, end: start + text.slice(start, to).trimEnd().length, kind: 'comment' };
}
