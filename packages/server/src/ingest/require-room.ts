import { type TakenFor, together } from '../memory/taken-bytes.js';
import type { IngestDependencies } from './ingest.js';

/**
 * Checks that there is room for a body, and for more of one that is arriving.
 * @param others what other bodies that arrive have taken, and who sends this one
 * @throws errors of the storage when it cannot take more from this sender
 */
export function requireRoom(
  others: TakenFor,
  { storage, encoders }: Pick<IngestDependencies, 'storage' | 'encoders'>,
): void {
  const { party } = others;
  storage.intake.checkRoom({ party, ...together(encoders.takenBy(party), others) });
}
