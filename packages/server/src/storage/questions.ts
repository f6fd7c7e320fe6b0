import type { Settings } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { quoteString } from '@millrace/sql';
import type { Backlog } from './insert/backlog.js';
import type { StoredDataset } from './fields/dataset.js';
import type { PartlyIn } from './insert/partly-in.js';
import type { RefusedBatches } from './insert/refused.js';
import { tableOf } from './tables/table-of-dataset.js';

/**
 * At most this long after the engine begins a statement, what it sees is fixed; before that it is
 * parsed and planned.
 */
const beginMilliseconds = 1000;

type Bounds = Readonly<Record<string, string>>;

/**
 * Only events that arrived then: in batches behind one position and up to another, or by a time,
 * nanoseconds since the epoch.
 */
export interface Arrived {
  readonly after?: bigint;
  /** With `after`: also the rows behind this one in the batch there. */
  readonly row?: number;
  readonly upTo?: bigint;
  /** With `after`: also the batches at these positions, wherever they are. */
  readonly late?: readonly bigint[];
  /** Nothing of the batches at these positions. */
  readonly without?: readonly bigint[];
  readonly by?: bigint;
}

/**
 * Asks with settings, which the question gives to the engine, and reports when the engine began
 * each statement, by `performance.now()`.
 */
export type Asked = <T>(
  datasetIds: readonly number[],
  question: (settings: Settings, began: (at: number) => void) => Promise<T>,
  arrived?: Arrived,
) => Promise<T>;

/**
 * Asks about datasets so that each batch is in the answer wholly or not at all, and everything that
 * an earlier flush brought in is.
 */
export class Questions {
  readonly #backlog: Backlog;
  readonly #log: Log;
  readonly #partlyIn: Pick<PartlyIn, 'of'>;
  readonly #refused: Pick<RefusedBatches, 'list'>;
  readonly #datasets: ReadonlyMap<number, StoredDataset>;

  constructor(
    backlog: Backlog,
    log: Log,
    partlyIn: Pick<PartlyIn, 'of'>,
    refused: Pick<RefusedBatches, 'list'>,
    datasets: ReadonlyMap<number, StoredDataset>,
  ) {
    this.#backlog = backlog;
    this.#log = log;
    this.#partlyIn = partlyIn;
    this.#refused = refused;
    this.#datasets = datasets;
  }

