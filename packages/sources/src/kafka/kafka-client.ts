import { once } from 'node:events';
import { isIP } from 'node:net';
import {
  Consumer,
  ListOffsetTimestamps,
  offsetCommitV8,
  offsetFetchV8,
  type Connection,
  type MessagesStream,
} from '@platformatic/kafka';
import type { SourcePropertiesOf } from '@millrace/api/schemas/source';
import type { SourceContext } from '../run/source-context.js';
import { addressOf, requireAllowed } from './broker-address.js';
import type { Bounds, Commit, Generation, GroupMember, Message, Partition } from './group-member.js';
import { groupOf } from './kafka-source.js';

/** The consumer group over the client of Platformatic. */

type Properties = SourcePropertiesOf<'kafka'>;
type Context = Pick<SourceContext, 'id' | 'addresses' | 'batchBytes' | 'logger'>;

const connectMilliseconds = 10_000;
const requestMilliseconds = 30_000;
/** A member that is silent for so long loses its partitions. */
const sessionMilliseconds = 30_000;
const heartbeatMilliseconds = 3000;
/** How long members may take to join again; a batch that is being stored delays them. */
const rebalanceMilliseconds = 60_000;
/** How long a fetch waits for messages. */
const fetchMilliseconds = 500;
/** Messages that the client holds before it fetches more. */
const messagesHeld = 256;

/** Opens a client; the group is joined by the first `generation`. */
export async function joinGroup(properties: Properties, context: Context): Promise<GroupMember> {
  const { addresses } = context;
  const brokers = properties.brokers.map((broker) => addressOf(broker)!);
  if (addresses !== undefined) for (const { host } of brokers) await requireAllowed(host, addresses);
  const { mechanism, username, password, tls, ca } = properties;
  const consumer = new Consumer({
    clientId: 'millrace',
    groupId: groupOf(properties, context),
    bootstrapBrokers: brokers,
    connectTimeout: connectMilliseconds,
    requestTimeout: requestMilliseconds,
    retries: 3,
    retryDelay: 500,
    autocommit: false,
    sessionTimeout: sessionMilliseconds,
    heartbeatInterval: heartbeatMilliseconds,
    rebalanceTimeout: rebalanceMilliseconds,
    maxBytes: context.batchBytes,
    maxWaitTime: fetchMilliseconds,
    highWaterMark: messagesHeld,
    ...(tls === true && {
      tls: { ...(ca !== undefined && { ca }) },
      tlsServerName: brokers.every(({ host }) => isIP(host) === 0),
    }),
    ...(mechanism !== undefined && { sasl: { mechanism, username: username ?? '', password: password ?? '' } }),
  });
  return new KafkaMember(consumer, properties.topics, context);
}

class KafkaMember implements GroupMember {
  readonly #consumer: Consumer;
  readonly #topics: readonly string[];
  readonly #context: Context;
  #present: KafkaGeneration | undefined;
  #failure: Error | undefined;
  readonly #changeEvents = new EventTarget();

  constructor(consumer: Consumer, topics: readonly string[], context: Context) {
    this.#consumer = consumer;
    this.#topics = topics;
    this.#context = context;
    consumer.on('consumer:group:join', () => this.#wake());
    // Without a listener, an error in the background would end the process.
    consumer.on('error', (error) => {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#wake();
    });
  }

  async generation(signal: AbortSignal): Promise<Generation> {
    if (this.#present === undefined) await this.#join();
    else await this.#nextJoin(signal);
    signal.throwIfAborted();
    await this.#checkBrokers();
    this.#present = new KafkaGeneration(this.#consumer);
    return this.#present;
  }

  async close(): Promise<void> {
    await this.#present?.end();
    // Leaves the group, so that other members get the partitions at once. Without brokers this
    // fails, and the session ends.
    await this.#consumer.close().catch(() => undefined);
  }

  async #join(): Promise<void> {
    const metadata = await this.#consumer.metadata({ topics: [...this.#topics] });
    const missing = this.#topics.find((topic) => !metadata.topics.has(topic));
    if (missing !== undefined) throw new Error(`topic '${missing}' not found`);
    this.#consumer.topics.trackAll(...this.#topics);
    await this.#consumer.joinGroup({});
  }

  /** Waits until the client, which notices changes with its heartbeats, has joined again. */
  async #nextJoin(signal: AbortSignal): Promise<void> {
    const present = this.#present!;
    // A member without partitions waits as long as others have them.
    const limits = present.isOver ? [AbortSignal.timeout(2 * rebalanceMilliseconds)] : [];
    await present.end();
    while (this.#consumer.generationId === present.id) {
      if (this.#failure !== undefined) throw this.#failure;
      await once(this.#changeEvents, 'change', { signal: AbortSignal.any([signal, ...limits]) }).catch(() => {
        signal.throwIfAborted();
        throw new Error('the consumer group did not accept this member again in time');
      });
    }
  }

