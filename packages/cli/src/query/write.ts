import type { Answer, Table } from '../answer/tabular.js';
import { rowsOf } from '../answer/tabular.js';
import { type Io, type Output, styled } from '../io.js';
import { writeMessages } from '../render/messages.js';
import { counted, durationText, several } from '../render/quantity.js';
import { csvLines, ndjsonLines } from '../render/rows.js';
import { gridLines, gridOf } from '../render/text-table.js';

/** How results are written. */

export const resultFormats = ['table', 'ndjson', 'csv', 'json'] as const;
export type ResultFormat = (typeof resultFormats)[number];

/** Writes an answer; `text` is its text as the server sent it. */
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

/** Writes lines in pieces of a useful size. */
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

/** A result for people: the table, the totals if there are any, and a line about it. */
function tableText({ table, totals, status }: Answer, out: Pick<Output, 'width' | 'color'>): string {
  const { lines, notes } = tableLines(table, out);
  const more = totals === undefined ? [] : ['', styled(out, 'dim', 'in total'), ...tableLines(totals, out).lines];
  const footer = [
    several(rowsOf(table), 'row'),
    ...(status.rowsMatched > rowsOf(table) ? [`${counted(status.rowsMatched)} matched`] : []),
    `${counted(status.rowsExamined)} examined`,
    durationText(status.elapsedTime / 1000),
    ...notes,
  ];
  return `${[...lines, ...more, '', styled(out, 'dim', footer.join(' · '))].join('\n')}\n`;
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
      ...(empty > 0 ? [`${several(empty, 'column')} without a value not shown`] : []),
      ...(left > 0 ? [`no room for ${several(left, 'column')}: project fewer, or use --format ndjson`] : []),
    ],
  };
}
