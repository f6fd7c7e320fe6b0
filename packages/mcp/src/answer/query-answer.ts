import { formatRfc3339 } from '@millrace/timestamps';
import { textAt, valuesOf } from '@millrace/query/run/columns';
import type { AgentContext } from '../context.js';
import { queryLink } from '../console-link.js';
import { type AgentQuery, type AgentResult, runQuery, standardStart } from '../run-query.js';
import { shortTime } from './cell.js';
import { compactTable, type TextLimits } from './compact.js';
import { firstRows, type Rows } from './table.js';

/** The text of a query's result, for an agent. */

interface AnswerOptions {
  readonly maxRows: number;
  /** Changes the rows before they are written. */
  readonly reshape?: (rows: Rows) => Rows;
}

/** Limits of the text of a response, from the settings. */
export const textLimits = ({ service: { settings } }: Pick<AgentContext, 'service'>): TextLimits => ({
  bytes: settings.mcpAnswerBytes,
  cell: settings.mcpCellCharacters,
});

/** Runs a query and writes its result. */
export async function queryAnswer(query: AgentQuery, { maxRows, reshape }: AnswerOptions, context: AgentContext) {
  const max = Math.min(maxRows, context.service.settings.mcpMaxRows);
  const result = await runQuery({ ...query, limit: max }, context);
  const { outcome } = result;
  const first = firstRows(outcome.table, max);
  const rows = reshape === undefined ? first : reshape(first);
  const { text, shown } = compactTable(rows, textLimits(context));
  const isWhole = reshape !== undefined && shown === rows.cells.length;
  const seen = isWhole ? first.cells.length : shown;
  return lines([
    headOf(result, seen),
    ...findingsText(result),
    outcome.table.rows === 0 ? await emptyText(result, context) : text,
    moreText(query, result, seen),
    queryLink(query.apl, { from: query.startTime ?? standardStart, to: query.endTime ?? 'now' }, context),
  ]);
}

/** Joins the lines that are not empty. */
export const lines = (all: readonly string[]): string => all.filter((line) => line !== '').join('\n');

/** Rows of the whole result, if known. */
const totalOf = ({ outcome: { compiled, table, rowsMatched } }: AgentResult): number =>
  compiled.presentation.kind === 'events' ? Math.max(rowsMatched, table.rows) : table.rows;

function headOf(result: AgentResult, shown: number): string {
  const { outcome, range, now, milliseconds } = result;
  const total = totalOf(result);
  const count = shown < total ? `${shown} of ${total} rows` : `${total} ${total === 1 ? 'row' : 'rows'}`;
  const span = `${instant(range.start)} to ${instant(range.end)}`;
  const read = `examined ${outcome.rowsExamined} events in ${Math.round(milliseconds)} ms`;
  const missing = outcome.partial ? '; INCOMPLETE: some acknowledged events cannot be read at present' : '';
  return `${count}; ${span}; now ${instant(now)}; ${read}${missing}`;
}

const instant = (nanoseconds: bigint): string => shortTime(formatRfc3339(nanoseconds));

/** Warnings of the compiler, such as an unknown field with the name that was probably meant. */
const findingsText = ({ outcome: { compiled } }: AgentResult): readonly string[] =>
  compiled.diagnostics.filter(({ severity }) => severity === 'warning').map(({ message }) => `note: ${message}`);

/** How to get what was left out. */
function moreText({ apl }: AgentQuery, result: AgentResult, shown: number): string {
  const { outcome } = result;
  const total = totalOf(result);
  if (shown >= total || shown === 0) return '';
  const left = `truncated: ${total - shown} more rows.`;
  if (outcome.rowIds !== undefined) {
    const cursor = JSON.parse(textAt(valuesOf(outcome.rowIds, shown), shown - 1)) as string;
    return `${left} Aggregate with summarize, or run the same query with cursor "${cursor}" for the next rows.`;
  }
  return `${left} Keep fewer with top or where, or run this for the next rows:\n${apl}\n| serialize row_ = row_number()\n| where row_ > ${shown}`;
}

/** Why a result may be empty. */
async function emptyText({ datasets }: AgentResult, { service }: AgentContext): Promise<string> {
  const { metadata, storage } = service;
  const hints = await Promise.all(
    datasets.slice(0, 5).map(async (name) => {
      const record = metadata.datasets.find(name);
      if (record === undefined) return '';
      const { rows, minTime, maxTime } = await storage.info(record);
      if (minTime === undefined || maxTime === undefined) return `Dataset '${name}' is empty.`;
      return `Dataset '${name}' has ${rows} events from ${instant(minTime)} to ${instant(maxTime)}.`;
    }),
  );
  return lines(['No rows. Widen the time range or the conditions.', ...hints]);
}
