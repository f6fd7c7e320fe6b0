import { call, integer, literal } from '@millrace/sql';
import type { QueryContext } from '../../bind/context.js';
import { defineOverload, param } from '../../functions/define.js';
import { readRegex } from '../../functions/re2.js';
import { quoteRegex } from '../../functions/string/pattern.js';
import type { Plan } from '../../plan/nodes.js';
import { callOf, columnOf, constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import type { ParseSegment } from '../../syntax/ast.js';
import { project } from '../columns.js';
import type { OperatorOf } from '../define.js';
import { capturesOf } from './parse-captures.js';
import type { ParseMatch } from './parse-match.js';
import { shapes } from './parse-shapes.js';

/**
 * Matches the pattern with a single regular expression; reports an error in it and returns
 * undefined.
 */
export function matchByRegex(
  operator: OperatorOf<'parse'>,
  source: Scalar,
  input: Plan,
  query: QueryContext,
): ParseMatch | undefined {
  const regex = regexOf(operator);
  const reading = readRegex(regex);
  if (!reading.ok) {
    query.report.error('argument_type', operator.span, reading.message);
    return undefined;
  }
  // One extraction for all columns.
  const groups = columnOf({ type: 'array', id: query.fresh('parsed') });
  const found = callOf('parse', extraction, [source, constant('string', regex)]);
  return {
    plan: project(
      input,
      [...input.schema.fields, { name: groups.id, readings: [groups] }],
      [{ id: groups.id, expr: found }],
    ),
    isMatch: callOf('matches', matches, [groups]),
    texts: capturesOf(operator).map(({ group: n }) => callOf('parse', group, [groups, constant('long', BigInt(n))])),
  };
}

/**
 * The groups of a match; empty if there is none. A match without groups would look the same, so the
 * whole expression is a group as well. This is the engine's own array, not JSON text as in other
 * columns of this type, because only `group` and `matches` read it.
 */
const extraction = defineOverload({
  params: [param('text', 'string'), param('regex', 'string', { constant: true })],
  returns: 'array',
  lower: ([text, regex]) => call('extractGroups', call('ifNull', text.sql, literal('')), regex.sql),
});

const matches = defineOverload({
  params: [param('groups', 'array')],
  returns: 'bool',
  lower: ([groups]) => call('notEmpty', groups.sql),
});

/** The text of a group; null without a match. */
const group = defineOverload({
  params: [param('groups', 'array'), param('number', 'long', { constant: true })],
  returns: 'string',
  lower: ([groups, number]) => call('arrayElementOrNull', groups.sql, integer((number.constant as bigint) + 1n)),
});

function regexOf({ mode, flags, pattern }: OperatorOf<'parse'>): string {
  const wanted = [...new Set(flags?.replace(/[^imsU]/g, '') ?? '')].join('');
  const lazy = wanted.includes('U');
  const body = pattern.map((segment, i) => pieceOf(segment, mode, lazy, pattern[i + 1])).join('');
  // Groups that the user writes are groups of the whole as well, which `capturesOf` counts with.
  const dot = mode === 'regex' && !wanted.includes('s') ? '' : 's';
  const set = [...new Set(dot + wanted.replace('U', ''))].join('');
  return `${set === '' ? '(?-s)' : `(?${set})`}(${mode === 'regex' ? '' : '^'}${body})`;
}

/**
 * `lazy` swaps greedy and lazy only in the user's regular expressions. Captures match as little as
 * possible, or a value of their type if no literal text follows, and the last one takes the rest.
 */
function pieceOf(
  segment: ParseSegment,
  mode: OperatorOf<'parse'>['mode'],
  lazy: boolean,
  next: ParseSegment | undefined,
): string {
  switch (segment.kind) {
    case 'text':
      return mode === 'regex' ? `(?${lazy ? 'U' : ''}:${segment.text})` : quoteRegex(segment.text);
    case 'skip':
      return next === undefined ? '.*' : '.*?';
    case 'capture': {
      if (next === undefined) return '(.*)';
      const isBounded = next.kind === 'text' && next.text !== '' && mode !== 'regex';
      const shape = isBounded ? undefined : shapes[segment.type];
      return shape === undefined ? '(.*?)' : `(${shape}|.*?)`;
    }
  }
}
