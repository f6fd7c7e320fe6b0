import { isMetrics } from '@millrace/api/schemas/dataset';
import type { BudgetLimits } from '@millrace/events';
import type { ColumnStorage } from './new-column.js';

/**
 * Tables of metrics datasets (docs/decisions/0036): rows with fixed fields, in the order in which
 * queries read them. `model/columns.ts` of the package `mpl` names the same columns.
 */
const columns: ReadonlyMap<string, ColumnStorage> = new Map([
  ['record#s', { type: 'LowCardinality(String)', codec: 'ZSTD(1)' }],
  ['metric#s', { type: 'LowCardinality(String)', codec: 'ZSTD(1)' }],
  ['series#i', { type: 'Int64', codec: 'ZSTD(1)' }],
  // Less than Gorilla needs, and faster to read: see lab/performance/metrics.md.
  ['value#f', { type: 'Float64', codec: 'Delta, ZSTD(1)' }],
  ['tags#s', { type: 'String', codec: 'ZSTD(1)' }],
  ['type#s', { type: 'LowCardinality(String)', codec: 'ZSTD(1)' }],
  ['temporality#s', { type: 'LowCardinality(String)', codec: 'ZSTD(1)' }],
  ['unit#s', { type: 'LowCardinality(String)', codec: 'ZSTD(1)' }],
  // The times of a series are at equal distances.
  ['_time', { type: "DateTime64(9, 'UTC')", codec: 'DoubleDelta, ZSTD(1)' }],
  // They repeat in each series, which has tens of kilobytes of them a day.
  ['_sysTime', { type: "DateTime64(9, 'UTC')", codec: 'Delta, ZSTD(3)', compressBytes: 2 ** 20 }],
  ['_seq', { type: 'UInt64', codec: 'Delta, ZSTD(3)', compressBytes: 2 ** 20 }],
]);

const order = ['`record#s`', '`metric#s`', '`series#i`', '_time', '_seq', '_row'].join(', ');

/** Columns with a fixed layout, and the order of the rows. */
interface TableLayout {
  readonly columns: ReadonlyMap<string, ColumnStorage>;
  readonly order: string;
}

/**
 * The limits of columns for the data of a dataset. Fields of metrics have a column whatever the
 * setting says, because queries of metrics read nothing else.
 */
export const columnLimitsOf = (kind: string | undefined, limits: BudgetLimits): BudgetLimits =>
  isMetrics(kind)
    ? {
        ...limits,
        softColumns: Math.max(limits.softColumns, columns.size),
        hardColumns: Math.max(limits.hardColumns, columns.size),
        fillBytes: Infinity,
      }
    : limits;

/** The layout for the data of a dataset. */
export const tableLayoutOf = (kind: string | undefined): TableLayout =>
  isMetrics(kind) ? { columns, order } : { columns: new Map(), order: '_time, _seq, _row' };
