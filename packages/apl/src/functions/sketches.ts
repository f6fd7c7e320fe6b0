import { call, integer, literal } from '@millrace/sql';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { nullOf } from '../lower/values.js';
import { elementsOf } from '../lower/json/members.js';
import { presentNumbersOf } from './array/elements.js';
import { defineFunction, param } from './define.js';
import type { FunctionRecord } from './define.js';
import { holdsArray } from './json-text.js';

/**
 * Hashes that a sketch of different values keeps at most; an estimate is off by about one divided
 * by the root of it.
 */
export const KEPT_HASHES = 4096n;

/** Functions that read values from sketches. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'dcount_hll',
    summary: 'How many different values a sketch of hll stands for: exact up to some thousands, then estimated.',
    params: [param('sketch', 'array')],
    returns: 'long',
    lower: ([sketch]) =>
      shareSubexpression(sketch.sql, (json) =>
        shareSubexpression(elementsOf(json), (hashes) => {
          const count = call('length', hashes);
          const last = call('JSONExtractString', call('arrayElement', hashes, integer(-1)));
          const text = call('if', call('match', last, literal('^[0-9a-f]{16}$')), last, literal('ffffffffffffffff'));
          // The largest hash as a share of all hashes is the share of the values in the sketch.
          const number = call('reinterpretAsUInt64', call('reverse', call('unhex', text)));
          const share = call('divide', call('plus', call('toFloat64', number), literal(1)), literal(2 ** 64));
          const estimate = call('toInt64', call('round', call('divide', call('minus', count, integer(1)), share)));
          const found = call('if', call('less', count, integer(KEPT_HASHES)), call('toInt64', count), estimate);
          return call('if', holdsArray(json), found, nullOf('long'));
        }),
      ),
    examples: [
      { apl: 'dcount_hll(dynamic(["0000000000000001", "8000000000000000"]))', gives: 2 },
      { apl: 'dcount_hll(dynamic([]))', gives: 0 },
      { apl: 'dcount_hll(dynamic({"a": 1}).a)', gives: null },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'percentile_tdigest',
    summary: 'A percentile of the numbers that a sketch of tdigest stands for.',
    params: [param('sketch', 'array'), param('percentile', 'real', { constant: true })],
    returns: 'real',
    check: ([, percent]) =>
      Number(percent?.constant ?? 0) >= 0 && Number(percent?.constant ?? 0) <= 100
        ? undefined
        : { argument: 1, message: 'a percentile is a number from 0 to 100, such as 95' },
    lower: ([sketch, percent]) =>
      shareSubexpression(call('arraySort', presentNumbersOf(sketch.sql)), (sorted) => {
        const place = call('ceil', call('divide', call('multiply', percent.sql, call('length', sorted)), integer(100)));
        return call('arrayElementOrNull', sorted, call('toUInt32', call('greatest', place, literal(1))));
      }),
    examples: [
      { apl: 'percentile_tdigest(dynamic([1, 2, 3, 4]), 50)', gives: 2 },
      { apl: 'percentile_tdigest(dynamic([]), 50)', gives: null },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'No type for the result.' },
  }),
];
