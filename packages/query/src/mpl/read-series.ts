import {
  checkCells,
  type FetchNode,
  isDelta,
  type Plan,
  pointsStatement,
  readTags,
  type ReadRequest,
  type Series,
  timesOf,
  type WindowFunction,
  windowStatement,
} from '@millrace/mpl';
import { type DescribedSeries, describeSeries, readPoints, type StoredMetrics } from './stored-series.js';
import { readWindows } from './read-windows.js';

const remedy = 'align first, filter the series, or shorten the time range';

/** Reads the series of a plan with statements of one read. */
export class SeriesReader {
  readonly #storedMetrics: StoredMetrics;
  /** Units of the metrics that were read. */
  readonly units = new Set<string>();

  constructor(stored: StoredMetrics) {
    this.#storedMetrics = stored;
  }

  /** @throws BoundExceeded, EngineError */
  readonly read = async (node: FetchNode, reading: ReadRequest): Promise<readonly Series[]> => {
    const found = await describeSeries(node, reading.range, this.#storedMetrics);
    if (found.length === 0) return [];
    if (reading.kind === 'windows') checkCells(found.length, reading.grid);
    for (const { unit } of found) if (unit !== '') this.units.add(unit);
    const values = await this.#values(node, reading, found);
    return found.flatMap(({ id, tags, type, temporality }): readonly Series[] => {
      const own = values.get(id);
      return own === undefined ? [] : [{ metric: node.name, tags: readTags(tags), type, temporality, ...own }];
    });
  };

  /** Times and values by the ID of the series. */
  async #values(
    node: FetchNode,
    reading: ReadRequest,
    found: readonly DescribedSeries[],
  ): Promise<ReadonlyMap<string, Pick<Series, 'times' | 'values'>>> {
    const { range } = reading;
    const { from } = this.#storedMetrics;
    if (reading.kind === 'points') return readPoints(pointsStatement(node, range, from), this.#storedMetrics, remedy);
    const { grid } = reading;
    // Windows of the engine begin after a time, and end with one.
    const windows = { ...grid, start: grid.start + grid.step - 1, range: grid.step };
    const times = timesOf(grid);
    const values = new Map<string, Pick<Series, 'times' | 'values'>>();
    for (const { fn, ids } of functionsOf(reading, found)) {
      const selection = ids === undefined ? node : { ...node, ids };
      const statement = windowStatement(selection, range, windows, fn, from, false);
      for (const [id, own] of (await readWindows(statement, this.#storedMetrics)).values)
        values.set(id, { times, values: own });
    }
    return values;
  }
}

interface FunctionOfSeries {
  readonly fn: WindowFunction;
  /** The series that need it; all of them if omitted. */
  readonly ids?: readonly string[];
}

/** The values of a delta are increases themselves. */
function functionsOf(
  { fn }: Extract<ReadRequest, { readonly kind: 'windows' }>,
  found: readonly DescribedSeries[],
): readonly FunctionOfSeries[] {
  if (fn !== 'prom::rate') return [{ fn }];
  const idsOf = (deltas: boolean): readonly string[] =>
    found.filter((one) => isDelta(one) === deltas).map(({ id }) => id);
  const [deltas, others] = [idsOf(true), idsOf(false)];
  if (deltas.length === 0) return [{ fn: 'gain' }];
  return others.length === 0
    ? [{ fn: 'deltaGain' }]
    : [
        { fn: 'gain', ids: others },
        { fn: 'deltaGain', ids: deltas },
      ];
}

export const unitOf = ({ units }: Pick<SeriesReader, 'units'>, { customUnit }: Plan): string =>
  customUnit ?? (units.size === 1 ? [...units][0]! : '');
