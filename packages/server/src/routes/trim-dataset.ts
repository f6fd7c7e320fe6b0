import { allTimes } from '@millrace/apl';
import type { Static } from 'typebox';
import { httpError } from '@millrace/api/errors';
import { isBelowNanosecond, parseDuration } from '@millrace/http/duration';
import type { TrimOptions } from '@millrace/api/schemas/dataset';
import type { Deps } from './deps.js';
import { notFoundIfGone } from './not-found-if-gone.js';

/**
 * Removes events older than `maxDuration` from a dataset. Both versions of the interface do this.
 * @returns how many were removed
 * @throws HttpError `dataset-not-found`, `invalid-request`
 */
export async function trimDataset(
  { metadata, data, clock }: Deps,
  name: string,
  { maxDuration }: Static<typeof TrimOptions>,
): Promise<number> {
  const dataset = metadata.datasets.get(name);
  return notFoundIfGone(dataset, data.deletions.trim(dataset, trimTime(maxDuration, clock())));
}

/**
 * The time before which a trim to `maxDuration` removes events, nanoseconds since the epoch.
 * @throws HttpError `invalid-request`
 */
function trimTime(maxDuration: string, now: number): bigint {
  const age = parseDuration(maxDuration);
  if (age === undefined) {
    throw httpError('invalid-request', {
      problem: `body 'maxDuration' is '${maxDuration}', which is not a duration; use one such as 30d, 1h30m or 1s`,
    });
  }
  if (isBelowNanosecond(maxDuration)) {
    throw httpError('invalid-request', {
      problem: `body 'maxDuration' is '${maxDuration}', which is shorter than a nanosecond; use 1ns or more`,
    });
  }
  // Programs send this for a duration that was never set; it must not remove everything.
  if (age === 0n) {
    throw httpError('invalid-request', {
      problem: "body 'maxDuration' must be more than 0, which would keep no event; to remove all there are say 1ns",
    });
  }
  const before = BigInt(now) * 1_000_000n - age;
  // A duration may reach further back than the engine's times do.
  return before > allTimes.start ? before : allTimes.start;
}
