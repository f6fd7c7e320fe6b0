import type { EventData } from '@millrace/metadata/datasets/event-data';
import type { Metrics } from '@millrace/http/metrics';
import type { StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Settings } from '@millrace/http/settings/settings';
import { plainMonitor } from './monitor.js';
import { decide } from './schedule/run.js';
import type { RunDependencies } from './schedule/run-dependencies.js';
import type { GroupNews } from './outbox/receiver-state.js';
import type { RunOutcome, MonitorSnapshot } from './state/records.js';
import { healthMonitorId } from './state/records.js';

/**
 * A built-in monitor of the server itself. It fires when the server cannot work properly, and
 * notifies the notifiers of a setting. It needs no query, so it works while the engine is down.
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

/** Runs the health monitor once. Each reason becomes a line of the message. */
export async function runHealth(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  time: number,
  { reasons, deps }: { readonly reasons: readonly string[]; readonly deps: RunDependencies },
): Promise<RunOutcome> {
  const reading = { labels: [], violates: reasons.length > 0, value: reasons.length };
  const verdict = { kind: 'read', keys: [], readings: [reading], noData: false } as const;
  const outcome = await decide(monitor, { stand, evaluated: [{ time, verdict, datasets: [] }] }, deps);
  const { news } = outcome;
  const withReasons = (each: GroupNews): GroupNews => ({
    ...each,
    news: { ...each.news, text: each.action === 'Open' ? reasons.join('\n') : 'Server recovered' },
  });
  return {
    ...outcome,
    ...(reasons.length > 0 && { run: { ...outcome.run, error: reasons.join('; ') } }),
    ...(news !== undefined && {
      news: {
        ...news,
        changes: news.changes.map(withReasons),
        ...(news.open !== undefined && { open: news.open.map(withReasons) }),
      },
    }),
  };
}

interface HealthSources {
  readonly data: Pick<EventData, 'health'>;
  readonly metrics: Pick<Metrics, 'value'>;
  readonly settings: Pick<Settings, 'diskReserveBytes' | 'maxPendingBytes'>;
}

const refusals = [
  'ingest-behind',
  'disk-full',
  'disk-full-change',
  'storage-unavailable',
  'metadata-unavailable',
] as const;

/**
 * Creates a function that returns the server's current problems and those since the previous call.
 */
export function healthOf({ data, metrics, settings }: HealthSources): () => readonly string[] {
  const countRefusals = (): number =>
    refusals.reduce((sum, code) => sum + metrics.value('http_refusals_total', { code }), 0);
  let before = countRefusals();
  return () => {
    const now = countRefusals();
    const since = now - before;
    before = now;
    const free = metrics.value('disk_free_bytes');
    const pending = metrics.value('flush_pending_bytes');
    return [
      ...data.health().reasons,
      ...(since > 0 ? [`${since} requests were refused in the last minute because nothing could be stored`] : []),
      ...(free < 2 * settings.diskReserveBytes ? [`the disk is nearly full: ${free} bytes are free`] : []),
      ...(pending > settings.maxPendingBytes / 2 ? [`engine is lagging: ${pending} bytes pending`] : []),
    ];
  };
}
