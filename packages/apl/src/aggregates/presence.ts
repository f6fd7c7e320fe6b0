import { param } from '../functions/define.js';
import type { AggregateRecord } from './define.js';

/**
 * Tells which fields have values. `summarize` replaces it by a count per field
 * (`multiple-values.ts`).
 */
export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'presence',
    api: 'presence',
    summary: 'How many rows have a value in each of the fields, as an object; * stands for all fields.',
    overloads: [
      {
        params: [param('field', 'any')],
        rest: param('field', 'any'),
        returns: 'bag',
        // Inside another call it is not replaced by its counts.
        check: () => ({
          argument: 0,
          message: 'presence stands alone as a column: summarize p = presence(a, b) | extend tostring(p)',
        }),
        lower: () => {
          throw new RangeError('presence is bound as counts');
        },
      },
    ],
    examples: [
      {
        apl: 'datatable(a:long, b:string)[1, "x", long(null), "y", 3, ""] | summarize presence(*)',
        gives: [{ a: 2, b: 3 }],
      },
      {
        apl: 'datatable(a:long, b:string)[1, "x", long(null), "y", 3, ""] | summarize presence(a) by b | where b == "y"',
        gives: ['y', { a: 0 }],
      },
    ],
    differs: {
      axiom: 'Not documented. Fields that few events have count only if the query names them.',
      kusto: 'Not in Kusto.',
    },
  },
];
