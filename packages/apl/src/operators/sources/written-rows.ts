import type { Cell } from './file-rows.js';

/**
 * Rows as a part of a statement: tab-separated values. Rows that are longer than the table is wide
 * lose their end, shorter ones are filled up.
 */

/** The most bytes that rows take in a statement, where each has so many cells. */
export function writtenSize(rows: readonly (readonly Cell[])[], width: number): number {
  let size = 0;
  for (const row of rows)
    for (let i = 0; i < width; i++) {
      const cell = row[i] ?? null;
      // A separator and, for a missing cell, its placeholder; both are escaped.
      size += cell === null ? 5 : 2 + writtenLength(cell);
    }
  return size;
}

/**
 * At most four bytes for each character that may need escaping, twice, and for each non-ASCII
 * character.
 */
function writtenLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === 0x27 || code === 0x5c) length += 3;
  }
  return length;
}

/** The rows as tab-separated values. */
export function writtenRows(rows: readonly (readonly Cell[])[], width: number): string {
  const missing = Array.from({ length: width }, () => '\\N');
  const lines = rows.map((row) => {
    const cells = row.slice(0, width).map(writtenCell);
    return [...cells, ...missing.slice(cells.length)].join('\t');
  });
  return lines.join('\n');
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const writtenCell = (cell: Cell): string =>
  cell === null ? '\\N' : cell.replace(/[\\\t\n\r]/g, (character) => escapes[character]!);
