import { aboutOf, type StoredMonitor } from '@millrace/api/schemas/monitor';
import type { MonitorSnapshot } from '../state/records.js';

/**
 * Minutes since the last run, or since a later change of the monitor, which may have been off
 * before; at least its interval.
 */
export function minutesSinceRun(monitor: StoredMonitor, stand: MonitorSnapshot | undefined, time: number): number {
  const { intervalMinutes, updatedAt } = monitor;
  if (stand === undefined || stand.state.about !== aboutOf(monitor)) return intervalMinutes;
  const since = Math.max(stand.ran, Date.parse(updatedAt) || 0);
  return Math.max(intervalMinutes, (time - since) / 60_000);
}
