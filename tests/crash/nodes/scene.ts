import type { ServerProcess } from '../../support/server-process.ts';
import type { Random } from '../random.ts';
import type { Tally } from '../tally.ts';

/**
 * Called while only one shard, or nothing, is affected by a fault; resolves when everything else is
 * known to work.
 */
export type CheckOthers = (shard?: number) => Promise<void>;

/**
 * Environment of a story: nodes, and the faults that can affect them and the servers they share.
 */
export interface Scene {
  readonly nodes: readonly ServerProcess[];
  /** Possible faults, with their relative frequency. */
  readonly strikes: Readonly<Record<string, number>>;
  /** Number of shards for the datasets. */
  readonly shards: number;
  /**
   * Injects a fault and repairs it while clients keep running. Returns how many processes were
   * killed.
   */
  strike(how: string, random: Random, checkOthers: CheckOthers): Promise<number>;
  /** Inspects the stored data without the nodes. */
  inspect?(tally: Tally): Promise<void>;
}
