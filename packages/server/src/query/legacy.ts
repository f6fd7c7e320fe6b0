import { formatRfc3339 } from '@millrace/events';
import { splitValues } from './columns.js';
import type { AnswerTable, QueryOutcome } from './run.js';

/** Answers in the legacy format: events as objects, aggregations as buckets. */

export interface LegacyParts {
  readonly status: Readonly<Record<string, unknown>>;
  /** Members after `status`, such as `fieldsMeta` or the echoed request. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** The answer in pieces; values are spliced, not parsed. */
export function legacyAnswer(outcome: QueryOutcome, { status, more }: LegacyParts): readonly Uint8Array[] {
  const head = JSON.stringify({ format: 'legacy', status, ...more }).slice(0, -1);
  const events = outcome.compiled.presentation.kind === 'events';
  const matches = events ? matchesOf(outcome) : '';
  const buckets = events ? '{"series":[],"totals":[]}' : bucketsOf(outcome);
  return [Buffer.from(`${head},"matches":[${matches}],"buckets":${buckets}}`, 'utf8')];
}

function matchesOf({ table, rowIds = [] }: QueryOutcome): string {
  const columns = cells(table);
  const timeAt = table.output.findIndex(({ name }) => name === '_time');
  const sysTimeAt = table.output.findIndex(({ name }) => name === '_sysTime');
  const data = table.output
    .map(({ name }, i) => ({ key: JSON.stringify(name), i }))
    .filter(({ i }) => i !== timeAt && i !== sysTimeAt);
  const zero = JSON.stringify(formatRfc3339(0n));
  return Array.from({ length: table.rows }, (_, row) => {
    // An event has no member for a field it did not bring.
    const members = data.flatMap(({ key, i }) => {
      const value = columns[i]?.[row] ?? 'null';
      return value === 'null' ? [] : [`${key}:${value}`];
    });
    const time = columns[timeAt]?.[row] ?? zero;
    const sysTime = columns[sysTimeAt]?.[row] ?? time;
    return `{"_time":${time},"_sysTime":${sysTime},"_rowId":${JSON.stringify(rowIds[row] ?? '')},"data":{${members.join(',')}}}`;
  }).join(',');
}

function bucketsOf({ compiled, table, totals }: QueryOutcome): string {
  const { bucket } = compiled.presentation;
  if (bucket === undefined)
    return `{"series":[],"totals":[${groupsOf(table, compiled.presentation.groups).join(',')}]}`;
  const timeAt = table.output.findIndex(({ name }) => name === bucket.field);
  const columns = cells(table);
  const names = compiled.presentation.groups.filter((name) => name !== bucket.field);
  const groups = groupsOf(table, names, timeAt);
  const series = new Map<string, string[]>();
  groups.forEach((group, row) => {
    const start = columns[timeAt]?.[row] ?? 'null';
    series.set(start, [...(series.get(start) ?? []), group]);
  });
  const intervals = [...series].map(([start, of]) => {
    const end = start === 'null' ? 'null' : JSON.stringify(endOf(JSON.parse(start) as string, bucket.size));
    return `{"startTime":${start},"endTime":${end},"groups":[${of.join(',')}]}`;
  });
  const sums = totals === undefined ? [] : groupsOf(totals, names);
  return `{"series":[${intervals.join(',')}],"totals":[${sums.join(',')}]}`;
}

/** One text a row: `{id, group, aggregations}`. */
function groupsOf(table: AnswerTable, names: readonly string[], timeAt = -1): readonly string[] {
  const columns = cells(table);
  const keys = table.output
    .map(({ name }, i) => ({ name, i }))
    .filter(({ name, i }) => i !== timeAt && names.includes(name));
  const values = table.output
    .map(({ name }, i) => ({ name, i }))
    .filter(({ name, i }) => i !== timeAt && !names.includes(name));
  return Array.from({ length: table.rows }, (_, row) => {
    const cell = (i: number): string => columns[i]?.[row] ?? 'null';
    const group = keys.map(({ name, i }) => `${JSON.stringify(name)}:${cell(i)}`).join(',');
    const aggregations = values.map(({ name, i }) => `{"op":${JSON.stringify(name)},"value":${cell(i)}}`).join(',');
    return `{"id":${groupId(group)},"group":{${group}},"aggregations":[${aggregations}]}`;
  });
}

const cells = ({ columns }: AnswerTable): readonly (readonly string[])[] =>
  columns.map((column) => splitValues(column).map((value) => Buffer.from(value).toString('utf8').trim()));

function endOf(start: string, size: bigint): string {
  const [whole = '', fraction = ''] = start.replace('Z', '').split('.');
  const nanoseconds = BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
  return formatRfc3339(nanoseconds + size);
}

/** The same group has the same id in every bucket. FNV-1a, cut to 52 bits so that every client can hold it. */
function groupId(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, 'utf8')) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return String(hash >> 12n);
}
