import { setImmediate as turn } from 'node:timers/promises';
import type { Settings } from '@millrace/http/settings/settings';
import type { Clock } from '@millrace/metadata/clock';
import type { SourceObjects } from '@millrace/metadata/sources/source-objects';
import type { ObjectLedger } from '../run/object-ledger.js';

interface LedgerOptions {
  readonly objects: SourceObjects;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'maxSourceObjects' | 'sourceObjectMemory'>;
}

/** The time between two removals of objects that are gone, milliseconds. */
const forgetMilliseconds = 3_600_000;

/** The ledger of a stored source, in the metadata. */
export function ledgerOf(sourceId: string, { objects, clock, settings }: LedgerOptions): ObjectLedger {
  const { maxSourceObjects: limit, sourceObjectMemory } = settings;
  let count: number | undefined;
  let forgotAt = -Infinity;
  return {
    known: (names) => objects.knownObjects(sourceId, names, clock()),
    async mark(name, state) {
      count ??= await objects.count(sourceId);
      if (count >= limit)
        throw new Error(
          `the source remembers ${limit} objects, the limit of MILLRACE_MAX_SOURCE_OBJECTS; delete it and create one with a narrower prefix or a later startAfter`,
        );
      if (await objects.mark(sourceId, name, state, clock())) count++;
    },
    async forgetGone() {
      const now = clock();
      if (Math.abs(now - forgotAt) < forgetMilliseconds) return;
      forgotAt = now;
      while (await objects.forgetSome(sourceId, now - sourceObjectMemory)) await turn();
      count = undefined;
    },
  };
}
