import type { Engine, EngineHealth } from '@millrace/engine';
import type { LogError } from '@millrace/log';
import type { DataHealth } from '../datasets/event-data.js';
import type { Missing } from './inventory/inventory-store.js';

/** What the health says is wrong. It is shown to anyone, even without a login. */

/** What is known about the parts of a storage. */
interface Parts {
  readonly engine: EngineHealth;
  readonly log: LogError | undefined;
  /** Why acknowledged events cannot be stored right now. */
  readonly waiting: string | undefined;
  /** Batches that the engine refuses. */
  readonly refused: number;
  readonly missing: readonly Missing[];
  readonly bucketAway: boolean;
  /** Shards that are not ready while others are. */
  readonly shards: readonly string[];
}

/** Refused batches are worth reporting, but no reason for clients to stop sending events. */
export function dataHealth({ engine, log, waiting, refused, missing, bucketAway, shards }: Parts): DataHealth {
  const failures = [
    ...(engine.state === 'ready' ? [] : [`engine ${engine.state}${engine.reason ? `: ${engine.reason}` : ''}`]),
    ...(log === undefined ? [] : [logReason(log)]),
    ...(waiting === undefined ? [] : [`events wait in the log to be stored: ${waiting}`]),
  ];
  const remarks = [
    ...(refused === 0
      ? []
      : [`${refused} batches of events were refused by the engine; they are kept and tried again at each start`]),
    ...missingReason(missing),
    ...shards,
    ...(bucketAway ? [noBucket] : []),
  ];
  return { ready: failures.length === 0, complete: missing.length === 0, reasons: [...failures, ...remarks] };
}

/** Which shards are away, while others take events and answer. */
export function shardsAway({ sharding }: Engine): readonly string[] {
  const all = sharding?.shards.map((shard) => shard.health()) ?? [];
  if (all.every(({ state }) => state !== 'ready')) return [];
  return all.flatMap(({ state, reason = '' }, i) =>
    state === 'ready'
      ? []
      : [`shard ${i + 1} is ${state}${reason === '' ? '' : `: ${reason}`}; its datasets wait, and others go on`],
  );
}

const noBucket = 'the bucket with old events does not answer; queries of what is in it fail until it does';

/** It leaves out the path that the error names. */
const logReason = ({ code }: LogError): string =>
  code === 'disk-full' ? 'the disk of the log is full' : 'the log cannot be written';

/** Seen by anybody, so it names no dataset. */
function missingReason(missing: readonly Missing[]): readonly string[] {
  if (missing.length === 0) return [];
  const events = missing.reduce((sum, one) => sum + one.events, 0);
  const since = missing.map((one) => one.since).toSorted()[0];
  return [
    `${events} stored events are missing since ${since}: their files are damaged or gone; millrace verify says which`,
  ];
}
