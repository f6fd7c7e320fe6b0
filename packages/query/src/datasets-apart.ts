import { httpError } from '@millrace/api/errors';
import type { Metadata } from '@millrace/metadata/metadata';
import { TooManyMovedBytes } from './run/across-shards.js';

/** Errors of requests whose datasets are on several shards. */

interface Shards {
  readonly metadata: Pick<Metadata, 'datasets'>;
}

/**
 * @param what the request, which can read one shard only
 * @throws HttpError `datasets-apart` when the datasets are on several shards
 */
export function requireTogether(shards: Shards, names: readonly string[], what: 'a deletion' | 'an estimate'): void {
  const apart = apartOf(shards, names);
  if (apart !== undefined) throw httpError('datasets-apart', { ...apart, problem: `${what} reads one shard` });
}

/** Names the datasets if their rows are too many to move between shards. */
export async function namingShards<T>(shards: Shards, names: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const apart = error instanceof TooManyMovedBytes ? apartOf(shards, names) : undefined;
    if (apart === undefined || !(error instanceof TooManyMovedBytes)) throw error;
    const problem = `more than ${error.limit} bytes would move between shards`;
    throw httpError('datasets-apart', { ...apart, problem }, { cause: error });
  }
}

/** The first two datasets that are on different shards. */
function apartOf({ metadata }: Shards, names: readonly string[]) {
  const [one, ...others] = names.flatMap((name) => metadata.datasets.find(name) ?? []);
  const other = others.find(({ shard }) => shard !== one?.shard);
  if (one === undefined || other === undefined) return undefined;
  return { one: one.name, oneShard: one.shard, other: other.name, otherShard: other.shard };
}
