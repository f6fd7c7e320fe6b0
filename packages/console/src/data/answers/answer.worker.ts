/// <reference lib="webworker" />
import type { FromReader, ToReader } from './answer-messages.js';
import type { Cell } from './cells.js';
import { cellsOf, splitAnswer } from './split-answer.js';

/** Reads answers away from the page, which stays free to be scrolled and typed in. */

/** Rows handed over at once: the page takes a few milliseconds for them. */
const CHUNK_ROWS = 2000;

/** The whole of the texts that were cut, for each answer that is still shown. */
const wholes = new Map<number, Map<string, string>>();

const post = (message: FromReader): void => globalThis.postMessage(message);

function read(id: number, bytes: ArrayBuffer): void {
  const { head, tables } = splitAnswer(new TextDecoder().decode(bytes));
  const kept = new Map<string, string>();
  wholes.set(id, kept);
  post({ kind: 'head', id, head, tables: tables.map((table) => table.head) });
  for (const [index, { head, columns }] of tables.entries()) {
    const cells: (readonly Cell[])[] = columns.map((column, field) =>
      cellsOf(column, head.fields[field]?.type ?? '', (row, whole) => kept.set(`${index}:${field}:${row}`, whole)),
    );
    const rows = cells[0]?.length ?? 0;
    for (let from = 0; from < rows; from += CHUNK_ROWS)
      post({ kind: 'rows', id, table: index, columns: cells.map((column) => column.slice(from, from + CHUNK_ROWS)) });
  }
  post({ kind: 'end', id });
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
  switch (data.kind) {
    case 'read':
      try {
        read(data.id, data.bytes);
      } catch {
        post({ kind: 'failed', id: data.id, problem: 'the answer broke off, or is not one of this server' });
      }
      return;
    case 'whole':
      post({ kind: 'whole', ask: data.ask, text: wholes.get(data.id)?.get(data.key) ?? '' });
      return;
    case 'forget':
      wholes.delete(data.id);
      return;
  }
});
