/**
 * When a monitor runs: at its creation, and then every interval from it. Runs that were missed are not made up for: the last of them is made, and the next
 * one comes when it would have come.
 */

const minute = 60_000;

interface Timed {
  readonly createdAt: string;
  readonly intervalMinutes: number;
}

/** The time of the run that is due, the latest that has come. Milliseconds since the epoch. */
export function latestRun({ createdAt, intervalMinutes }: Timed, now: number): number {
  const created = Date.parse(createdAt);
  const interval = intervalMinutes * minute;
  return now <= created ? created : created + Math.floor((now - created) / interval) * interval;
}

/** When the next run is due after one for the time `ran`, or the first one. */
export function nextRun(monitor: Timed, ran: number | undefined, now: number): number {
  const created = Date.parse(monitor.createdAt);
  if (ran === undefined) return created;
  const interval = monitor.intervalMinutes * minute;
  // The clock was set back: the run is repeated for a time after the last one, once the clock has come to that, but not only hours later.
  if (ran > now + interval) return latestRun(monitor, now) + interval;
  return created + (Math.floor((ran - created) / interval) + 1) * interval;
}
