import type { IncomingHttpHeaders } from 'node:http';

/** Where the programs of other protocols put the token. */

/** The parts of a request that may hold a token. */
interface Presented {
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
}

type Finder = (request: Presented) => string | undefined;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What follows the name of a scheme in `Authorization`. */
const ofScheme = (name: string, { headers: { authorization = '' } }: Presented): string | undefined => {
  const match = /^(\S+) +(\S+)$/.exec(authorization.trim());
  return match?.[1]!.toLowerCase() === name ? match[2] : undefined;
};

/** The part behind the first colon of a text in base64. */
function behindColon(encoded: string | undefined): string | undefined {
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString();
  const colon = decoded.indexOf(':');
  return colon < 0 ? undefined : decoded.slice(colon + 1);
}

const finders = {
  /** `Splunk <token>`. */
  splunk: (request) => ofScheme('splunk', request),
  /** The password; the user does not matter. */
  basic: (request) => behindColon(ofScheme('basic', request)),
  /** `ApiKey`, with the token as it is or behind an id in base64. */
  apiKey: (request) => {
    const key = ofScheme('apikey', request);
    return behindColon(key) ?? key;
  },
  firehose: ({ headers }) => text(headers['x-amz-firehose-access-key'])?.replace(/^bearer +/i, ''),
  datadog: ({ headers, query, params }) =>
    text(headers['dd-api-key']) ??
    text(query['dd-api-key']) ??
    text(query['api_key']) ??
    (headers.authorization === undefined ? text(params['key']) : undefined),
  /** For programs that are given nothing but an address. */
  path: ({ headers, params }) => (headers.authorization === undefined ? text(params['key']) : undefined),
  honeycomb: ({ headers }) => text(headers['x-honeycomb-team']),
} as const satisfies Record<string, Finder>;

export type TokenPlace = keyof typeof finders;

/**
 * The `Authorization` of a request: as it came, or with the token from the first of the places that
 * has one.
 */
export function authorizationOf(places: readonly TokenPlace[], request: Presented): string | undefined {
  for (const place of places) {
    const token = finders[place](request);
    if (token !== undefined) return `Bearer ${token}`;
  }
  return request.headers.authorization;
}