  /** Brokers name each other, so those of the settings do not suffice. */
  async #checkBrokers(): Promise<void> {
    const { addresses } = this.#context;
    if (addresses === undefined) return;
    const { brokers } = await this.#consumer.metadata({ topics: [...this.#topics] });
    for (const { host } of brokers.values()) await requireAllowed(host, addresses);
  }

  #wake(): void {
    if (this.#failure !== undefined || this.#consumer.generationId !== this.#present?.id) void this.#present?.end();
    this.#changeEvents.dispatchEvent(new Event('change'));
  }
}

class KafkaGeneration implements Generation {
  readonly #consumer: Consumer;
  readonly id: number;
  readonly #member: string | null;
  readonly partitions: readonly Partition[];
  #stream: MessagesStream<Buffer, Buffer, Buffer, Buffer> | undefined;
  #hasEnded = false;

  constructor(consumer: Consumer) {
    this.#consumer = consumer;
    this.id = consumer.generationId;
    this.#member = consumer.memberId;
    this.partitions = (consumer.assignments ?? []).flatMap(({ topic, partitions }) =>
      partitions.map((partition) => ({ topic, partition })),
    );
  }

  get isOver(): boolean {
    return this.#hasEnded || this.#consumer.generationId !== this.id;
  }

  async readCommits(): Promise<readonly Commit[]> {
    const { groupId } = this.#consumer;
    const topics = [...this.#byTopic()].map(([name, partitionIndexes]) => ({ name, partitionIndexes }));
    if (topics.length === 0) return [];
    const response = await offsetFetchV8.api.async(
      await this.#coordinator(),
      [{ groupId, memberEpoch: -1, topics }],
      true,
    );
    return response.groups.flatMap((group) =>
      group.topics.flatMap(({ name, partitions }) =>
        partitions
          .filter(({ committedOffset }) => committedOffset >= 0n)
          .map(({ partitionIndex, committedOffset, metadata }) => ({
            topic: name,
            partition: partitionIndex,
            offset: committedOffset,
            metadata: metadata ?? '',
          })),
      ),
    );
  }

  async commit(commits: readonly Commit[]): Promise<void> {
    if (this.isOver) throw new Error('the members of the consumer group have changed');
    const topics = [...new Set(commits.map(({ topic }) => topic))].map((name) => ({
      name,
      partitions: commits
        .filter(({ topic }) => topic === name)
        .map(({ partition, offset, metadata }) => ({
          partitionIndex: partition,
          committedOffset: offset,
          committedLeaderEpoch: -1,
          committedMetadata: metadata,
        })),
    }));
    try {
      const { groupId } = this.#consumer;
      await offsetCommitV8.api.async(await this.#coordinator(), groupId, this.id, this.#member, null, topics);
    } catch (error) {
      if (needsRejoin(error)) this.#hasEnded = true;
      throw error;
    }
  }

  async bounds(): Promise<readonly Bounds[]> {
    const partitions = Object.fromEntries(this.#byTopic());
    const topics = Object.keys(partitions);
    if (topics.length === 0) return [];
    const [first, end] = await Promise.all(
      [ListOffsetTimestamps.EARLIEST, ListOffsetTimestamps.LATEST].map((timestamp) =>
        this.#consumer.listOffsets({ topics, partitions, timestamp }),
      ),
    );
    return this.partitions.map(({ topic, partition }) => ({
      topic,
      partition,
      first: first?.get(topic)?.[partition] ?? 0n,
      end: end?.get(topic)?.[partition] ?? 0n,
    }));
  }

  async *messages(from: readonly (Partition & { readonly offset: bigint })[]): AsyncGenerator<Message> {
    if (from.length === 0 || this.isOver) return;
    const stream = await this.#consumer.consume({
      topics: [...this.#byTopic().keys()],
      mode: 'manual',
      offsets: from.map(({ topic, partition, offset }) => ({ topic, partition, offset })),
      autocommit: false,
    });
    this.#stream = stream;
    for await (const { topic, partition, offset, timestamp, key, value, headers } of stream) {
      if (this.isOver) return;
      yield {
        topic,
        partition,
        offset,
        timestamp,
        key: key ?? undefined,
        value: value ?? undefined,
        headers: [...headers],
      };
    }
  }

  /** Ends the messages. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream === undefined || stream.destroyed) return;
    stream.on('error', () => undefined);
    stream.destroy();
    if (!stream.closed) await once(stream, 'close').catch(() => undefined);
  }

  async #coordinator(): Promise<Connection> {
    const id = await this.#consumer.findGroupCoordinator();
    const connection = (await this.#consumer.connectToBrokers([id])).get(id);
    if (connection === undefined) throw new Error('the coordinator of the consumer group is not available');
    return connection;
  }

  #byTopic(): ReadonlyMap<string, number[]> {
    const topics = new Map<string, number[]>();
    for (const { topic, partition } of this.partitions) topics.set(topic, [...(topics.get(topic) ?? []), partition]);
    return topics;
  }
}

/** Whether the broker no longer counts this member to the generation. */
function needsRejoin(error: unknown): boolean {
  if (!(error instanceof Error && 'findBy' in error && typeof error.findBy === 'function')) return false;
  const find = error.findBy as (property: string, value: unknown) => unknown;
  return find.call(error, 'needsRejoin', true) !== null;
}
