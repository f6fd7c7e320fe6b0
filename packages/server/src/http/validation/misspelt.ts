import { nearest } from '@millrace/apl';
import { httpError } from '../../errors.js';

/** From this length on, names that are nearly the same mean the same. */
const leastTypoLength = 8;

/**
 * Refuses query parameters that were meant as others: unknown ones are ignored, what they ask for
 * would not happen, and nobody would notice. It is for routes where that harms for good. Elsewhere
 * official clients send some that resemble known ones: that for Rust `no-cache`, instead of
 * `nocache`.
 * @throws HttpError `invalid-request` for a name that is nearly a known one that is not given
 */
export function requireSpelling(known: readonly string[], given: readonly string[]): void {
  const left = known.filter((name) => !given.includes(name));
  for (const name of given.filter((name) => !known.includes(name))) {
    const letters = lettersOf(name);
    const meant =
      left.find((other) => lettersOf(other) === letters) ??
      (name.length < leastTypoLength ? undefined : nearest(name, left));
    if (meant === undefined) continue;
    throw httpError('invalid-request', { problem: `there is no query parameter '${name}'; did you mean '${meant}'?` });
  }
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
