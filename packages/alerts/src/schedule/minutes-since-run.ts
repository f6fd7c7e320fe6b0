import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import type { MonitorSnapshot } from '../state/records.js';

/**
 * Minutes since the last run, or since the monitor was enabled; at least its interval.
 * @param disabledUntil when it was last seen to be disabled, milliseconds since the epoch
 */
export function minutesSinceRun(
  monitor: StoredMonitor,
  stand: MonitorSnapshot | undefined,
  time: number,
  disabledUntil: number,
): number {
  const { intervalMinutes } = monitor;
  if (stand === undefined || stand.state.about !== aboutOf(monitor)) return intervalMinutes;
  const since = Math.max(stand.ran, disabledUntil);
  return Math.max(intervalMinutes, (time - since) / 60_000);
}
