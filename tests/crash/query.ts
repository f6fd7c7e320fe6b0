import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Server } from './server.js';

/** Queries to the server, with their results as rows. */

export type Row = Readonly<Record<string, unknown>>;

export interface Rows {
  readonly rows: readonly Row[];
  readonly maxCursor: string | undefined;
}

/** The server did not answer a query, which alone is not a violation. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(`${answer.status} ${answer.text.slice(0, 500)}`);
    this.answer = answer;
  }
}

/**
 * The response reports missing events: acknowledged ones that are in the log because the engine
 * cannot accept them now.
 */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';
}

interface Tabular {
  readonly tables: readonly {
    readonly fields: readonly { readonly name: string }[];
    readonly columns: readonly (readonly unknown[])[];
  }[];
  readonly status: { readonly maxCursor?: string; readonly isPartial: boolean };
}

/** How long a patient client repeats a query that is answered in part. */
const patienceMilliseconds = 60_000;

/** @throws UnansweredError for every status but 200, Incomplete for a partial answer */
export async function ask(server: Server, apl: string, more: object = {}): Promise<Rows> {
  const late = performance.now() + patienceMilliseconds;
  let { tables, status } = await answerOf(server, apl, more);
  while (status.isPartial) {
    if (!server.isPatient || performance.now() > late) throw new Incomplete(apl);
    await sleep(250);
    ({ tables, status } = await answerOf(server, apl, more));
  }
  const { fields = [], columns = [] } = tables[0] ?? {};
  const names = fields.map(({ name }) => name);
  const rows = (columns[0] ?? []).map((_, at) =>
    Object.fromEntries(names.map((name, column) => [name, columns[column]?.[at]])),
  );
  return { rows, maxCursor: status.maxCursor };
}

async function answerOf(server: Server, apl: string, more: object): Promise<Tabular> {
  const answer = await server.request('/v1/datasets/_apl?format=tabular', { body: JSON.stringify({ apl, ...more }) });
  if (answer.status !== 200) throw new UnansweredError(answer);
  return answer.body as Tabular;
}

/** All events of a query, page by page in order of their times. */
export async function* pages(server: Server, apl: string, limit: number): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  for (;;) {
    const { rows, maxCursor } = await ask(server, `${apl} | sort by _time asc | take ${limit}`, { cursor });
    yield rows;
    if (rows.length < limit) return;
    cursor = maxCursor;
  }
}
