import type { Bounds, Commit, Generation, GroupMember, Message, Partition } from '../kafka/group-member.js';

/** Topics in memory, with one consumer group that has one member at a time. */
export class MemoryTopics {
  readonly #partitions = new Map<string, { readonly of: Partition; messages: Message[]; end: bigint }>();
  readonly #commits = new Map<string, Commit>();
  #generation = 0;
  #wake: (() => void)[] = [];
  /** Commits until one fails: before it is recorded, or after. */
  nextFailure: { in: number; recorded: boolean } | undefined;

  constructor(partitions: readonly Partition[]) {
    for (const of of partitions) this.#partitions.set(nameOf(of), { of, messages: [], end: 0n });
  }

  write(
    to: Partition,
    value: Buffer | string | undefined,
    { key, headers = [], timestamp = 0n }: Partial<Pick<Message, 'key' | 'headers' | 'timestamp'>> = {},
  ): void {
    const partition = this.#partitions.get(nameOf(to))!;
    partition.messages.push({
      ...to,
      offset: partition.end++,
      timestamp,
      key,
      value: typeof value === 'string' ? Buffer.from(value) : value,
      headers,
    });
    this.#notify();
  }

  /** Deletes the messages before an offset, as retention does. */
  truncate(of: Partition, first: bigint): void {
    const partition = this.#partitions.get(nameOf(of))!;
    partition.messages = partition.messages.filter(({ offset }) => offset >= first);
  }

  /** Ends the generation, as a member that joins or leaves does. */
  rebalance(): void {
    this.#generation++;
    this.#notify();
  }

  getCommit(of: Partition): Commit | undefined {
    return this.#commits.get(nameOf(of));
  }

  member(): GroupMember {
    let seen = -1;
    return {
      generation: async (signal) => {
        while (seen === this.#generation) await this.#news(signal);
        seen = this.#generation;
        return this.#open(seen, signal);
      },
      close: () => Promise.resolve(this.rebalance()),
    };
  }

  #open(id: number, signal: AbortSignal): Generation {
    const isOver = (): boolean => this.#generation !== id;
    const all = [...this.#partitions.values()];
    const { messages, boundsOf } = { messages: this.#read.bind(this), boundsOf: boundsIn };
    return {
      partitions: all.map(({ of }) => of),
      readCommits: () => Promise.resolve([...this.#commits.values()]),
      commit: async (commits) => {
        const fails = this.nextFailure !== undefined && this.nextFailure.in-- === 0 ? this.nextFailure : undefined;
        if (isOver()) throw new Error('over');
        if (fails?.recorded !== false) for (const commit of commits) this.#commits.set(nameOf(commit), commit);
        if (fails !== undefined) throw new Error('killed');
      },
      bounds: () => Promise.resolve(all.map(boundsOf)),
      messages: (from) => messages(from, isOver, signal),
      get isOver() {
        return isOver();
      },
    };
  }

  async *#read(
    from: readonly (Partition & { readonly offset: bigint })[],
    isOver: () => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<Message> {
    const next = new Map(from.map((of) => [nameOf(of), of.offset]));
    while (!isOver()) {
      let found = false;
      for (const [name, { messages }] of this.#partitions)
        for (const message of messages) {
          if (message.offset < (next.get(name) ?? 0n)) continue;
          if (isOver()) return;
          next.set(name, message.offset + 1n);
          found = true;
          yield message;
        }
      if (!found) await this.#news(signal);
    }
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      if (signal.aborted) reject(signal.reason as Error);
    });
  }
}

const nameOf = ({ topic, partition }: Partition): string => `${topic} ${partition}`;

const boundsIn = ({ of, messages, end }: { readonly of: Partition; messages: Message[]; end: bigint }): Bounds => ({
  ...of,
  first: messages[0]?.offset ?? end,
  end,
});
