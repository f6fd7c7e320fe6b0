import { findNearest } from '@millrace/apl';
import { httpError } from '@millrace/api/errors';

/** From this length on, similar names count as misspellings. */
const minTypoLength = 8;

/**
 * Rejects misspelled query parameters: unknown ones are ignored, so a typo would have no visible
 * effect. Only for routes where that does lasting harm. On other routes, official clients send
 * parameters that resemble known ones: the Rust client sends `no-cache` instead of `nocache`.
 * @throws HttpError `invalid-request` for a name close to a known one that is not given
 */
export function rejectMisspelledParameters(known: readonly string[], given: readonly string[]): void {
  const left = known.filter((name) => !given.includes(name));
  for (const name of given.filter((name) => !known.includes(name))) {
    const letters = lettersOf(name);
    const meant =
      left.find((other) => lettersOf(other) === letters) ??
      (name.length < minTypoLength ? undefined : findNearest(name, left));
    if (meant === undefined) continue;
    throw httpError('invalid-request', { problem: `unknown query parameter '${name}'; did you mean '${meant}'?` });
  }
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
