import { type Chart, membersOf, numberMember, textMember } from './document.js';
import { withMember } from './with-member.js';

/** Columns of a table or log: names, or names with widths; empty for all. */

/** As in the document; unknown properties are preserved. */
type Entry = string | Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly width: number | undefined;
  readonly entry: Entry;
}

export function tableColumns(chart: Chart): readonly Column[] {
  const { columns } = membersOf(chart['tableSettings']);
  if (!Array.isArray(columns)) return [];
  return columns.flatMap((entry: unknown): readonly Column[] => {
    if (typeof entry === 'string') return [{ name: entry, width: undefined, entry }];
    const members = membersOf(entry);
    const name = textMember(members, 'name');
    return name === undefined ? [] : [{ name, width: numberMember(members, 'width'), entry: members }];
  });
}

/** Notation of the Query page: `level:80`. */
export const shownColumns = (chart: Chart): readonly string[] =>
  tableColumns(chart).map(({ name, width }) => (width === undefined ? name : `${name}:${Math.round(width)}`));

export const withTableColumns = (chart: Chart, entries: readonly Entry[]): Chart =>
  withMember(chart, ['tableSettings', 'columns'], entries) as Chart;
