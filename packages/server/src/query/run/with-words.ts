import { type Compiled, mappedQueries } from '@millrace/apl';
import {
  and,
  call,
  column,
  type Expr,
  integer,
  literal,
  narrowed,
  type Narrowed,
  or,
  tablesWithWords,
} from '@millrace/sql';
import type { EventStorage } from '../../storage/event-storage.js';
import { tableOf } from '../../storage/tables/table-of-dataset.js';
import type { Stretch } from '../../storage/words/stretches.js';

/**
 * A query that reads only the times at which there are events with the words that it looks for. Its
 * answer stays the same: the index leaves out no time at which its conditions may hold, and of the
 * conditions only what no event at these times meets.
 */
export async function withWords(
  compiled: Compiled,
  datasetIds: readonly number[],
  { words }: Pick<EventStorage, 'words'>,
): Promise<Compiled> {
  const wanted = words === undefined ? [] : tablesWithWords(compiled.query);
  if (words === undefined || wanted.length === 0) return compiled;
  const known = new Map<string, Narrowed>();
  for (const { name, words: sets } of wanted) {
    const key = keyOf(name, sets);
    const datasetId = datasetIds.find((id) => tableOf(id).table === name);
    if (datasetId === undefined || known.has(key)) continue;
    const found = await words.find(datasetId, sets);
    if (found !== undefined) known.set(key, { condition: within(found.stretches), mayHave: found.mayHave });
  }
  if (known.size === 0) return compiled;
  return mappedQueries(compiled, (query) => narrowed(query, ({ name, words: sets }) => known.get(keyOf(name, sets))));
}

const keyOf = (table: string, sets: readonly (readonly string[])[]): string => `${table} ${JSON.stringify(sets)}`;

/** On the bare column, so that the order of the table and the partitions prune. */
const within = (stretches: readonly Stretch[]): Expr | undefined =>
  stretches.length === 0
    ? undefined
    : or(
        ...stretches.map(({ start, end }) =>
          and(
            call('greaterOrEquals', column('_time'), timeAt(start)),
            call('lessOrEquals', column('_time'), timeAt(end)),
          ),
        ),
      );

const timeAt = (nanoseconds: bigint): Expr =>
  call('fromUnixTimestamp64Nano', call('toInt64', integer(nanoseconds)), literal('UTC'));
