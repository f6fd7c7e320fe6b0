import { httpError } from '../../errors.js';
import type { Connection } from '../../metadata/database.js';
import { isUnset, parseTime } from '../../query/compile/times.js';
import type { HistoryOfMonitors, MonitorRunColumns } from '../../schemas/monitor.js';
import { type RunRecord, runsOf } from './records.js';
import { shownRun } from './status.js';

/** Runs of each monitor that are shown at most: what was asked for is what happened lately. */
const mostRuns = 100;

/** What the columns hold, by the names that Axiom's programs read. */
const columns: Readonly<Record<string, (run: RunRecord) => unknown>> = {
  _time: (run) => shownRun(run).time,
  run_id: ({ id }) => id,
  alert_state: ({ state }) => (state === 'open' || state === 'nodata' ? 'open' : state === 'ok' ? 'closed' : state),
  matching_value: ({ value, matched }) => value ?? matched ?? null,
  // Runs are of the whole monitor; what is open by groups is its status.
  group_values: () => '',
  notified: ({ notified }) => notified > 0,
  error: ({ error = '' }) => error,
  'query.startTime': (run) => shownRun(run).start,
  'query.endTime': (run) => shownRun(run).end,
  run_time: ({ milliseconds }) => milliseconds,
};

/**
 * The last runs of monitors, newest first, column by column.
 * @param now milliseconds since the epoch
 * @throws HttpError `invalid-request`
 */
export async function runColumnsOf(
  { monitorIds, startTime, endTime }: HistoryOfMonitors,
  now: number,
  connection: Connection,
): Promise<MonitorRunColumns> {
  const from = millisecondsOf('startTime', startTime, now) ?? 0;
  const to = millisecondsOf('endTime', endTime, now) ?? now;
  const data: (readonly [id: string, columns: unknown[][]])[] = [];
  for (const id of new Set(monitorIds.split(',').map((part) => part.trim()))) {
    if (id === '') continue;
    const runs = (await runsOf(id, connection)).filter(({ time }) => time >= from && time <= to).slice(0, mostRuns);
    data.push([id, Object.values(columns).map((cell) => runs.map(cell))]);
  }
  return { fields: Object.keys(columns), data: Object.fromEntries(data) };
}

function millisecondsOf(name: string, text: string | undefined, now: number): number | undefined {
  if (isUnset(text)) return undefined;
  const time = parseTime(text, BigInt(now) * 1_000_000n);
  if (time !== undefined) return Number(time / 1_000_000n);
  throw httpError('invalid-request', {
    problem: `query parameter '${name}' must be a time such as 2026-11-20T00:00:00Z or now-1h`,
  });
}
