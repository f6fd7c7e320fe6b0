import { type Cell, textOf } from './cells.js';

/**
 * Name of the group of a value, for legends: a missing value is `no level`, and a text that reads
 * like it is quoted.
 */
export function groupName(cell: Cell, field: string): string {
  const missing = `no ${field}`;
  if (cell === null) return missing;
  const text = textOf(cell);
  return text === missing ? JSON.stringify(text) : text;
}
