import { tableClasses } from '@millrace/engine';

/*
 * What processes agree on over the replicas of a shard lies beside the same of other shards. What
 * is of the first is called as where there is only one, so that older programs understand it.
 */

/** Divides the number of a shard from a name, neither of which has it. */
const divider = '\t';

/** The names of a shard among those of all. */
export class OfShard {
  readonly #prefix: string;
  readonly #firstClass: number;

  constructor(shard: number) {
    this.#prefix = shard === 1 ? '' : `${shard}${divider}`;
    this.#firstClass = (shard - 1) * tableClasses;
  }

  /** What all call something that the shard calls so. */
  named(name: string): string {
    return this.#prefix + name;
  }

  /** What the shard calls those of all names that are its own. */
  own(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => {
      const at = name.indexOf(divider) + 1;
      return name.slice(0, at) === this.#prefix ? [name.slice(at)] : [];
    });
  }

  /** The number among all of a class of tables. */
  class(tableClass: number): number {
    return this.#firstClass + tableClass;
  }

  /** Whether a class, by its number among all, is of this shard. */
  hasClass(number: number): boolean {
    return number >= this.#firstClass && number < this.#firstClass + tableClasses;
  }
}

/** Which replicas a process hears, those of all shards. */
export class Heard {
  readonly #ofShards = new Map<OfShard, readonly string[]>();

  /** Notes those of one shard; returns all, as everybody calls them. */
  note(shard: OfShard, names: readonly string[]): readonly string[] {
    this.#ofShards.set(
      shard,
      names.map((name) => shard.named(name)),
    );
    return [...this.#ofShards.values()].flat();
  }
}
