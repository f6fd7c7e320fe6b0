import type { OutputColumn, Presentation } from '@millrace/apl';
import { textAt, valuesOf } from '../../query/run/columns.js';
import type { QueryOutcome } from '../../query/run/execute.js';

/** The result of a monitor's query, as far as monitors look at it. */

/** What a group is named by. */
export type Label = string | number | boolean | null;

export interface ResultColumn {
  readonly name: string;
  /**
   * `time` orders the rows, `group` names the series a row belongs to; what is in the others is
   * compared if it is a number.
   */
  readonly role: 'time' | 'group' | 'value';
  readonly values: readonly unknown[];
}

export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
  /** Length of the bins of a series over time, nanoseconds. */
  readonly binSize?: bigint;
  /** Names of the datasets it is from. */
  readonly datasets: readonly string[];
}

/** Totals beside a series over time are left out: they are no values of their own. */
export function resultTable({ compiled, table }: QueryOutcome): ResultTable {
  const { presentation } = compiled;
  const roleOf = rolesIn(table.output, presentation);
  return {
    columns: table.output.map((column, i) => {
      const cells = valuesOf(table.columns[i]!, table.rows);
      return {
        name: column.name,
        role: roleOf(column),
        values: Array.from({ length: table.rows }, (_, row) => JSON.parse(textAt(cells, row)) as unknown),
      };
    }),
    rows: table.rows,
    datasets: compiled.datasets,
    ...(presentation.bucket !== undefined && { binSize: presentation.bucket.size }),
  };
}

/**
 * Groups are what the last `summarize` grouped by; where nothing of that is left, texts and
 * booleans name the groups.
 */
function rolesIn(
  output: readonly OutputColumn[],
  { groups, bucket }: Presentation,
): (column: OutputColumn) => ResultColumn['role'] {
  const isTime = ({ types: [type, ...others] }: OutputColumn): boolean => type === 'datetime' && others.length === 0;
  const isGroup = ({ name }: OutputColumn): boolean => name !== bucket?.field && groups.includes(name);
  const isName = ({ types }: OutputColumn): boolean => types.every((type) => type === 'string' || type === 'bool');
  const named = output.some((column) => isGroup(column) && !isTime(column)) ? isGroup : isName;
  return (column) => (isTime(column) ? 'time' : named(column) ? 'group' : 'value');
}
