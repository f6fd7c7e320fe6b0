import { call } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { arrayJson } from '../../lower/json/members.js';
import { defineOverload, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { valueAtPath, readPath } from './json-path.js';
import { slice } from './parts.js';

/** Functions that follow a path into arrays. */
export const functions: readonly FunctionRecord[] = [
  {
    name: 'array_extract',
    aliases: ['array_select'],
    summary:
      'All values that a JSONPath finds, as an array, which may be empty: $[*].id takes the member id of every element. With positions instead of a path, the same as array_slice.',
    overloads: [
      defineOverload({
        params: [param('source', 'dynamic'), param('path', 'string', { constant: true })],
        returns: 'array',
        check: ([, path]) => {
          if (typeof path?.constant !== 'string') return undefined;
          const reading = readPath(path.constant);
          return reading.ok ? undefined : { argument: 1, message: reading.message };
        },
        onceEach: true,
        lower: ([source, path]) => {
          const reading = readPath(typeof path.constant === 'string' ? path.constant : '?');
          if (!reading.ok) return nullOf('array');
          return call(
            'if',
            call('isNull', source.sql),
            nullOf('array'),
            arrayJson(valueAtPath(reading.steps, source.sql)),
          );
        },
      }),
      slice,
    ],
    examples: [
      {
        apl: 'array_extract(dynamic([{"id": 1}, {"id": "é"}, {}, 5, {"id": null}]), "$[*].id")',
        gives: [1, 'é', null],
      },
      { apl: 'array_extract(dynamic({"a b": [{"c": [1, 2]}, {"c": [3]}]}), "$[\'a b\'][*].c[-1]")', gives: [2, 3] },
      { apl: 'array_extract(dynamic([{"a": {"x": 1, "y": 2}}]), "$[0].a.*")', gives: [1, 2] },
      { apl: 'array_extract(dynamic([]), "$[0]")', gives: [] },
      { apl: 'array_extract(dynamic([5, 4, 3, 2]), 0, 3)', gives: [5, 4, 3] },
    ],
    differs: {
      axiom:
        'Paths must be constant, without recursion (..), slices and filters. The form with positions is undocumented, but in use.',
    },
  },
];
