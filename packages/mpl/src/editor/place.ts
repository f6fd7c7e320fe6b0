import type { Span } from '@millrace/apl/positions';
import { DiagnosticSink } from '../model/diagnostics.js';
import { lex } from '../syntax/lexer.js';
import type { Token } from '../syntax/tokens.js';

/** Where the cursor stands. */
export interface Place {
  /** The part of a name before the cursor, without its backquote. */
  readonly typed: string;
  /** The name around the cursor. */
  readonly range: Span;
  /** The tokens of the step before that name, without the pipe. */
  readonly before: readonly Token[];
  /** Whether a pipe begins the step; otherwise it is a source. */
  readonly isStep: boolean;
}

/** Tokens of a text; mistakes do not matter. */
export const tokensOf = (text: string): readonly Token[] =>
  lex(text, new DiagnosticSink()).filter(({ kind }) => kind !== 'comment' && kind !== 'end');

const plainStart = /(?:[\p{L}_][\p{L}\p{N}_]*::)*(?:[\p{L}_][\p{L}\p{N}_]*)?$/u;
const plainEnd = /^[\p{L}\p{N}_]*/u;

/** Undefined in a comment, and in a string or regular expression. */
export function placeAt(text: string, offset: number): Place | undefined {
  const head = text.slice(0, offset);
  if (/\/\/[^\n]*$/.test(head)) return undefined;
  const inside = tokensOf(head).at(-1);
  const isOpen = inside?.span.end === offset && ['string', 'regex'].includes(inside.kind);
  if (isOpen && (inside.kind === 'regex' || !/^"(?:\\.|[^"\\])*"$/s.test(inside.text))) return undefined;
  const isQuoted = inside?.kind === 'name' && inside.isQuoted && inside.span.end === offset && !isClosed(inside.text);
  const typed = isQuoted ? head.slice(inside.span.start + 1) : plainStart.exec(head)![0];
  const start = isQuoted ? inside.span.start : offset - typed.length;
  const rest = text.slice(offset);
  const after = isQuoted ? (/^[^`\n|]*`/.exec(rest)?.[0] ?? '') : plainEnd.exec(rest)![0];
  const tokens = tokensOf(text.slice(0, start));
  const pipe = tokens.findLastIndex((token) => token.kind === 'symbol' && token.text === '|');
  return {
    typed,
    range: { start, end: offset + after.length },
    before: tokens.slice(pipe + 1),
    isStep: pipe >= 0,
  };
}

const isClosed = (text: string): boolean => text.length > 1 && text.endsWith('`');

/** Where the value of a tag is written: after a comparison. */
interface ValuePlace {
  readonly tag: string;
  /** The part of the value before the cursor, without its quote. */
  readonly typed: string;
  readonly range: Span;
}

/** Undefined where the cursor does not stand at the value of a tag. */
export function valuePlaceAt(text: string, offset: number): ValuePlace | undefined {
  const head = text.slice(0, offset);
  const written = /(?:"(?:\\.|[^"\\\n])*|[\p{L}\p{N}_.-]*)$/u.exec(head)![0];
  const start = offset - written.length;
  const tokens = tokensOf(text.slice(0, start));
  const [tag, sign] = tokens.slice(-2);
  const list = tokens.findLastIndex(({ text: each }) => each === '[');
  const isListed = list >= 2 && tokens[list - 1]!.text === 'in' && !tokens.slice(list).some(({ text }) => text === ']');
  const named = isListed ? tokens[list - 2] : tag;
  if (named?.kind !== 'name') return undefined;
  const isCompared = ['==', '!=', 'contains'].includes(sign?.text ?? '');
  if (!isListed && !isCompared) return undefined;
  const isQuoted = written.startsWith('"');
  const rest = /^(?:\\.|[^"\\\n])*"?/.exec(text.slice(offset))![0];
  const end = isQuoted ? offset + (rest.endsWith('"') ? rest.length : 0) : offset;
  return { tag: named.name, typed: isQuoted ? written.slice(1) : written, range: { start, end } };
}
