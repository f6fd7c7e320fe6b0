import { open } from 'node:fs/promises';
import { parse } from '@millrace/apl';
import { rowsOf, type Answer, type Message } from '../answer/tabular.js';
import type { Client } from '../connection/client.js';
import { retried } from '../connection/retry.js';
import { ask, type Question } from '../query/ask.js';
import { ndjsonLines } from '../render/rows.js';
import { type ExportState, partOf, writeState } from './state.js';

export interface CollectOptions {
  readonly client: Client;
  readonly output: string;
  readonly pageRows: number;
  readonly attempts: number;
  readonly progress: (state: ExportState) => void;
  readonly warn: (message: Message) => Promise<void>;
}

/** Steps that give one row for each event at most, and every one of them: pages of their result follow each other. */
const pageable: ReadonlySet<string> = new Set([
  'where',
  'search',
  'extend',
  'extend-valid',
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'parse',
  'parse-kv',
  'redact',
  'sort',
]);

/** Whether the result may be fetched page by page. A query that limits itself, or adds up, is asked once. */
export function isPageable(apl: string): boolean {
  const { program, diagnostics } = parse(apl);
  if (diagnostics.some(({ severity }) => severity === 'error')) return false;
  const { query } = program;
  return query?.source.kind === 'table' && query.operators.every(({ kind }) => pageable.has(kind));
}

/**
 * Fetches the rows from where the state is, page by page, each durable before the next is asked for.
 * @returns the state at the end
 * @throws AnswerError, ConnectionError; the state on disk is where a later call goes on
 */
export async function collect(begin: ExportState, options: CollectOptions): Promise<ExportState> {
  const { client, output, pageRows, attempts } = options;
  const pages = isPageable(begin.apl);
  // What a crash left behind the state is fetched again.
  const file = await open(partOf(output), 'a', 0o600);
  let state = begin;
  try {
    await file.truncate(state.bytes);
    for (;;) {
      const { answer } = await retried(() => ask(client, questionAt(state, pageRows)), { attempts });
      const body = Buffer.from([...ndjsonLines(answer.table)].join(''));
      await file.appendFile(body);
      await file.sync();
      if (!pages) for (const message of answer.status.messages ?? []) await options.warn(message);
      const cursor = pages ? cursorOf(answer) : undefined;
      const moved = cursor !== undefined && cursor !== state.cursor && rowsOf(answer.table) > 0;
      state = advanced(state, answer, body.length, cursor);
      await writeState(output, state);
      options.progress(state);
      if (!moved) return state;
    }
  } finally {
    await file.close();
  }
}

const questionAt = ({ apl, start, end, cursor }: ExportState, defaultLimit: number): Question => ({
  apl,
  start: start ?? undefined,
  end: end ?? undefined,
  cursor: cursor ?? undefined,
  defaultLimit,
});

const advanced = (state: ExportState, answer: Answer, bytes: number, cursor = state.cursor): ExportState => ({
  ...state,
  bytes: state.bytes + bytes,
  rows: state.rows + rowsOf(answer.table),
  cursor,
  columns: withTypes(state.columns, answer),
});

/** The cursor of the row a page ends with. */
function cursorOf({ table, status }: Answer): string | undefined {
  const cursor = table.order[0]?.desc === false ? status.maxCursor : status.minCursor;
  return cursor === '' ? undefined : cursor;
}

function withTypes(known: ExportState['columns'], { table }: Answer): ExportState['columns'] {
  const columns: Record<string, string> = { ...known };
  for (const { name, type } of table.fields) {
    const types = new Set([...(columns[name]?.split('|') ?? []), ...type.split('|')]);
    types.delete('unknown');
    columns[name] = [...types].join('|');
  }
  return columns;
}
