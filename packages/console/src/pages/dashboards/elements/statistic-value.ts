import { partialEdges, completeValues } from '../../../charts/partial-buckets.js';
import { seriesOf } from '../../../charts/series-data.js';
import type { Answer } from '../../../data/results/results.js';
import { type Cell, textOf } from '../../../data/results/cells.js';

interface StatisticValue {
  readonly value: number | null;
  /** Text for a value that is not a number; absent for null. */
  readonly text?: string;
  /** Its trend, if the result has one. */
  readonly values: readonly (number | null)[];
}

/** The number of a result: of the whole range, or the latest of its series. */
export function statisticOf(answer: Answer): StatisticValue | undefined {
  const data = seriesOf(answer);
  if (data.kind === 'times') {
    const [series] = data.series;
    const values = series?.values ?? [];
    const total = totalOf(answer);
    const value = total ?? values.findLast((each) => each !== null) ?? null;
    // A partial bucket would look like a drop.
    return { value, values: completeValues(values, partialEdges(data)) };
  }
  if (data.kind === 'figures') return { value: numberOf(data.figures[0]!.cell), values: [] };
  if (data.kind === 'groups') return { value: data.series[0]?.values[0] ?? null, values: [] };
  const cell = answer.table.columns[0]?.[0];
  return answer.table.rows !== 1 || cell === undefined
    ? undefined
    : { value: numberOf(cell), ...(cell !== null && { text: textOf(cell) }), values: [] };
}

/** Totals over the whole range are a separate table. */
function totalOf({ totals }: Answer): number | undefined {
  if (totals === undefined || totals.rows !== 1) return undefined;
  const at = totals.head.fields.findIndex(({ type }) => /^(integer|float)/.test(type));
  return at < 0 ? undefined : (numberOf(totals.columns[at]![0] ?? null) ?? undefined);
}

const numberOf = (cell: Cell): number | null =>
  typeof cell === 'number' ? cell : typeof cell === 'bigint' ? Number(cell) : null;
