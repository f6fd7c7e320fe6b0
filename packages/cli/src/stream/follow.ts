import { setTimeout as sleep } from 'node:timers/promises';
import { elementsOf, membersOf } from '../result/json-text.js';
import { AnswerError, type Client } from '../connection/client.js';
import { withRetries } from '../connection/retry.js';
import { Failure } from '../failure.js';

/**
 * Follows a dataset in time order, on servers that do not expose the order of arrival. Misses late
 * events.
 */

export interface FollowOptions {
  readonly client: Client;
  readonly dataset: string;
  /** Start, RFC 3339. */
  readonly start: string;
  /** Milliseconds between two requests. */
  readonly interval: number;
  /** Called before each pause after a failed request. */
  readonly pausing: (error: Error) => void;
}

/** Long-poll duration on servers that support it. */
const holdSeconds = 5;
/** Tolerated clock skew: an event from the future must not hide later arrivals. */
const aheadMilliseconds = 60_000;
const pageLimit = 1000;
const attempts = 20;

/** One event: properties as JSON texts, `_time` first. */
export type FollowedEvent = ReadonlyMap<string, string>;

/**
 * Follows until the caller stops reading.
 * @throws AnswerError, ConnectionError when the server stays unreachable
 */
export async function* follow(options: FollowOptions): AsyncGenerator<FollowedEvent> {
  let look: Look = byStructuredQuery;
  let missing: AnswerError | undefined;
  let cursor: string | undefined;
  for (;;) {
    const askedAt = Date.now();
    let page: Page;
    try {
      page = await withRetries(() => look(options, cursor), { attempts, pausing: options.pausing });
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      // For a missing dataset the query fails as invalid (400); the earlier 404 is clearer.
      if (look === byApl) throw missing !== undefined && error.status === 400 ? missing : error;
      // Some servers lack structured queries. A 404 may also mean a missing dataset.
      if (![404, 405, 501].includes(error.status)) throw error;
      if (error.status === 404) missing = error;
      look = byApl;
      continue;
    }
    missing = undefined;
    yield* page.events;
    const moved = page.cursor !== undefined && page.cursor !== cursor;
    cursor = page.cursor ?? cursor;
    if (moved && page.events.length >= pageLimit) continue;
    // Waits the rest of the interval if the server did not long-poll.
    const rest = options.interval - (Date.now() - askedAt);
    if (rest > 0) await sleep(rest);
  }
}

interface Page {
  readonly events: readonly FollowedEvent[];
  readonly cursor: string | undefined;
}

type Look = (options: FollowOptions, cursor: string | undefined) => Promise<Page>;

const until = (): string => new Date(Date.now() + aheadMilliseconds).toISOString();

async function byStructuredQuery({ client, dataset, start }: FollowOptions, cursor: string | undefined): Promise<Page> {
  return readPage(
    await client.text('queryDataset', {
      params: { name: dataset },
      query: { 'streaming-duration': `${holdSeconds}s`, nocache: true },
      body: {
        startTime: start,
        endTime: until(),
        resolution: 'auto',
        order: [{ field: '_time', desc: false }],
        limit: pageLimit,
        ...(cursor !== undefined && { cursor }),
      },
    }),
  );
}

/** Dataset name quoted for APL. */
export const quotedName = (dataset: string): string =>
  `['${dataset.replaceAll(/['\\]/g, (character) => `\\${character}`)}']`;

async function byApl({ client, dataset, start }: FollowOptions, cursor: string | undefined): Promise<Page> {
  return readPage(
    await client.text('queryApl', {
      query: { format: 'legacy' },
      body: {
        apl: `${quotedName(dataset)} | sort by _time asc | limit ${pageLimit}`,
        startTime: start,
        endTime: until(),
        ...(cursor !== undefined && { cursor }),
      },
    }),
  );
}

function readPage(text: string): Page {
  try {
    const matches = elementsOf(membersOf(text).get('matches') ?? '[]').map(membersOf);
    const events = matches.map((match) => {
      const data = membersOf(match.get('data') ?? '{}');
      return new Map([['_time', match.get('_time') ?? 'null'], ...data]);
    });
    const id = matches.at(-1)?.get('_rowId');
    return { events, cursor: id === undefined ? undefined : (JSON.parse(id) as string) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Failure('failed', 'the server sent an answer that cannot be read', { cause: error });
  }
}
