import type { Clock } from '@millrace/metadata/clock';

const minute = 60_000;

export interface RateAnswer {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the count starts over, seconds since the epoch. */
  readonly reset: number;
}

/**
 * Rate limiter: counts requests per minute and caller. All counts reset at the same time, so that
 * callers that stop sending take no memory.
 */
export class RateLimit {
  readonly #limitNow: () => number;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #window = -1;

  /** @param limit may change: where several processes take requests, each has a share */
  constructor(limit: number | (() => number), clock: Clock = Date.now) {
    this.#limitNow = typeof limit === 'number' ? () => limit : limit;
    this.#clock = clock;
  }

  /** Counts one request of a caller, unless the caller has none left. */
  take(caller: string): RateAnswer {
    const window = Math.floor(this.#clock() / minute);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    const limit = this.#limitNow();
    const used = this.#counts.get(caller) ?? 0;
    const allowed = used < limit;
    if (allowed) this.#counts.set(caller, used + 1);
    const remaining = Math.max(0, limit - used - 1);
    return { allowed, limit, remaining, reset: ((window + 1) * minute) / 1000 };
  }
}

/** Headers of one family of limits, `X-RateLimit-…`. */
export function limitHeaders(
  family: 'Rate' | 'Ingest' | 'Query',
  { limit, remaining, reset }: RateAnswer,
): Record<string, string> {
  const names = headerNames[family];
  return { [names.limit]: String(limit), [names.remaining]: String(remaining), [names.reset]: String(reset) };
}

const namesOf = (family: string) => ({
  limit: `x-${family}limit-limit`,
  remaining: `x-${family}limit-remaining`,
  reset: `x-${family}limit-reset`,
});

const headerNames = { Rate: namesOf('rate'), Ingest: namesOf('ingest'), Query: namesOf('query') } as const;

/** The headers of all families. */
export const limitHeaderNames: readonly string[] = Object.values(headerNames).flatMap((names) => Object.values(names));
