import { call, cast, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import { holdsArray, holdsObject, part } from '../json-text.js';
import { mapElements } from './elements.js';

/** Deeper values are not visited: each level is a step, whether there are values or not. */
const MAX_DEPTH = 32;

/** A value of the tree: its path, its place in the order of the text, and its JSON. */
const NODES = 'Array(Tuple(String, String, String))';
const text = (value: string): Expr => literal(value);
const node = (path: Expr, order: Expr, json: Expr): Expr => call('tuple', path, order, json);

/** `body` for each element, with its place as text that sorts like the number. */
const numberElements = (elements: Expr, body: (element: Expr, place: Expr) => Expr): Expr =>
  call(
    'arrayMap',
    lambda(
      ['value', 'at'],
      body(column('value'), call('leftPad', call('toString', column('at')), integer(8), text('0'))),
    ),
    elements,
    call('arrayEnumerate', elements),
  );

const keyStep = (key: Expr): Expr =>
  call(
    'concat',
    text("['"),
    call('replaceRegexpAll', key, text(String.raw`(['\\])`), text(String.raw`\\\1`)),
    text("']"),
  );

/** The values directly within a value. */
function within(parent: Expr): Expr {
  const [path, order, json] = [part(parent, 1), part(parent, 2), part(parent, 3)];
  const members = shareSubexpression(call('JSONExtractKeysAndValuesRaw', json), (all) =>
    numberElements(all, (member, place) =>
      node(call('concat', path, keyStep(part(member, 1))), call('concat', order, place), part(member, 2)),
    ),
  );
  const elements = shareSubexpression(call('JSONExtractArrayRaw', json), (all) =>
    numberElements(all, (element, place) =>
      node(call('concat', path, text('[0]')), call('concat', order, place), element),
    ),
  );
  return call('multiIf', holdsObject(json), members, holdsArray(json), elements, cast(call('array'), NODES));
}

function pathsIn(json: Expr): Expr {
  const root = cast(call('array', node(text(''), text(''), json)), NODES);
  const start = cast(call('tuple', cast(call('array'), NODES), root), `Tuple(${NODES}, ${NODES})`);
  const next = shareSubexpression(
    call('arrayFlatten', call('arrayMap', lambda(['parent'], within(column('parent'))), part(column('state'), 2))),
    (found) =>
      cast(call('tuple', call('arrayConcat', part(column('state'), 1), found), found), `Tuple(${NODES}, ${NODES})`),
  );
  const all = call('arrayFold', lambda(['state', 'level'], next), call('range', integer(MAX_DEPTH)), start);
  const inOrder = call('arraySort', lambda(['found'], part(column('found'), 2)), part(all, 1));
  return call(
    'toJSONString',
    call(
      'arrayDistinct',
      mapElements(inOrder, 'found', (found) => part(found, 1)),
    ),
  );
}

export const treepath = defineFunction({
  name: 'treepath',
  summary: 'The paths of all values in an object or array, in the order of the text; `[0]` stands for any element.',
  params: [param('object', 'dynamic')],
  returns: 'array',
  lower: ([object]) =>
    shareSubexpression(object.sql, (json) =>
      call(
        'if',
        call('or', holdsObject(json), holdsArray(json)),
        pathsIn(call('ifNull', json, text(''))),
        nullOf('array'),
      ),
    ),
  examples: [
    { apl: `treepath(parse_json('{"a":"b", "c":123}'))`, gives: ["['a']", "['c']"] },
    {
      apl: `treepath(parse_json('{"prop1":[1,2,3,4], "prop2":"value2"}'))`,
      gives: ["['prop1']", "['prop1'][0]", "['prop2']"],
    },
    {
      apl: `treepath(parse_json('{"l":[100,"abcde",{"x":"y"},[7]]}'))`,
      gives: ["['l']", "['l'][0]", "['l'][0]['x']", "['l'][0][0]"],
    },
    { apl: `treepath(dynamic({"a":{"b":{}},"it's":null}))`, gives: ["['a']", "['a']['b']", String.raw`['it\'s']`] },
    { apl: 'treepath(dynamic([]))', gives: [] },
    { apl: 'treepath(dynamic({"a": "x"}).a)', gives: null },
  ],
  differs: { axiom: 'Not in Axiom.', kusto: 'Values more than 32 levels deep are left out.' },
});
