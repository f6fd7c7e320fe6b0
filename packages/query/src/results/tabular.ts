import type { OutputColumn, Presentation, TimeRange } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/timestamps';
import { groupsIn } from './groups.js';
import type { EngineTable, QueryOutcome } from '../run/outcome.js';
import { encodeText } from './writer.js';

/** Responses in the tabular format: the engine's columns spliced into a small frame of JSON. */

interface AnswerParts {
  readonly status: Readonly<Record<string, unknown>>;
  readonly datasetNames: readonly string[];
  readonly fieldsMetaMap: Readonly<Record<string, unknown>>;
}

/**
 * The response in chunks, made in steps.
 * @param range the range that the response reports
 */
export function* tabularAnswer(
  outcome: QueryOutcome,
  { range, ...parts }: AnswerParts & { readonly range: TimeRange },
): Generator<void, readonly Uint8Array[]> {
  const { compiled, table, totals } = outcome;
  const presentation = { ...compiled.presentation, groups: groupsIn(outcome), range };
  const head = JSON.stringify({ format: 'tabular', ...parts });
  const pieces = [
    encodeText(`${head.slice(0, -1)},"tables":[`),
    ...(yield* tablePieces('0', table, presentation, parts.datasetNames)),
  ];
  if (totals !== undefined && compiled.totals !== undefined) {
    const { bucket, ...rest } = presentation;
    const groups = rest.groups.filter((name) => name !== bucket?.field);
    const shown = { ...rest, groups, order: compiled.totals.order };
    pieces.push(encodeText(','), ...(yield* tablePieces('_totals', totals, shown, parts.datasetNames)));
  }
  pieces.push(encodeText(']}'));
  return pieces;
}

function* tablePieces(
  name: string,
  table: EngineTable,
  { order, groups, range, bucket }: Presentation,
  sources: readonly string[],
): Generator<void, readonly Uint8Array[]> {
  const head = JSON.stringify({
    name,
    sources: sources.map((source) => ({ name: source })),
  });
  const pieces = [encodeText(`${head.slice(0, -1)},"fields":[`)];
  // A page may have a hundred thousand fields.
  for (let from = 0; from < table.output.length; from += fieldsInStep) {
    const some = JSON.stringify(table.output.slice(from, from + fieldsInStep).map(fieldOf));
    pieces.push(encodeText(`${from === 0 ? '' : ','}${some.slice(1, -1)}`));
    yield;
  }
  const tail = JSON.stringify({
    order,
    groups: groups.map((group) => ({ name: group })),
    range: { field: '_time', start: formatRfc3339(range.start), end: formatRfc3339(range.end) },
  });
  // Nanoseconds of a long bucket exceed the precision of a double, so the number is written as
  // text.
  const buckets =
    bucket === undefined ? '' : `,"buckets":{"field":${JSON.stringify(bucket.field)},"size":${bucket.size}}`;
  pieces.push(encodeText(`],${tail.slice(1, -1)}${buckets},"columns":[`));
  table.columns.forEach((column, i) => {
    if (i > 0) pieces.push(encodeText(','));
    pieces.push(column);
  });
  pieces.push(encodeText(']}'));
  return pieces;
}

const fieldsInStep = 500;

const fieldOf = ({ name, typeName, agg }: OutputColumn): unknown => ({
  name,
  type: typeName,
  ...(agg !== undefined && { agg }),
});
