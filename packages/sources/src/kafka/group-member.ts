/** Interface of a consumer group; implemented over Kafka, and in memory for tests. */

export interface Partition {
  readonly topic: string;
  readonly partition: number;
}

export interface Message extends Partition {
  readonly offset: bigint;
  /** Milliseconds since the epoch. */
  readonly timestamp: bigint;
  readonly key: Buffer | undefined;
  readonly value: Buffer | undefined;
  readonly headers: readonly (readonly [name: Buffer, value: Buffer])[];
}

/** The next offset to read of a partition, with a text that is stored with it. */
export interface Commit extends Partition {
  readonly offset: bigint;
  readonly metadata: string;
}

/** Offsets of the first message of a partition and of the next one to be written. */
export interface Bounds extends Partition {
  readonly first: bigint;
  readonly end: bigint;
}

export interface GroupMember {
  /**
   * Joins the group, or waits until its members have changed again.
   * @throws Error if the brokers cannot be reached, and the reason of the signal when it aborts
   */
  generation(signal: AbortSignal): Promise<Generation>;
  /** Leaves the group. */
  close(): Promise<void>;
}

/** A time in which the members of the group, and their partitions, stay the same. */
export interface Generation {
  readonly partitions: readonly Partition[];
  /** Commits of the group for the partitions, those without one left out. */
  readCommits(): Promise<readonly Commit[]>;
  /** @throws Error if the generation is over: then nothing was committed */
  commit(commits: readonly Commit[]): Promise<void>;
  bounds(): Promise<readonly Bounds[]>;
  /** Messages of each partition in order, from these offsets on. Ends with the generation. */
  messages(from: readonly (Partition & { readonly offset: bigint })[]): AsyncIterable<Message>;
  /** Whether the members have changed. */
  readonly isOver: boolean;
}
