import {
  alignedStatement,
  BoundExceeded,
  checkCells,
  type FetchNode,
  metricsBounds,
  type Plan,
  pointsStatement,
  readTags,
  type Reading,
  type Series,
  seriesStatement,
  timesOf,
} from '@millrace/mpl';
import { printQuery, type Source } from '@millrace/sql';
import type { EngineResult } from '@millrace/engine';

/** Reads the series of a plan with statements of one read. */
export class SeriesReader {
  readonly #from: Source;
  readonly #statement: (sql: string) => Promise<EngineResult>;
  /** Units of the metrics that were read. */
  readonly units = new Set<string>();

  /** @param from the table of the dataset */
  constructor(from: Source, statement: (sql: string) => Promise<EngineResult>) {
    this.#from = from;
    this.#statement = statement;
  }

  /** @throws BoundExceeded, EngineError */
  readonly read = async (node: FetchNode, reading: Reading): Promise<readonly Series[]> => {
    const { range } = reading;
    const found = await this.#columns(printQuery(seriesStatement(node, range, this.#from)));
    const [ids = [], tags = [], types = [], temporalities = [], units = []] = found as readonly (readonly string[])[];
    if (ids.length > metricsBounds.series.most)
      throw new BoundExceeded(metricsBounds.series, 'filter the series or shorten the time range');
    if (ids.length === 0) return [];
    if (reading.kind === 'windows') checkCells(ids.length, reading.grid);
    for (const unit of units) if (unit !== '') this.units.add(unit);
    const values = await this.#values(node, reading);
    return ids.flatMap((id, i): readonly Series[] => {
      const own = values.get(id);
      if (own === undefined) return [];
      return [
        {
          metric: node.name,
          tags: readTags(tags[i]!),
          type: types[i]!,
          temporality: temporalities[i]!,
          ...own,
        },
      ];
    });
  };

  /** Times and values by the ID of the series. */
  async #values(node: FetchNode, reading: Reading): Promise<ReadonlyMap<string, Pick<Series, 'times' | 'values'>>> {
    const { range } = reading;
    const isWindows = reading.kind === 'windows';
    const statement = isWindows
      ? alignedStatement(node, range, reading.grid, reading.fn, this.#from)
      : pointsStatement(node, range, this.#from);
    const [ids = [], at = [], values = []] = await this.#columns(printQuery(statement));
    const rows = (ids as readonly string[]).map(
      (id, i) => [id, at[i] as readonly (number | string)[], values[i] as readonly number[]] as const,
    );
    if (isWindows) {
      const { grid } = reading;
      const times = timesOf(grid);
      return new Map(
        rows.map(([id, windows, numbers]) => {
          const all = new Float64Array(grid.length).fill(Number.NaN);
          for (const [i, window] of windows.entries()) all[Number(window)] = numbers[i]!;
          return [id, { times, values: all }];
        }),
      );
    }
    const points = rows.reduce((sum, [, times]) => sum + times.length, 0);
    if (points > metricsBounds.points.most)
      throw new BoundExceeded(metricsBounds.points, 'align first, filter the series, or shorten the time range');
    return new Map(rows.map(([id, times, numbers]) => [id, inOrder(times, numbers)]));
  }

  /** The values of each column of a result. */
  async #columns(sql: string): Promise<readonly (readonly unknown[])[]> {
    return columnsOf(await this.#statement(sql));
  }
}

/** The values of each column. */
export const columnsOf = ({ columns }: EngineResult): readonly (readonly unknown[])[] =>
  columns.map(({ values }) => JSON.parse(Buffer.from(values).toString()) as readonly unknown[]);

/** Points in the order of their times. */
function inOrder(times: readonly (number | string)[], values: readonly number[]): Pick<Series, 'times' | 'values'> {
  const numbers = Float64Array.from(times, Number);
  const order = Uint32Array.from(numbers, (_, i) => i).sort((a, b) => numbers[a]! - numbers[b]!);
  return {
    times: Float64Array.from(order, (i) => numbers[i]!),
    values: Float64Array.from(order, (i) => values[i]!),
  };
}

export const unitOf = ({ units }: Pick<SeriesReader, 'units'>, { customUnit }: Plan): string =>
  customUnit ?? (units.size === 1 ? [...units][0]! : '');
