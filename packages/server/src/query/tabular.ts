import type { Compiled, OutputColumn, Presentation } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/events';
import type { AnswerTable, QueryOutcome } from './run.js';

/** Answers in the tabular format: the engine's columns spliced into a small frame of JSON. */

export interface TabularParts {
  readonly status: Readonly<Record<string, unknown>>;
  readonly fieldsMeta: Readonly<Record<string, unknown>>;
}

/** The answer in pieces, to be sent one after the other. */
export function tabularAnswer(outcome: QueryOutcome, { status, fieldsMeta }: TabularParts): readonly Uint8Array[] {
  const { compiled, table, totals } = outcome;
  const head = JSON.stringify({
    format: 'tabular',
    status,
    datasetNames: compiled.datasets,
    fieldsMetaMap: fieldsMeta,
  });
  const { presentation } = compiled;
  const pieces = [encoded(`${head.slice(0, -1)},"tables":[`), ...tablePieces('0', table, presentation, compiled)];
  if (totals !== undefined && compiled.totals !== undefined) {
    const { bucket, ...rest } = presentation;
    const withoutTime = rest.groups.filter((name) => name !== bucket?.field);
    const shown = { ...rest, groups: withoutTime, order: compiled.totals.order };
    pieces.push(encoded(','), ...tablePieces('_totals', totals, shown, compiled));
  }
  pieces.push(encoded(']}'));
  return pieces;
}

function tablePieces(
  name: string,
  table: AnswerTable,
  { order, groups, range, bucket }: Presentation,
  { datasets }: Compiled,
): readonly Uint8Array[] {
  const head = JSON.stringify({
    name,
    sources: datasets.map((dataset) => ({ name: dataset })),
    fields: table.output.map(fieldOf),
    order,
    groups: groups.map((group) => ({ name: group })),
    range: { field: '_time', start: formatRfc3339(range.start), end: formatRfc3339(range.end) },
  });
  // Nanoseconds of a long bucket are beyond what a double holds, so the number is written as text.
  const buckets =
    bucket === undefined ? '' : `,"buckets":{"field":${JSON.stringify(bucket.field)},"size":${bucket.size}}`;
  const pieces = [encoded(`${head.slice(0, -1)}${buckets},"columns":[`)];
  table.columns.forEach((column, i) => {
    if (i > 0) pieces.push(encoded(','));
    pieces.push(column);
  });
  pieces.push(encoded(']}'));
  return pieces;
}

const fieldOf = ({ name, typeName, agg }: OutputColumn): unknown => ({
  name,
  type: typeName,
  ...(agg !== undefined && { agg }),
});

const encoded = (text: string): Uint8Array => Buffer.from(text, 'utf8');
