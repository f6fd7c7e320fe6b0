/**
 * Schedule of a monitor: at its creation, and then at every interval. Of missed runs, only the last
 * one is made up for; the schedule does not shift.
 */

const minute = 60_000;

interface MonitorSchedule {
  readonly createdAt: string;
  readonly intervalMinutes: number;
}

/**
 * The time of the run that is due, the latest that has come; before the creation only if the clock
 * was set back. Milliseconds since the epoch.
 */
export function latestRun({ createdAt, intervalMinutes }: MonitorSchedule, now: number): number {
  const created = Date.parse(createdAt);
  const interval = intervalMinutes * minute;
  return created + Math.floor((now - created) / interval) * interval;
}

/**
 * Time of the next run after the one for `ran`, or of the first run. If the clock was set back by
 * less than an interval, waits for it, so that no time runs twice. If it was set back by more,
 * continues from the earlier time, because waiting would pause the monitor.
 */
export function nextRun(monitor: MonitorSchedule, ran: number | undefined, now: number): number {
  const created = Date.parse(monitor.createdAt);
  const interval = monitor.intervalMinutes * minute;
  const next = ran === undefined ? created : created + (Math.floor((ran - created) / interval) + 1) * interval;
  return next > now + 2 * interval ? latestRun(monitor, now) : next;
}
