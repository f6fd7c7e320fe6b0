import type { EventData } from '../datasets/event-data.js';
import type { Metrics } from '../metrics.js';
import type { StoredMonitor } from '../schemas/monitor.js';
import type { Settings } from '../settings/settings.js';
import { plainMonitor } from './monitor.js';
import { decide, type RunDependencies } from './schedule/run.js';
import { windowOf } from './evaluate/evaluate.js';
import type { Outcome, Stand } from './state/records.js';
import { healthMonitorId } from './state/records.js';

/**
 * A monitor that is always there: the server itself. It opens when the server cannot do its work,
 * and tells the notifiers that a setting names. What it looks at needs no query, so it works while
 * the engine is down.
 */

/** @param since when the server started, from which its runs are counted */
export const healthMonitor = (since: string, notifierIds: readonly string[]): StoredMonitor => ({
  id: healthMonitorId,
  name: 'Server health',
  type: 'Threshold',
  aplQuery: '',
  language: 'apl',
  operator: 'Above',
  ...plainMonitor,
  notifierIds: [...notifierIds],
  createdAt: since,
  createdBy: '',
  updatedAt: since,
  reads: { all: false, audit: false, datasets: [], views: [] },
  from: '0',
});

/** One run: what is wrong, each reason a line of the message. */
export async function runHealth(
  monitor: StoredMonitor,
  stand: Stand | undefined,
  time: number,
  { reasons, deps }: { readonly reasons: readonly string[]; readonly deps: RunDependencies },
): Promise<Outcome> {
  const reading = { labels: [], violates: reasons.length > 0, value: reasons.length };
  const verdict = { kind: 'read', keys: [], readings: [reading], noData: false } as const;
  const outcome = await decide(monitor, { stand, time, window: windowOf(monitor, time), verdict, datasets: [] }, deps);
  return {
    ...outcome,
    ...(reasons.length > 0 && { run: { ...outcome.run, error: reasons.join('; ') } }),
    decided: outcome.decided.map(({ notification, ...decided }) => ({
      ...decided,
      notification: {
        ...notification,
        body: notification.action === 'Open' ? reasons.join('\n') : 'The server is well again',
      },
    })),
  };
}

interface HealthSources {
  readonly data: Pick<EventData, 'health'>;
  readonly metrics: Pick<Metrics, 'value'>;
  readonly settings: Pick<Settings, 'diskReserveBytes' | 'maxPendingBytes'>;
}

const refusals = ['ingest-behind', 'disk-full', 'storage-unavailable', 'metadata-unavailable'] as const;

/** What is wrong with the server at the moment, or has been since it was asked last. */
export function healthOf({ data, metrics, settings }: HealthSources): () => readonly string[] {
  const refused = (): number => refusals.reduce((sum, code) => sum + metrics.value('http_refusals_total', { code }), 0);
  let before = refused();
  return () => {
    const now = refused();
    const since = now - before;
    before = now;
    const free = metrics.value('disk_free_bytes');
    const pending = metrics.value('flush_pending_bytes');
    return [
      ...data.health().reasons,
      ...(since > 0 ? [`${since} requests were refused in the last minute because nothing could be stored`] : []),
      ...(free < 2 * settings.diskReserveBytes ? [`the disk is nearly full: ${free} bytes are free`] : []),
      ...(pending > settings.maxPendingBytes / 2 ? [`the engine is behind: ${pending} bytes wait to be stored`] : []),
    ];
  };
}
