import { formatRfc3339, parseTimestampText } from '@millrace/events';
import { parseCursor } from '../cursor.js';
import { isNullAt, textAt, type ValueSpans, valuesOf } from '../run/columns.js';
import type { AnswerTable, QueryOutcome } from '../run/execute.js';
import { encoded, Writer } from './writer.js';

/** Answers in the legacy format: events as objects, aggregations as groups and buckets. */

/** An aggregation of the answer and the column that holds its values. */
interface Shown {
  readonly label: string;
  readonly column: string;
}

export interface Buckets {
  readonly groups: readonly string[];
  readonly aggregates: readonly Shown[];
  readonly totals: AnswerTable;
  readonly series?: { readonly table: AnswerTable; readonly time: string; readonly size: bigint };
}

/**
 * The answer in pieces.
 * @param head members before `matches`; `format` is added
 */
export function legacyAnswer(head: object, outcome: QueryOutcome, buckets: Buckets | undefined): readonly Uint8Array[] {
  const out = new Writer();
  out.text(`${JSON.stringify({ format: 'legacy', ...head }).slice(0, -1)},"matches":[`);
  if (buckets === undefined) writeMatches(out, outcome);
  out.text('],"buckets":{"series":[');
  if (buckets?.series !== undefined) writeSeries(out, buckets, buckets.series);
  out.text('],"totals":[');
  if (buckets !== undefined) writeTotals(out, buckets);
  out.text(']}}');
  return [out.take()];
}

/** The buckets of a query in APL: every group of the result and, for a time series, each of its bins. */
export function bucketsOf({ compiled, table, totals }: QueryOutcome): Buckets | undefined {
  const { kind, bucket, groups } = compiled.presentation;
  if (kind === 'events') return undefined;
  const names = groups.filter((name) => name !== bucket?.field);
  const aggregates = table.output
    .filter(({ name }) => !groups.includes(name))
    .map(({ name }) => ({ label: name, column: name }));
  if (bucket === undefined) return { groups: names, aggregates, totals: table };
  const series = { table, time: bucket.field, size: bucket.size };
  return { groups: names, aggregates, totals: totals ?? { output: [], columns: [], rows: 0 }, series };
}

// ---------------------------------------------------------------- matches

const pieces = {
  first: encoded('{"_time":'),
  next: encoded(',{"_time":'),
  sysTime: encoded(',"_sysTime":'),
  rowId: encoded(',"_rowId":'),
  data: encoded(',"data":{'),
  end: encoded('}}'),
  none: encoded('""'),
};

function writeMatches(out: Writer, { table, rowIds }: QueryOutcome): void {
  const { rows, output } = table;
  const spans = table.columns.map((column) => valuesOf(column, rows));
  const ids = rowIds === undefined ? undefined : valuesOf(rowIds, rows);
  const at = (name: string): ValueSpans | undefined => spans[output.findIndex((column) => column.name === name)];
  const time = at('_time');
  const sysTime = at('_sysTime');
  const data = output.flatMap(({ name }, i) =>
    name === '_time' || name === '_sysTime'
      ? []
      : [
          {
            key: encoded(`${JSON.stringify(name)}:`),
            later: encoded(`,${JSON.stringify(name)}:`),
            values: spans[i]!,
          },
        ],
  );
  const write = (values: ValueSpans | undefined, row: number, otherwise: () => Uint8Array): void => {
    if (values === undefined || isNullAt(values, row)) out.bytes(otherwise());
    else out.value(values, row);
  };
  for (let row = 0; row < rows; row++) {
    out.bytes(row === 0 ? pieces.first : pieces.next);
    // Every match has both times, even if the query kept neither; the row id holds the time of the event.
    const placed = (): Uint8Array => timeOfId(ids, row);
    write(time, row, placed);
    out.bytes(pieces.sysTime);
    write(sysTime, row, placed);
    out.bytes(pieces.rowId);
    write(ids, row, () => pieces.none);
    out.bytes(pieces.data);
    // An event has no member for a field it lacks.
    let first = true;
    for (const { key, later, values } of data) {
      if (isNullAt(values, row)) continue;
      out.bytes(first ? key : later);
      out.value(values, row);
      first = false;
    }
    out.bytes(pieces.end);
  }
}

/** The time in a row id, as JSON; the epoch for rows that are not events. */
function timeOfId(ids: ValueSpans | undefined, row: number): Uint8Array {
  const place = ids === undefined ? undefined : parseCursor(textAt(ids, row).slice(1, -1));
  return encoded(JSON.stringify(formatRfc3339(place?.time ?? 0n)));
}

// ---------------------------------------------------------------- buckets

function writeTotals(out: Writer, { totals, ...shown }: Buckets): void {
  const groups = groupsOf(totals, shown);
  for (let row = 0; row < totals.rows; row++) {
    if (row > 0) out.text(',');
    groups.write(out, row);
  }
}

/** Expects the rows of one bucket to be adjacent; only groups that are in the totals are shown. */
function writeSeries(out: Writer, buckets: Buckets, { table, time, size }: NonNullable<Buckets['series']>): void {
  const groups = groupsOf(table, buckets);
  const totals = groupsOf(buckets.totals, buckets);
  const shown = new Set(Array.from({ length: buckets.totals.rows }, (_, row) => totals.key(row)));
  const times = valuesOf(table.columns[table.output.findIndex(({ name }) => name === time)]!, table.rows);
  let present: string | undefined;
  let first = true;
  for (let row = 0; row < table.rows; row++) {
    if (!shown.has(groups.key(row))) continue;
    const start = textAt(times, row);
    if (start === present) out.text(',');
    else {
      out.text(present === undefined ? '' : ']},');
      out.text(`{"startTime":${start},"endTime":${endOf(start, size)},"groups":[`);
      present = start;
    }
    groups.write(out, row);
    first = false;
  }
  if (!first) out.text(']}');
}

function endOf(start: string, size: bigint): string {
  const time = start === 'null' ? undefined : parseTimestampText(JSON.parse(start) as string);
  return time === undefined ? 'null' : JSON.stringify(formatRfc3339(time + size));
}

/** How the rows of a table are written as `{id, group, aggregations}`. */
function groupsOf(table: AnswerTable, { groups, aggregates }: Pick<Buckets, 'groups' | 'aggregates'>) {
  const column = (name: string): ValueSpans | undefined => {
    const i = table.output.findIndex((each) => each.name === name);
    return i < 0 ? undefined : valuesOf(table.columns[i]!, table.rows);
  };
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

/** The same group has the same id in every bucket and every answer. FNV-1a, cut to 52 bits so that every client can hold it. */
function groupId(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, 'utf8')) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return String(hash >> 12n);
}
