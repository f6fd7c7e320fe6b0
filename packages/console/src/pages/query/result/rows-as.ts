import { type Cell, textOf } from '../../../data/answers/cells.js';
import { jsonOf } from '../../../rows/event-json.js';
import type { RowSource } from '../../../rows/row-source.js';

/** Rows as texts to copy or to save. */
export type RowsFormat = 'csv' | 'ndjson' | 'markdown' | 'lines';

export function rowsAs(
  format: RowsFormat,
  source: RowSource,
  columns: readonly string[],
  rows?: Iterable<number>,
): string {
  const wanted = [...(rows ?? Array.from({ length: source.rows }, (_, row) => row))];
  const lines = wanted.map((row) => {
    const cells = columns.map((name) => source.cell(row, name));
    switch (format) {
      case 'csv':
        return cells.map(csvCell).join(',');
      case 'ndjson':
        return `{${columns
          .map((name, index) => [name, cells[index]!] as const)
          .filter(([, cell]) => cell !== null)
          .map(([name, cell]) => `${JSON.stringify(name)}:${jsonOf(cell)}`)
          .join(',')}}`;
      case 'markdown':
        return `| ${cells
          .map((cell) =>
            textOf(cell)
              .replaceAll('|', String.raw`\|`)
              .replaceAll(/\s+/g, ' '),
          )
          .join(' | ')} |`;
      case 'lines':
        return cells.map(textOf).join('\t');
    }
  });
  if (format === 'csv') lines.unshift(columns.map(csvCell).join(','));
  if (format === 'markdown') lines.unshift(`| ${columns.join(' | ')} |`, `|${columns.map(() => '---|').join('')}`);
  return `${lines.join('\n')}\n`;
}

/**
 * Spreadsheets run what begins like a formula; a quote before it makes it a text. Numbers stay
 * numbers.
 */
function csvCell(cell: Cell): string {
  const text = typeof cell === 'string' && /^[=+\-@\t]/.test(cell) ? `'${cell}` : textOf(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
