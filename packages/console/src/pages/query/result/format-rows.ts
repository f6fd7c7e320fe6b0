import { type Cell, textOf } from '../../../data/results/cells.js';
import { jsonOf } from '../../../rows/event-json.js';
import type { RowSource } from '../../../rows/row-source.js';

/** Formats rows for copying and saving. */
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

/** Prefixes text that spreadsheets would run as a formula. Numbers stay numbers. */
function csvCell(cell: Cell): string {
  const text = typeof cell === 'string' && /^[=+\-@\t]/.test(cell) ? `'${cell}` : textOf(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
