import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';
import { wrappedGridLines } from './text-table.js';

/** Writes API resources: a table in a terminal, JSON for programs. */

export interface Column<T> {
  readonly title: string;
  readonly right?: boolean;
  /** Never wrapped, so that it can be copied. */
  readonly whole?: boolean;
  readonly of: (record: T) => string;
}

/** Writes a list; with `json` or for programs, one JSON object per line. */
export async function writeRecords<T>(
  { out }: Io,
  records: readonly T[],
  columns: readonly Column<T>[],
  json: boolean,
): Promise<Exit> {
  if (json || !out.terminal) {
    await out.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return 'done';
  }
  const head = columns.map(({ title, right = false, whole = false }) => ({ title, right, whole }));
  const rows = records.map((record) => columns.map(({ of }) => of(record)));
  await out.write(`${wrappedGridLines({ head, rows }, out).join('\n')}\n`);
  return 'done';
}

/** Writes one resource; in a terminal, one line per property. */
export async function writeRecord({ out }: Io, record: object, json: boolean): Promise<Exit> {
  if (json || !out.terminal) {
    await out.write(`${JSON.stringify(record)}\n`);
    return 'done';
  }
  const rows = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const head = [true, false].map((whole) => ({ title: '', right: false, whole }));
  const [, ...lines] = wrappedGridLines({ head, rows }, out);
  await out.write(`${lines.join('\n')}\n`);
  return 'done';
}
