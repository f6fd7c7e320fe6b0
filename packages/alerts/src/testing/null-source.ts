import type { Source } from '../source.js';

const nobody = async (): Promise<never> => {
  throw new Error('there is no engine here');
};

/** For monitors that are written and never run. */
export const nullSource: Source = { table: nobody, matches: nobody, eventsBetween: nobody, position: async () => 0n };
