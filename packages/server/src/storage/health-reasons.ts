import type { LogError } from '@millrace/log';
import type { Missing } from './inventory/inventory-store.js';

/** What the health says is wrong. It is shown to anyone, even without a login. */

export const bucketAway = 'the bucket with old events does not answer; queries of what is in it fail until it does';

/** It leaves out the path that the error names. */
export const logReason = ({ code }: LogError): string =>
  code === 'disk-full' ? 'the disk of the log is full' : 'the log cannot be written';

/** Seen by anybody, so it names no dataset. */
export function missingReason(missing: readonly Missing[]): readonly string[] {
  if (missing.length === 0) return [];
  const events = missing.reduce((sum, one) => sum + one.events, 0);
  const since = missing.map((one) => one.since).toSorted()[0];
  return [
    `${events} stored events are missing since ${since}: their files are damaged or gone; millrace verify says which`,
  ];
}
