import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerError, ConnectionError } from './client.js';

export interface RetryOptions {
  /** Maximum attempts, including the first. */
  readonly attempts: number;
  readonly signal?: AbortSignal;
  /** Called before each pause. */
  readonly pausing?: (error: Error) => void;
}

const firstPause = 250;
const longestPause = 30_000;
/** Fails when the server requests a longer wait. */
const maxRetryAfter = 5 * 60_000;

/**
 * Retries idempotent work until it succeeds, fails permanently or attempts run out.
 * @throws the error of the last attempt
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = pauseAfter(error, attempts);
      if (wait === undefined || attempts >= options.attempts || options.signal?.aborted === true) throw error;
      options.pausing?.(error as Error);
      await sleep(wait, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  }
}

/** Milliseconds before the next attempt; undefined when a retry cannot help. */
function pauseAfter(error: unknown, attempts: number): number | undefined {
  const backoff = Math.min(longestPause, firstPause * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return backoff;
  if (!(error instanceof AnswerError) || ![429, 502, 503, 504].includes(error.status)) return undefined;
  const { retryAfter } = error;
  if (retryAfter === undefined) return backoff;
  // At least the usual backoff: a busy server may request one second each time, and be busy for a
  // minute.
  return retryAfter > maxRetryAfter ? undefined : Math.max(retryAfter + backoff * 0.1, backoff);
}
