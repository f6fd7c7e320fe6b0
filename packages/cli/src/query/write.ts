import type { Answer, Table } from '../result/tabular.js';
import { rowsOf } from '../result/tabular.js';
import { type Io, type Output, styleText } from '../io.js';
import { writeMessages } from '../render/messages.js';
import { formatCount, durationText, pluralize } from '../render/quantity.js';
import { csvLines, ndjsonLines } from '../render/rows.js';
import { gridLines, gridOf } from '../render/text-table.js';

/** Result formats. */

export const resultFormats = ['table', 'ndjson', 'csv', 'json'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** Writes a result; `text` is the unparsed response. */
export async function writeAnswer(io: Io, answer: Answer, text: string, format: ResultFormat): Promise<void> {
  await writeMessages(io.err, answer.status.messages ?? []);
  switch (format) {
    case 'json':
      return io.out.write(`${text.trimEnd()}\n`);
    case 'ndjson':
      return writeLines(io.out, ndjsonLines(answer.table));
    case 'csv':
      return writeLines(io.out, csvLines(answer.table));
    case 'table':
      return io.out.write(tableText(answer, io.out));
  }
}

/** Writes lines in chunks. */
async function writeLines(out: Pick<Output, 'write'>, lines: Iterable<string>): Promise<void> {
  let pending: string[] = [];
  let length = 0;
  for (const line of lines) {
    pending.push(line);
    length += line.length;
    if (length > 64 * 1024) {
      await out.write(pending.join(''));
      pending = [];
      length = 0;
    }
  }
  if (length > 0) await out.write(pending.join(''));
}

/** The table, its totals and a summary line. */
function tableText({ table, totals, status }: Answer, out: Pick<Output, 'width' | 'color'>): string {
  const { lines, notes } = tableLines(table, out);
  const more = totals === undefined ? [] : ['', styleText(out, 'dim', 'in total'), ...tableLines(totals, out).lines];
  const footer = [
    pluralize(rowsOf(table), 'row'),
    ...(status.rowsMatched > rowsOf(table) ? [`${formatCount(status.rowsMatched)} matched`] : []),
    `${formatCount(status.rowsExamined)} examined`,
    durationText(status.elapsedTime / 1000),
    ...notes,
  ];
  return `${[...lines, ...more, '', styleText(out, 'dim', footer.join(' · '))].join('\n')}\n`;
}

function tableLines(
  table: Table,
  out: Pick<Output, 'width' | 'color'>,
): { readonly lines: readonly string[]; readonly notes: readonly string[] } {
  const { grid, empty } = gridOf(table);
  const { lines, left } = gridLines(grid, out);
  return {
    lines,
    notes: [
      ...(empty > 0 ? [`${pluralize(empty, 'column')} empty, hidden`] : []),
      ...(left > 0 ? [`no room for ${pluralize(left, 'column')}: project fewer, or use --format ndjson`] : []),
    ],
  };
}
