import { EngineError } from '../errors.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';

/** What is asked of several replicas at once. */

interface BroughtUpOptions {
  readonly replicas: readonly Replica[];
  readonly database: string;
  readonly to: 'most' | 'all';
  /** How long it may take until one has all. */
  readonly milliseconds: number;
  readonly signal?: AbortSignal;
  /** One that has to be among them. */
  readonly including?: Replica;
}

/**
 * Asks most replicas, or all that answer, each when it has what there is of a table; returns the
 * first answers of so many.
 * @throws EngineError
 */
export async function broughtUp<T>(
  table: string,
  ask: (replica: Replica, signal: AbortSignal) => Promise<T>,
  { replicas, database, to, milliseconds, signal, including }: BroughtUpOptions,
): Promise<readonly T[]> {
  const ready = replicas.filter(({ isReady }) => isReady);
  const most = Math.floor(replicas.length / 2) + 1;
  const within = AbortSignal.timeout(milliseconds);
  const work = async (replica: Replica): Promise<T> => {
    const ends = [replica.lost, ...(signal === undefined ? [] : [signal])];
    await bringUp(replica, database, [table], AbortSignal.any([within, ...ends])).catch((error: unknown) => {
      const why = error instanceof EngineError ? error.detail : String(error);
      throw new EngineError('unavailable', `a replica cannot be brought up: ${why}`, 'elsewhere');
    });
    return ask(replica, AbortSignal.any(ends));
  };
  const count = to === 'most' ? most : Math.max(most, ready.length);
  if (including === undefined) return firstOf(count, ready.map(work));
  const others = ready.filter((replica) => replica !== including);
  const [own, rest] = await Promise.all([work(including), firstOf(count - 1, others.map(work))]);
  return [own, ...rest];
}

/**
 * Resolved when most replicas, or all that answer, have what there is of a table.
 * @throws EngineError
 */
export async function spread(table: string, options: BroughtUpOptions): Promise<void> {
  await broughtUp(table, async () => undefined, options);
}

/** The first so many results; rejects when that can no longer be. */
function firstOf<T>(count: number, works: readonly Promise<T>[]): Promise<readonly T[]> {
  if (count === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const results: T[] = [];
    let spare = works.length - count;
    if (spare < 0) reject(new EngineError('unavailable', 'most replicas do not answer', 'elsewhere'));
    for (const work of works)
      work.then(
        // Later ones add to the list, and were not waited for.
        (result) => results.push(result) === count && resolve([...results]),
        (error: unknown) => spare-- === 0 && reject(error),
      );
  });
}
