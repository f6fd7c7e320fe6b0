import { type CompiledQuery, mappedQueries } from '@millrace/apl';
import {
  and,
  call,
  column,
  type Expr,
  integer,
  literal,
  narrowQuery,
  type NarrowedRows,
  or,
  tablesWithWords,
} from '@millrace/sql';
import type { EventStorage } from '@millrace/storage/event-storage';
import { tableOf } from '@millrace/storage/tables/table-of-dataset';
import type { TimeSpan } from '@millrace/storage/term-index/time-spans';

/**
 * Narrows a query to the times of events with the words that it searches for. The result is
 * unchanged: the index excludes no time at which the conditions may hold, and only conditions that
 * no event at these times meets are dropped.
 */
export async function narrowByTerms(
  compiled: CompiledQuery,
  datasetIds: readonly number[],
  { termIndex }: Pick<EventStorage, 'termIndex'>,
): Promise<CompiledQuery> {
  const wanted = termIndex === undefined ? [] : tablesWithWords(compiled.query);
  if (termIndex === undefined || wanted.length === 0) return compiled;
  const known = new Map<string, NarrowedRows>();
  for (const { name, words: sets } of wanted) {
    const key = keyOf(name, sets);
    const datasetId = datasetIds.find((id) => tableOf(id).table === name);
    if (datasetId === undefined || known.has(key)) continue;
    const found = await termIndex.find(datasetId, sets);
    if (found !== undefined) known.set(key, { condition: within(found.stretches), mayHave: found.mayHave });
  }
  if (known.size === 0) return compiled;
  return mappedQueries(compiled, (query) =>
    narrowQuery(query, ({ name, words: sets }) => known.get(keyOf(name, sets))),
  );
}

const keyOf = (table: string, sets: readonly (readonly string[])[]): string => `${table} ${JSON.stringify(sets)}`;

/**
 * Only chooses granules: no other row has the words, so the times of rows need not be read. On the
 * bare column, so that the order of the table and the partitions prune.
 */
const within = (stretches: readonly TimeSpan[] | 'everywhere'): Expr | boolean =>
  stretches === 'everywhere' || stretches.length === 0
    ? stretches === 'everywhere'
    : call(
        'indexHint',
        or(
          ...stretches.map(({ start, end }) =>
            and(
              call('greaterOrEquals', column('_time'), timeAt(start)),
              call('lessOrEquals', column('_time'), timeAt(end)),
            ),
          ),
        ),
      );

const timeAt = (nanoseconds: bigint): Expr =>
  call('fromUnixTimestamp64Nano', call('toInt64', integer(nanoseconds)), literal('UTC'));
