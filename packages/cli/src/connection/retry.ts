import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerError, ConnectionError } from './client.js';

export interface RetryOptions {
  /** All of them, the first included. */
  readonly attempts: number;
  readonly signal?: AbortSignal;
  /** Told before each pause. */
  readonly pausing?: (error: Error, milliseconds: number) => void;
}

const firstPause = 250;
const longestPause = 30_000;
/** A server that asks for more than this is not waited for. */
const longestAsked = 5 * 60_000;

/**
 * Repeats something until it works, its failure is final, or the attempts are used up. Only for what may be done twice.
 * @throws what the last attempt threw
 */
export async function retried<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = pauseAfter(error, attempts);
      if (wait === undefined || attempts >= options.attempts || options.signal?.aborted === true) throw error;
      options.pausing?.(error as Error, wait);
      await sleep(wait, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  }
}

/** Milliseconds to wait before another attempt; undefined when it would be no use. */
function pauseAfter(error: unknown, attempts: number): number | undefined {
  const backoff = Math.min(longestPause, firstPause * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return backoff;
  if (!(error instanceof AnswerError) || ![429, 502, 503, 504].includes(error.status)) return undefined;
  const { retryAfter } = error;
  if (retryAfter === undefined) return backoff;
  return retryAfter > longestAsked ? undefined : retryAfter + backoff * 0.1;
}
