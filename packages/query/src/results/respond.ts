import type { CompiledQuery } from '@millrace/apl';
import { formatRfc3339 } from '@millrace/timestamps';
import type { EngineTable, QueryOutcome } from '../run/outcome.js';
import type { AplRequest } from '../compile/request.js';

/** Changes to an outcome before it is written in one of the response formats. */

/**
 * The outcome with a column `_cursor` added, if its rows are events.
 */
export function addCursorColumn(outcome: QueryOutcome): QueryOutcome {
  const { table, rowIds } = outcome;
  if (rowIds === undefined) return outcome;
  const cursor = { name: '_cursor', alias: '_cursor', types: ['string'], typeName: 'string', json: false } as const;
  const wider: EngineTable = { ...table, output: [...table.output, cursor], columns: [...table.columns, rowIds] };
  return { ...outcome, table: wider };
}

/**
 * The range that a response reports: a default start is the epoch, a default end is now or the end
 * of the current bin.
 */
export function shownRange(
  { presentation, timeRange }: CompiledQuery,
  { range: requested }: Pick<AplRequest, 'range'>,
  now: bigint,
): { readonly start: bigint; readonly end: bigint } {
  const { range, bucket } = presentation;
  const open = {
    start: !requested.given.start && timeRange.start === requested.start,
    end: !requested.given.end && timeRange.end === requested.end,
  };
  const size = bucket?.size ?? 1n;
  return {
    start: open.start ? 0n : range.start,
    end: open.end ? (bucket === undefined ? now : now - (now % size) + size) : range.end,
  };
}

/**
 * The request as the legacy format repeats it: the query in terms of a structured one, if it can be
 * expressed that way.
 */
export function requestEcho(
  { compiled }: QueryOutcome,
  range: { readonly start: bigint; readonly end: bigint },
  { cursor }: Pick<AplRequest, 'cursor'>,
): Readonly<Record<string, unknown>> {
  const { presentation, output } = compiled;
  const aggregations = output.flatMap(({ name, agg }) =>
    agg === undefined
      ? []
      : [
          {
            op: agg.name,
            field: agg.fields?.[0] ?? '*',
            alias: name,
            ...(agg.args !== undefined && { argument: agg.args.length === 1 ? agg.args[0] : agg.args }),
          },
        ],
  );
  return {
    startTime: formatRfc3339(range.start),
    endTime: formatRfc3339(range.end),
    resolution: 'auto',
    aggregations,
    groupBy: presentation.groups.filter((name) => name !== presentation.bucket?.field),
    order: presentation.order,
    ...(cursor !== undefined && { cursor: cursor.text, includeCursor: cursor.inclusive }),
  };
}
