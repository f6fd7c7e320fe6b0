import type { OutputColumn, Presentation } from '@millrace/apl';
import type { MetricRows } from '@millrace/query/mpl/check-mpl';
import { textAt, valuesOf } from '@millrace/query/run/columns';
import type { QueryOutcome } from '@millrace/query/run/outcome';

/** The part of a query result that monitors evaluate. */

/** Identifies a group. */
export type Label = string | number | boolean | null;

export interface ResultColumn {
  readonly name: string;
  /**
   * `time` orders the rows, and `group` names the series of a row. `value` columns are compared
   * where they are numbers.
   */
  readonly role: 'time' | 'group' | 'value';
  readonly values: readonly unknown[];
  /** It counts: where a series has no rows, its value is 0. */
  readonly isCount?: true;
}

export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
  /** Length of the bins of a series over time, nanoseconds. */
  readonly binSize?: bigint;
  /** Names of the datasets it is from. */
  readonly datasets: readonly string[];
}

/**
 * Converts a query result. Totals of a time series are left out: they are not additional values.
 */
export function resultTable({ compiled, table }: QueryOutcome): ResultTable {
  const { presentation } = compiled;
  const roleOf = rolesIn(table.output, presentation);
  return {
    columns: table.output.map((column, i) => {
      const cells = valuesOf(table.columns[i]!, table.rows);
      return {
        name: column.name,
        role: roleOf(column),
        ...(counts.has(column.agg?.name ?? '') && { isCount: true as const }),
        values: Array.from({ length: table.rows }, (_, row) => JSON.parse(textAt(cells, row)) as unknown),
      };
    }),
    rows: table.rows,
    datasets: compiled.datasets,
    ...(presentation.bucket !== undefined && { binSize: presentation.bucket.size }),
  };
}

/** Converts the series of a query in MPL: tags are groups. */
export const metricsTable = ({ dataset, metric, tags, times, values, step }: MetricRows): ResultTable => ({
  columns: [
    { name: '_time', role: 'time', values: times },
    ...tags.map(({ name, values }) => ({ name, role: 'group' as const, values })),
    { name: metric, role: 'value', values },
  ],
  rows: values.length,
  datasets: [dataset],
  binSize: BigInt(step) * 1_000_000n,
});

/** Aggregates of no events that are 0. */
const counts: ReadonlySet<string> = new Set(['count', 'countif', 'dcount', 'dcountif']);

/**
 * Determines the roles of columns. Groups are the keys of the last `summarize`; if none of them is
 * left, strings and booleans name the groups.
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
