import type { ErrorCode } from '../../errors.js';
import { type Clock, timestamp } from '../../metadata/clock.js';

/**
 * What was refused of requests with events, lately: what people get wrong while they set something
 * up, by who sent it and why.
 */

/** One reason, as often as it came up. */
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

type Refused = Omit<IngestRefusal, 'count' | 'first' | 'last'>;

interface Noted {
  readonly at: number;
  readonly refusal: IngestRefusal;
}

/** Longer ago nobody is still trying. */
const HOUR = 3_600_000;
/** Whoever sends from many addresses makes others forgotten and fills no memory. */
const MOST = 200;

export class RefusedIngest {
  /** By sender and reason; the latest last. */
  readonly #found = new Map<string, Noted>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(refused: Refused): void {
    const key = [refused.tokenId ?? refused.address, refused.path, refused.code].join(' ');
    const before = this.#recent(this.#found.get(key));
    const now = timestamp(this.#clock);
    this.#found.delete(key);
    const { count = 0, first = now } = before?.refusal ?? {};
    this.#found.set(key, { at: this.#clock(), refusal: { ...refused, count: count + 1, first, last: now } });
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= MOST) break;
      this.#found.delete(oldest);
    }
  }

  /** Those of the last hour, the latest first. */
  list(): readonly IngestRefusal[] {
    return [...this.#found.values()]
      .filter((each) => this.#recent(each) !== undefined)
      .toReversed()
      .map(({ refusal }) => refusal);
  }

  #recent(found: Noted | undefined): Noted | undefined {
    return found !== undefined && this.#clock() - found.at < HOUR ? found : undefined;
  }
}
