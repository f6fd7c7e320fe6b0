import { type Static, Type } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { withTitle } from '@millrace/api/schemas/parts';
import { requestedBounds, requireForwards } from '../compile/request.js';

/** The parameters of an MPL request and their meaning. */

export const MplQuery = Type.Object({
  format: Type.Optional(Type.String({ description: '`metrics-v2` (the default) or `metrics-v1`, a plain list.' })),
});

export const MplBody = withTitle(
  'MplRequest',
  Type.Object({
    mpl: Type.Optional(Type.String({ description: 'The query.' })),
    apl: Type.Optional(Type.String({ description: 'The query, if `mpl` is missing: some clients send it here.' })),
    startTime: Type.Optional(Type.String({ description: 'RFC 3339 or relative, as in `now-1h`; inclusive.' })),
    endTime: Type.Optional(Type.String({ description: 'Same formats as `startTime`; exclusive.' })),
    params: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Parameters: `param__name`, and a literal of the language as text, such as `"\\"web\\""`.',
      }),
    ),
    queryOptions: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          '`chartWidth`: points of the chart, for `$__interval`, instead of the header `X-Axiom-Chart-Width`.',
      }),
    ),
  }),
);
export type MplBody = Static<typeof MplBody>;

export interface MplRequest {
  readonly text: string;
  /** Milliseconds since the epoch; the end is exclusive. */
  readonly range?: { readonly start: number; readonly end: number };
  readonly params: Readonly<Record<string, string>>;
  /** How many points the client wants. */
  readonly points?: number;
}

/** How many points a chart has, for `$__interval`. */
export const widthHeader = 'x-axiom-chart-width';
export const WidthHeader = {
  [widthHeader]: Type.Optional(Type.String({ description: 'Points of the chart, for `$__interval`. Default: 100.' })),
} as const;

const prefix = 'param__';
/** Characters of a query: it is compiled at once. */
const longestText = 100_000;
/** Parameters of a request, as clients of the interface know it. */
const maxParams = 128;

/**
 * @param now nanoseconds since the epoch
 * @param points the header of the request: elements of a batch may state their own
 * @throws HttpError for a missing query, or an invalid time or parameter
 */
export function mplRequest(body: MplBody, now: bigint, points?: string): MplRequest {
  const text = body.mpl ?? body.apl;
  if (text === undefined)
    throw httpError('invalid-request', { problem: "body: 'mpl' is missing; send the query in it" });
  if (text.length > longestText)
    throw httpError('invalid-query', { problem: `the query has more than ${longestText} characters; shorten it` });
  const count = Object.keys(body.params ?? {}).length;
  if (count > maxParams)
    throw httpError('invalid-request', {
      problem: `body 'params': ${count} parameters, at most ${maxParams}; send fewer`,
    });
  const bounds = requestedBounds(body, now);
  requireForwards(bounds);
  const { start, end, given } = bounds.range;
  if (given.start !== given.end)
    throw httpError('invalid-request', { problem: 'startTime and endTime belong together; send both or neither' });
  const width = Number(body.queryOptions?.['chartWidth'] ?? points);
  return {
    text,
    ...(given.start && { range: { start: milliseconds(start), end: milliseconds(end) } }),
    params: Object.fromEntries(Object.entries(body.params ?? {}).map(([key, value]) => [nameOf(key), value])),
    ...(Number.isInteger(width) && width > 0 && { points: width }),
  };
}

function nameOf(key: string): string {
  if (key.startsWith(prefix)) return key.slice(prefix.length);
  throw httpError('invalid-request', {
    problem: `body 'params': the key '${key}' does not begin with ${prefix}; write ${prefix}${key}`,
  });
}

const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds / 1_000_000n);
