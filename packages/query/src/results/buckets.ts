import { formatRfc3339, parseTimestampText } from '@millrace/timestamps';
import { groupsIn } from './groups.js';
import { findValues, spansOf, textAt, type ValueSpans } from '../run/columns.js';
import type { EngineTable, QueryOutcome } from '../run/outcome.js';
import type { Writer } from './writer.js';

/** An aggregation of the result and the column with its values. */
interface AggregateColumn {
  readonly label: string;
  readonly column: string;
}

/** An aggregation in the legacy format: groups and, for a time series, the groups of each bin. */
export interface Buckets {
  readonly groups: readonly string[];
  readonly aggregates: readonly AggregateColumn[];
  /** Absent for a series without totals: the value of a bin then depends on the bin. */
  readonly totals?: EngineTable;
  readonly series?: { readonly table: EngineTable; readonly time: string; readonly size: bigint };
}

/**
 * The buckets of a query in APL: every group of the result and, for a time series, each of its
 * bins.
 */
export function bucketsOf(outcome: QueryOutcome): Buckets | undefined {
  const { compiled, table, totals } = outcome;
  const { kind, bucket } = compiled.presentation;
  if (kind === 'events') return undefined;
  const groups = groupsIn(outcome);
  const names = groups.filter((name) => name !== bucket?.field);
  const aggregates = table.output
    .filter(({ name }) => !groups.includes(name))
    .map(({ name }) => ({ label: name, column: name }));
  if (bucket === undefined) return { groups: names, aggregates, totals: table };
  const series = { table, time: bucket.field, size: bucket.size };
  return { groups: names, aggregates, ...(totals !== undefined && { totals }), series };
}

/** Writes the groups of the whole result. */
export function* writeTotals(out: Writer, { totals, ...shown }: Buckets): Generator<void> {
  if (totals === undefined) return;
  const groups = yield* groupsOf(totals, shown);
  for (let row = 0; row < totals.rows; row++) {
    yield;
    if (row > 0) out.text(',');
    groups.write(out, row);
  }
}

/**
 * Writes the groups of each bucket, in the order of the rows; groups that are not in the totals are
 * omitted, if there are totals.
 */
export function* writeSeries(
  out: Writer,
  buckets: Buckets,
  { table, time, size }: NonNullable<Buckets['series']>,
): Generator<void> {
  const groups = yield* groupsOf(table, buckets);
  const shown = buckets.totals && (yield* keysOf(buckets.totals, buckets));
  const times = yield* findValues(table.columns[table.output.findIndex(({ name }) => name === time)]!, table.rows);
  // If rows are not sorted by time, the rows of one bucket may not be adjacent.
  const rowsOf = new Map<string, number[]>();
  for (let row = 0; row < table.rows; row++) {
    yield;
    if (shown !== undefined && !shown.has(groups.key(row))) continue;
    const start = textAt(times, row);
    const rows = rowsOf.get(start);
    if (rows === undefined) rowsOf.set(start, [row]);
    else rows.push(row);
  }
  let first = true;
  for (const [start, rows] of rowsOf) {
    out.text(`${first ? '' : ','}{"startTime":${start},"endTime":${endOf(start, size)},"groups":[`);
    first = false;
    for (const [i, row] of rows.entries()) {
      yield;
      if (i > 0) out.text(',');
      groups.write(out, row);
    }
    out.text(']}');
  }
}

function* keysOf(table: EngineTable, shown: Buckets): Generator<void, ReadonlySet<string>> {
  const groups = yield* groupsOf(table, shown);
  const keys = new Set<string>();
  for (let row = 0; row < table.rows; row++) {
    yield;
    keys.add(groups.key(row));
  }
  return keys;
}

function endOf(start: string, size: bigint): string {
  const time = start === 'null' ? undefined : parseTimestampText(JSON.parse(start) as string);
  return time === undefined ? 'null' : JSON.stringify(formatRfc3339(time + size));
}

/** How the rows of a table are written as `{id, group, aggregations}`. */
function* groupsOf(table: EngineTable, { groups, aggregates }: Pick<Buckets, 'groups' | 'aggregates'>) {
  const spans = yield* spansOf(table.columns, table.rows);
  const column = (name: string): ValueSpans | undefined => spans[table.output.findIndex((each) => each.name === name)];
  const keys = groups.map((name) => ({ name: JSON.stringify(name), values: column(name) }));
  const values = aggregates.map(({ label, column: name }) => ({ op: JSON.stringify(label), values: column(name) }));
  const cell = (spans: ValueSpans | undefined, row: number): string =>
    spans === undefined ? 'null' : textAt(spans, row);
  const key = (row: number): string => keys.map(({ name, values }) => `${name}:${cell(values, row)}`).join(',');
  return {
    key,
    write: (out: Writer, row: number): void => {
      const group = key(row);
      out.text(`{"id":${groupId(group)},"group":{${group}},"aggregations":[`);
      values.forEach(({ op, values: spans }, i) => {
        out.text(`${i === 0 ? '' : ','}{"op":${op},"value":`);
        if (spans === undefined) out.text('null');
        else out.value(spans, row);
        out.text('}');
      });
      out.text(']}');
    },
  };
}

/**
 * The same group has the same ID in every bucket and every response. FNV-1a, truncated to 52 bits
 * so that every client can represent it.
 */
function groupId(text: string): string {
  // In two halves of 32 bits, as numbers of 64 bits would take a hundred times as long: the prime
  // is 2^40 + 435.
  let [high, low] = [0xcbf29ce4, 0x84222325];
  for (const byte of Buffer.from(text, 'utf8')) {
    const mixed = (low ^ byte) >>> 0;
    const product = mixed * 435;
    high = (high * 435 + Math.floor(product / 2 ** 32) + mixed * 256) % 2 ** 32;
    low = product % 2 ** 32;
  }
  return String(((BigInt(high) << 32n) | BigInt(low)) >> 12n);
}
