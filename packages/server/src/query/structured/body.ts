import { type Static, Type } from 'typebox';
import { named, oneOf, optional, textOf } from '../../schemas/parts.js';
import { structuredKinds } from '../compile/history-kinds.js';

/**
 * What a structured query may say. Members that are null, empty or zero count as missing: clients
 * send them for "not set".
 */

const Time = (description: string) => optional(Type.String({ description }));

export const StructuredQuery = Type.Object({
  nocache: optional(Type.Boolean({ description: 'Do not answer from the result cache.' })),
  saveAsKind: optional(
    oneOf(structuredKinds, {
      description: 'Keep the query in the history; the answer names it in `X-Axiom-History-Query-Id`.',
    }),
  ),
  'streaming-duration': optional(
    Type.String({ description: 'Wait so long for the first matching event, as in `30s`; or `auto`.' }),
  ),
});

export const StructuredBody = named(
  'StructuredQuery',
  Type.Object({
    startTime: Time('RFC 3339 or relative, as in `now-1h`; inclusive.'),
    endTime: Time('Likewise; inclusive.'),
    resolution: optional(
      Type.Unknown({ description: '`auto`, a duration as in `1m30s`, or seconds: the width of the buckets.' }),
    ),
    aggregations: optional(
      Type.Array(
        Type.Object({
          op: Type.String(),
          field: optional(Type.String({ description: '`*` for `count`.' })),
          alias: optional(Type.String()),
          argument: optional(
            Type.Unknown({ description: 'How many values of `topk`, which `percentiles`, how many bins, …' }),
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
    limit: optional(Type.Integer({ minimum: 0, description: 'Events or groups; 0 for the default, at most 50000.' })),
    virtualFields: optional(
      Type.Array(Type.Object({ alias: Type.String(), expr: Type.String({ description: 'In APL.' }) })),
    ),
    project: optional(Type.Array(Type.Object({ field: Type.String(), alias: optional(Type.String()) }))),
    cursor: optional(Type.String({ description: 'Row id of an earlier answer to continue from.' })),
    includeCursor: optional(Type.Boolean({ description: 'Start with the event of the cursor itself.' })),
    continuationToken: optional(Type.String({ description: 'Of an earlier answer; the same as its cursor.' })),
    asOf: optional(
      textOf('position', {
        description:
          'A position in the log, such as `X-Millrace-Settled` of an earlier answer: what arrived later is left out.',
      }),
    ),
    queryOptions: optional(Type.Record(Type.String(), Type.Unknown())),
  }),
);
export type StructuredBody = Static<typeof StructuredBody>;
