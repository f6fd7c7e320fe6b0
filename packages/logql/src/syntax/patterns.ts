import { readRegex } from '@millrace/apl/positions';
import type { Capture } from './ast.js';

/** Patterns such as `<ip> - <_> "<method> <path>"` as regular expressions. */

interface Piece {
  readonly kind: 'text' | 'capture';
  readonly text: string;
}

const capture = /<([A-Za-z_]\w*)>/g;

const piecesOf = (pattern: string): readonly Piece[] =>
  pattern
    .split(capture)
    .map((text, i): Piece => ({ kind: i % 2 === 0 ? 'text' : 'capture', text }))
    .filter(({ text }) => text !== '');

export const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

interface RegexCaptures {
  readonly regex: string;
  readonly captures: readonly Capture[];
}

/**
 * The pattern of the stage `pattern`: each capture ends before the next text, or takes the rest of
 * the line.
 * @returns undefined, with the reason as text, for an invalid pattern
 */
export function patternCaptures(pattern: string): RegexCaptures | string {
  const pieces = piecesOf(pattern);
  const captures: Capture[] = [];
  let group = 0;
  let regex = '';
  let open = 0;
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind === 'text') {
      // A text before the first capture must occur; later ones may be missing.
      if (i === 0) regex += `^.*?${escapeRegex(piece.text)}`;
      else {
        regex += `(?:${escapeRegex(piece.text)}`;
        open++;
      }
      continue;
    }
    if (pieces[i - 1]?.kind === 'capture') return `the captures before <${piece.text}> need a text between them`;
    if (piece.text !== '_' && captures.some(({ label }) => label === piece.text)) return `<${piece.text}> occurs twice`;
    if (i === 0) regex += '^';
    if (piece.text === '_') regex += '(?:.*?)';
    else {
      regex += '(.*?)';
      captures.push({ label: piece.text, group: ++group });
    }
  }
  if (captures.length === 0) return 'at least one capture needs a name, as in <method>';
  const last = pieces.at(-1)!;
  return {
    regex: `(?s)${regex}${last.kind === 'text' ? '.*' : ''}${')?$'.repeat(open)}${open === 0 ? '$' : ''}`,
    captures,
  };
}

/** The pattern of a filter: `<_>` stands for any text; the others must be there, in this order. */
export function patternFilter(pattern: string): string {
  const pieces = piecesOf(pattern);
  return `(?s)^${pieces.map(({ kind, text }) => (kind === 'text' ? escapeRegex(text) : '.*')).join('')}$`;
}

/**
 * The named groups of a regular expression.
 * @returns the reason as text for an invalid expression
 */
export function regexCaptures(regex: string): RegexCaptures | string {
  const reading = readRegex(regex);
  if (!reading.ok) return reading.message;
  const captures = reading.shape.groups.flatMap(({ name }, i): readonly Capture[] =>
    name === undefined ? [] : [{ label: name, group: i + 1 }],
  );
  if (captures.length === 0) return 'at least one group needs a name, as in (?P<method>\\w+)';
  return { regex, captures };
}
