import { EngineError } from '../errors.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';

/** What is asked of several replicas at once. */

interface SpreadOptions {
  readonly replicas: readonly Replica[];
  readonly database: string;
  readonly to: 'most' | 'all';
  /** How long it may take. */
  readonly milliseconds: number;
}

/**
 * Resolved when most replicas, or all that answer, have what there is of a table.
 * @throws EngineError
 */
export async function spread(table: string, { replicas, database, to, milliseconds }: SpreadOptions): Promise<void> {
  const ready = replicas.filter(({ isReady }) => isReady);
  const most = Math.floor(replicas.length / 2) + 1;
  const within = AbortSignal.timeout(milliseconds);
  const works = ready.map((replica) =>
    bringUp(replica, database, [table], AbortSignal.any([within, replica.lost])).catch((error: unknown) => {
      const why = error instanceof EngineError ? error.detail : String(error);
      throw new EngineError('unavailable', `a replica cannot be brought up: ${why}`, 'elsewhere');
    }),
  );
  await atLeast(to === 'most' ? most : Math.max(most, ready.length), works);
}

/** Resolved when so many have ended well; rejects when that can no longer be. */
function atLeast(count: number, works: readonly Promise<void>[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count;
    let spare = works.length - count;
    if (spare < 0) reject(new EngineError('unavailable', 'most replicas do not answer', 'elsewhere'));
    for (const work of works)
      work.then(
        () => --left === 0 && resolve(),
        (error: unknown) => spare-- === 0 && reject(error),
      );
  });
}
