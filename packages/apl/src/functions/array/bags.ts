import { and, call, column, integer, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { elementsOf } from '../../lower/json/members.js';
import type { ScalarType } from '../../model/types.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { AboutArgument, FunctionRecord, LoweredArgument } from '../define.js';
import { holdsArray, holdsObject, membersOf, part } from '../json-text.js';
import { elementText, filterElements, mapElements, nullText, textOf } from './elements.js';

/** Building blocks: the members of an object are an array of tuples (key, JSON text). */

/** `body` if the value is an object, null otherwise. */
const ofObject = (bag: LoweredArgument, type: ScalarType, body: (json: Expr) => Expr): Expr =>
  shareSubexpression(bag.sql, (json) => call('if', holdsObject(json), body(json), nullOf(type)));

/** JSON text of an object with these members. */
export const bagJson = (members: Expr): Expr =>
  call(
    'concat',
    literal('{'),
    call(
      'arrayStringConcat',
      mapElements(members, 'member', (member) =>
        call('concat', call('toJSONString', part(member, 1)), literal(':'), part(member, 2)),
      ),
      literal(','),
    ),
    literal('}'),
  );

/** Keeps the first member of each key. */
export const firstOfEach = (members: Expr): Expr =>
  shareSubexpression(members, (all) =>
    call(
      'arrayFilter',
      lambda(['member', 'occurrence'], call('equals', column('occurrence'), integer(1))),
      all,
      call(
        'arrayEnumerateUniq',
        mapElements(all, 'member', (member) => part(member, 1)),
      ),
    ),
  );

function zipBag(keys: Expr, values: Expr): Expr {
  const size = call('least', call('length', keys), call('length', values));
  const cut = (elements: Expr): Expr => call('arraySlice', elements, integer(1), size);
  const members = call(
    'arrayMap',
    lambda(['key', 'value'], call('tuple', column('key'), column('value'))),
    cut(keys),
    cut(values),
  );
  const named = filterElements(members, 'member', (member) => call('notEquals', part(member, 1), nullText));
  return bagJson(
    firstOfEach(mapElements(named, 'member', (member) => call('tuple', textOf(part(member, 1)), part(member, 2)))),
  );
}

/** Functions on objects. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'bag_keys',
    summary: 'The keys of an object as an array, without those of nested objects; null if the value is not an object.',
    params: [param('bag', 'bag')],
    returns: 'array',
    lower: ([bag]) =>
      ofObject(bag, 'array', (json) =>
        call('toJSONString', call('arrayDistinct', call('JSONExtractKeys', call('ifNull', json, literal(''))))),
      ),
    examples: [
      { apl: 'bag_keys(dynamic({"os": "x", "é/ü": {"inner": 1}}))', gives: ['os', 'é/ü'] },
      { apl: 'bag_keys(dynamic({}))', gives: [] },
      { apl: 'bag_keys(dynamic([{"a": 1}])[0])', gives: ['a'] },
      { apl: 'bag_keys(dynamic({"a": [1]}).a)', gives: null },
    ],
  }),
  defineFunction({
    name: 'bag_has_key',
    summary: 'Whether an object has the key, even if its value is null; null if the first argument is not an object.',
    params: [param('bag', 'bag'), param('key', 'string')],
    returns: 'bool',
    onceEach: true,
    lower: ([bag, key]) => ofObject(bag, 'bool', (json) => call('toBool', call('JSONHas', json, key.sql))),
    doubt: ([, key]) => noPath(key),
    examples: [
      { apl: 'bag_has_key(dynamic({"a": 1}), "a")', gives: true },
      { apl: 'bag_has_key(dynamic({"a": {"b": 1}, "n": null}), "b")', gives: false },
      { apl: 'bag_has_key(dynamic({"n": null}), "n")', gives: true },
      { apl: 'bag_has_key(dynamic({"a": "a"}).a, "a")', gives: null },
    ],
    differs: { kusto: 'No paths; a warning says so.' },
  }),
  defineFunction({
    name: 'bag_zip',
    summary: 'An object made of the keys in one array and the values in another, up to the end of the shorter one.',
    params: [param('keys', 'array'), param('values', 'array')],
    returns: 'bag',
    onceEach: true,
    lower: ([keys, values]) =>
      call(
        'if',
        call('and', holdsArray(keys.sql), holdsArray(values.sql)),
        zipBag(elementsOf(keys.sql), elementsOf(values.sql)),
        nullOf('bag'),
      ),
    examples: [
      { apl: 'bag_zip(dynamic(["a", "é", "c"]), dynamic([1, [2]]))', gives: { a: 1, é: [2] } },
      { apl: 'bag_zip(dynamic(["k", 7, null, "k"]), dynamic([null, "x", 1, 2]))', gives: { k: null, '7': 'x' } },
      { apl: 'bag_zip(dynamic([]), dynamic([1]))', gives: {} },
    ],
    differs: {
      axiom: 'A key that is not a text is converted to one; null keys and repeated ones are left out.',
      kusto: 'Keys without a value are left out.',
    },
  }),
  defineFunction({
    name: 'bag_merge',
    summary: 'An object with the members of all the objects; if a key occurs more than once, its first value is taken.',
    handlesNulls: true,
    params: [param('bag', 'bag')],
    rest: param('more', 'bag'),
    returns: 'bag',
    onceEach: true,
    lower: (bags) =>
      call(
        'if',
        or(...bags.map(({ sql }) => call('ifNull', holdsObject(sql), literal(false)))),
        bagJson(
          firstOfEach(
            bags.length === 1 ? membersOf(bags[0]!.sql) : call('arrayConcat', ...bags.map(({ sql }) => membersOf(sql))),
          ),
        ),
        nullOf('bag'),
      ),
    examples: [
      { apl: 'bag_merge(dynamic({"a": 1, "b": 2}), dynamic({"b": 3, "c": null}))', gives: { a: 1, b: 2, c: null } },
      { apl: 'bag_merge(dynamic({"é": 1}), dynamic(null))', gives: { é: 1 } },
      { apl: 'bag_merge(dynamic(null), dynamic({"a": "x"}).a)', gives: null },
    ],
    differs: {
      axiom:
        'Undocumented in Axiom; as in Kusto, but arguments that are not objects are left out instead of giving null.',
    },
  }),
  defineFunction({
    name: 'bag_set_key',
    summary: 'The object with the key set to the value, which replaces an existing one.',
    handlesNulls: true,
    params: [param('bag', 'bag'), param('key', 'string'), param('value', 'any')],
    returns: 'bag',
    onceEach: true,
    lower: ([bag, key, value]) =>
      ofObject(bag, 'bag', (json) => {
        const text = call('ifNull', key.sql, literal(''));
        const others = filterElements(membersOf(json), 'member', (member) => call('notEquals', part(member, 1), text));
        const set = call('arrayPushBack', others, call('tuple', text, elementText(value)));
        return call('if', call('isNull', key.sql), nullOf('bag'), bagJson(set));
      }),
    doubt: ([, key]) => noPath(key),
    examples: [
      { apl: 'bag_set_key(dynamic({"a": 1}), "é", "x")', gives: { a: 1, é: 'x' } },
      { apl: 'bag_set_key(dynamic({"a": 1, "b": 2}), "a", dynamic(null))', gives: { a: null, b: 2 } },
      { apl: 'bag_set_key(dynamic(null), "a", 1)', gives: null },
    ],
    differs: { axiom: 'Undocumented in Axiom; as in Kusto, without paths, as a warning says.' },
  }),
  defineFunction({
    name: 'bag_remove_keys',
    summary: 'The object without the members whose keys are in an array.',
    params: [param('bag', 'bag'), param('keys', 'array')],
    returns: 'bag',
    onceEach: true,
    lower: ([bag, keys]) =>
      ofObject(bag, 'bag', (json) =>
        call(
          'if',
          holdsArray(keys.sql),
          shareSubexpression(mapElements(elementsOf(keys.sql), 'key', textOf), (texts) =>
            bagJson(without(membersOf(json), texts)),
          ),
          nullOf('bag'),
        ),
      ),
    doubt: ([, keys]) => noPath(keys),
    examples: [
      {
        apl: 'bag_remove_keys(dynamic({"a": 1, "b": {"a": 2}, "é": 3}), dynamic(["a", "é", "z"]))',
        gives: { b: { a: 2 } },
      },
      { apl: 'bag_remove_keys(dynamic({"a": 1}), dynamic([]))', gives: { a: 1 } },
      { apl: 'bag_remove_keys(dynamic({"a": 1}), dynamic(["a"]))', gives: {} },
    ],
    differs: { axiom: 'Undocumented in Axiom; as in Kusto, without paths, as a warning says.' },
  }),
];

/** In Kusto a key that begins with `$.` or `$[` is a path. */
function noPath({ constant }: LoweredArgument): AboutArgument | undefined {
  if (typeof constant !== 'string' || !/^(?:\[.*)?"?\$[.[]/s.test(constant)) return undefined;
  return { argument: 1, message: 'a key is taken as it is; in Kusto this one would be a path' };
}

/** Members whose key is not among the texts. */
function without(members: Expr, keys: Expr): Expr {
  return filterElements(members, 'member', (member) => call('not', call('has', keys, part(member, 1))));
}

/** An object without the members that are null or an empty text, as `pack_all(true)` gives it. */
export const withoutEmpty = defineOverload({
  params: [param('bag', 'bag')],
  returns: 'bag',
  lower: ([bag]) =>
    ofObject(bag, 'bag', (json) =>
      bagJson(
        filterElements(membersOf(json), 'member', (member) =>
          and(call('notEquals', part(member, 2), nullText), call('notEquals', part(member, 2), literal('""'))),
        ),
      ),
    ),
});
