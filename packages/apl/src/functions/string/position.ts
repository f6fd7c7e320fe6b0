import { call, column, integer, lambda } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { param } from '../define.js';
import type { LoweredArgument } from '../define.js';

/** Positions in texts: counted in characters from 0, negative ones from the end. */

/**
 * Number of characters, signed: the engine's unsigned number would have no common type with the -1
 * of another branch.
 */
export const characters = (text: Expr): Expr => call('toInt64', call('lengthUTF8', text));

/** Longer than any text; keeps sums of positions in range. */
const MAX_POSITION = 2 ** 31 - 1;

/**
 * The number, or the nearest one within the bounds. The engine's `least` and `greatest` would
 * ignore null.
 */
export function clamp(value: LoweredArgument, low: number, high: number): Expr {
  const { constant } = value;
  if (typeof constant === 'bigint') return integer(constant < low ? low : constant > high ? high : constant);
  return shareSubexpression(value.sql, (n) =>
    call('multiIf', call('less', n, integer(low)), integer(low), call('greater', n, integer(high)), integer(high), n),
  );
}

/** A position as a number from 0 on; one before the beginning counts as the beginning. */
export function fromStart(text: Expr, position: LoweredArgument): Expr {
  const bounded = clamp(position, -MAX_POSITION, MAX_POSITION);
  if (bounded.kind === 'literal' && typeof position.constant === 'bigint' && position.constant >= 0n) return bounded;
  return shareSubexpression(bounded, (at) => {
    const fromEnd = call('plus', characters(text), at);
    return call(
      'multiIf',
      call('greaterOrEquals', at, integer(0)),
      at,
      call('less', fromEnd, integer(0)),
      integer(0),
      fromEnd,
    );
  });
}

/**
 * The text from a position on, at most `length` characters; a negative length counts as 0, a
 * missing one as no limit.
 */
export function textFrom(text: Expr, start: Expr, length?: LoweredArgument): Expr {
  const first = call('plus', start, integer(1));
  if (length === undefined) return call('substringUTF8', text, first);
  return call('substringUTF8', text, first, clamp(length, 0, MAX_POSITION));
}

/** The searched window; a `length` of -1 means up to the end. */
interface Window {
  readonly text: Expr;
  /** Characters left out before the window. */
  readonly offset: Expr;
}

/** The part of a text that is searched. */
export function windowOf(text: Expr, start: LoweredArgument | undefined, length: LoweredArgument | undefined): Window {
  const whole = start === undefined || start.constant === 0n;
  const open = length === undefined || length.constant === -1n;
  if (whole && open) return { text, offset: integer(0) };
  const offset = whole ? integer(0) : fromStart(text, start);
  if (open) return { text: textFrom(text, offset), offset };
  const given: LoweredArgument = {
    type: 'long',
    sql: call('if', call('equals', length.sql, integer(-1)), integer(MAX_POSITION), length.sql),
  };
  return { text: textFrom(text, offset, given), offset };
}

/** A position found in a window as a position in the whole text; `found` is -1 if there is none. */
export const inWhole = (window: Window, found: Expr): Expr =>
  window.offset.kind === 'literal' && window.offset.value === 0n
    ? found
    : shareSubexpression(found, (at) => call('if', call('less', at, integer(0)), at, call('plus', at, window.offset)));

/** The parameters `start`, `length`, `occurrence` of searches. */
export const searchParams = {
  start: param('start', 'long', { optional: true }),
  length: param('length', 'long', { optional: true }),
  occurrence: param('occurrence', 'long', { optional: true }),
} as const;

/** Null if the occurrence is below 1 or the length below -1. */
export function whereSensible(
  occurrence: LoweredArgument | undefined,
  length: LoweredArgument | undefined,
  then: Expr,
): Expr {
  const bad: Expr[] = [];
  if (occurrence !== undefined && !(typeof occurrence.constant === 'bigint' && occurrence.constant >= 1n))
    bad.push(call('less', occurrence.sql, integer(1)));
  if (length !== undefined && !(typeof length.constant === 'bigint' && length.constant >= -1n))
    bad.push(call('less', length.sql, integer(-1)));
  return bad.length === 0 ? then : call('multiIf', ...bad.flatMap((b) => [b, nullOf('long')]), then);
}

/** Position of occurrence number `occurrence` of a plain text in a window, -1 if there is none. */
export function positionOf(window: Expr, needle: Expr, occurrence: LoweredArgument | undefined): Expr {
  const first = call('minus', call('positionUTF8', window, needle), integer(1));
  if (occurrence === undefined || occurrence.constant === 1n) return first;
  // No part of the text is searched twice: each search starts after the previous occurrence.
  // Position 0 means none.
  return shareSubexpression(window, (text) => {
    const count = call('toInt64', call('countSubstrings', text, needle));
    const there = call(
      'and',
      call('greaterOrEquals', occurrence.sql, integer(1)),
      call('lessOrEquals', occurrence.sql, count),
    );
    const steps = call(
      'range',
      call('toUInt64', call('if', there, call('minus', occurrence.sql, integer(1)), integer(0))),
    );
    const next = call(
      'toUInt64',
      call('positionUTF8', text, needle, call('plus', column('at'), call('lengthUTF8', needle))),
    );
    const reached = call(
      'arrayFold',
      lambda(['at', 'step'], next),
      steps,
      call('toUInt64', call('positionUTF8', text, needle)),
    );
    return call(
      'multiIf',
      call('isNull', occurrence.sql),
      nullOf('long'),
      call('greater', occurrence.sql, count),
      integer(-1),
      call('minus', call('toInt64', reached), integer(1)),
    );
  });
}
