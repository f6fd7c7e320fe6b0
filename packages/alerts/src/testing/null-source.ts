import type { Source } from '../source.js';

const unused = async (): Promise<never> => {
  throw new Error('there is no engine here');
};

/** For monitors that are written and never run. */
export const nullSource: Source = { table: unused, matches: unused, eventsBetween: unused, position: async () => 0n };
