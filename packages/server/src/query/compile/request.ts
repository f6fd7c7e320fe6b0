import { allTimes, type CompileOptions, type JsonValue } from '@millrace/apl';
import { type Static, Type } from 'typebox';
import { httpError } from '../../errors.js';
import { named, oneOf, textOf } from '../../schemas/parts.js';
import { type RowPlace, parseCursor } from '../run/cursor.js';
import { historyKinds } from './history-kinds.js';
import { isUnset, parseTime } from './times.js';

/** What an APL request may say, and what it means. */

const text = () => Type.Optional(Type.String());

export const AplQuery = Type.Object({
  format: Type.Optional(
    Type.String({
      description: '`tabular`, `tabular-rows` (one JSON array a line and event) or `legacy` (the default).',
    }),
  ),
  nocache: Type.Optional(Type.Boolean({ description: 'Do not answer from the result cache.' })),
  cursor: text(),
  saveAsKind: Type.Optional(
    oneOf(historyKinds, {
      description: 'Keep the query in the history; the answer names it in `X-Axiom-History-Query-Id`.',
    }),
  ),
  dataset_name: text(),
  id: text(),
  'streaming-duration': Type.Optional(
    Type.String({ description: 'Wait so long for the first matching event, as in `30s`; or `auto`.' }),
  ),
});

export const AplBody = named(
  'AplRequest',
  Type.Object({
    apl: Type.String({ description: 'The query.' }),
    startTime: Type.Optional(Type.String({ description: 'RFC 3339 or relative, as in `now-1h`; inclusive.' })),
    endTime: Type.Optional(Type.String({ description: 'Likewise; inclusive.' })),
    cursor: Type.Optional(Type.String({ description: 'Row id of an earlier answer to continue from.' })),
    includeCursor: Type.Optional(Type.Boolean({ description: 'Start with the event of the cursor itself.' })),
    includeCursorField: Type.Optional(Type.Boolean({ description: 'Adds the column `_cursor`.' })),
    asOf: Type.Optional(
      textOf('position', {
        description:
          'A position in the log, such as `X-Millrace-Settled` of an earlier answer: what arrived later is left out, so that the answer is what it was then but for what was removed.',
      }),
    ),
    variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    queryOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    maxBinAutoGroups: Type.Optional(Type.Integer({ minimum: 0, description: '0 for the default.' })),
    defaultLimit: Type.Optional(Type.Integer({ minimum: 0, description: 'Rows, if the query does not say how many.' })),
    defaultOrder: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), desc: Type.Optional(Type.Boolean()) }), {
        description: 'Order of events, if the query does not say which.',
      }),
    ),
  }),
);
export type AplBody = Static<typeof AplBody>;
export type AplQuery = Static<typeof AplQuery>;

/** What a request asks to see, whichever form it has. */
export interface Asked {
  /** Inclusive, nanoseconds since the epoch. */
  readonly range: CompileOptions['range'];
  /**
   * The range begins after its end. That is no error: following pages by their times ends with such
   * a range.
   */
  readonly backwards: boolean;
  readonly cursor?: { readonly text: string; readonly place: RowPlace; readonly inclusive: boolean };
}

export interface AplRequest extends Asked {
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

/** What a request with `asOf` leaves out. */
export const arrivedBy = ({ asOf }: Pick<AplRequest, 'asOf'>): { readonly arrived?: { readonly upTo: bigint } } =>
  asOf === undefined ? {} : { arrived: { upTo: asOf } };

/** @throws HttpError for an invalid time or cursor */
export function aplRequest(body: AplBody, query: AplQuery, now: bigint): AplRequest {
  return {
    ...askedOf({ ...body, cursor: body.cursor === '' ? query.cursor : (body.cursor ?? query.cursor) }, now),
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
export function askedOf({ startTime, endTime, cursor = '', includeCursor = false }: Bounds, now: bigint): Asked {
  const start = isUnset(startTime) ? undefined : timeOf('startTime', startTime, now);
  const finish = isUnset(endTime) ? undefined : timeOf('endTime', endTime, now);
  return {
    range: {
      start: start === undefined ? allTimes.start : clamped(start, allTimes.start, afterAll),
      end: finish === undefined ? allTimes.end : clamped(finish, beforeAll, allTimes.end),
      given: { start: start !== undefined, end: finish !== undefined },
    },
    // Compares the bounds as they were given: moving them into the range of 64 bits may change
    // their order.
    backwards: start !== undefined && finish !== undefined && start > finish,
    ...(cursor !== '' && { cursor: { text: cursor, place: placeOf(cursor), inclusive: includeCursor } }),
  };
}

/**
 * For answers that cannot say why they are empty and are not read page by page.
 * @throws HttpError for a range that begins after its end
 */
export function requireForwards({ backwards }: Asked): void {
  if (backwards) throw httpError('invalid-request', { problem: turned });
}

/** The message about a range that begins after its end. */
export const turned = 'startTime is after endTime: no event is between them; exchange the two';

/**
 * The last nanosecond that 64 bits can hold, and the one before every event: bounds that leave
 * nothing.
 */
const [afterAll, beforeAll] = [2n ** 63n - 1n, allTimes.start - 1n];

/**
 * A bound that no event can reach, such as the year 2999, is moved to a time that excludes the same
 * events and fits in 64 bits.
 */
const clamped = (time: bigint, least: bigint, most: bigint): bigint =>
  time < least ? least : time > most ? most : time;

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
