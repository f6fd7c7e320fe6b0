/// <reference lib="webworker" />
import type { FromReader, ToReader } from './result-messages.js';
import type { Cell } from './cells.js';
import { cellsOf, splitAnswer } from './split-result.js';

/** Parses results off the main thread, which stays responsive. */

/** Sent in chunks: the page takes a few milliseconds for each and can scroll in between. */
const MAX = { rows: 2000, columns: 4000, cells: 40_000 };

/** Whole texts of truncated values, per displayed result. */
const wholes = new Map<number, Map<string, string>>();

const post = (message: FromReader): void => globalThis.postMessage(message);

function read(id: number, bytes: ArrayBuffer): void {
  const { head, tables } = splitAnswer(new TextDecoder().decode(bytes));
  const kept = new Map<string, string>();
  wholes.set(id, kept);
  post({ kind: 'head', id, head, tables: tables.map((table) => ({ ...table.head, fields: [] })) });
  for (const [index, { head, columns }] of tables.entries()) {
    const cells: (readonly Cell[])[] = columns.map((column, field) =>
      cellsOf(column, head.fields[field]?.type ?? '', (row, whole) => kept.set(`${index}:${field}:${row}`, whole)),
    );
    const rows = cells[0]?.length ?? 0;
    for (let first = 0; first < cells.length; first += MAX.columns) {
      const columns = cells.slice(first, first + MAX.columns);
      post({ kind: 'fields', id, table: index, fields: head.fields.slice(first, first + MAX.columns) });
      const atOnce = Math.max(1, Math.min(MAX.rows, Math.floor(MAX.cells / columns.length)));
      for (let from = 0; from < rows; from += atOnce)
        post({
          kind: 'cells',
          id,
          table: index,
          first,
          columns: columns.map((column) => column.slice(from, from + atOnce)),
        });
    }
  }
  post({ kind: 'end', id });
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
  switch (data.kind) {
    case 'read':
      try {
        read(data.id, data.bytes);
      } catch {
        post({ kind: 'failed', id: data.id, problem: 'the response was truncated or did not come from this server' });
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
