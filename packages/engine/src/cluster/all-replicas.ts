import { EngineError } from '../errors.js';
import type { Replica } from './replica.js';
import { syncError, syncReplica } from './sync.js';

/** Statements that run on several replicas at once. */

interface BroughtUpOptions {
  readonly replicas: readonly Replica[];
  readonly database: string;
  readonly to: 'most' | 'all';
  /** Time limit for the sync of a replica. */
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
  /** A replica whose result is required. */
  readonly including?: Replica;
}

/**
 * Runs a query on most replicas, or all that answer, each synced with the table first; returns the
 * first results of the required number.
 * @throws EngineError
 */
export async function querySynced<T>(
  table: string,
  ask: (replica: Replica, signal: AbortSignal) => Promise<T>,
  { replicas, database, to, milliseconds, signal, including }: BroughtUpOptions,
): Promise<readonly T[]> {
  const ready = replicas.filter(({ isReady }) => isReady);
  const max = Math.floor(replicas.length / 2) + 1;
  const within = AbortSignal.timeout(milliseconds);
  const work = async (replica: Replica): Promise<T> => {
    const ends = [replica.lost, ...(signal === undefined ? [] : [signal])];
    const ending = AbortSignal.any([within, ...ends]);
    await syncReplica(replica, database, [table], ending).catch((error: unknown) => {
      throw syncError(error, replica, ending, milliseconds);
    });
    return ask(replica, AbortSignal.any(ends));
  };
  const count = to === 'most' ? max : Math.max(max, ready.length);
  if (including === undefined) return firstOf(count, ready.map(work));
  const others = ready.filter((replica) => replica !== including);
  const [own, rest] = await Promise.all([work(including), firstOf(count - 1, others.map(work))]);
  return [own, ...rest];
}

/**
 * Resolves when most replicas, or all that answer, have the current content of a table.
 * @throws EngineError
 */
export async function waitForQuorum(table: string, options: BroughtUpOptions): Promise<void> {
  await querySynced(table, async () => undefined, options);
}

/** The first results of the required number; rejects when that is no longer possible. */
function firstOf<T>(count: number, works: readonly Promise<T>[]): Promise<readonly T[]> {
  if (count === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const results: T[] = [];
    let spare = works.length - count;
    if (spare < 0) reject(new EngineError('unavailable', 'most replicas do not answer', 'elsewhere'));
    for (const work of works)
      work.then(
        // Later results extend the list after it was copied.
        (result) => results.push(result) === count && resolve([...results]),
        (error: unknown) => spare-- === 0 && reject(error),
      );
  });
}
