import { call, integer, parametric } from '@millrace/sql';
import { bagJson, firstOfEach } from '../functions/array/bags.js';
import { param } from '../functions/define.js';
import { membersOf } from '../functions/json-text.js';
import { MAX_LIST } from './collections.js';
import type { AggregateRecord } from './define.js';
import { defineAggregateOverload } from './define.js';

/** Aggregates that give objects. */
export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'make_bag',
    api: 'makebag',
    summary:
      'One object with the members of all the objects; of several values of a key, any one is taken. Other values are ignored.',
    overloads: [
      defineAggregateOverload({
        params: [
          param('bag', 'bag'),
          param('maximum', 'long', { optional: true, constant: true, within: { min: 1n, max: MAX_LIST } }),
        ],
        returns: 'bag',
        lower: ([bag, maximum]) => {
          const max = typeof maximum?.constant === 'bigint' ? maximum.constant : MAX_LIST;
          const members = parametric('groupArrayArray', [integer(MAX_LIST)], membersOf(bag.sql));
          return bagJson(call('arraySlice', firstOfEach(members), integer(1), integer(max)));
        },
      }),
    ],
    twin: {
      name: 'make_bag_if',
      api: 'makebagif',
      summary: 'One object with the members of the objects in rows where a condition is true.',
      predicate: 1,
    },
    examples: [
      {
        apl: 'datatable(k:string, v:long)["a", 1, "é", 2] | summarize make_bag(bag_pack(k, v))',
        gives: [{ a: 1, é: 2 }],
      },
      {
        apl: 'datatable(b:dynamic)[dynamic({"a": 1}), dynamic([1]), dynamic(null), dynamic({"b": {"c": [2]}})] | summarize make_bag(b)',
        gives: [{ a: 1, b: { c: [2] } }],
      },
      {
        apl: 'datatable(k:string, v:long)["a", 1, "b", 2] | summarize make_bag_if(bag_pack(k, v), v > 1), bag_keys(make_bag(bag_pack(k, v), 1))',
        gives: [{ b: 2 }, ['a']],
      },
      { apl: 'datatable(b:dynamic)[dynamic({"a": 1})] | where isnull(b) | summarize make_bag(b)', gives: [{}] },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
];
