import { Type } from 'typebox';
import { queryAnswer } from '../answer/query-answer.js';
import type { Rows } from '../answer/table.js';
import { eventsText, nameText } from '../apl-text.js';
import { dataset, exactObject, times, tool, where } from '../tool.js';

const bins = 30;
const maxSeries = 8;

export const countOverTime = tool({
  name: 'count_over_time',
  title: 'Count events over time',
  description:
    'Counts events in about 30 time bins, in one column for each of the most frequent values of a field. Shows when something began or ended.',
  input: exactObject({
    dataset,
    where,
    by: Type.Optional(Type.String({ description: 'Field whose values get a column each.' })),
    ...times,
  }),
  run: async ({ dataset: name, where: condition, by, ...range }, context) => {
    const events = eventsText(name, condition);
    const group = by === undefined ? '' : `, series_ = tostring(${nameText(by)})`;
    const apl = `${events}\n| summarize events = count() by bin_auto(_time)${group}\n| sort by _time asc`;
    const reshape = by === undefined ? undefined : pivotRows;
    return {
      text: await queryAnswer({ apl, bins, ...range }, { maxRows: 10_000, ...(reshape && { reshape }) }, context),
    };
  },
});

/** One row for each time and one column for each series, the greatest first. */
function pivotRows({ columns, cells }: Rows): Rows {
  const [time, series, events] = ['_time', 'series_', 'events'].map((name) =>
    columns.findIndex((column) => column.name === name),
  ) as [number, number, number];
  const totals = new Map<string, number>();
  const byTime = new Map<string, Map<string, string>>();
  for (const row of cells) {
    const key = row[series]!;
    totals.set(key, (totals.get(key) ?? 0) + Number(row[events]));
    const found = byTime.get(row[time]!) ?? new Map<string, string>();
    byTime.set(row[time]!, found.set(key, row[events]!));
  }
  const shown = [...totals].toSorted((a, b) => b[1] - a[1]).slice(0, maxSeries);
  const hasRest = totals.size > shown.length;
  const rest = (found: ReadonlyMap<string, string>): number =>
    [...found].reduce((sum, [key, count]) => (shown.some(([name]) => name === key) ? sum : sum + Number(count)), 0);
  return {
    columns: [
      columns[time]!,
      ...shown.map(([key]) => ({ name: key === 'null' ? '(missing)' : String(JSON.parse(key)), type: 'integer' })),
      ...(hasRest ? [{ name: `(${totals.size - shown.length} others)`, type: 'integer' }] : []),
    ],
    cells: [...byTime].map(([at, found]) => [
      at,
      ...shown.map(([key]) => found.get(key) ?? '0'),
      ...(hasRest ? [String(rest(found))] : []),
    ]),
  };
}
