import type { PhaseTimes } from '../schedule/query-time.js';
import type { Message } from './status.js';

/** A shorter wait is not worth a message, milliseconds. */
const shortWait = 5000;

/**
 * Says how much of the `elapsedTime` of a response was waiting, which the time limit of queries
 * does not include. The interface has no property for it, and some clients reject unknown ones.
 */
export function waitedMessage({ waiting, compiling, running }: PhaseTimes): readonly Message[] {
  if (waiting < shortWait) return [];
  const msg =
    `the query waited ${seconds(waiting)} s for its turn or for acknowledged events to be stored, ` +
    `and ran for ${seconds(compiling + running)} s`;
  return [{ priority: 'info', code: 'apl_query_waited_1', count: 1, msg }];
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
