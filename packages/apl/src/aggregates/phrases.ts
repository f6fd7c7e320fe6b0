import { call, column, integer, lambda, literal, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import { arrayJson } from '../lower/json/members.js';
import type { AggregateRecord } from './define.js';
import { defineAggregateOverload } from './define.js';

/** How many words a phrase has. */
const LENGTHS = [2, 3] as const;
/** Maximum number of phrases: each takes the memory of ten. */
const MAX_PHRASES = 1_000n;
/**
 * Candidates while counting, per requested phrase: rare ones drop out, frequent ones are counted
 * nearly exactly.
 */
const CANDIDATES = 10n;
const MIN_CANDIDATES = 1_000n;
/** The most words read of one text, so that one long document does not take all memory. */
const MAX_WORDS = 1_000;

const words = (text: Expr): Expr =>
  call(
    'arraySlice',
    call('extractAll', call('lowerUTF8', text), literal('[\\p{L}\\p{N}]+')),
    integer(1),
    integer(MAX_WORDS),
  );

/** All runs of `length` words. */
const runs = (list: Expr, length: number): Expr =>
  call(
    'arrayMap',
    lambda(['i'], call('arrayStringConcat', call('arraySlice', list, column('i'), integer(length)), literal(' '))),
    call(
      'range',
      integer(1),
      call('greatest', integer(1), call('minus', call('plus', call('length', list), integer(2)), integer(length))),
    ),
  );

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'phrases',
    api: 'computed',
    summary:
      'The most frequent phrases of two or three words in the texts, 10 unless maximum says otherwise: an array of {phrase, count}, estimated.',
    overloads: [
      defineAggregateOverload({
        params: [
          param('text', 'string'),
          param('maximum', 'long', { optional: true, constant: true, within: { min: 1n, max: MAX_PHRASES } }),
        ],
        returns: 'array',
        lower: ([text, maximum]) => {
          const wanted = typeof maximum?.constant === 'bigint' ? maximum.constant : 10n;
          const reserved = wanted * CANDIDATES > MIN_CANDIDATES ? wanted * CANDIDATES : MIN_CANDIDATES;
          const list = words(call('ifNull', text.sql, literal('')));
          const found = call('arrayConcat', ...LENGTHS.map((length) => runs(list, length)));
          const ranked = parametric('approx_top_kArray', [integer(reserved)], found);
          const item = (n: number): Expr => call('tupleElement', column('t'), integer(n));
          const order = lambda(['t'], call('tuple', call('negate', item(2)), item(1)));
          const best = call('arraySlice', call('arraySort', order, ranked), integer(1), integer(wanted));
          const entry = call(
            'concat',
            literal('{"phrase":'),
            call('toJSONString', item(1)),
            literal(',"count":'),
            call('toString', item(2)),
            literal('}'),
          );
          return arrayJson(call('arrayMap', lambda(['t'], entry), best));
        },
      }),
    ],
    examples: [
      {
        apl: 'datatable(a:string)["Disk is full", "the disk is hot", "cpu"] | summarize phrases(a, 1)',
        gives: [[{ phrase: 'disk is', count: 2 }]],
      },
      { apl: 'datatable(a:string)["one", string(null), ""] | summarize phrases(a, 3)', gives: [[]] },
    ],
    differs: {
      axiom: 'How phrases are found is not documented; here they are runs of two or three words, ignoring case.',
    },
  },
];
