import { requestBounds } from '@millrace/api/limits';
import type { ErrorCode } from '@millrace/api/errors';
import { type Clock, timestamp } from '@millrace/metadata/clock';

/** Recently rejected ingest requests, by client and reason: typical mistakes of a new setup. */

/** One reason, with its count. */
interface IngestRefusal {
  readonly code: ErrorCode;
  /** The latest. */
  readonly message: string;
  readonly path: string;
  readonly tokenId?: string;
  readonly tokenName?: string;
  readonly address: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

type RejectedRequest = Omit<IngestRefusal, 'count' | 'first' | 'last'>;

interface RejectionEntry {
  readonly at: number;
  readonly refusal: IngestRefusal;
}

/** After an hour, a client is no longer retrying. */
const HOUR = 3_600_000;
const MAX = requestBounds.refusedIngest.max;

export class RefusedIngest {
  /** By client and reason, in order of the last rejection. */
  readonly #entries = new Map<string, RejectionEntry>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(refused: RejectedRequest): void {
    const key = [refused.tokenId ?? refused.address, refused.path, refused.code].join(' ');
    const before = this.#recent(this.#entries.get(key));
    const now = timestamp(this.#clock);
    this.#entries.delete(key);
    const { count = 0, first = now } = before?.refusal ?? {};
    this.#entries.set(key, { at: this.#clock(), refusal: { ...refused, count: count + 1, first, last: now } });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX) break;
      this.#entries.delete(oldest);
    }
  }

  /** Entries of the last hour, newest first. */
  list(): readonly IngestRefusal[] {
    return [...this.#entries.values()]
      .filter((each) => this.#recent(each) !== undefined)
      .toReversed()
      .map(({ refusal }) => refusal);
  }

  #recent(found: RejectionEntry | undefined): RejectionEntry | undefined {
    return found !== undefined && this.#clock() - found.at < HOUR ? found : undefined;
  }
}
