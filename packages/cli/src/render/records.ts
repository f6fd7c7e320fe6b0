import type { Exit } from '../exit-codes.js';
import type { Io } from '../io.js';
import { wrappedGridLines } from './text-table.js';

/**
 * Writes resources that the interface gives as JSON objects: as a table for people, as JSON for
 * programs.
 */

export interface Column<T> {
  readonly title: string;
  readonly right?: boolean;
  /** Never broken, because it will be copied into another command. */
  readonly whole?: boolean;
  readonly of: (record: T) => string;
}

/** Writes a list; one JSON object per line if asked for or read by a program. */
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

/** Writes one resource; for people, one line per member. */
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
