import { httpError } from '@millrace/api/errors';
import { parseDuration } from '@millrace/http/duration';
import type { AplRequest } from './compile/request.js';

/**
 * Long polling: how long a request waits for the first match, as requested by clients that tail a
 * dataset.
 */

/** Shorter than the timeouts of proxies. */
const automatic = 15_000;
const longest = 10 * 60_000;

/**
 * Milliseconds of `streaming-duration`; 0 if it is not given.
 * @throws HttpError `invalid-request`
 */
export function longPollMilliseconds(given: string | undefined): number {
  if (given === undefined || given === '') return 0;
  if (given === 'auto') return automatic;
  const duration = parseDuration(given);
  if (duration === undefined)
    throw httpError('invalid-request', {
      problem: `streaming-duration '${given}' is not a duration; use 30s, 1m or auto`,
    });
  return Math.min(Number(duration / 1_000_000n), longest);
}

/**
 * If the end of the range was about now when the request arrived, moves it forward while the
 * request is long-polled: the request waits for events that arrive later.
 */
export function advanceEnd<R extends Pick<AplRequest, 'range'>>(request: R, arrival: bigint, now: bigint): R {
  const { range } = request;
  const follows = range.given.end && range.end >= arrival - recently && range.end < now;
  return follows ? { ...request, range: { ...range, end: now } } : request;
}

/**
 * How old an end may be and still mean now: clients read their clock before they send, some drop
 * the fraction, and requests take time.
 */
const recently = 5_000_000_000n;
