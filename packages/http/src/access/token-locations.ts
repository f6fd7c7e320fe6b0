import type { IncomingHttpHeaders } from 'node:http';

/** Places of the token in other protocols. */

/** The parts of a request that may contain a token. */
interface RequestParts {
  readonly headers: IncomingHttpHeaders;
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
}

type Finder = (request: RequestParts) => string | undefined;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Extracts the credentials of an `Authorization` scheme. */
const ofScheme = (name: string, { headers: { authorization = '' } }: RequestParts): string | undefined => {
  const match = /^(\S+) +(\S+)$/.exec(authorization.trim());
  return match?.[1]!.toLowerCase() === name ? match[2] : undefined;
};

/** Decodes base64 and returns the part after the first colon. */
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
  /** `ApiKey`, with the token itself, or an ID and the token in base64. */
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
  /** For programs that can only be configured with a URL. */
  path: ({ headers, params }) => (headers.authorization === undefined ? text(params['key']) : undefined),
  /** Underscores stand for hyphens: some libraries allow only word characters in a key. */
  sentry: ({ headers, query }) =>
    (
      /sentry_key=([\w-]+)/.exec(text(headers['x-sentry-auth']) ?? text(headers.authorization) ?? '')?.[1] ??
      text(query['sentry_key'])
    )?.replaceAll('_', '-'),
  honeycomb: ({ headers }) => text(headers['x-honeycomb-team']),
} as const satisfies Record<string, Finder>;

export type TokenPlace = keyof typeof finders;

/** The statuses that products send for a failed authentication. */
export type TokenStatus = 401 | 403;

/**
 * The `Authorization` header of a request: as sent, or built from the first place that has a token.
 */
export function authorizationOf(places: readonly TokenPlace[], request: RequestParts): string | undefined {
  for (const place of places) {
    const token = finders[place](request);
    if (token !== undefined) return `Bearer ${token}`;
  }
  return request.headers.authorization;
}
