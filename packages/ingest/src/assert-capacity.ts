import { type UsageByKey, addUsage } from '@millrace/runtime/memory/fair-share';
import type { IngestDependencies } from './ingest.js';

/**
 * Checks the capacity for a body, before and while it arrives.
 * @param others usage of other bodies in transit, with the quota key of this one
 * @throws HttpError `org-quota-reached`, errors of the storage when it cannot accept more from this
 * sender
 */
export function requireRoom(
  others: UsageByKey,
  { storage, encoders, requireQuota }: Pick<IngestDependencies, 'storage' | 'encoders' | 'requireQuota'>,
): void {
  requireQuota?.();
  const { party } = others;
  storage.intake.checkRoom({ party, ...addUsage(encoders.usageOf(party), others) });
}
