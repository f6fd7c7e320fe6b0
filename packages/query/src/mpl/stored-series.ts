import { BoundExceeded, metricsBounds, type Selection, seriesStatement } from '@millrace/mpl';
import { printQuery, type Query, type Source } from '@millrace/sql';
import type { EngineResult } from '@millrace/engine';

/** A table of metrics, and statements of one read. */
export interface StoredMetrics {
  readonly from: Source;
  readonly statement: (sql: string) => Promise<EngineResult>;
}

/** The description of a series. */
interface DescribedSeries {
  readonly id: string;
  /** See `readTags`. */
  readonly tags: string;
  readonly type: string;
  readonly temporality: string;
  readonly unit: string;
  readonly metric: string;
}

interface Points {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

type MetricsRange = Parameters<typeof seriesStatement>[1];

/**
 * Reads the descriptions of the selected series.
 * @throws BoundExceeded, EngineError
 */
export async function describeSeries(
  selection: Selection,
  range: MetricsRange,
  { from, statement }: StoredMetrics,
): Promise<readonly DescribedSeries[]> {
  const columns = columnsOf(await statement(printQuery(seriesStatement(selection, range, from))));
  const [ids = [], tags = [], types = [], temporalities = [], units = [], metrics = []] =
    columns as readonly (readonly string[])[];
  if (ids.length > metricsBounds.series.max)
    throw new BoundExceeded(metricsBounds.series, 'filter the series or shorten the time range');
  return ids.map((id, i) => ({
    id,
    tags: tags[i]!,
    type: types[i]!,
    temporality: temporalities[i]!,
    unit: units[i]!,
    metric: metrics[i]!,
  }));
}

/**
 * Reads points by the ID of their series; NaN where the engine has no number.
 * @param query has the columns ID, times and values
 * @param remedy what to do about too many points
 * @throws BoundExceeded, EngineError
 */
export async function readPoints(
  query: Query,
  { statement }: Pick<StoredMetrics, 'statement'>,
  remedy: string,
): Promise<ReadonlyMap<string, Points>> {
  const [ids = [], times = [], values = []] = columnsOf(await statement(printQuery(query))) as [
    readonly string[],
    readonly (readonly (number | string)[])[],
    readonly (readonly (number | null)[])[],
  ];
  const points = times.reduce((sum, { length }) => sum + length, 0);
  if (points > metricsBounds.points.max) throw new BoundExceeded(metricsBounds.points, remedy);
  return new Map(ids.map((id, i) => [id, inOrder(times[i]!, values[i]!)]));
}

/** The values of each column. */
export const columnsOf = ({ columns }: EngineResult): readonly (readonly unknown[])[] =>
  columns.map(({ values }) => JSON.parse(Buffer.from(values).toString()) as readonly unknown[]);

/** Points in the order of their times. */
function inOrder(times: readonly (number | string)[], values: readonly (number | null)[]): Points {
  const numbers = Float64Array.from(times, Number);
  const order = Uint32Array.from(numbers, (_, i) => i).sort((a, b) => numbers[a]! - numbers[b]!);
  return {
    times: Float64Array.from(order, (i) => numbers[i]!),
    values: Float64Array.from(order, (i) => values[i] ?? Number.NaN),
  };
}
