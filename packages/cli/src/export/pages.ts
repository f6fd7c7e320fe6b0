import { open } from 'node:fs/promises';
import { type Answer, type Message, rowsOf } from '../result/tabular.js';
import { withRetries } from '../connection/retry.js';
import { Failure } from '../failure.js';
import { ask } from '../query/run-query.js';
import { ndjsonLines } from '../render/rows.js';
import type { CollectOptions } from './collect.js';
import { boundsOf } from './bounds.js';
import { type Continuation, continuationOf } from './continuation.js';
import { type ExportState, partOf, writeState } from './state.js';

export interface PagesOptions extends CollectOptions {
  readonly pageRows: number;
  readonly warn: (message: Message) => Promise<void>;
}

/** Maximum rows of a query that no cursor continues. Such a query is sent once. */
const maxRows = 50_000;

/**
 * Fetches the remaining rows page by page; each page is durable before the next request.
 * @returns the final state
 * @throws AnswerError, ConnectionError; a later call resumes from the state on disk
 */
export async function collectPages(begin: ExportState, options: PagesOptions): Promise<ExportState> {
  const { client, output, signal } = options;
  const continuation = continuationOf(begin.apl);
  const limit = continuation === undefined ? maxRows : options.pageRows;
  // Truncates rows that a crash left after the state; they are fetched again.
  const file = await open(partOf(output), 'a', 0o600);
  let state = begin;
  try {
    await file.truncate(state.bytes);
    for (;;) {
      const { cursor: after } = state;
      const { startTime: start, endTime: end } = boundsOf(state);
      const request = { apl: state.apl, start, end, cursor: after ?? undefined };
      const { answer } = await withRetries(() => ask(client, { ...request, defaultLimit: limit }, signal), options);
      const body = Buffer.from([...ndjsonLines(answer.table)].join(''));
      await file.appendFile(body);
      await file.sync();
      const rows = rowsOf(answer.table);
      const cursor = continuation === undefined ? undefined : lastOf(answer, continuation);
      state = advance(state, answer, body.length, cursor);
      await writeState(output, state);
      options.progress(state);
      if (continuation === undefined) {
        for (const message of answer.status.messages ?? []) await options.warn(message);
        return state;
      }
      if (rows === 0 || cursor === after) return state;
      if (cursor === undefined) {
        // A partial page is the last one.
        if (rows < limit) return state;
        throw new Failure(
          'failed',
          `only the first ${limit} rows came: the server gives no cursor to go on with; sort by _time, or export less at a time with --start and --end`,
        );
      }
    }
  } finally {
    await file.close();
  }
}

/**
 * Columns and types of a result. Streamed rows omit fields without a value.
 * @throws AnswerError, ConnectionError
 */
export async function columnsOf(
  { apl, start, end }: ExportState,
  options: CollectOptions,
): Promise<Readonly<Record<string, string>>> {
  const request = { apl, start: start ?? undefined, end: end ?? undefined, defaultLimit: 1 };
  const { answer } = await withRetries(() => ask(options.client, request, options.signal), options);
  return withTypes({}, answer);
}

const advance = (state: ExportState, answer: Answer, bytes: number, cursor = state.cursor): ExportState => ({
  ...state,
  bytes: state.bytes + bytes,
  rows: state.rows + rowsOf(answer.table),
  cursor,
  columns: withTypes(state.columns ?? {}, answer),
});

/** Cursor of the last row of a page. */
function lastOf({ status }: Answer, continuation: Continuation): string | undefined {
  const cursor = continuation === 'newer' ? status.maxCursor : status.minCursor;
  return cursor === '' ? undefined : cursor;
}

function withTypes(known: Readonly<Record<string, string>>, { table }: Answer): Readonly<Record<string, string>> {
  const columns: Record<string, string> = { ...known };
  for (const { name, type } of table.fields) {
    const types = new Set([...(columns[name]?.split('|') ?? []), ...type.split('|')]);
    types.delete('unknown');
    columns[name] = [...types].join('|');
  }
  return columns;
}
