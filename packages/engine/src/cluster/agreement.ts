import type { Home, Homes, Votes } from './homes.js';

/** What all processes that use the same replicas have to agree on. */
export interface Agreement {
  readonly homes: Homes;
  readonly removed: RemovedTables;
  /**
   * Whether this process is the one that repairs replicas. Asked again before each step that throws
   * something away: a process may sleep for long between any two lines.
   */
  mayRepair(): Promise<boolean>;
  /** Whether no other process changes tables, so that this one knows which have changed. */
  readonly isAlone: boolean;
}

/**
 * Tables that were removed, or are being removed. What replicas still have of them goes, whenever
 * they come back.
 */
export interface RemovedTables {
  /** As far as this process knows. */
  readonly known: ReadonlySet<string>;
  /** Takes over what other processes have removed. */
  look(): Promise<void>;
  /** Resolved when all others will know it, too. */
  add(table: string): Promise<void>;
  /** A table of this name was made. */
  made(table: string): void;
  /** No replica has it any more. */
  gone(table: string): Promise<void>;
}

/** What processes agree on in the memory of one of them: for one that is alone, and for tests. */
export class AgreementInMemory {
  readonly #homes = new Map<number, Home>();
  readonly #votes = new Map<string, readonly string[]>();
  readonly #removed = new Set<string>();
  #repairer: string | undefined;

  /** What one of the processes is given. */
  member(name: string, isAlone: boolean): Agreement {
    const removed = this.#removed;
    return {
      homes: {
        read: async (tableClass) => this.#homes.get(tableClass),
        replace: async (tableClass, before, after) => this.#replace(tableClass, before, after),
        vote: async (heard) => this.#vote(name, heard),
      },
      removed: {
        known: removed,
        look: async () => undefined,
        add: async (table) => void removed.add(table),
        made: (table) => void removed.delete(table),
        gone: async () => undefined,
      },
      mayRepair: async () => (this.#repairer ??= name) === name,
      isAlone,
    };
  }

  /** A process has ended. */
  leave(name: string): void {
    this.#votes.delete(name);
    if (this.#repairer === name) this.#repairer = undefined;
  }

  #replace(tableClass: number, before: Home | undefined, after: Home): boolean {
    const now = this.#homes.get(tableClass);
    const isSame = now?.generation === before?.generation && now?.state === before?.state;
    if (isSame) this.#homes.set(tableClass, after);
    return isSame;
  }

  #vote(name: string, heard: readonly string[]): Votes {
    this.#votes.set(name, heard);
    const all = [...this.#votes.values()];
    return { voters: all.length, for: (replica) => all.filter((some) => some.includes(replica)).length };
  }
}

/** Of a process that is alone. */
export const agreementOfOne = (): Agreement => new AgreementInMemory().member('', true);
