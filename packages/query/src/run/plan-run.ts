import type { Engine, Priority, EngineResult, Settings as EngineSettings } from '@millrace/engine';
import type { Query } from '@millrace/sql';
import type { Metrics } from '@millrace/http/metrics';
import type { Settings } from '@millrace/http/settings/settings';
import { retry } from '../schedule/retry.js';
import { AcrossShards } from './across-shards.js';
import { blockSettings } from './block-rows.js';
import type { RowCountCache } from './row-count-cache.js';
import { progressSettings } from './progress.js';
import type { MemoryGrant } from '../schedule/query-scheduler.js';
import { statementText } from './statement-text.js';

interface PlanRunOptions {
  readonly signal: AbortSignal;
  /** When all statements must be over, by `performance.now()`. */
  readonly deadline: number;
  /** Engine resources. */
  readonly grant: MemoryGrant;
  /** The ID of the query, to find its progress; without it, the progress is not visible. */
  readonly id: string | undefined;
  /** How the statements wait for the engine. */
  readonly priority: Priority;
  /** The version of the data, if counts may be cached by it. */
  readonly version: string | undefined;
  /** Settings that make the read consistent. */
  readonly settings: EngineSettings;
  /** Reports when the engine began a statement, by `performance.now()`. */
  readonly began: (at: number) => void;
}

interface PlanRunDependencies {
  readonly engine: Engine;
  readonly settings: Settings;
  readonly metrics: Metrics;
  readonly examined: RowCountCache;
}

/**
 * One run of a plan: its statements share a signal, a deadline and a grant of memory, and parts of
 * it run again for the reasons in `retry.ts`.
 */
export class PlanRun {
  readonly #options: PlanRunOptions;
  readonly #deps: PlanRunDependencies;
  readonly #limits: ReturnType<typeof limitsOf>;
  readonly #shards: AcrossShards;
  readonly retry = retry;

  constructor(options: PlanRunOptions, deps: PlanRunDependencies) {
    this.#options = options;
    this.#deps = deps;
    this.#limits = limitsOf(deps.settings, options.grant.memoryBytes);
    this.#shards = new AcrossShards(deps.engine, this.#limits.maxResultBytes);
  }

  get maxResultBytes(): number {
    return this.#limits.maxResultBytes;
  }

  readonly statement = (query: Query): Promise<EngineResult> =>
    this.#run(statementText(query), 'JSONCompactColumns', query);

  /** Like `statement`, for one over a single dataset. */
  readonly textStatement = (sql: string): Promise<EngineResult> => this.#run(sql, 'JSONCompactColumns');

  /** Like `textStatement`; the result is rows of ClickHouse's `RowBinary`, not values in JSON. */
  readonly rows = async (sql: string): Promise<Uint8Array> => {
    const { body } = await this.#run(sql, 'RowBinary');
    return body;
  };

  /** Like `statement`, cached as long as the data does not change. */
  readonly cachedStatement = (query: Query): Promise<EngineResult> =>
    this.#deps.examined.get(query, this.#options.version, this.statement);

  /** Like `statement`, for one that reads no events and always has the same result. */
  readonly constantStatement = async (query: Query): Promise<EngineResult> =>
    copyOf(await this.#deps.examined.get(query, 'none', this.statement));

  async #run(sql: string, format: 'JSONCompactColumns' | 'RowBinary', query?: Query): Promise<EngineResult> {
    const { signal, deadline, grant, id, priority, settings, began } = this.#options;
    const { engine, metrics } = this.#deps;
    const block = blockSettings(sql, this.#deps.settings.queryBlockValues);
    const options = {
      signal,
      limits: this.#limits,
      deadline,
      settings: { ...settings, ...(id !== undefined && progressSettings(id)), ...block },
      priority,
    } as const;
    const result = await grant.statement(async () => {
      const local = query === undefined ? undefined : await this.#shards.localize(query, options);
      const own = await engine.query(local?.sql ?? sql, { ...options, format, moved: local?.moved ?? [] });
      return { ...own, statistics: addRows(own.statistics, local?.rowsRead ?? 0) };
    });
    began(performance.now() - result.statistics.elapsedNanoseconds / 1e6);
    metrics.count('query_rows_read_total', result.statistics.rowsRead);
    return result;
  }
}

const addRows = (statistics: EngineResult['statistics'], rows: number): EngineResult['statistics'] => ({
  ...statistics,
  rowsRead: statistics.rowsRead + rows,
});

/** Columns are changed in place when they take their final form. */
const copyOf = (result: EngineResult): EngineResult => ({
  ...result,
  columns: result.columns.map((column) => ({ ...column, values: column.values.slice() })),
});

/** @param memoryBytes memory for a statement */
export const limitsOf = (settings: Settings, memoryBytes = Infinity) => ({
  maxSeconds: settings.queryTimeout / 1000,
  maxMemoryBytes: Math.min(settings.queryMemoryBytes, memoryBytes),
  maxRowsRead: settings.queryMaxRowsRead,
  maxResultBytes: settings.queryMaxResultBytes,
});