  /**
   * A question that waited for the engine so long that an insert overtook it may have seen half of
   * a batch; it is then asked again.
   * @param question asks the engine with the settings it is given, and reports when the engine
   * began each statement, by `performance.now()`
   * @param arrived leaves out what arrived at other times
   */
  async ask<T>(
    datasetIds: readonly number[],
    question: (settings: Settings, began: (at: number) => void) => Promise<T>,
    arrived?: Arrived,
  ): Promise<T> {
    const datasets = this.#present(datasetIds);
    const bounded = datasets.filter(
      ({ id, wholeBatches }) =>
        wholeBatches.bounded || this.#backlog.mayHaveParts(id) || this.#partlyIn.of(id).length > 0,
    );
    let latest: number | undefined;
    const asked = question(this.#bounds(bounded, datasets, arrived), (at) => (latest = Math.max(latest ?? at, at)));
    const free = datasets.filter((dataset) => !bounded.includes(dataset));
    const noted = free.map(({ wholeBatches }) => wholeBatches.note(asked));
    const answer = await asked;
    const sawHalf = noted.some(
      ({ overtaken }) => overtaken !== undefined && (latest ?? Infinity) > overtaken - beginMilliseconds,
    );
    return sawHalf ? question(this.#bounds(datasets, datasets, arrived), () => undefined) : answer;
  }

  /**
   * Settings with the same effect, for a question that may run for long and must not make an insert
   * wait.
   */
  bounds(datasetIds: readonly number[], arrived?: Arrived): Bounds {
    const datasets = this.#present(datasetIds);
    return this.#bounds(datasets, datasets, arrived);
  }

  /**
   * The position up to which no batch of these datasets is on its way: whoever asks from now on
   * sees all of them. A batch that the engine refused is on no way; if it goes in after a later
   * start, its position is below what was said before.
   */
  settled(datasetIds: readonly number[]): bigint {
    const next = this.#log.stats().lastPosition + 1n;
    const oldest = datasetIds.map((id) => this.#backlog.oldestOf(id) ?? next);
    return oldest.reduce((least, position) => (position < least ? position : least), next) - 1n;
  }

  /**
   * Positions of batches that no answer has, because the engine refused them or has only a part of
   * them: they may go in after a later start. Whoever goes on by position remembers them, and asks
   * for them as `late` when they are held no more.
   */
  held(datasetIds: readonly number[]): readonly bigint[] {
    const refused = this.#refused.list().filter(({ datasetId }) => datasetIds.includes(datasetId));
    return [
      ...new Set([...datasetIds.flatMap((id) => this.#partlyIn.of(id)), ...refused.map(({ position }) => position)]),
    ];
  }

  #present(datasetIds: readonly number[]): readonly StoredDataset[] {
    return datasetIds.flatMap((id) => this.#datasets.get(id) ?? []);
  }

  /**
   * @param bounded those of which only whole batches may be seen, which need a condition for that
   */
  #bounds(bounded: readonly StoredDataset[], datasets: readonly StoredDataset[], arrived?: Arrived): Bounds {
    const filtered = arrived === undefined ? bounded : datasets;
    return onlyWhere(
      filtered.map((dataset) => {
        const conditions = [
          ...(bounded.includes(dataset) ? [this.#isIn(dataset.id)] : []),
          ...(arrived === undefined ? [] : [hasArrived(arrived)]),
        ];
        return [dataset.id, conditions.join(' AND ')];
      }),
    );
  }

  /**
   * A condition that holds for the rows of batches that have left the backlog. A batch that the
   * engine refused is tried again long after those that came behind it went in, and perhaps while
   * the question waits for the engine, so none that is refused is seen.
   */
  #isIn(datasetId: number): string {
    const oldest = this.#backlog.oldestOf(datasetId) ?? this.#log.stats().lastPosition + 1n;
    const held = this.held([datasetId]);
    return held.length === 0 ? `_seq < ${oldest}` : `_seq < ${oldest} AND _seq NOT IN (${held.join(', ')})`;
  }
}

/** A condition that holds for events that arrived then. */
/** Settings with which the engine sees only the rows of datasets for which conditions hold. */
export function onlyWhere(conditions: readonly (readonly [datasetId: number, condition: string])[]): Bounds {
  if (conditions.length === 0) return {};
  const filters = conditions.map(([datasetId, condition]) => {
    const { database, table } = tableOf(datasetId);
    return `${quoteString(`${database}.${table}`)}: ${quoteString(condition)}`;
  });
  return { additional_table_filters: `{${filters.join(', ')}}` };
}

/** A condition that holds for rows that arrived then. */
export function hasArrived({ late = [], without = [], ...arrived }: Arrived): string {
  const inRange = conditionsOf(arrived);
  const either = late.length === 0 ? inRange : `((${inRange}) OR _seq IN (${late.join(', ')}))`;
  return without.length === 0 ? either : `${either} AND _seq NOT IN (${without.join(', ')})`;
}

function conditionsOf({ after, row, upTo, by }: Omit<Arrived, 'late' | 'without'>): string {
  const conditions = [
    ...(after === undefined
      ? []
      : [row === undefined ? `_seq > ${after}` : `_seq >= ${after} AND (_seq > ${after} OR _row > ${row})`]),
    ...(upTo === undefined ? [] : [`_seq <= ${upTo}`]),
    ...(by === undefined ? [] : [`_sysTime <= fromUnixTimestamp64Nano(toInt64(${by}), 'UTC')`]),
  ];
  return conditions.length === 0 ? '1' : conditions.join(' AND ');
}
