import type { SourceObjects } from '@millrace/metadata/sources/source-objects';
import type { ObjectLedger } from '../run/object-ledger.js';

/** The ledger of a stored source, in the metadata. */
export function ledgerOf(objects: SourceObjects, sourceId: string, limit: number): ObjectLedger {
  let count: number | undefined;
  return {
    known: (names) => objects.known(sourceId, names),
    async mark(name, state) {
      count ??= await objects.count(sourceId);
      if (count >= limit)
        throw new Error(
          `the source remembers ${limit} objects, the limit of MILLRACE_MAX_SOURCE_OBJECTS; delete it and create one with a narrower prefix or a later startAfter`,
        );
      if (await objects.mark(sourceId, name, state)) count++;
    },
  };
}
