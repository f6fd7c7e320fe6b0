/**
 * Fixed limits on requests: they follow from the implementation (memory of a thread, work on the
 * event loop) or from a protocol. Limits that operators may change are settings. docs/limits.md
 * lists both.
 */

/** An entry of docs/limits.md. */
export interface Bound {
  readonly max: number;
  /** The limited quantity, as a plural noun. */
  readonly what: string;
  /** Effect of exceeding the limit. */
  readonly whenExceeded: string;
  readonly reason: string;
}

/** Limits on queries and stored resources. */
export const requestBounds = {
  jsonMembers: {
    max: 10_000,
    what: 'elements of a JSON array or object in a non-ingest request',
    whenExceeded: 'The request is rejected with 400.',
    reason:
      'Equals the default limit of datasets in a token. Validating 100,000 names blocks other requests for 0.4 s.',
  },
  structuredFilterLevels: {
    max: 64,
    what: 'filter levels of a structured query',
    whenExceeded: 'The query is rejected with 400.',
    reason: 'Deeper than query builders go, and safe for the stack.',
  },
  structuredExpressions: {
    max: 16_384,
    what: 'characters of the virtual fields of a structured query',
    whenExceeded: 'The query is rejected with 400; ask in APL.',
    reason: 'Parsing them blocks other requests.',
  },
  buckets: {
    max: 1000,
    what: 'buckets of a structured query',
    whenExceeded: 'The query is rejected with 400.',
    reason: 'Matches the documented API limit.',
  },
  tailMilliseconds: {
    max: 10 * 60_000,
    what: 'milliseconds of a tail',
    whenExceeded: 'The tail ends and returns the position to resume from.',
    reason: 'Proxies abort endless responses.',
  },
  historyBytesOfToken: {
    max: 2 ** 20,
    what: 'bytes of stored queries per token',
    whenExceeded: 'The oldest are deleted; the newest is always kept.',
    reason: '100 queries of 10 KiB, longer than typical ones.',
  },
  catalogFields: {
    max: 20_000,
    what: 'fields of all datasets in the catalog of an editor',
    whenExceeded: 'Each dataset lists only some of its fields, at least 20.',
    reason: 'Editors need no more, and the response is built on the event loop.',
  },
  templateCharacters: {
    max: 1_000_000,
    what: 'characters of a rendered notification template',
    whenExceeded: 'The notification fails with an error.',
    reason: 'Loops over long events could exceed what receivers accept.',
  },
  templateLevels: {
    max: 100,
    what: 'nested blocks in a template',
    whenExceeded: 'The template is rejected with 400.',
    reason: 'Each uses stack frames during parsing and rendering.',
  },
  templateParts: {
    max: 1000,
    what: 'parts of a template action',
    whenExceeded: 'The template is rejected with 400.',
    reason: 'Parsing time is quadratic in their number.',
  },
  metricEntries: {
    max: 10_000,
    what: 'entries in a list of metrics, tags or tag values',
    whenExceeded: 'The rest is left out.',
    reason: 'More than a person or an editor reads.',
  },
  scimPage: {
    max: 200,
    what: 'users or groups of a page in SCIM',
    whenExceeded: 'The page has fewer than requested.',
    reason: 'Providers ask for 100 to 200.',
  },
  scimChanges: {
    max: 1000,
    what: 'changes of a PATCH request in SCIM',
    whenExceeded: 'The request is rejected with 400.',
    reason: 'Providers send one change of a user, and at most 1,000 members at a time.',
  },
  scimMembers: {
    max: 10_000,
    what: 'members of a group in SCIM',
    whenExceeded: 'The request is rejected with 400.',
    reason: 'As many as other groups have.',
  },
  identitiesOfUser: {
    max: 20,
    what: 'identities and invitations of a user',
    whenExceeded: 'The request is rejected with 403; delete one.',
    reason: 'More sign-in providers than a server has.',
  },
  refusedIngest: {
    max: 200,
    what: 'clients and reasons in the list of rejected ingest requests',
    whenExceeded: 'The oldest are forgotten.',
    reason: 'The list is for the setup of shippers and is in memory; a client with many addresses fills no more.',
  },
  dashboardVersions: {
    max: 50,
    what: 'versions of a dashboard',
    whenExceeded: 'The oldest are deleted.',
    reason: 'Older versions are rarely used; all are part of the metadata and of every backup.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
