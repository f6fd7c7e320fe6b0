import { call, cast, integer, literal, not } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { QueryContext } from '../../bind/context.js';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import type { Plan } from '../../plan/nodes.js';
import { callOf, columnOf, constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import type { ParseSegment } from '../../syntax/ast.js';
import { project } from '../columns.js';
import type { OperatorOf } from '../define.js';
import type { ParseMatch } from './parse-match.js';
import { shapes } from './parse-shapes.js';

/**
 * A pattern whose literal texts are searched one after the other, each after the previous match.
 * That is equivalent to the regular expression, and six times as fast: its columns match as little
 * as possible and nothing anchors the end, so the first occurrence of each text leaves the longest
 * rest for the following ones.
 */
interface PositionPattern {
  readonly texts: readonly string[];
  /** Whether the first text must begin the whole. */
  readonly isAnchored: boolean;
  readonly columns: readonly Piece[];
}

/**
 * A column contains the text between two search strings, numbered from 0: everything up to `to` if
 * `from` is undefined. If several columns are in the same gap, all but the last are empty.
 */
type Piece =
  | { readonly kind: 'empty' }
  | { readonly kind: 'between'; readonly from: number | undefined; readonly to: number | undefined };

/**
 * The SQL grows with the square of their number, and with it the time to plan, which the regular
 * expression does not need for a few thousand rows.
 */
const MAX_TEXTS = 8;

/**
 * The pattern for a search by positions; undefined if only a regular expression is equivalent: for
 * a column that is delimited by its type rather than by the next text, for an empty text, which
 * gives the rest to a last column, or without any text.
 */
export function positionPattern({ mode, flags, pattern }: OperatorOf<'parse'>): PositionPattern | undefined {
  if (mode === 'regex' || flags !== undefined) return undefined;
  const texts: string[] = [];
  const columns: Piece[] = [];
  for (const [i, segment] of pattern.entries()) {
    const next = pattern[i + 1];
    switch (segment.kind) {
      case 'text':
        if (segment.text === '') return undefined;
        if (pattern[i - 1]?.kind === 'text') texts.push(`${texts.pop()}${segment.text}`);
        else texts.push(segment.text);
        break;
      case 'skip':
        break;
      case 'capture':
        if (hasShape(segment, next)) return undefined;
        columns.push(pieceOf(texts.length, next));
    }
  }
  if (texts.length === 0 || texts.length > MAX_TEXTS) return undefined;
  return { texts, isAnchored: pattern[0]?.kind === 'text', columns };
}

function pieceOf(before: number, next: ParseSegment | undefined): Piece {
  if (next !== undefined && next.kind !== 'text') return { kind: 'empty' };
  return {
    kind: 'between',
    from: before === 0 ? undefined : before - 1,
    to: next === undefined ? undefined : before,
  };
}

const hasShape = (segment: ParseSegment & { kind: 'capture' }, next: ParseSegment | undefined): boolean =>
  next !== undefined && next.kind !== 'text' && shapes[segment.type] !== undefined;

/**
 * Applies the pattern. Each part that reads the positions is a separate expression: the positions
 * then count as used several times and are computed in a subquery.
 */
export function matchByPosition(
  pattern: PositionPattern,
  source: Scalar,
  input: Plan,
  query: QueryContext,
): ParseMatch {
  const { texts, columns } = pattern;
  const text = columnOf({ type: 'string', id: query.fresh('text') });
  const positions = columnOf({ type: 'array', id: query.fresh('positions') });
  const fields = [...input.schema.fields, { name: text.id, readings: [text] as const }];
  const read = project(input, fields, [{ id: text.id, expr: callOf('parse', orEmpty, [source]) }]);
  const found = callOf('parse', positionsOf(pattern), [text]);
  const isMatch = callOf('parse', areFound, [positions]);
  const place = (i: number, offset: number): Scalar => callOf('parse', placeOf(i, offset), [positions]);
  return {
    plan: project(
      read,
      [...fields, { name: positions.id, readings: [positions] }],
      [{ id: positions.id, expr: found }],
    ),
    isMatch,
    texts: columns.map((piece) => {
      if (piece.kind === 'empty') return callOf('parse', nothing, [isMatch]);
      const { from, to } = piece;
      const start = from === undefined ? constant('long', 1n) : place(from, sizeOf(texts[from]!));
      return callOf('parse', between, [isMatch, text, start, ...(to === undefined ? [] : [place(to, 0)])]);
    }),
  };
}

const orEmpty = defineOverload({
  params: [param('text', 'string')],
  returns: 'string',
  lower: ([text]) => call('ifNull', text.sql, literal('')),
});

/**
 * Positions of the search strings in bytes from 1, as an array of the engine; 0 for a missing one.
 * Positions after a missing one have no meaning, since all must be found.
 */
const positionsOf = ({ texts, isAnchored }: PositionPattern): Overload =>
  defineOverload({
    params: [param('text', 'string')],
    returns: 'array',
    lower: ([text]) =>
      shareSubexpression(text.sql, (whole) => {
        const found: Expr[] = [];
        for (const [i, wanted] of texts.entries()) {
          const before = found.at(-1);
          if (before !== undefined)
            found.push(call('position', whole, literal(wanted), plus(before, sizeOf(texts[i - 1]!))));
          // True is the position 1.
          else found.push(call(isAnchored ? 'startsWith' : 'position', whole, literal(wanted)));
        }
        // For texts of a dictionary column the elements would have a dictionary, too, in which
        // `has` does not find the 0.
        return cast(call('array', ...found), 'Array(UInt64)');
      }),
  });

const areFound = defineOverload({
  params: [param('positions', 'array')],
  returns: 'bool',
  lower: ([positions]) => not(call('has', positions.sql, integer(0))),
});

/** The place at an offset from one of the positions. */
const placeOf = (i: number, offset: number): Overload =>
  defineOverload({
    params: [param('positions', 'array')],
    returns: 'long',
    lower: ([positions]) => plus(call('arrayElement', positions.sql, integer(i + 1)), offset),
  });

/** The text from one place up to another, or to the end. */
const between = defineOverload({
  params: [
    param('isMatch', 'bool'),
    param('text', 'string'),
    param('start', 'long'),
    param('end', 'long', { optional: true }),
  ],
  returns: 'string',
  lower: ([isMatch, text, start, end]) => {
    const size = end === undefined ? [] : [call('minus', end.sql, start.sql)];
    return call('if', isMatch.sql, call('substring', text.sql, start.sql, ...size), nullOf('string'));
  },
});

const nothing = defineOverload({
  params: [param('isMatch', 'bool')],
  returns: 'string',
  lower: ([isMatch]) => call('if', isMatch.sql, literal(''), nullOf('string')),
});

const plus = (position: Expr, offset: number): Expr =>
  offset === 0 ? position : call('plus', position, integer(offset));

/**
 * The bytes of a text in UTF-8. Half of a pair becomes U+FFFD on the way to the engine, which takes
 * three as well.
 */
const sizeOf = (text: string): number =>
  [...text].reduce((size, character) => {
    const code = character.codePointAt(0)!;
    return size + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4);
  }, 0);
