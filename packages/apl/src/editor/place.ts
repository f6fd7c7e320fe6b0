import { DiagnosticSink } from '../syntax/diagnostic-sink.js';
import type { Span } from '../syntax/ast.js';
import { lex } from '../syntax/lexing/lexer.js';
import { queryBounds } from '../model/query-limits.js';
import { LINE_BREAK } from '../syntax/lexing/line-breaks.js';
import type { Token } from '../syntax/lexing/tokens.js';

/** A bracket that is open at the cursor, or the statement the cursor stands in. */
export interface Frame {
  /** Index of the opening bracket; -1 for a statement. */
  readonly open: number;
  /** Index of the first token in it. */
  readonly first: number;
  /** Index of its last `|`, -1 without one. */
  readonly pipe: number;
  /** Commas since that `|`, or since the beginning. */
  readonly commas: number;
}

/** Where the cursor stands in a text. */
export interface Place {
  readonly text: string;
  /** The tokens before the word at the cursor. */
  readonly before: readonly Token[];
  /** From the statement inwards to the innermost bracket. */
  readonly frames: readonly [Frame, ...Frame[]];
  /**
   * The typed part of the word at the cursor; for a quoted name, without the bracket and the quote.
   */
  readonly typed: string;
  /** The whole word, including the part after the cursor. */
  readonly span: Span;
  /** Whether the word is a name in brackets and quotes, or about to be one. */
  readonly quoted: boolean;
}

/**
 * The tokens of a text, without its errors; only the end token for a text too long to be a query.
 */
export const tokensOf = (text: string): readonly Token[] =>
  text.length > queryBounds.textLength.max ? lex('', new DiagnosticSink()) : lex(text, new DiagnosticSink());

/**
 * Finds where a cursor stands; undefined in comments, strings and numbers. An offset outside the
 * text is moved to its nearer end.
 */
export function placeAt(text: string, anyOffset: number): Place | undefined {
  const offset = Math.max(0, Math.min(text.length, Math.trunc(anyOffset) || 0));
  const tokens = tokensOf(text);
  // The token that the cursor is in or right after.
  const at = tokens.findIndex(({ start, end, kind }) => kind !== 'end' && start < offset && offset <= end);
  const end = tokens.findLastIndex((token) => token.kind !== 'end' && token.end <= offset);
  const token = tokens[at];
  if (token === undefined) {
    const gap = text.slice(tokens[end]?.end ?? 0, offset);
    if (gap.split(LINE_BREAK).at(-1)!.includes('//')) return undefined;
    return placeOf(text, tokens.slice(0, end + 1), '', { start: offset, end: offset }, false);
  }
  switch (token.kind) {
    case 'word': {
      const first = beginOfName(tokens, at);
      const { start } = tokens[first]!;
      return placeOf(text, tokens.slice(0, first), text.slice(start, offset), { start, end: token.end }, false);
    }
    case 'negated':
      return placeOf(text, tokens.slice(0, at), text.slice(token.start, offset), token, false);
    case 'string':
      return quotedName(text, tokens, at, offset);
    case 'punctuation':
      return afterSign(text, tokens, at, offset);
    default:
      return undefined;
  }
}

/**
 * Index of the first token of a name that ends at `from`, going back over the dashes of
 * `project-away` and the points of `geo.city`.
 */
function beginOfName(tokens: readonly Token[], from: number): number {
  const dashes = joinedStart(tokens, from, '-');
  // Only the names of operators contain dashes; otherwise a dash subtracts.
  const before = tokens[dashes - 1];
  if (before === undefined ? dashes < from : before.text === '|') return dashes;
  return joinedStart(tokens, from, '.');
}

/**
 * The index of the first token of a chain of words that ends at `from` and is joined by the sign
 * without blanks.
 */
export function joinedStart(tokens: readonly Token[], from: number, sign: string): number {
  let first = from;
  while (
    tokens[first - 1]?.text === sign &&
    tokens[first - 1]!.end === tokens[first]!.start &&
    tokens[first - 2]?.kind === 'word' &&
    tokens[first - 2]!.end === tokens[first - 1]!.start
  )
    first -= 2;
  return first;
}

