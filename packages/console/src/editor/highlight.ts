import { tokensOf } from '@millrace/apl/editor';
import { commentIn, highlighter, type TextMark, type MarkKind } from './highlighter.js';

/** Highlights APL. */

const WORDS = new Set(
  'and or not by on in between has contains startswith endswith matches regex asc desc nulls first last with kind as from to step true false null let has_any has_all default'.split(
    ' ',
  ),
);
function* marksOf(text: string): Generator<TextMark> {
  const tokens = tokensOf(text);
  let before = 0;
  for (const [index, { start, end }] of tokens.entries()) {
    yield* commentIn(text, before, start);
    before = end;
    const kind = kindOf(tokens, index);
    if (kind !== undefined) yield { start, end, kind };
  }
}

export const highlight = highlighter(marksOf);

type Tokens = ReturnType<typeof tokensOf>;

function kindOf(tokens: Tokens, index: number): MarkKind | undefined {
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

function wordKind(tokens: Tokens, index: number): MarkKind | undefined {
  const [before, token, after] = [tokens[index - 1], tokens[index]!, tokens[index + 1]];
  if (before?.text === '|') return 'operator';
  // `project-away`: operator names contain dashes.
  if (before?.text === '-' && before.start === tokens[index - 2]?.end && tokens[index - 3]?.text === '|')
    return 'operator';
  if (WORDS.has(token.text.replace(/_cs$/, ''))) return 'word';
  if (after?.text === '(' && after.start === token.end) return 'call';
  return undefined;
}
