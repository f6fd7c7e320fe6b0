import { cutOf, wholeValues } from '../../../charts/cut-buckets.js';
import { seriesOf } from '../../../charts/series-data.js';
import type { Answer } from '../../../data/answers/answers.js';
import { type Cell, textOf } from '../../../data/answers/cells.js';

interface StatisticValue {
  readonly value: number | null;
  /** What to show where it is no number. */
  readonly text?: string;
  /** How it came about over time, if the answer says. */
  readonly values: readonly (number | null)[];
}

/**
 * The number of an answer: that of the whole range where it has one, else the latest of its series.
 */
export function statisticOf(answer: Answer): StatisticValue | undefined {
  const data = seriesOf(answer);
  if (data.kind === 'times') {
    const [series] = data.series;
    const values = series?.values ?? [];
    const total = totalOf(answer);
    const value = total ?? values.findLast((each) => each !== null) ?? null;
    // A bucket that is not whole would look like a fall.
    return { value, values: wholeValues(values, cutOf(data)) };
  }
  if (data.kind === 'figures') return { value: numberOf(data.figures[0]!.cell), values: [] };
  if (data.kind === 'groups') return { value: data.series[0]?.values[0] ?? null, values: [] };
  const cell = answer.table.columns[0]?.[0];
  return answer.table.rows !== 1 || cell === undefined
    ? undefined
    : { value: numberOf(cell), text: textOf(cell), values: [] };
}

/** Aggregations over the whole range come in a table of their own. */
function totalOf({ totals }: Answer): number | undefined {
  if (totals === undefined || totals.rows !== 1) return undefined;
  const at = totals.head.fields.findIndex(({ type }) => /^(integer|float)/.test(type));
  return at < 0 ? undefined : (numberOf(totals.columns[at]![0] ?? null) ?? undefined);
}

const numberOf = (cell: Cell): number | null =>
  typeof cell === 'number' ? cell : typeof cell === 'bigint' ? Number(cell) : null;
