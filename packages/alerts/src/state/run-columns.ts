import { httpError } from '@millrace/api/errors';
import type { Connection } from '@millrace/metadata/database';
import { isUnset, parseTime } from '@millrace/query/compile/times';
import type { HistoryOfMonitors, MonitorRunColumns } from '@millrace/api/schemas/monitor';
import { type RunRecord, runsOf } from './records.js';
import { toApiRun } from './status.js';

/** Maximum runs per monitor; the most recent ones. */
const maxRuns = 100;

/** The columns, by the names that Axiom's clients read. */
const columns: Readonly<Record<string, (run: RunRecord) => unknown>> = {
  _time: (run) => toApiRun(run).time,
  run_id: ({ id }) => id,
  alert_state: ({ state }) => (state === 'open' || state === 'nodata' ? 'open' : state === 'ok' ? 'closed' : state),
  matching_value: ({ value, matched }) => value ?? matched ?? null,
  // A run covers the whole monitor; open groups are in its status.
  group_values: () => '',
  notified: ({ notified }) => notified > 0,
  error: ({ error = '' }) => error,
  'query.startTime': (run) => toApiRun(run).start,
  'query.endTime': (run) => toApiRun(run).end,
  run_time: ({ milliseconds }) => milliseconds,
};

/**
 * The last runs of monitors, newest first, column by column.
 * @param now milliseconds since the epoch
 * @param readable ids of monitors whose runs the caller may see; others have no runs
 * @throws HttpError `invalid-request`
 */
export async function runColumnsOf(
  { monitorIds, startTime, endTime }: HistoryOfMonitors,
  now: number,
  readable: ReadonlySet<string>,
  connection: Connection,
): Promise<MonitorRunColumns> {
  const from = millisecondsOf('startTime', startTime, now) ?? 0;
  const to = millisecondsOf('endTime', endTime, now) ?? now;
  const data: (readonly [id: string, columns: unknown[][]])[] = [];
  for (const id of new Set(monitorIds.split(',').map((part) => part.trim()))) {
    if (id === '') continue;
    const all = readable.has(id) ? await runsOf(id, connection) : [];
    const runs = all.filter(({ time }) => time >= from && time <= to).slice(0, maxRuns);
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
