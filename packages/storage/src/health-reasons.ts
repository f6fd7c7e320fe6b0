import type { Engine, EngineHealth } from '@millrace/engine';
import type { LogError } from '@millrace/log';
import type { DataHealth } from '@millrace/metadata/datasets/event-data';
import { numberOfLog } from './truncation-checkpoint.js';
import type { MissingEvents } from './inventory/inventory-store.js';

/** Reasons in the health response, which is public. */

/** State of the parts of a storage. */
interface Parts {
  readonly engine: EngineHealth;
  readonly log: LogError | undefined;
  /** Why acknowledged events cannot be stored now. */
  readonly waiting: string | undefined;
  /** Quarantined batches. */
  readonly quarantinedBatches: number;
  readonly missing: readonly MissingEvents[];
  /** How many datasets have damaged files. */
  readonly damaged: number;
  readonly bucketAway: boolean;
  /** Shards that are not ready while others are. */
  readonly shards: readonly string[];
}

/** Quarantined batches are reported, but are no reason for clients to stop sending events. */
export function dataHealth({
  engine,
  log,
  waiting,
  quarantinedBatches,
  missing,
  damaged,
  bucketAway,
  shards,
}: Parts): DataHealth {
  const failures = [
    ...(engine.state === 'ready' ? [] : [`engine ${engine.state}${engine.reason ? `: ${engine.reason}` : ''}`]),
    ...(log === undefined ? [] : [logReason(log)]),
    ...(waiting === undefined ? [] : [`events wait in the log to be stored: ${waiting}`]),
  ];
  const remarks = [
    ...(quarantinedBatches === 0 ? [] : [`${quarantinedBatches} batches quarantined; retried at startup`]),
    ...missingReason(missing),
    ...damagedReason(damaged),
    ...shards,
    ...(bucketAway ? [noBucket] : []),
  ];
  return {
    ready: failures.length === 0,
    acknowledges: failures.length === 0,
    complete: missing.length === 0 && damaged === 0,
    reasons: [...failures, ...remarks],
  };
}

/** Which shards are unreachable, while others accept events and queries. */
export function shardsAway({ sharding }: Engine): readonly string[] {
  if ((sharding?.shards.length ?? 0) < 2) return [];
  const all = sharding?.shards.map((shard) => shard.health()) ?? [];
  if (all.every(({ state }) => state !== 'ready')) return [];
  return all.flatMap(({ state, reason = '' }, i) =>
    state === 'ready'
      ? []
      : [`shard ${i + 1} is ${state}${reason === '' ? '' : `: ${reason}`}; its datasets are unavailable`],
  );
}

/** What limits replicas although queries run. */
export function replicasAway(engine: Engine): readonly string[] {
  const { state, reason } = engine.health();
  // The reason of an engine without replicas is about an earlier restart.
  const isOfReplicas = engine.replication !== undefined && engine.sharding === undefined;
  return isOfReplicas && state === 'ready' && reason !== undefined ? [reason] : [];
}

export const noBucket = 'the cold tier is unavailable: object storage does not respond; queries on old events fail';

/** Omits the path that the error names. */
const logReason = ({ code }: LogError): string =>
  code === 'disk-full' ? 'the disk of the log is full' : 'the log cannot be written';

/** Public, so it names no dataset. */
function missingReason(missing: readonly MissingEvents[]): readonly string[] {
  const rows = missing.filter(({ datasetId }) => datasetId !== numberOfLog);
  const log = missing.find(({ datasetId }) => datasetId === numberOfLog);
  const lost =
    log === undefined
      ? []
      : [`files of the log are missing since ${log.since}: acknowledged events that were not stored yet are lost`];
  if (rows.length === 0) return lost;
  const events = rows.reduce((sum, one) => sum + one.events, 0);
  const since = rows.map((one) => one.since).toSorted()[0];
  return [
    ...lost,
    `${events} stored events are missing since ${since}: their files are damaged or gone; millrace verify says which`,
  ];
}

/** Public, so it names no dataset. */
const damagedReason = (datasets: number): readonly string[] =>
  datasets === 0
    ? []
    : [
        `files of ${datasets === 1 ? '1 dataset' : `${datasets} datasets`} are damaged, and queries that read them fail; millrace verify says which`,
      ];
