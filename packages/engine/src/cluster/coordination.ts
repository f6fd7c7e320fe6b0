import type { Leader, Leaders, ReachabilityVotes } from './leaders.js';

/** Coordination between all processes that use the same replicas. */
export interface Coordination {
  readonly leaders: Leaders;
  readonly removedTables: RemovedTables;
  /**
   * Whether this process repairs replicas. Asked again before each destructive step: a process may
   * be suspended for long between any two lines.
   */
  mayRepair(): Promise<boolean>;
  /** Whether this is the only process that changes tables, so that it knows every change. */
  readonly isAlone: boolean;
}

/**
 * Tables that were removed, or are being removed. Replicas that still have them drop them, even if
 * they were unreachable.
 */
export interface RemovedTables {
  /** Removed tables that this process knows of. */
  readonly known: ReadonlySet<string>;
  /** Loads the tables that other processes have removed. */
  check(): Promise<void>;
  /** Resolves when all other processes will see it too. */
  add(table: string): Promise<void>;
  /** A table of this name was created. */
  addTable(table: string): void;
  /** Called when no replica has the table any more. */
  deleteTable(table: string): Promise<void>;
}

/** Coordination in the memory of one process: for single processes, and for tests. */
export class LocalCoordination {
  readonly #leaders = new Map<number, Leader>();
  readonly #votes = new Map<string, readonly string[]>();
  readonly #removedTables = new Set<string>();
  #repairer: string | undefined;

  /** The coordination from the view of one process. */
  member(name: string, isAlone: boolean): Coordination {
    const removed = this.#removedTables;
    return {
      leaders: {
        read: async (tableClass) => this.#leaders.get(tableClass),
        replace: async (tableClass, before, after) => this.#replace(tableClass, before, after),
        vote: async (reachable) => this.#vote(name, reachable),
      },
      removedTables: {
        known: removed,
        check: async () => undefined,
        add: async (table) => void removed.add(table),
        addTable: (table) => void removed.delete(table),
        deleteTable: async () => undefined,
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

  #replace(tableClass: number, before: Leader | undefined, after: Leader): boolean {
    const now = this.#leaders.get(tableClass);
    const isSame = now?.generation === before?.generation && now?.state === before?.state;
    if (isSame) this.#leaders.set(tableClass, after);
    return isSame;
  }

  #vote(name: string, reachable: readonly string[]): ReachabilityVotes {
    this.#votes.set(name, reachable);
    const all = [...this.#votes.values()];
    return { voters: all.length, for: (replica) => all.filter((some) => some.includes(replica)).length };
  }
}

/** Coordination of a single process. */
export const singleProcessCoordination = (): Coordination => new LocalCoordination().member('', true);
