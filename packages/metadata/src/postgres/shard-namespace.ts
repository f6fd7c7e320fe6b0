import { tableGroups } from '@millrace/engine';

/*
 * The coordination data of all shards is in the same tables. Names of the first shard are the same
 * as without shards, so that older programs understand them.
 */

/** Separates the shard number from a name; neither contains it. */
const divider = '\t';

/** Maps local names of a shard to global ones. */
export class ShardNamespace {
  readonly #prefix: string;
  readonly #firstClass: number;

  constructor(shard: number) {
    this.#prefix = shard === 1 ? '' : `${shard}${divider}`;
    this.#firstClass = (shard - 1) * tableGroups;
  }

  /** The global name of something in the shard. */
  globalName(name: string): string {
    return this.#prefix + name;
  }

  /** The local names of the shard's own entries. */
  own(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => {
      const at = name.indexOf(divider) + 1;
      return name.slice(0, at) === this.#prefix ? [name.slice(at)] : [];
    });
  }

  /** The global number of a table group. */
  class(tableClass: number): number {
    return this.#firstClass + tableClass;
  }

  /** Whether a global group number belongs to this shard. */
  hasClass(number: number): boolean {
    return number >= this.#firstClass && number < this.#firstClass + tableGroups;
  }
}

/** The reachable replicas of a process, of all shards. */
export class ReachableReplicas {
  readonly #ofShards = new Map<ShardNamespace, readonly string[]>();

  /**
   * Records the reachable replicas of one shard; returns those of all shards, by their global
   * names.
   */
  note(shard: ShardNamespace, names: readonly string[]): readonly string[] {
    this.#ofShards.set(
      shard,
      names.map((name) => shard.globalName(name)),
    );
    return [...this.#ofShards.values()].flat();
  }
}
