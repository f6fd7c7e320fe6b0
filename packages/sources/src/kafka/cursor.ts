import type { Commit, Message, Partition } from './group-member.js';

/**
 * Position in a partition. A range is announced before its batch is stored: the commit of its first
 * offset carries its end. After a crash or a change of the group, the next owner of the partition
 * stores the same range under the same key again, so that it is stored once.
 */
export class Cursor implements Partition {
  readonly topic: string;
  readonly partition: number;
  /** The next offset to store. */
  #next: bigint;
  /** End of the announced range, exclusive. */
  #announcedEnd: bigint | undefined;
  #messages: Message[] = [];

  constructor({ topic, partition }: Partition, next: bigint, announced?: bigint) {
    this.topic = topic;
    this.partition = partition;
    this.#next = next;
    this.#announcedEnd = announced;
  }

  get next(): bigint {
    return this.#next;
  }

  get isAnnounced(): boolean {
    return this.#announcedEnd !== undefined;
  }

  add(message: Message): void {
    if (message.offset >= (this.#messages.at(-1)?.offset ?? this.#next - 1n) + 1n) this.#messages.push(message);
  }

  /**
   * The range that can be stored: an announced one when all of its messages have been read, else
   * everything that has been read.
   */
  ready(): Range | undefined {
    const last = this.#messages.at(-1);
    if (last === undefined) return undefined;
    const to = this.#announcedEnd ?? last.offset + 1n;
    // Compaction may have removed the last messages of an announced range: then a later one shows
    // that it is complete.
    if (last.offset + 1n < to) return undefined;
    return { from: this.#next, to, messages: this.#messages.filter(({ offset }) => offset < to) };
  }

  /** The commit that announces a range. */
  announcement({ from, to }: Range): Commit {
    return { topic: this.topic, partition: this.partition, offset: from, metadata: `${announcementPrefix}${to}` };
  }

  recordAnnouncement({ to }: Range): void {
    this.#announcedEnd = to;
  }

  /** The commit of a stored range. */
  completion({ to }: Range): Commit {
    return { topic: this.topic, partition: this.partition, offset: to, metadata: '' };
  }

  recordCompletion({ to }: Range): void {
    this.#next = to;
    this.#announcedEnd = undefined;
    this.#messages = this.#messages.filter(({ offset }) => offset >= to);
  }
}

/** Messages of a partition that are stored together; `to` is exclusive. */
export interface Range {
  readonly from: bigint;
  readonly to: bigint;
  readonly messages: readonly Message[];
}

const announcementPrefix = 'millrace:';

/** End of the range that a commit announces. */
export function announcedEnd({ metadata, offset }: Commit): bigint | undefined {
  const digits = metadata.startsWith(announcementPrefix) ? metadata.slice(announcementPrefix.length) : '';
  if (!/^\d{1,19}$/.test(digits)) return undefined;
  const to = BigInt(digits);
  return to > offset ? to : undefined;
}
