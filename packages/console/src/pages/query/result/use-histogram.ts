import { useQuery } from '@tanstack/react-query';
import { fieldText } from '../../../data/apl-text.js';
import type { Answer } from '../../../data/results/results.js';
import { type Cell, textOf } from '../../../data/results/cells.js';
import { groupName } from '../../../data/results/group-name.js';
import { runQuery } from '../../../data/run-query.js';
import { durationText, nowInstant, parseInstant } from '../../../data/time/instants.js';
import { boundsOf, stepFor } from '../../../data/time/ranges.js';
import type { Histogram } from '../../../charts/histogram-data.js';
import type { Outline } from '../../../editor/outline.js';
import type { QueryState } from '../query-state.js';

const MAX_BARS = 120;
/** Longer ranges are divided within the time span of the events. */
const MAX_VALUES = 8;
/** Delay from which an event counts as late. */
const LATE = '1m';

/** Events over time, in a separate query that does not delay the rows. */
export function useHistogram(
  { q, from, to, asof }: QueryState,
  outline: Outline | undefined,
  by: string | undefined,
  shown: boolean,
) {
  const events = outline === undefined ? '' : q.slice(0, outline.eventsEnd).trimEnd();
  return useQuery({
    queryKey: ['histogram', events, from, to, asof, by],
    queryFn: async ({ signal }) => {
      const bounds = boundsOf({ from, to }, nowInstant());
      if (bounds === undefined) return undefined;
      const wide = bounds.end - bounds.start;
      // "All time" starts with the first event.
      const within = wide > 3 * 365 * 86_400 * 1e9 ? await eventTimes(events, from, to, signal) : bounds;
      const step = stepFor(within, MAX_BARS);
      const group = by === undefined ? '' : `${fieldText(by)}, `;
      const apl = `${events}\n| summarize count(), late = countif(_sysTime - _time > ${LATE}) by ${group}bin(_time, ${durationText(step)})`;
      const answer = await runQuery({ apl, from, to, ...(asof !== '' && { asOf: asof }) }, 'chart', signal);
      return histogramOf(answer, step, by);
    },
    enabled: shown && outline?.valid === true && outline.source !== undefined,
    staleTime: Infinity,
    retry: false,
  });
}

async function eventTimes(events: string, from: string, to: string, signal: AbortSignal) {
  const { table } = await runQuery(
    { apl: `${events}\n| summarize first = min(_time), last = max(_time)`, from, to },
    'chart',
    signal,
  );
  const [first, last] = table.columns.map((column) =>
    typeof column[0] === 'string' ? parseInstant(column[0]) : undefined,
  );
  return { start: first ?? 0n, end: last ?? 1n };
}

/** Equal for equal values. */
const keyOf = (cell: Cell): unknown => (cell !== null && typeof cell === 'object' ? textOf(cell) : cell);

const nameOf = (cell: Cell, by: string): string => (cell === '' ? '""' : groupName(cell, by));

/** @param by field whose values split the bars */
export function histogramOf({ table, head, asked }: Answer, step: bigint, by: string | undefined): Histogram {
  const column = (name: string): readonly Cell[] =>
    table.columns[table.head.fields.findIndex((each) => each.name === name)] ?? [];
  const [times, counts, lates] = [column('_time'), column('count_'), column('late')];
  const values = by === undefined ? [] : column(by);
  const totals = new Map<unknown, { readonly cell: Cell; readonly count: number }>();
  const bars = new Map<bigint, Map<unknown, number>>();
  const late = new Map<bigint, number>();
  for (const [row, time] of times.entries()) {
    const instant = parseInstant(String(time));
    if (instant === undefined) continue;
    const cell = by === undefined ? '' : (values[row] ?? null);
    const value = keyOf(cell);
    const count = Number(counts[row] ?? 0);
    totals.set(value, { cell, count: (totals.get(value)?.count ?? 0) + count });
    const bar = bars.get(instant) ?? new Map<unknown, number>();
    bars.set(instant, bar.set(value, (bar.get(value) ?? 0) + count));
    late.set(instant, (late.get(instant) ?? 0) + Number(lates[row] ?? 0));
  }
  const ranked = [...totals].toSorted(([, a], [, b]) => b.count - a.count);
  const kept = ranked.slice(0, MAX_VALUES);
  const rest = new Set(ranked.slice(MAX_VALUES).map(([value]) => value));
  const { start, end } = table.head.range;
  return {
    start: parseInstant(start) ?? 0n,
    end: parseInstant(end) ?? 0n,
    range: asked,
    step,
    values: [
      ...kept.map(([, { cell }]) => ({ name: by === undefined ? '' : nameOf(cell, by), cell })),
      ...(rest.size > 0 ? [{ name: 'other', cell: undefined }] : []),
    ],
    bars: [...bars]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([at, counts]) => {
        const list = kept.map(([value]) => counts.get(value) ?? 0);
        if (rest.size > 0)
          list.push([...counts].reduce((sum, [value, count]) => (rest.has(value) ? sum + count : sum), 0));
        return { at, counts: list, late: late.get(at) ?? 0 };
      }),
    total: [...totals.values()].reduce((sum, { count }) => sum + count, 0),
    late: [...late.values()].reduce((sum, count) => sum + count, 0),
    rowsExamined: head.status.rowsExamined,
  };
}
