import type { Answer } from '../data/results/results.js';
import type { RowSource } from './row-source.js';
import { isNumber } from './known-fields.js';
import type { Column, TableColumn } from './table-columns.js';
import { shownLength } from './value.js';

const LOOKED_AT_ROWS = 100;
/** Of the font of rows, and the average of the font of headers. */
const CHARACTER_WIDTH = 7.3;
const HEADER_CHARACTER_WIDTH = 7;
const PADDING = 20;
const HEADER_PADDING = 28;
const NARROWEST = 56;
const WIDEST = 360;

/**
 * Columns as wide as the longest of their first values, to fit as many as possible; those that the
 * user resized stay. Aggregates are marked as amounts: unlike identifiers and status codes, their
 * digits are grouped.
 */
export function fittedColumns(
  columns: readonly Column[],
  source: RowSource,
  answer: Answer | undefined,
): readonly TableColumn[] {
  const { fields = [], groups = [] } = answer?.table.head ?? {};
  const keys = new Set(groups.map(({ name }) => name));
  const aggregates = new Set(fields.filter(({ agg }) => agg !== undefined).map(({ name }) => name));
  return columns.map((column) => {
    const { name, type } = column;
    // Results computed from aggregates of groups are aggregates, too.
    const isAmount = isNumber(type) && (aggregates.has(name) || (keys.size > 0 && !keys.has(name)));
    return { ...column, isAmount, width: column.ownWidth ?? fittedWidth(column, source, isAmount) };
  });
}

function fittedWidth({ name, type }: Column, { rows, cell }: RowSource, isAmount: boolean): number {
  let longest = 0;
  for (let row = 0; row < Math.min(rows, LOOKED_AT_ROWS); row++)
    longest = Math.max(longest, shownLength(cell(row, name), type, isAmount));
  const width = Math.max(HEADER_PADDING + name.length * HEADER_CHARACTER_WIDTH, PADDING + longest * CHARACTER_WIDTH);
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}
