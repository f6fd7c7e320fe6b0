import type { ServerProcess } from '../../support/server-process.ts';
import type { Random } from '../random.ts';
import type { Tally } from '../tally.ts';

/**
 * Called while one shard is struck and nothing else is, or nothing at all; resolves when it is
 * known that everything else goes on.
 */
export type Meanwhile = (shard?: number) => Promise<void>;

/** What a story is told over: nodes, and what can happen to them and to what they share. */
export interface Scene {
  readonly nodes: readonly ServerProcess[];
  /** What can happen, with its share of all strikes. */
  readonly strikes: Readonly<Record<string, number>>;
  /** How many shards there are for the datasets. */
  readonly shards: number;
  /**
   * Strikes, and mends everything; clients go on meanwhile. Returns how many processes were killed.
   */
  strike(how: string, random: Random, meanwhile: Meanwhile): Promise<number>;
  /** Looks at what is stored without the nodes. */
  inspect?(tally: Tally): Promise<void>;
}
