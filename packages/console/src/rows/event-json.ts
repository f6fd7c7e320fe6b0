import type { Cell } from '../data/results/cells.js';
import type { RowSource } from './row-source.js';

/** A value as exact JSON: integers with all digits, objects verbatim. */
export function jsonOf(cell: Cell): string {
  if (typeof cell === 'bigint') return String(cell);
  if (typeof cell !== 'object' || cell === null) return JSON.stringify(cell);
  if (cell.kind === 'json') return cell.text;
  return JSON.stringify(`${cell.head}…`);
}

/** A row as a JSON object, without missing fields. */
export function eventJson(source: RowSource, row: number): string {
  const members: string[] = [];
  for (const { name } of source.fields) {
    const cell = source.cell(row, name);
    if (cell !== null) members.push(`${JSON.stringify(name)}: ${jsonOf(cell)}`);
  }
  return `{${members.join(', ')}}`;
}
