import type { Steps, Work } from '@millrace/mpl';
import { printQuery, type Query } from '@millrace/sql';
import { RowBinaryReader } from './row-binary.js';
import type { StoredMetrics } from './stored-series.js';

/** Values of the windows of each series, by its ID. */
interface WindowsOfSeries {
  /** Without a value, a window has the bits that end a series. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** Series whose windows need their points. */
  readonly irregular: readonly string[];
}

/**
 * Reads the windows that the engine computed.
 * @param query see `windowStatement`
 * @throws WorkExceeded, EngineError
 */
export async function readWindows(
  query: Query,
  { rows, work, take }: Pick<StoredMetrics, 'rows' | 'work' | 'take'>,
): Promise<WindowsOfSeries> {
  const body = await rows(printQuery(query));
  return take(decodeWindows(new RowBinaryReader(body), work));
}

function* decodeWindows(reader: RowBinaryReader, work: Work): Steps<WindowsOfSeries> {
  const values = new Map<string, Float64Array>();
  const irregular: string[] = [];
  while (reader.hasMore) {
    const id = String(reader.int64());
    const needsPoints = reader.uint8() === 1;
    const own = reader.doubles();
    if (needsPoints) irregular.push(id);
    else {
      work.create('value', own.length);
      values.set(id, own);
    }
    if (work.isDue(own.length)) yield;
  }
  return { values, irregular };
}
