import { call, column, integer, lambda, literal, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { presentNumbersOf } from '../functions/array/elements.js';
import { param } from '../functions/define.js';
import { KEPT_HASHES } from '../functions/sketches.js';
import { seriesJson } from '../functions/timeseries/series.js';
import { equalBits } from '../lower/equality.js';
import { arrayJson, elementsOf } from '../lower/json/members.js';
import type { AggregateRecord } from './define.js';
import { defineAggregateOverload } from './define.js';

/**
 * Sketches: small arrays that summarize many values, can be merged, and give estimates of counts
 * and percentiles. They are JSON, not states of the engine: the engine would trust a state from an
 * untrusted string.
 */

/** Hashes as fixed texts of hexadecimal digits, which are in the order of the numbers. */
const hashOf = (value: Expr): Expr =>
  call('leftPad', call('lower', call('hex', call('xxHash64', call('toString', value)))), integer(16), literal('0'));

const smallest = (hashes: Expr): Expr =>
  call('arraySlice', call('arraySort', call('arrayDistinct', hashes)), integer(1), integer(KEPT_HASHES));

const texts = (hashes: Expr): Expr =>
  arrayJson(call('arrayMap', lambda(['hash'], call('toJSONString', column('hash'))), hashes));

/** Values that a sketch of numbers keeps. */
const KEPT_VALUES = 200;

/**
 * Evenly spread percentiles of the values, as many as a sketch has; all values if there are no
 * more.
 */
const spread = (sorted: Expr): Expr => {
  const size = call('length', sorted);
  const place = call('toUInt64', call('intDiv', call('multiply', column('n'), size), integer(KEPT_VALUES)));
  const places = call('range', integer(0), integer(KEPT_VALUES));
  const some = call('arrayMap', lambda(['n'], call('arrayElement', sorted, call('plus', place, integer(1)))), places);
  return call('if', call('lessOrEquals', size, integer(KEPT_VALUES)), sorted, some);
};

/** Maximum values for a sketch of numbers; a sample if there are more. */
const SAMPLED = 100_000n;

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'hll',
    api: 'hll',
    summary: 'A sketch of the different values, from which dcount_hll estimates how many there are.',
    overloads: [
      defineAggregateOverload({
        params: [
          param('value', 'any'),
          param('accuracy', 'long', { optional: true, constant: true, within: { min: 0n, max: 4n } }),
        ],
        returns: 'array',
        lower: ([value]) => texts(smallest(parametric('groupUniqArray', [], hashOf(equalBits(value))))),
      }),
    ],
    twin: {
      name: 'hll_if',
      api: 'hllif',
      summary: 'A sketch of the different values where a condition is true.',
      predicate: 1,
    },
    examples: [
      { apl: 'range x from 1 to 100 step 1 | summarize h = hll(x % 7) | project dcount_hll(h)', gives: [7] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize h = hll(a) | project dcount_hll(h)', gives: [0] },
      {
        apl: 'datatable(a:string)["x", "y", "x"] | summarize h = hll_if(a, a == "x") | project dcount_hll(h)',
        gives: [1],
      },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'The sketch keeps the smallest hashes; the accuracy has no effect.' },
  },
  {
    name: 'hll_merge',
    api: 'hllmerge',
    summary: 'The sketch of the values of all the sketches that hll made.',
    overloads: [
      defineAggregateOverload({
        params: [param('sketch', 'array')],
        returns: 'array',
        lower: ([sketch]) =>
          texts(
            smallest(
              call(
                'arrayMap',
                lambda(['text'], call('JSONExtractString', column('text'))),
                parametric('groupUniqArrayArray', [], elementsOf(sketch.sql)),
              ),
            ),
          ),
      }),
    ],
    examples: [
      {
        apl: 'range x from 1 to 1000 step 1 | summarize h = hll(x) by g = x % 3 | summarize h = hll_merge(h) | project dcount_hll(h)',
        gives: [1000],
      },
      {
        apl: 'range x from 1 to 100000 step 1 | summarize h = hll(x) by g = x % 3 | summarize h = hll_merge(h) | project n = dcount_hll(h) | project n > 95000 and n < 105000',
        gives: [true],
      },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
  {
    name: 'tdigest',
    api: 'tdigest',
    summary: 'A sketch of numbers, from which percentile_tdigest estimates percentiles.',
    overloads: [
      defineAggregateOverload({
        params: [param('value', 'number')],
        returns: 'array',
        lower: ([value]) => {
          const sample = parametric('groupArraySample', [integer(SAMPLED), integer(1)], call('toFloat64', value.sql));
          return seriesJson(spread(call('arraySort', sample)));
        },
      }),
    ],
    examples: [
      {
        apl: 'range x from 1 to 100 step 1 | summarize t = tdigest(x) | project percentile_tdigest(t, 95)',
        gives: [95],
      },
      {
        apl: 'range x from 1 to 10000 step 1 | summarize t = tdigest(x) | project p = percentile_tdigest(t, 50) | project p > 4900 and p < 5100',
        gives: [true],
      },
      {
        apl: 'datatable(a:long)[1] | where a > 1 | summarize t = tdigest(a) | project percentile_tdigest(t, 50)',
        gives: [null],
      },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'The sketch keeps 200 of the values. No weights.' },
  },
  {
    name: 'tdigest_merge',
    api: 'tdigestmerge',
    summary:
      'The sketch of the numbers of all the sketches that tdigest made. Each counts as much as the values that it keeps.',
    overloads: [
      defineAggregateOverload({
        params: [param('sketch', 'array')],
        returns: 'array',
        lower: ([sketch]) =>
          seriesJson(
            spread(call('arraySort', parametric('groupArrayArray', [integer(SAMPLED)], presentNumbersOf(sketch.sql)))),
          ),
      }),
    ],
    examples: [
      {
        apl: 'range x from 1 to 1000 step 1 | summarize t = tdigest(x) by g = x % 3 | summarize t = tdigest_merge(t) | project p = percentile_tdigest(t, 90) | project p > 880 and p < 920',
        gives: [true],
      },
    ],
    differs: {
      axiom: 'Not in Axiom.',
      kusto: 'Sketches of more than 200 values count alike, however many they stand for.',
    },
  },
];
