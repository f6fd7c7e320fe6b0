/**
 * When a monitor runs: at its creation, and then every interval from it. Runs that were missed are
 * not made up for: the last of them is made, and the next one comes when it would have come.
 */

const minute = 60_000;
/**
 * A clock that was set back by less is waited for, so that nothing runs twice for one time; by
 * more, monitors would be silent for too long.
 */
const patience = 10 * minute;

interface Timed {
  readonly createdAt: string;
  readonly intervalMinutes: number;
}

/**
 * The time of the run that is due, the latest that has come; before the creation only if the clock
 * was set back. Milliseconds since the epoch.
 */
export function latestRun({ createdAt, intervalMinutes }: Timed, now: number): number {
  const created = Date.parse(createdAt);
  const interval = intervalMinutes * minute;
  return created + Math.floor((now - created) / interval) * interval;
}

/** When the next run is due after one for the time `ran`, or the first one. */
export function nextRun(monitor: Timed, ran: number | undefined, now: number): number {
  const created = Date.parse(monitor.createdAt);
  const interval = monitor.intervalMinutes * minute;
  const next = ran === undefined ? created : created + (Math.floor((ran - created) / interval) + 1) * interval;
  return next > now + Math.max(interval, patience) + interval ? latestRun(monitor, now) : next;
}
