import {
  alignedStatement,
  checkCells,
  type FetchNode,
  type Plan,
  pointsStatement,
  readTags,
  type ReadRequest,
  type Series,
  timesOf,
} from '@millrace/mpl';
import { describeSeries, readPoints, type StoredMetrics } from './stored-series.js';

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
    const values = await this.#values(node, reading);
    return found.flatMap(({ id, tags, type, temporality }): readonly Series[] => {
      const own = values.get(id);
      return own === undefined ? [] : [{ metric: node.name, tags: readTags(tags), type, temporality, ...own }];
    });
  };

  /** Times and values by the ID of the series. */
  async #values(node: FetchNode, reading: ReadRequest): Promise<ReadonlyMap<string, Pick<Series, 'times' | 'values'>>> {
    const { range } = reading;
    const { from } = this.#storedMetrics;
    if (reading.kind === 'points') return readPoints(pointsStatement(node, range, from), this.#storedMetrics, remedy);
    const { grid, fn } = reading;
    const windows = await readPoints(alignedStatement(node, range, grid, fn, from), this.#storedMetrics, remedy);
    const times = timesOf(grid);
    const { work } = this.#storedMetrics;
    return new Map(
      [...windows].map(([id, found]) => {
        work.create('value', grid.length);
        const values = new Float64Array(grid.length).fill(Number.NaN);
        for (const [i, window] of found.times.entries()) values[window] = found.values[i]!;
        return [id, { times, values }];
      }),
    );
  }
}

export const unitOf = ({ units }: Pick<SeriesReader, 'units'>, { customUnit }: Plan): string =>
  customUnit ?? (units.size === 1 ? [...units][0]! : '');
