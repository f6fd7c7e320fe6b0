/**
 * Bounds on requests that are no settings, because they follow from how this server is made: how
 * much memory a thread has, what is done in one go, what a protocol says. Whatever an operator may
 * want otherwise is a setting. docs/limits.md lists both.
 */

/** One that the page of limits shows. */
export interface Bound {
  readonly most: number;
  /** What there may be so many of. */
  readonly of: string;
  /** What becomes of more. */
  readonly beyond: string;
  readonly reason: string;
}

/** Of requests with queries, and of what is stored besides events. */
export const requestBounds = {
  jsonMembers: {
    most: 10_000,
    of: 'members of a list or object in JSON that is not events',
    beyond: 'The request is refused with 400.',
    reason:
      'As many as there may be datasets in a token by default. A text for each of a hundred thousand names is checked in 0.4 seconds, while others wait.',
  },
  structuredFilterLevels: {
    most: 64,
    of: 'levels of the filter of a structured query',
    beyond: 'The query is refused with 400.',
    reason: 'Deeper than any query builder goes, shallow enough for the stack.',
  },
  structuredExpressions: {
    most: 16_384,
    of: 'characters of the virtual fields of a structured query',
    beyond: 'The query is refused with 400; ask in APL.',
    reason: 'They are read while others wait.',
  },
  buckets: {
    most: 1000,
    of: 'buckets of a structured query',
    beyond: 'The query is refused with 400.',
    reason: 'What the interface documents.',
  },
  tailMilliseconds: {
    most: 10 * 60_000,
    of: 'milliseconds that a tail goes on',
    beyond: 'It ends, and says where the next one goes on.',
    reason: 'Proxies in between do not like answers without an end.',
  },
  historyBytesOfToken: {
    most: 2 ** 20,
    of: 'bytes of queries that are remembered for one token',
    beyond: 'The oldest are forgotten; the newest is kept however long it is.',
    reason: 'A hundred of 10 KiB, which is longer than people write.',
  },
  catalogueFields: {
    most: 20_000,
    of: 'fields of all datasets in the catalogue of an editor',
    beyond: 'Of each dataset only some are listed, at least 20.',
    reason: 'An editor has no use for more, and the answer is made in one go.',
  },
  templateCharacters: {
    most: 1_000_000,
    of: 'characters of what the template of a notification makes',
    beyond: 'The notification fails and says so.',
    reason: 'Loops over long events could make more than anybody takes.',
  },
  templateLevels: {
    most: 100,
    of: 'blocks inside one another in a template',
    beyond: 'The template is refused with 400.',
    reason: 'Each costs some frames of the stack, when it is read and when the text is made.',
  },
  templateParts: {
    most: 1000,
    of: 'parts of one action of a template',
    beyond: 'The template is refused with 400.',
    reason: 'Reading it takes as many steps as there are pairs of them.',
  },
  dashboardVersions: {
    most: 50,
    of: 'versions of a dashboard',
    beyond: 'The oldest are forgotten.',
    reason: 'Nobody goes back further; they are part of the metadata, and of every backup.',
  },
} as const satisfies Readonly<Record<string, Bound>>;
