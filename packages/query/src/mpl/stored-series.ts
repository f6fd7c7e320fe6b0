import { BoundExceeded, metricsBounds, type Selection, seriesStatement, type Steps, type Work } from '@millrace/mpl';
import { printQuery, type Query, type Source } from '@millrace/sql';
import type { EngineResult } from '@millrace/engine';
import type { BoundedWork } from './bounded-work.js';
import { inOrder, type Points } from './points-in-order.js';
import { RowBinaryReader } from './row-binary.js';

/** A table of metrics, and statements of one read. */
export interface StoredMetrics extends BoundedWork {
  readonly from: Source;
  readonly statement: (sql: string) => Promise<EngineResult>;
  readonly rows: (sql: string) => Promise<Uint8Array>;
}

/** The description of a series. */
export interface DescribedSeries {
  readonly id: string;
  /** See `readTags`. */
  readonly tags: string;
  readonly type: string;
  readonly temporality: string;
  readonly unit: string;
  readonly metric: string;
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
 * Reads points by the ID of their series.
 * @param query for each series its ID, and arrays of times and of values
 * @param remedy what to do about too many points
 * @throws BoundExceeded, WorkExceeded, EngineError
 */
export async function readPoints(
  query: Query,
  { rows, work, take }: Pick<StoredMetrics, 'rows' | 'work' | 'take'>,
  remedy: string,
): Promise<ReadonlyMap<string, Points>> {
  const body = await rows(printQuery(query));
  return take(decodePoints(new RowBinaryReader(body), work, remedy));
}

function* decodePoints(reader: RowBinaryReader, work: Work, remedy: string): Steps<ReadonlyMap<string, Points>> {
  const found = new Map<string, Points>();
  let points = 0;
  while (reader.hasMore) {
    const id = String(reader.int64());
    const [times, values] = [reader.doubles(), reader.doubles()];
    points += times.length;
    if (points > metricsBounds.points.max) throw new BoundExceeded(metricsBounds.points, remedy);
    work.create('point', times.length);
    found.set(id, inOrder({ times, values }));
    if (work.isDue(times.length)) yield;
  }
  return found;
}

/** The values of each column. */
export const columnsOf = ({ columns }: EngineResult): readonly (readonly unknown[])[] =>
  columns.map(({ values }) => JSON.parse(Buffer.from(values).toString()) as readonly unknown[]);
