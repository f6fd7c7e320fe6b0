import { rowsOf, type Table } from '../result/tabular.js';

/**
 * Machine-readable tables, one row per line. Cells are JSON texts and stay unchanged where the
 * format allows.
 */

/** One JSON object per line without null fields. */
export function* ndjsonLines(table: Table): Generator<string> {
  const keys = table.fields.map(({ name }) => `${JSON.stringify(name)}:`);
  for (let row = 0; row < rowsOf(table); row++) {
    const members: string[] = [];
    table.columns.forEach((column, i) => {
      const cell = column[row] ?? 'null';
      if (cell !== 'null') members.push(keys[i]! + cell);
    });
    yield `{${members.join(',')}}\n`;
  }
}

/** Column names, then rows. */
export function* csvLines(table: Table): Generator<string> {
  yield csvHeader(table.fields.map(({ name }) => name));
  for (let row = 0; row < rowsOf(table); row++) yield csvLine(table.columns.map((column) => column[row]));
}

export const csvHeader = (names: readonly string[]): string => `${names.map(quoteCell).join(',')}\n`;

/**
 * CSV line from JSON texts: absent and null cells are empty, arrays and objects stay JSON. Never an
 * empty line, which many readers skip.
 */
export const csvLine = (cells: readonly (string | undefined)[]): string =>
  `${cells.map((cell) => quoteCell(plainText(cell ?? 'null'))).join(',') || '""'}\n`;

/** Cell as plain text: strings unquoted, null empty. */
export function plainText(cell: string): string {
  if (cell === 'null') return '';
  return cell.startsWith('"') ? (JSON.parse(cell) as string) : cell;
}

/** RFC 4180. */
const quoteCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
