import { call, literal } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { AggregateRecord } from './define.js';
import { defineAggregateOverload } from './define.js';

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'rate',
    api: 'rate',
    summary: 'The sum of the values per second of the time bin, or of the whole time range if there is no bin.',
    overloads: [
      defineAggregateOverload({
        params: [param('value', 'number')],
        returns: 'real',
        readsEventTimes: true,
        lower: ([value], { bucket, range }) => {
          const length = bucket ?? (range.end > range.start ? range.end - range.start : 1n);
          return call('divide', call('ifNull', call('sum', value.sql), literal(0n)), literal(Number(length) / 1e9));
        },
      }),
    ],
    examples: [
      {
        apl: 'datatable(_time:datetime, a:long)[datetime(2024-01-01), 30, datetime(2024-01-01 00:00:30), 30] | summarize r = rate(a) by bin(_time, 1m) | project r',
        gives: [1],
      },
    ],
  },
];
