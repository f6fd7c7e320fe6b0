import { Type, type TSchema } from 'typebox';
import { withTitle } from './parts.js';

/**
 * Query results as clients decode them: some are strict about unknown properties, and about missing
 * arrays.
 */

const closedObject = <const P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const timePattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{0,8}[1-9])?Z$';
const Time = Type.String({ pattern: timePattern });
const time = (description: string) => Type.String({ pattern: timePattern, description });
const Count = Type.Integer({ minimum: 0 });
const countSchema = (description: string) => Type.Integer({ minimum: 0, description });

const Status = withTitle(
  'QueryStatus',
  closedObject({
    elapsedTime: Type.Integer({ minimum: 1 }),
    blocksExamined: countSchema('Blocks of 8,192 events in the time range; the engine reads whole blocks.'),
    blocksCached: countSchema('Always 0.'),
    blocksMatched: countSchema("Blocks that were read: the engine's count of rows read, rounded up."),
    blocksSkipped: countSchema('Blocks that were skipped because of an index, a limit or the metadata.'),
    rowsExamined: countSchema(
      'Events in the time range, in all datasets of the query; without a dataset (`print`), the number of rows.',
    ),
    rowsMatched: countSchema('Events that pass the filters before any aggregation and limit.'),
    numGroups: Count,
    isPartial: Type.Boolean(),
    cacheStatus: Type.Integer({ minimum: 1, maximum: 3 }),
    minBlockTime: time('Start of the time range, or time of the oldest event of the datasets if that is later.'),
    maxBlockTime: time('End of the time range, or time of the newest event of the datasets if that is earlier.'),
    minCursor: Type.Optional(Type.String({ minLength: 1 })),
    maxCursor: Type.Optional(Type.String({ minLength: 1 })),
    messages: Type.Array(
      closedObject({
        priority: Type.Union(['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((p) => Type.Literal(p))),
        code: Type.String({
          pattern:
            '^(|virtual_field_finalize_error|missing_column|license_limit_for_query_warning|default_limit_warning|apl_.*)$',
        }),
        count: Type.Integer({ minimum: 1 }),
        msg: Type.String({ minLength: 1 }),
      }),
    ),
  }),
);

const FieldMeta = withTitle(
  'FieldMeta',
  closedObject({
    name: Type.String(),
    type: Type.String(),
    unit: Type.String(),
    hidden: Type.Boolean(),
    description: Type.String(),
  }),
);
const types = 'integer|float|string|boolean|datetime|timespan|array|map|unknown';
const aggregations = [
  'count countif distinct distinctif sum sumif avg avgif min minif max maxif topk topkif percentiles percentilesif histogram histogramif stdev stdevif',
  'variance varianceif argmin argmax rate makeset makesetif makelist makelistif computed spotlight',
].flatMap((names) => names.split(' '));

const Order = Type.Array(closedObject({ field: Type.String(), desc: Type.Boolean() }));
const NameList = Type.Array(closedObject({ name: Type.String() }));

const Table = withTitle(
  'QueryTable',
  closedObject({
    name: Type.Union([Type.Literal('0'), Type.Literal('_totals')]),
    sources: NameList,
    fields: Type.Array(
      closedObject({
        name: Type.String(),
        type: Type.String({ pattern: `^(${types})(\\|(${types}))*$` }),
        agg: Type.Optional(
          closedObject({
            name: Type.Union(aggregations.map((name) => Type.Literal(name))),
            fields: Type.Optional(Type.Array(Type.String())),
            args: Type.Optional(Type.Array(Type.Unknown())),
          }),
        ),
      }),
    ),
    order: Order,
    groups: NameList,
    range: closedObject({ field: Type.Literal('_time'), start: Time, end: Time }),
    buckets: Type.Optional(closedObject({ field: Type.String(), size: Type.Integer({ minimum: 1 }) })),
    columns: Type.Array(Type.Array(Type.Unknown()), { description: 'A list of values per entry of `fields`.' }),
  }),
);

const FieldsMetaMap = Type.Record(Type.String(), Type.Array(FieldMeta));

export const TabularAnswer = withTitle(
  'TabularAnswer',
  closedObject({
    format: Type.Literal('tabular'),
    status: Status,
    datasetNames: Type.Array(Type.String()),
    fieldsMetaMap: FieldsMetaMap,
    tables: Type.Array(Table, { minItems: 1, maxItems: 2 }),
  }),
);

const Group = withTitle(
  'QueryGroup',
  closedObject({
    id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    group: Type.Record(Type.String(), Type.Unknown()),
    aggregations: Type.Array(closedObject({ op: Type.String({ minLength: 1 }), value: Type.Unknown() })),
  }),
);

const legacyMembers = {
  format: Type.Literal('legacy'),
  status: Status,
  matches: Type.Array(
    closedObject({
      _time: Time,
      _sysTime: Time,
      _rowId: Type.String(),
      data: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  buckets: closedObject({
    series: Type.Array(closedObject({ startTime: Time, endTime: Time, groups: Type.Array(Group) })),
    totals: Type.Array(Group),
  }),
};

/** Of `/v1/datasets/{name}/query`. */
export const StructuredAnswer = withTitle(
  'StructuredAnswer',
  closedObject({ ...legacyMembers, fieldsMeta: Type.Optional(Type.Array(FieldMeta)) }),
);

/** Of `_apl?format=legacy`. */
export const LegacyAnswer = withTitle(
  'LegacyAnswer',
  closedObject({
    ...legacyMembers,
    datasetNames: Type.Array(Type.String()),
    fieldsMetaMap: FieldsMetaMap,
    request: closedObject({
      startTime: Time,
      endTime: Time,
      resolution: Type.String(),
      aggregations: Type.Array(
        closedObject({
          op: Type.String(),
          field: Type.String(),
          alias: Type.String(),
          argument: Type.Optional(Type.Unknown()),
        }),
      ),
      groupBy: Type.Array(Type.String()),
      order: Order,
      cursor: Type.Optional(Type.String()),
      includeCursor: Type.Optional(Type.Boolean()),
    }),
  }),
);
