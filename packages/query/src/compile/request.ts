import { allTimes, type CompileOptions, type JsonValue } from '@millrace/apl';
import { type Static, Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { withTitle, oneOf, textOf } from '@millrace/api/schemas/parts';
import { type RowPlace, parseCursor } from '../run/cursor.js';
import { historyKinds } from './history-kinds.js';
import { isUnset, parseTime } from './times.js';

/** The parameters of an APL request and their meaning. */

const text = () => Type.Optional(Type.String());

export const AplQuery = Type.Object({
  format: Type.Optional(
    Type.String({
      description: '`tabular`, `tabular-rows` (one JSON array per row and line) or `legacy` (the default).',
    }),
  ),
  nocache: Type.Optional(Type.Boolean({ description: 'Bypass the result cache.' })),
  cursor: text(),
  saveAsKind: Type.Optional(
    oneOf(historyKinds, {
      description: 'Save the query in the history; the response has its ID in `X-Axiom-History-Query-Id`.',
    }),
  ),
  dataset_name: text(),
  id: text(),
  'streaming-duration': Type.Optional(Type.String({ description: 'Long-poll timeout, for example `30s`, or `auto`.' })),
});

export const AplBody = withTitle(
  'AplRequest',
  Type.Object({
    apl: Type.String({ description: 'The query.' }),
    startTime: Type.Optional(Type.String({ description: 'RFC 3339 or relative, as in `now-1h`; inclusive.' })),
    endTime: Type.Optional(Type.String({ description: 'Same formats as `startTime`; inclusive.' })),
    cursor: Type.Optional(Type.String({ description: 'Row ID of an earlier response to continue from.' })),
    includeCursor: Type.Optional(Type.Boolean({ description: 'Include the event at the cursor.' })),
    includeCursorField: Type.Optional(Type.Boolean({ description: 'Adds the column `_cursor`.' })),
    asOf: Type.Optional(
      textOf('position', {
        description:
          'Log position, such as `X-Millrace-Settled` of an earlier response. Later events are left out: the result is the same as then, except for events deleted since.',
      }),
    ),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    queryOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    maxBinAutoGroups: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Maximum groups of `bin_auto`; 0 for the default.' }),
    ),
    defaultLimit: Type.Optional(Type.Integer({ minimum: 0, description: 'Default row limit.' })),
    defaultOrder: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), desc: Type.Optional(Type.Boolean()) }), {
        description: 'Order of events, if the query does not sort.',
      }),
    ),
  }),
);
export type AplBody = Static<typeof AplBody>;
export type AplQuery = Static<typeof AplQuery>;

/** The range and display parameters of a request of either form. */
export interface RequestedBounds {
  /** Inclusive, nanoseconds since the epoch. */
  readonly range: CompileOptions['range'];
  /**
   * The range begins after its end. That is no error: following pages by their times ends with such
   * a range.
   */
  readonly backwards: boolean;
  readonly cursor?: { readonly text: string; readonly place: RowPlace; readonly inclusive: boolean };
}

export interface AplRequest extends RequestedBounds {
  readonly apl: string;
  readonly cursorField: boolean;
  readonly variables: Readonly<Record<string, JsonValue>>;
  readonly maxBinAutoGroups?: number;
  readonly defaultLimit?: number;
  readonly defaultOrder: NonNullable<AplBody['defaultOrder']>;
  readonly asOf?: bigint;
}

/** The position that a body names. */
export const asOfIn = ({ asOf = '' }: { readonly asOf?: string }): Pick<AplRequest, 'asOf'> =>
  asOf === '' ? {} : { asOf: BigInt(asOf) };

/** The ingest bound of a request with `asOf`. */
export const arrivedBy = ({ asOf }: Pick<AplRequest, 'asOf'>): { readonly arrived?: { readonly upTo: bigint } } =>
  asOf === undefined ? {} : { arrived: { upTo: asOf } };

/** @throws HttpError for an invalid time or cursor */
export function aplRequest(body: AplBody, query: AplQuery, now: bigint): AplRequest {
  return {
    ...requestedBounds({ ...body, cursor: body.cursor === '' ? query.cursor : (body.cursor ?? query.cursor) }, now),
    apl: body.apl,
    cursorField: body.includeCursorField === true,
    variables: (body.variables ?? {}) as Readonly<Record<string, JsonValue>>,
    ...(body.maxBinAutoGroups !== undefined &&
      body.maxBinAutoGroups > 0 && { maxBinAutoGroups: body.maxBinAutoGroups }),
    ...(body.defaultLimit !== undefined && body.defaultLimit > 0 && { defaultLimit: body.defaultLimit }),
    defaultOrder: body.defaultOrder ?? [],
    ...asOfIn(body),
  };
}

interface Bounds {
  readonly startTime?: string;
  readonly endTime?: string;
  readonly cursor?: string | undefined;
  readonly includeCursor?: boolean;
}

/** @throws HttpError for an invalid time or cursor */
export function requestedBounds(
  { startTime, endTime, cursor = '', includeCursor = false }: Bounds,
  now: bigint,
): RequestedBounds {
  const start = isUnset(startTime) ? undefined : timeOf('startTime', startTime, now);
  const finish = isUnset(endTime) ? undefined : timeOf('endTime', endTime, now);
  return {
    range: {
      start: start === undefined ? allTimes.start : clampTime(start, allTimes.start, afterAll),
      end: finish === undefined ? allTimes.end : clampTime(finish, beforeAll, allTimes.end),
      given: { start: start !== undefined, end: finish !== undefined },
    },
    // Compares the bounds as they were given: moving them into the range of 64 bits may change
    // their order.
    backwards: start !== undefined && finish !== undefined && start > finish,
    ...(cursor !== '' && { cursor: { text: cursor, place: placeOf(cursor), inclusive: includeCursor } }),
  };
}

/**
 * For results that cannot tell why they are empty and are not read page by page.
 * @throws HttpError for a range that begins after its end
 */
export function requireForwards({ backwards }: RequestedBounds): void {
  if (backwards) throw httpError('invalid-request', { problem: reversedRangeMessage });
}

/** The message about a range that begins after its end. */
export const reversedRangeMessage = 'startTime is after endTime';

/**
 * The last nanosecond that 64 bits can hold, and the one before every event: bounds that leave
 * nothing.
 */
const [afterAll, beforeAll] = [2n ** 63n - 1n, allTimes.start - 1n];

/**
 * A bound that no event can reach, such as the year 2999, is moved to a time that excludes the same
 * events and fits in 64 bits.
 */
const clampTime = (time: bigint, min: bigint, max: bigint): bigint => (time < min ? min : time > max ? max : time);

function timeOf(name: string, given: string, now: bigint): bigint {
  const time = parseTime(given, now);
  if (time === undefined)
    throw httpError('invalid-request', {
      problem: `${name} '${given}' is not a time; use RFC 3339, as in 2026-01-31T10:00:00Z, or now-1h`,
    });
  return time;
}

function placeOf(cursor: string): RowPlace {
  const place = parseCursor(cursor);
  if (place === undefined) throw httpError('invalid-cursor', {});
  return place;
}
