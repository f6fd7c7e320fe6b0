import type { RequestedRange } from './requested-range.js';
import { startWorker } from '../start-worker.js';
import type { FromReader, ToReader } from './result-messages.js';
import readerUrl from './result.worker.ts?worker&url';
import type { Cell } from './cells.js';
import type { RawAnswer, RawTable } from './split-result.js';

/** A table of a result: fields and values. */
interface AnswerTable {
  readonly head: RawTable['head'];
  readonly columns: readonly (readonly Cell[])[];
  /** Column index by name. */
  readonly index: ReadonlyMap<string, number>;
  readonly rows: number;
}

/** A table that is still loading. */
interface PartialTable {
  readonly head: RawTable['head'];
  readonly fields: RawTable['head']['fields'][number][];
  readonly columns: Cell[][];
  readonly index: Map<string, number>;
}

const growingResult = (head: RawTable['head']): PartialTable => {
  const fields: RawTable['head']['fields'][number][] = [];
  return { head: { ...head, fields }, fields, columns: [], index: new Map() };
};

export interface Answer {
  readonly head: RawAnswer['head'];
  readonly table: AnswerTable;
  readonly totals: AnswerTable | undefined;
  /** Requested range; the range of a table is widened to whole buckets. */
  readonly asked: RequestedRange | undefined;
  /** Watermark: no event at or below it is still in flight. */
  readonly settled: string | undefined;
  readonly traceId: string | undefined;
  /** Milliseconds from the request to the last byte. */
  readonly milliseconds: number;
  /** Whole text of a truncated value. */
  readonly whole: (column: number, row: number) => Promise<string>;
}

/** Values of a column by name; empty if there is no such column. */
export const columnOf = ({ table }: Pick<Answer, 'table'>, name: string): readonly Cell[] =>
  table.columns[table.index.get(name) ?? -1] ?? [];

/** Whether the server had more rows than requested. */
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

/** Garbage-collected results release their texts. */
const forgotten = new FinalizationRegistry<number>((id) => tell({ kind: 'forget', id }));

/**
 * Parses a response body.
 * @throws Error when it is truncated, AbortError when the signal is aborted
 */
export async function readAnswer(
  response: Response,
  signal: AbortSignal | undefined,
  started: number,
  asked?: RequestedRange,
): Promise<Answer> {
  const bytes = await response.arrayBuffer();
  const milliseconds = performance.now() - started;
  const id = ++lastId;
  const parts: { head?: RawAnswer['head']; tables: readonly PartialTable[] } = { tables: [] };
  await new Promise<void>((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    listeners.set(id, (message) => {
      switch (message.kind) {
        case 'head':
          parts.head = message.head;
          parts.tables = message.tables.map(growingResult);
          return;
        case 'fields': {
          const { fields, columns, index } = parts.tables[message.table]!;
          for (const field of message.fields) {
            index.set(field.name, fields.length);
            fields.push(field);
            columns.push([]);
          }
          return;
        }
        case 'cells': {
          const { columns } = parts.tables[message.table]!;
          for (const [columnIndex, cells] of message.columns.entries()) {
            const column = columns[message.first + columnIndex]!;
            for (const cell of cells) column.push(cell);
          }
          return;
        }
        case 'end':
          return resolve();
        case 'failed':
          return reject(new Error(message.problem));
        case 'whole':
      }
    });
    tell({ kind: 'read', id, bytes }, [bytes]);
  }).finally(() => listeners.delete(id));
  const tables = parts.tables.map(({ head, columns, index }) => ({
    head,
    columns,
    index,
    rows: columns[0]?.length ?? 0,
  }));
  const answer: Answer = {
    head: parts.head!,
    table: tables[0]!,
    totals: tables[1],
    asked,
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
