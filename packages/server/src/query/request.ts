import type { CompileOptions, JsonValue } from '@millrace/apl';
import { Type, type Static } from 'typebox';
import { httpError } from '../errors.js';
import { type RowPlace, parseCursor } from './cursor.js';
import { isUnset, parseTime } from './times.js';

/** What an APL request may say, and what it means. */

const text = () => Type.Optional(Type.String());
const flag = () => Type.Optional(Type.Boolean());

export const AplQuery = Type.Object({
  format: Type.Optional(Type.String({ description: '`tabular` or `legacy` (the default).' })),
  nocache: flag(),
  cursor: text(),
  saveAsKind: text(),
  'streaming-duration': text(),
});

export const AplBody = Type.Object({
  apl: Type.String({ description: 'The query.' }),
  startTime: Type.Optional(Type.String({ description: 'RFC 3339 or relative, as in `now-1h`; inclusive.' })),
  endTime: Type.Optional(Type.String({ description: 'Likewise; inclusive.' })),
  cursor: Type.Optional(Type.String({ description: 'Row id of an earlier answer to continue from.' })),
  includeCursor: Type.Optional(Type.Boolean({ description: 'Start with the event of the cursor itself.' })),
  includeCursorField: Type.Optional(Type.Boolean({ description: 'Adds the column `_cursor`.' })),
  variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  queryOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  maxBinAutoGroups: Type.Optional(Type.Integer({ minimum: 1 })),
  defaultLimit: Type.Optional(Type.Integer({ minimum: 0 })),
});

export interface AplRequest {
  readonly apl: string;
  /** Inclusive, nanoseconds since the epoch. */
  readonly range: CompileOptions['range'];
  readonly cursor?: { readonly text: string; readonly place: RowPlace; readonly inclusive: boolean };
  readonly cursorField: boolean;
  readonly variables: Readonly<Record<string, JsonValue>>;
  readonly maxBinAutoGroups?: number;
  readonly defaultLimit?: number;
}

/** Everything there is: times outside cannot be stored. */
const beginning = -2_208_988_800_000_000_000n;
const end = 9_214_646_399_999_999_999n;

/** @throws HttpError for a time or a cursor that is none */
export function aplRequest(body: Static<typeof AplBody>, query: Static<typeof AplQuery>, now: bigint): AplRequest {
  const startGiven = !isUnset(body.startTime);
  const endGiven = !isUnset(body.endTime);
  const cursor = [body.cursor, query.cursor].find((given) => given !== undefined && given !== '');
  return {
    apl: body.apl,
    range: {
      start: startGiven ? timeOf('startTime', body.startTime ?? '', now) : beginning,
      end: endGiven ? timeOf('endTime', body.endTime ?? '', now) : end,
      given: { start: startGiven, end: endGiven },
    },
    ...(cursor !== undefined && {
      cursor: { text: cursor, place: placeOf(cursor), inclusive: body.includeCursor === true },
    }),
    cursorField: body.includeCursorField === true,
    variables: (body.variables ?? {}) as Readonly<Record<string, JsonValue>>,
    ...(body.maxBinAutoGroups !== undefined && { maxBinAutoGroups: body.maxBinAutoGroups }),
    ...(body.defaultLimit !== undefined && body.defaultLimit > 0 && { defaultLimit: body.defaultLimit }),
  };
}

export function timeOf(name: string, given: string, now: bigint): bigint {
  const time = parseTime(given, now);
  if (time === undefined)
    throw httpError('invalid-request', {
      problem: `${name} '${given}' is not a time; use RFC 3339, as in 2026-01-31T10:00:00Z, or now-1h`,
    });
  return time;
}

export function placeOf(cursor: string): RowPlace {
  const place = parseCursor(cursor);
  if (place === undefined) throw httpError('invalid-cursor', {});
  return place;
}
