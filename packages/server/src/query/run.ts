import { type Catalogue, compile, type Compiled, type OutputColumn } from '@millrace/apl';
import type { Engine, QueryAnswer } from '@millrace/engine';
import { parseTimestampText } from '@millrace/events';
import { printQuery } from '@millrace/sql';
import type { Metadata } from '../metadata/metadata.js';
import type { Settings } from '../settings.js';
import type { Storage } from '../storage/storage.js';
import { formColumn, splitValues } from './columns.js';
import { formatCursor } from './cursor.js';
import { queryError } from './query-error.js';
import type { AplRequest } from './request.js';

export interface QueryDependencies {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly metadata: Metadata;
  readonly settings: Settings;
}

/** A table of an answer: each column is the text of a JSON array. */
export interface AnswerTable {
  readonly output: readonly OutputColumn[];
  readonly columns: readonly Uint8Array[];
  readonly rows: number;
}

/** What a query gave, before it takes the shape a client asked for. */
export interface QueryOutcome {
  readonly compiled: Compiled;
  readonly table: AnswerTable;
  readonly totals?: AnswerTable;
  /** Row ids of the events, in order; absent if rows are no events. */
  readonly rowIds?: readonly string[];
  readonly rowsExamined: number;
  readonly rowsMatched: number;
  readonly rowsRead: number;
  readonly elapsedMicroseconds: number;
}

const defaultBinAutoGroups = 300;

/**
 * Compiles and runs a query over everything acknowledged before it.
 * @throws HttpError `invalid-query` with the first diagnostic; EngineError
 */
export async function runApl(
  request: AplRequest,
  catalogue: Catalogue,
  now: bigint,
  deps: QueryDependencies,
  signal: AbortSignal,
): Promise<QueryOutcome> {
  const started = process.hrtime.bigint();
  const { settings } = deps;
  const compiled = compile(request.apl, {
    catalogue,
    now,
    range: request.range,
    variables: request.variables,
    defaultLimit: Math.min(request.defaultLimit ?? settings.defaultQueryLimit, settings.maxQueryLimit),
    maxLimit: settings.maxQueryLimit,
    maxBinAutoGroups: request.maxBinAutoGroups ?? defaultBinAutoGroups,
    rowIds: true,
    ...(request.cursor !== undefined && {
      paging: { after: request.cursor.place, inclusive: request.cursor.inclusive },
    }),
  });
  if (compiled.kind === 'failed') throw queryError(request.apl, compiled.diagnostics);
  await deps.storage.flush(datasetIds(compiled, deps.metadata));

  const ask = (query: Compiled['query']): Promise<QueryAnswer> =>
    deps.engine.query(printQuery(query), { format: 'JSONCompactColumns', signal, limits: limitsOf(settings) });
  const [main, totals, counts] = await Promise.all([
    ask(compiled.query),
    compiled.totals === undefined ? undefined : ask(compiled.totals.query),
    compiled.counts === undefined ? undefined : ask(compiled.counts),
  ]);
  const [rowsExamined = main.rows, rowsMatched = main.rows] = counts?.columns.map(firstNumber) ?? [];
  const table = tableOf(compiled.output, main);
  const rowIds = rowIdsOf(compiled, main);
  return {
    compiled,
    table,
    ...(totals !== undefined && compiled.totals !== undefined && { totals: tableOf(compiled.totals.output, totals) }),
    ...(rowIds !== undefined && { rowIds }),
    rowsExamined,
    rowsMatched,
    rowsRead: main.statistics.rowsRead,
    elapsedMicroseconds: Math.max(1, Number((process.hrtime.bigint() - started) / 1000n)),
  };
}

function datasetIds(compiled: Compiled, metadata: Metadata): readonly number[] {
  return compiled.datasets.flatMap((name) => metadata.datasets.find(name)?.datasetId ?? []);
}

const limitsOf = (settings: Settings) => ({
  maxSeconds: settings.queryTimeout / 1000,
  maxMemoryBytes: settings.queryMemoryBytes,
  maxRowsRead: settings.queryMaxRowsRead,
  maxResultBytes: settings.queryMaxResultBytes,
});

function tableOf(output: readonly OutputColumn[], answer: QueryAnswer): AnswerTable {
  const columns = output.map((column, i) =>
    formColumn(answer.columns[i]?.values ?? new Uint8Array(), column.json ? 'json' : 'plain'),
  );
  return { output, columns, rows: answer.rows };
}

/** The hidden columns at the end of a result of events, as cursors. */
function rowIdsOf(compiled: Compiled, answer: QueryAnswer): readonly string[] | undefined {
  if (compiled.rowId === undefined) return undefined;
  const [times = [], seqs = [], rows = []] = answer.columns
    .slice(compiled.output.length)
    .map((column) => texts(column.values));
  return times.map((time, i) =>
    formatCursor({
      time: parseTimestampText(time.replaceAll('"', '')) ?? 0n,
      seq: BigInt(seqs[i] ?? 0),
      row: Number(rows[i] ?? 0),
    }),
  );
}

const texts = (column: Uint8Array): readonly string[] =>
  splitValues(column).map((value) => Buffer.from(value).toString('utf8').trim());

const firstNumber = ({ values }: { readonly values: Uint8Array }): number => Number(texts(values)[0] ?? 0);
