import { call, integer } from '@millrace/sql';
import { param } from '../functions/define.js';
import { equalBits } from '../lower/equality.js';
import type { AggregateRecord } from './define.js';
import { defineAggregateOverload } from './define.js';

/** Accuracy of the estimate, in Kusto. */
const accuracy = param('accuracy', 'long', { optional: true, constant: true, within: { min: 0n, max: 4n } });

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'count',
    api: 'count',
    summary: 'The number of rows.',
    overloads: [
      defineAggregateOverload({
        params: [],
        returns: 'long',
        lower: (_, __, condition) => (condition === undefined ? call('count') : call('countIf', condition)),
      }),
    ],
    twin: { name: 'countif', api: 'countif', summary: 'The number of rows where a condition is true.' },
    differs: { kusto: 'With an argument, the number of rows that have a value.' },
    examples: [
      { apl: 'datatable(a:long)[1, 2, long(null)] | summarize count(a)', gives: [2] },
      { apl: 'datatable(a:long)[1, 2, long(null)] | summarize count()', gives: [3] },
      { apl: 'datatable(a:long)[1, 2, long(null)] | summarize countif(a > 1)', gives: [1] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize count()', gives: [0] },
    ],
  },
  {
    name: 'dcount',
    api: 'distinct',
    exactIntegers: true,
    summary: 'The number of distinct values, estimated to within about one per cent; nulls do not count.',
    overloads: [
      defineAggregateOverload({
        params: [param('value', 'any'), accuracy],
        returns: 'long',
        lower: ([value]) => call('ifNull', call('uniqCombined64', equalBits(value)), integer(0)),
      }),
    ],
    twin: {
      name: 'dcountif',
      api: 'distinctif',
      summary: 'The number of distinct values where a condition is true, estimated.',
      predicate: 1,
    },
    differs: { kusto: 'An accuracy may be given and has no effect.' },
    examples: [
      { apl: 'datatable(a:string)["x", "y", "x", string(null)] | summarize dcount(a)', gives: [2] },
      { apl: 'datatable(a:long)[1, 2, 3] | summarize dcountif(a, a > 1)', gives: [2] },
      { apl: 'datatable(a:long)[1, 2, 3] | summarize dcount(a, 4), dcountif(a, a > 1, 0)', gives: [3, 2] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize dcount(a)', gives: [0] },
    ],
  },
  {
    name: 'count_distinct',
    api: 'distinct',
    exactIntegers: true,
    summary: 'The exact number of distinct values; nulls do not count.',
    overloads: [
      defineAggregateOverload({
        params: [param('value', 'any')],
        returns: 'long',
        lower: ([value]) => call('ifNull', call('uniqExact', equalBits(value)), integer(0)),
      }),
    ],
    twin: {
      name: 'count_distinctif',
      api: 'distinctif',
      summary: 'The exact number of distinct values where a condition is true.',
    },
    examples: [
      { apl: 'datatable(a:string)["x", "y", "x", string(null)] | summarize count_distinct(a)', gives: [2] },
      { apl: 'datatable(a:long)[1, 2, 3] | summarize count_distinctif(a, a > 1)', gives: [2] },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
];
