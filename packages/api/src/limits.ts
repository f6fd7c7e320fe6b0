/**
 * Fixed limits on requests: they follow from the implementation (memory of a thread, work on the
 * event loop) or from a protocol. Limits that operators may change are settings. docs/limits.md
 * lists both.
 */

/** An entry of docs/limits.md. */
export interface Bound {
  readonly most: number;
  /** The limited quantity, as a plural noun. */
  readonly of: string;
  /** Effect of exceeding the limit. */
  readonly beyond: string;
  readonly reason: string;
}

/** Limits on queries and stored resources. */
export const requestBounds = {
  jsonMembers: {
    most: 10_000,
    of: 'elements of a JSON array or object in a non-ingest request',
    beyond: 'The request is rejected with 400.',
    reason:
      'Equals the default limit of datasets in a token. Validating 100,000 names blocks other requests for 0.4 s.',
  },
  structuredFilterLevels: {
    most: 64,
    of: 'filter levels of a structured query',
    beyond: 'The query is rejected with 400.',
    reason: 'Deeper than query builders go, and safe for the stack.',
  },
  structuredExpressions: {
    most: 16_384,
    of: 'characters of the virtual fields of a structured query',
    beyond: 'The query is rejected with 400; ask in APL.',
    reason: 'Parsing them blocks other requests.',
  },
  buckets: {
    most: 1000,
    of: 'buckets of a structured query',
    beyond: 'The query is rejected with 400.',
    reason: 'Matches the documented API limit.',
  },
  tailMilliseconds: {
    most: 10 * 60_000,
    of: 'milliseconds of a tail',
    beyond: 'The tail ends and returns the position to resume from.',
    reason: 'Proxies abort endless responses.',
  },
  historyBytesOfToken: {
    most: 2 ** 20,
    of: 'bytes of stored queries per token',
    beyond: 'The oldest are deleted; the newest is always kept.',
    reason: '100 queries of 10 KiB, longer than typical ones.',
  },
  catalogueFields: {
    most: 20_000,
    of: 'fields of all datasets in the catalog of an editor',
    beyond: 'Each dataset lists only some of its fields, at least 20.',
    reason: 'Editors need no more, and the response is built on the event loop.',
  },
  templateCharacters: {
    most: 1_000_000,
    of: 'characters of a rendered notification template',
    beyond: 'The notification fails with an error.',
    reason: 'Loops over long events could exceed what receivers accept.',
  },
  templateLevels: {
    most: 100,
    of: 'nested blocks in a template',
    beyond: 'The template is rejected with 400.',
    reason: 'Each uses stack frames during parsing and rendering.',
  },
  templateParts: {
    most: 1000,
    of: 'parts of a template action',
    beyond: 'The template is rejected with 400.',
    reason: 'Parsing time is quadratic in their number.',
  },
  metricEntries: {
    most: 10_000,
    of: 'entries in a list of metrics, tags or tag values',
    beyond: 'The rest is left out.',
    reason: 'More than a person or an editor reads.',
  },
  identitiesOfUser: {
    most: 20,
    of: 'identities and invitations of a user',
    beyond: 'The request is rejected with 403; delete one.',
    reason: 'More sign-in providers than a server has.',
  },
  refusedIngest: {
    most: 200,
    of: 'clients and reasons in the list of rejected ingest requests',
    beyond: 'The oldest are forgotten.',
    reason: 'The list is for the setup of shippers and is in memory; a client with many addresses fills no more.',
  },
  dashboardVersions: {
    most: 50,
    of: 'versions of a dashboard',
    beyond: 'The oldest are deleted.',
    reason: 'Older versions are rarely used; all are part of the metadata and of every backup.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
