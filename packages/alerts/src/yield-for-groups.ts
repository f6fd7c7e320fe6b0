import type { Yielder } from '@millrace/runtime/async/yield';

/** With fewer groups, a part of a run takes less than a millisecond. */
const fewGroups = 100;

/**
 * Returns a function that yields to the event loop between the parts of work on all groups of a
 * monitor; undefined for few groups, whose work is done in one go.
 */
export const yieldForGroups = (groups: number, yielder: Yielder): (() => Promise<void>) | undefined =>
  groups <= fewGroups ? undefined : () => yielder.maybeYield();
