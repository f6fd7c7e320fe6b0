import { call, column, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shownJson } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { asJson, asString } from '../../lower/values.js';
import { arrayJson, elementsOf, jsonOrNullText } from '../../lower/json/members.js';
import { isDynamic } from '../../model/types.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { contentOf, holdsArray, holdsObject, holdsText, membersOf, parsedJson, part } from '../json-text.js';

/** The JSON value in a text; of a JSON string the content is parsed, any other value stays. */
function fromText(value: LoweredArgument): Expr {
  if (value.type === 'string') return parsedJson(value.sql);
  if (!isDynamic(value.type)) return asJson(value);
  return shareSubexpression(value.sql, (json) => call('if', holdsText(json), parsedJson(contentOf(json)), json));
}

/**
 * How deep the keys of objects are sorted: events hardly go deeper, and every level makes the query
 * longer.
 */
const SORTED_LEVELS = 8;

/**
 * JSON text with the keys of objects in byte order, `levels` deep. The next level is written only
 * once, or the SQL would explode.
 */
function sortMembers(json: Expr, levels: number): Expr {
  if (levels === 0) return json;
  const name = `part${levels}`;
  const it = column(name);
  const map = (body: Expr, parts: Expr): Expr => call('arrayMap', lambda([name], body), parts);
  const keyMember = (key: Expr, value: Expr): Expr => call('tuple', key, value);
  const members = map(
    keyMember(call('concat', call('toJSONString', part(it, 1)), literal(':')), part(it, 2)),
    call('arraySort', lambda([name], part(it, 1)), membersOf(json)),
  );
  const elements = map(keyMember(literal(''), it), elementsOf(json));
  const parts = call('if', holdsObject(json), members, elements);
  const written = map(call('concat', part(it, 1), sortMembers(part(it, 2), levels - 1)), parts);
  const either = (ofObject: Expr, ofArray: Expr, otherwise: Expr): Expr =>
    call('multiIf', holdsObject(json), ofObject, holdsArray(json), ofArray, otherwise);
  return call(
    'concat',
    either(literal('{'), literal('['), json),
    call('arrayStringConcat', written, literal(',')),
    either(literal('}'), literal(']'), literal('')),
  );
}

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'todynamic',
    summary: 'The JSON value written in a text; null if the text is not JSON.',
    params: [param('json', 'any')],
    returns: 'dynamic',
    lower: ([value]) => fromText(value),
    examples: [
      { apl: 'todynamic("{\\"a\\": [1, null]}")', gives: { a: [1, null] } },
      { apl: 'todynamic("not json {")', gives: null },
      { apl: 'todynamic("")', gives: null },
      { apl: 'todynamic(" 42 ")', gives: 42 },
      { apl: 'todynamic("[18446744073709551616, 1]")', gives: ['18446744073709551616', 1] },
      {
        apl: 'todynamic("{\\"18446744073709551616, \\": -18446744073709551616}")',
        gives: { '18446744073709551616, ': '-18446744073709551616' },
      },
      { apl: 'todynamic("[1e20, {\\"a\\": 1}]")[1].a', gives: 1 },
      {
        apl: 'tostring(todynamic("[[18446744073709551616, 1234567890123456789]]")[0])',
        gives: '["18446744073709551616",1234567890123456789]',
      },
      { apl: 'toreal(todynamic("[18446744073709551616]")[0])', gives: 18446744073709551616 },
    ],
    differs: {
      axiom:
        'Integers beyond 64 bits become texts with all their digits. If a key occurs twice, the first one is found.',
    },
  }),
  defineFunction({
    name: 'toarray',
    summary:
      'An array stays as it is, an object becomes an array of its values, any other value an array of one element, null an empty array.',
    handlesNulls: true,
    params: [param('value', 'any')],
    returns: 'array',
    lower: ([value]) => {
      if (value.constant === null) return literal('[]');
      if (!isDynamic(value.type))
        return call('ifNull', call('concat', literal('['), asJson(value), literal(']')), literal('[]'));
      return shareSubexpression(value.sql, (json) =>
        call(
          'multiIf',
          call('isNull', json),
          literal('[]'),
          holdsArray(json),
          json,
          holdsObject(json),
          arrayJson(part(membersOf(json), 2)),
          arrayJson(call('array', jsonOrNullText({ type: 'dynamic', sql: json }))),
        ),
      );
    },
    examples: [
      { apl: 'toarray(dynamic([1, "a"]))', gives: [1, 'a'] },
      { apl: 'toarray(dynamic({"a": 1, "b": [2]}))', gives: [1, [2]] },
      { apl: 'toarray("123")', gives: ['123'] },
      { apl: 'toarray(5)', gives: [5] },
      { apl: 'toarray(dynamic(null))', gives: [] },
    ],
  }),
  defineFunction({
    name: 'dynamic_to_json',
    summary:
      'The JSON text of a value, without white space and with keys in byte order; texts and numbers as tostring gives them.',
    params: [param('value', 'any')],
    returns: 'string',
    lower: ([value]) => {
      if (!isDynamic(value.type)) return asString(value);
      return shareSubexpression(value.sql, (json) =>
        call('if', holdsText(json), contentOf(json), shownJson(sortMembers(json, SORTED_LEVELS))),
      );
    },
    examples: [
      {
        apl: 'dynamic_to_json(dynamic({"b": 1, "a": {"d": [2, {"z": 1, "y": null}], "c": 3}}))',
        gives: '{"a":{"c":3,"d":[2,{"y":null,"z":1}]},"b":1}',
      },
      { apl: 'dynamic_to_json(dynamic([]))', gives: '[]' },
      { apl: 'dynamic_to_json(dynamic([{"b": [-1e20]}]))', gives: '[{"b":[-100000000000000000000]}]' },
      { apl: 'dynamic_to_json("text")', gives: 'text' },
      { apl: 'dynamic_to_json(dynamic({"é/": "x/y"}))', gives: '{"é/":"x/y"}' },
    ],
    differs: { axiom: `Keys of objects nested deeper than ${SORTED_LEVELS} levels keep their order.` },
  }),
];
