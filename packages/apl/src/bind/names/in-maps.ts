import { and, call } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import { nullOf } from '../../lower/values.js';
import { columnOf } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { Field } from '../../plan/schema.js';
import type { Name } from '../../syntax/ast.js';
import { spelling } from '../../syntax/names.js';
import { apply } from '../calls/calls.js';
import { dynamicOf } from '../values/coerce.js';
import type { Scope } from '../context.js';
import { members } from './member.js';

/** Events are not nested more deeply. */
const DEEPEST = 100;

/**
 * Finds values that events have under a name in map fields that its path begins with, instead of
 * the column of that name. The location depends on which fields were map fields when the event
 * arrived, so a query that names the value reads all locations. Undefined if there is no such map
 * field.
 * @param column the column of the name, if there is one. It wins in an event that has both. Map
 * fields that a join took from other events do not count.
 */
export function inMaps(path: readonly Name[], scope: Scope, column?: Field): Scalar | undefined {
  const [first, ...keys] = path;
  if (first === undefined || (column !== undefined && column.events === undefined)) return undefined;
  const parts = [...segmentsOf(first), ...keys];
  if (parts.length > DEEPEST) return undefined;
  const found: Scalar[] = [];
  let events = column?.events;
  for (let length = parts.length - 1; length > 0; length--) {
    const field = fieldNamed(scope.schema, spelling(parts.slice(0, length)));
    const map = field?.readings.find(({ type }) => type === 'bag' || type === 'dynamic');
    if (map === undefined || field?.events === undefined || (events ?? field.events) !== field.events) continue;
    events = field.events;
    found.push(...members([columnOf(map)], parts.slice(length), scope));
  }
  const value = dynamicOf(found);
  return column === undefined || value === undefined
    ? value
    : apply('unless', unless, [value, ...readingsOf(column)], scope.query);
}

/** Null where a column is set: at most one type variant of a value is set. */
const unless = defineOverload({
  params: [param('value', 'dynamic')],
  rest: param('column', 'any'),
  returns: 'dynamic',
  lower: ([value, ...columns]) =>
    call('if', and(...columns.map(({ sql }) => call('isNull', sql))), value.sql, nullOf('dynamic')),
});

/** The steps of a dotted name; a dot that is written `\.` belongs to a step. */
const segmentsOf = (name: Name): readonly Name[] =>
  name.text.split(/(?<!\\)\./).map((text) => ({ ...name, text: text.replaceAll('\\.', '.') }));
