import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import type { SourceContext } from '../run/source-context.js';
import { TimedReader } from './collect.js';
import { announcedEnd, Cursor, type Range } from './cursor.js';
import type { Generation, GroupMember, Message, Partition } from './group-member.js';
import { storeRange } from './store-range.js';

/** Ranges that are stored at a time. */
const rangesAtOnce = 4;
/** How often the lag is determined, milliseconds. */
const lagMilliseconds = 5000;

/**
 * Reads the partitions that the group assigns to this member, and stores their messages exactly
 * once.
 * @throws Error if the brokers fail, and the reason of the signal when it aborts
 */
export async function consumeGroup(
  member: GroupMember,
  properties: SourcePropertiesOf<'kafka'>,
  context: SourceContext,
): Promise<void> {
  for (;;) {
    const generation = await member.generation(context.signal);
    context.progress.markWorking();
    try {
      await new GenerationReader(generation, properties, context).run();
    } catch (error) {
      context.signal.throwIfAborted();
      // A commit fails when the members of the group change: the next generation continues at what
      // was committed.
      if (!generation.isOver) throw error;
    }
  }
}

const nameOf = ({ topic, partition }: Partition): string => `${topic} ${partition}`;

class GenerationReader {
  readonly #generation: Generation;
  readonly #properties: SourcePropertiesOf<'kafka'>;
  readonly #context: SourceContext;
  #cursors: ReadonlyMap<string, Cursor> = new Map();
  #lagDue = 0;

  constructor(generation: Generation, properties: SourcePropertiesOf<'kafka'>, context: SourceContext) {
    this.#generation = generation;
    this.#properties = properties;
    this.#context = context;
  }

  async run(): Promise<void> {
    this.#cursors = await this.#begin();
    const from = [...this.#cursors.values()].map(({ topic, partition, next }) => ({ topic, partition, offset: next }));
    const reader = new TimedReader(this.#generation.messages(from));
    try {
      for (;;) {
        const isEnd = await this.#collect(reader);
        this.#context.signal.throwIfAborted();
        if (this.#generation.isOver) return;
        await this.#store();
        await this.#showLag();
        if (isEnd) return;
      }
    } finally {
      reader.close();
    }
  }

  /** Where each partition continues. */
  async #begin(): Promise<ReadonlyMap<string, Cursor>> {
    const { partitions } = this.#generation;
    const [bounds, commits] = await Promise.all([this.#generation.bounds(), this.#generation.readCommits()]);
    const committed = new Map(commits.map((commit) => [nameOf(commit), commit]));
    const ends = new Map(bounds.map((bound) => [nameOf(bound), bound]));
    return new Map(
      partitions.map((partition) => {
        const name = nameOf(partition);
        const { first = 0n, end = 0n } = ends.get(name) ?? {};
        const commit = committed.get(name);
        if (commit === undefined)
          return [name, new Cursor(partition, this.#properties.start === 'latest' ? end : first)] as const;
        const announced = announcedEnd(commit);
        if (commit.offset < first) {
          this.#context.progress.recordRejected(
            `${partition.topic}/${partition.partition} ${commit.offset}–${first - 1n}`,
            'the broker deleted these messages before they were read',
          );
          return [
            name,
            new Cursor(partition, first, announced !== undefined && announced > first ? announced : undefined),
          ];
        }
        return [name, new Cursor(partition, commit.offset, announced)] as const;
      }),
    );
  }

  /** Reads until the messages make a batch by size or age; returns whether the stream has ended. */
  async #collect(reader: TimedReader<Message>): Promise<boolean> {
    const { batchAge, batchBytes, signal } = this.#context;
    let due = Date.now() + batchAge;
    let bytes = 0;
    let isFirst = true;
    while (bytes < batchBytes && !signal.aborted && !this.#generation.isOver) {
      const left = due - Date.now();
      // At least one, if there is any: an announced range may be incomplete at every batch.
      if (left <= 0 && !isFirst) return false;
      const got = await reader.read(Math.max(0, left));
      if (got === 'end') return true;
      if (got === 'late') return false;
      if (isFirst) due = Date.now() + batchAge;
      isFirst = false;
      const { value: message } = got;
      this.#cursors.get(nameOf(message))?.add(message);
      bytes += (message.value?.length ?? 0) + (message.key?.length ?? 0) + messageBytes;
    }
    return false;
  }

  async #store(): Promise<void> {
    const ranges = [...this.#cursors.values()].flatMap((cursor) => {
      const range = cursor.ready();
      return range === undefined ? [] : [{ cursor, range }];
    });
    const fresh = ranges.filter(({ cursor }) => !cursor.isAnnounced);
    if (fresh.length > 0) {
      await this.#generation.commit(fresh.map(({ cursor, range }) => cursor.announcement(range)));
      for (const { cursor, range } of fresh) cursor.recordAnnouncement(range);
    }
    for (let first = 0; first < ranges.length; first += rangesAtOnce) {
      const some = ranges.slice(first, first + rangesAtOnce);
      await Promise.all(some.map(({ cursor, range }) => this.#storeOne(cursor, range)));
      await this.#generation.commit(some.map(({ cursor, range }) => cursor.completion(range)));
      for (const { cursor, range } of some) cursor.recordCompletion(range);
    }
  }

  #storeOne(cursor: Cursor, range: Range): Promise<void> {
    const { id } = this.#context;
    const { format = 'json', timestampField } = this.#properties;
    const { topic, partition } = cursor;
    return storeRange(
      {
        key: `source ${id} ${topic} ${partition} ${range.from}-${range.to}`,
        position: `${topic}/${partition} ${range.from}–${range.to - 1n}`,
        messages: range.messages,
      },
      { format, timestampField },
      this.#context,
    );
  }

  async #showLag(): Promise<void> {
    if (Date.now() < this.#lagDue) return;
    this.#lagDue = Date.now() + lagMilliseconds;
    let lag = 0n;
    for (const bound of await this.#generation.bounds()) {
      const cursor = this.#cursors.get(nameOf(bound));
      if (cursor !== undefined && bound.end > cursor.next) lag += bound.end - cursor.next;
    }
    this.#context.progress.lag(Number(lag));
  }
}

/** Memory of a message in addition to its texts. */
const messageBytes = 100;
