import { startWorker } from '../start-worker.js';
import type { FromReader, ToReader } from './answer-messages.js';
import readerUrl from './answer.worker.ts?worker&url';
import type { Cell } from './cells.js';
import type { RawAnswer, RawTable } from './split-answer.js';

/** One table of an answer: its fields, and the values of each. */
interface AnswerTable {
  readonly head: RawTable['head'];
  readonly columns: readonly (readonly Cell[])[];
  readonly rows: number;
}

export interface Answer {
  readonly head: RawAnswer['head'];
  readonly table: AnswerTable;
  readonly totals: AnswerTable | undefined;
  /** The settled position: nothing at or below it is still on its way. */
  readonly settled: string | undefined;
  readonly traceId: string | undefined;
  /** Milliseconds from the request to the last byte. */
  readonly milliseconds: number;
  /** The whole of a value that was cut. */
  readonly whole: (column: number, row: number) => Promise<string>;
}

/** The values of a column by its name; none if the answer has no such column. */
export const columnOf = ({ table }: Pick<Answer, 'table'>, name: string): readonly Cell[] =>
  table.columns[table.head.fields.findIndex((each) => each.name === name)] ?? [];

/** Whether the server had more rows than the page asked for. */
export const wasLimited = ({ head }: Answer): boolean =>
  head.status.messages.some(({ code }) => code === 'default_limit_warning');

type Listener = (message: FromReader) => void;

let reader: Worker | undefined;
let lastId = 0;
const listeners = new Map<number, Listener>();
const asks = new Map<number, (text: string) => void>();

function readerWorker(): Worker {
  if (reader !== undefined) return reader;
  const started = startWorker(readerUrl);
  started.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
    if (data.kind === 'whole') {
      asks.get(data.ask)?.(data.text);
      asks.delete(data.ask);
    } else listeners.get(data.id)?.(data);
  });
  reader = started;
  return started;
}

const tell = (message: ToReader, transfer: readonly Transferable[] = []): void =>
  readerWorker().postMessage(message, [...transfer]);

/** What nobody shows any more takes its texts along. */
const forgotten = new FinalizationRegistry<number>((id) => tell({ kind: 'forget', id }));

/**
 * Reads the body of an answer.
 * @throws Error when it breaks off, AbortError when the signal is aborted
 */
export async function readAnswer(
  response: Response,
  signal: AbortSignal | undefined,
  started: number,
): Promise<Answer> {
  const bytes = await response.arrayBuffer();
  const milliseconds = performance.now() - started;
  const id = ++lastId;
  const parts: { head?: RawAnswer['head']; tables: { head: RawTable['head']; columns: Cell[][] }[] } = { tables: [] };
  await new Promise<void>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    listeners.set(id, (message) => {
      switch (message.kind) {
        case 'head':
          parts.head = message.head;
          parts.tables = message.tables.map((head) => ({ head, columns: head.fields.map(() => []) }));
          return;
        case 'rows':
          for (const [index, cells] of message.columns.entries())
            for (const cell of cells) parts.tables[message.table]!.columns[index]!.push(cell);
          return;
        case 'end':
          return resolve();
        case 'failed':
          return reject(new Error(message.problem));
        case 'whole':
      }
    });
    tell({ kind: 'read', id, bytes }, [bytes]);
  }).finally(() => listeners.delete(id));
  const tables = parts.tables.map(({ head, columns }) => ({ head, columns, rows: columns[0]?.length ?? 0 }));
  const answer: Answer = {
    head: parts.head!,
    table: tables[0]!,
    totals: tables[1],
    settled: response.headers.get('x-millrace-settled') ?? undefined,
    traceId: response.headers.get('x-axiom-trace-id') ?? undefined,
    milliseconds,
    whole: (column, row) =>
      new Promise((resolve) => {
        const ask = ++lastId;
        asks.set(ask, resolve);
        tell({ kind: 'whole', id, ask, key: `0:${column}:${row}` });
      }),
  };
  forgotten.register(answer, id);
  return answer;
}
