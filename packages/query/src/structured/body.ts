import { type Static, Type } from 'typebox';
import { withTitle, oneOf, optional, textOf } from '@millrace/api/schemas/parts';
import { structuredKinds } from '../compile/history-kinds.js';

/**
 * The properties of a structured query. Properties that are null, empty or zero count as missing:
 * clients send them for "not set".
 */

const Time = (description: string) => optional(Type.String({ description }));

export const StructuredQuery = Type.Object({
  nocache: optional(Type.Boolean({ description: 'Bypass the result cache.' })),
  saveAsKind: optional(
    oneOf(structuredKinds, {
      description: 'Save the query in the history; the response has its ID in `X-Axiom-History-Query-Id`.',
    }),
  ),
  'streaming-duration': optional(Type.String({ description: 'Long-poll timeout, for example `30s`, or `auto`.' })),
});

export const StructuredBody = withTitle(
  'StructuredQuery',
  Type.Object({
    startTime: Time('RFC 3339 or relative, as in `now-1h`; inclusive.'),
    endTime: Time('Same formats as `startTime`; inclusive.'),
    resolution: optional(
      Type.Unknown({ description: 'Width of the buckets: `auto`, a duration such as `1m30s`, or seconds.' }),
    ),
    aggregations: optional(
      Type.Array(
        Type.Object({
          op: Type.String(),
          field: optional(Type.String({ description: '`*` for `count`.' })),
          alias: optional(Type.String()),
          argument: optional(
            Type.Unknown({
              description:
                'Argument of the aggregation: the number of values for `topk`, the list of `percentiles`, the number of bins, …',
            }),
          ),
        }),
      ),
    ),
    groupBy: optional(Type.Array(Type.String())),
    filter: optional(
      Type.Unknown({
        description: 'A tree of `{op, field, value, caseSensitive, children}`; see the operators below.',
      }),
    ),
    order: optional(Type.Array(Type.Object({ field: Type.String(), desc: optional(Type.Boolean()) }))),
    limit: optional(
      Type.Integer({ minimum: 0, description: 'Maximum events or groups, up to 50000; 0 for the default.' }),
    ),
    virtualFields: optional(
      Type.Array(Type.Object({ alias: Type.String(), expr: Type.String({ description: 'Expression in APL.' }) })),
    ),
    project: optional(Type.Array(Type.Object({ field: Type.String(), alias: optional(Type.String()) }))),
    cursor: optional(Type.String({ description: 'Row ID of an earlier response to continue from.' })),
    includeCursor: optional(Type.Boolean({ description: 'Include the event at the cursor.' })),
    continuationToken: optional(Type.String({ description: 'Cursor of an earlier response.' })),
    asOf: optional(
      textOf('position', {
        description: 'Log position, such as `X-Millrace-Settled` of an earlier response. Later events are left out.',
      }),
    ),
    queryOptions: optional(Type.Record(Type.String(), Type.Unknown())),
  }),
);
export type StructuredBody = Static<typeof StructuredBody>;
