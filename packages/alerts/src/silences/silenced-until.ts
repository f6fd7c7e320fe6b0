import type { MonitorStatus, StoredMonitor } from '@millrace/api/schemas/monitor';
import type { Silence } from '@millrace/api/schemas/silence';
import { silencesOf } from './active-silences.js';

/** Until when all of a monitor is silenced, for its status. */
export function silencedUntil(
  monitor: StoredMonitor,
  silences: readonly Silence[],
  now: number,
): Pick<MonitorStatus, 'silencedUntil'> {
  const { until } = silencesOf(monitor, silences, now);
  return until === undefined || !Number.isFinite(until) ? {} : { silencedUntil: new Date(until).toISOString() };
}
