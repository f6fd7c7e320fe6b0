import { tokensOf } from '@millrace/apl/editor';
import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Highlights with the language's own tokens instead of a second grammar. */

const WORDS = new Set(
  'and or not by on in between has contains startswith endswith matches regex asc desc nulls first last with kind as from to step true false null let has_any has_all default'.split(
    ' ',
  ),
);
/** Longer texts are not highlighted: each keystroke tokenizes all of it. */
const LONGEST = 32 * 1024;

const marks = Object.fromEntries(
  ['operator', 'word', 'call', 'number', 'string', 'comment', 'pipe'].map((name) => [
    name,
    Decoration.mark({ class: `tok-${name}` }),
  ]),
);

/** Decorates only the viewport, again on each keystroke. */
function coloured(view: EditorView): DecorationSet {
  const { from: first, to: last } = view.viewport;
  const builder = new RangeSetBuilder<Decoration>();
  const text = view.state.doc.toString();
  if (text.length > LONGEST) return builder.finish();
  const tokens = tokensOf(text);
  let end = 0;
  for (const [index, token] of tokens.entries()) {
    // A token that starts above the viewport may extend into it.
    if (token.end < first || end > last) {
      end = token.end;
      continue;
    }
    const comment = text.slice(end, token.start).indexOf('//');
    if (comment >= 0) {
      const from = end + comment;
      const gap = text.slice(from, token.start);
      builder.add(from, from + gap.trimEnd().length, marks['comment']!);
    }
    end = token.end;
    const name = kindOf(tokens, index);
    if (name !== undefined && token.end > token.start) builder.add(token.start, token.end, marks[name]!);
  }
  return builder.finish();
}

type Tokens = ReturnType<typeof tokensOf>;

function kindOf(tokens: Tokens, index: number): string | undefined {
  const token = tokens[index]!;
  switch (token.kind) {
    case 'string':
      return 'string';
    case 'long':
    case 'real':
    case 'timespan':
    case 'literalText':
      return 'number';
    case 'negated':
      return 'word';
    case 'punctuation':
      return token.text === '|' ? 'pipe' : undefined;
    case 'word':
      return wordKind(tokens, index);
    case 'end':
      return undefined;
  }
}

function wordKind(tokens: Tokens, index: number): string | undefined {
  const [before, token, after] = [tokens[index - 1], tokens[index]!, tokens[index + 1]];
  if (before?.text === '|') return 'operator';
  // `project-away`: operator names contain dashes.
  if (before?.text === '-' && before.start === tokens[index - 2]?.end && tokens[index - 3]?.text === '|')
    return 'operator';
  if (WORDS.has(token.text.replace(/_cs$/, ''))) return 'word';
  if (after?.text === '(' && after.start === token.end) return 'call';
  return undefined;
}

export const highlight = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = coloured(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = coloured(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
