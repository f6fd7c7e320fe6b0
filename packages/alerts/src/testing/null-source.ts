import type { Source } from '../source.js';

const throwNoEngine = async (): Promise<never> => {
  throw new Error('there is no engine here');
};

/** For monitors that are written and never run. */
export const nullSource: Source = {
  table: throwNoEngine,
  matches: throwNoEngine,
  eventsBetween: throwNoEngine,
  position: async () => 0n,
};