/**
 * After a sign a new word begins, unless the sign is part of the word: `geo.`, `project-`, `!`,
 * `[`.
 */
function afterSign(text: string, tokens: readonly Token[], at: number, offset: number): Place | undefined {
  const token = tokens[at]!;
  const word = tokens[at - 1];
  // The cursor is between two pipes, which the lexer reads as a single token: an operator is
  // missing between them.
  if (token.text === '||' && offset === token.start + 1) {
    const pipe = { ...token, text: '|', end: offset };
    return placeOf(text, [...tokens.slice(0, at), pipe], '', { start: offset, end: offset }, false);
  }
  if (offset < token.end) return undefined;
  if (token.text === '[' && !isIndex(tokens, at)) return placeOf(text, tokens.slice(0, at), '', token, true);
  if (token.text === '!') return placeOf(text, tokens.slice(0, at), '!', token, false);
  if ((token.text === '.' || token.text === '-') && word?.kind === 'word' && word.end === token.start) {
    const first = beginOfName(tokens, at - 1);
    const continues = token.text === '.' || first === 0 || tokens[first - 1]!.text === '|';
    const { start } = tokens[first]!;
    if (continues)
      return placeOf(text, tokens.slice(0, first), text.slice(start, offset), { start, end: offset }, false);
  }
  return placeOf(text, tokens.slice(0, at + 1), '', { start: offset, end: offset }, false);
}

/** In the quotes of `['…']`, closed or not. */
function quotedName(text: string, tokens: readonly Token[], at: number, offset: number): Place | undefined {
  const bracket = tokens[at - 1];
  const token = tokens[at]!;
  if (bracket?.text !== '[' || bracket.end !== token.start || isIndex(tokens, at - 1)) return undefined;
  const quote = token.text[0]!;
  const isClosed = token.text.length > 1 && token.text.endsWith(quote);
  if (isClosed && offset === token.end) return undefined;
  const closing = tokens[at + 1];
  const end = !isClosed ? offset : closing?.text === ']' ? closing.end : token.end;
  const typed = text.slice(token.start + 1, offset);
  return placeOf(text, tokens.slice(0, at - 1), typed, { start: bracket.start, end }, true);
}

/** Whether the bracket indexes the value right before it. */
const isIndex = (tokens: readonly Token[], at: number): boolean =>
  isValueEnd(tokens[at - 1]) && tokens[at - 1]!.end === tokens[at]!.start;

/** Whether a value may end with the token. */
export const isValueEnd = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind !== 'punctuation' ? token.kind !== 'negated' : ')]}'.includes(token.text));

function placeOf(text: string, before: readonly Token[], typed: string, { start, end }: Span, quoted: boolean): Place {
  return { text, before, frames: framesOf(before), typed, span: { start, end }, quoted };
}

const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The statement that the tokens end in, and the brackets that are open there. */
export function framesOf(tokens: readonly Token[]): readonly [Frame, ...Frame[]] {
  let statement: Frame = { open: -1, first: 0, pipe: -1, commas: 0 };
  let frames: Frame[] = [];
  const change = (more: Partial<Frame>): void => {
    const last = frames.pop();
    if (last === undefined) statement = { ...statement, ...more };
    else frames.push({ ...last, ...more });
  };
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'punctuation') continue;
    if (text === '(' || text === '[' || text === '{')
      frames.push({ open: index, first: index + 1, pipe: -1, commas: 0 });
    else if (text === ';') {
      // In the braces of a function a `;` may end its body.
      if (frames.some(({ open }) => tokens[open]!.text === '{')) continue;
      frames = [];
      statement = { open: -1, first: index + 1, pipe: -1, commas: 0 };
    } else if (text === '|') change({ pipe: index, commas: 0 });
    else if (text === ',') change({ commas: (frames.at(-1) ?? statement).commas + 1 });
    else if (CLOSING[text] !== undefined) {
      const opened = frames.findLastIndex(({ open }) => tokens[open]!.text === CLOSING[text]);
      if (opened >= 0) frames = frames.slice(0, opened);
    }
  }
  return [statement, ...frames];
}
