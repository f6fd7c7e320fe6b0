import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { HttpError, httpError } from '@millrace/api/errors';
import { ingest } from '../ingest.js';
import type { ProtocolName } from '../protocols.js';
import { requireRoom } from '../assert-capacity.js';
import type { IngestRouteDependencies } from '../routes.js';

/** A batch is stored when it reaches this age or size. */
const batchMilliseconds = 1000;
const batchBytes = 1024 * 1024;
/** Above this backlog, senders wait, or messages are dropped. */
const maxWaiting = 8 * batchBytes;
/** Between two attempts to store a batch. */
const retryMilliseconds = 1000;

/** Target of a listener's messages. */
interface BatchTarget {
  readonly protocol: ProtocolName;
  readonly dataset: string;
  /** Form of the messages, of those the protocol defines. */
  readonly form: string;
}

/**
 * Collects the messages of a listener and stores them. Senders get no acknowledgment. A batch that
 * cannot be stored is retried until it succeeds; no more messages are accepted until then.
 */
export class Batches {
  readonly #target: BatchTarget;
  readonly #deps: IngestRouteDependencies;
  readonly #logger: Logger;
  #messages: Buffer[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #storePromise: Promise<void> | undefined;
  #isClosing = false;
  /** Resolvers of senders that wait for capacity. */
  #waiters: (() => void)[] = [];

  constructor(target: BatchTarget, deps: IngestRouteDependencies, logger: Logger) {
    this.#target = target;
    this.#deps = deps;
    this.#logger = logger;
  }

  get hasRoom(): boolean {
    return this.#bytes < maxWaiting;
  }

  /**
   * Adds a message. Undefined if there is capacity for another; otherwise a promise that resolves
   * when there is.
   */
  add(message: Buffer): Promise<void> | undefined {
    this.#messages.push(message);
    this.#bytes += message.length;
    if (this.#bytes >= batchBytes) this.#store();
    else this.#timer ??= setTimeout(() => this.#store(), batchMilliseconds);
    return this.hasRoom ? undefined : new Promise((resolve) => void this.#waiters.push(resolve));
  }

  /**
   * Stores a body as a separate request, not in a batch.
   * @throws HttpError if it cannot be stored now, or never
   */
  async store(body: Buffer, requestId?: string): Promise<void> {
    const { protocol, dataset, form } = this.#target;
    const target = await this.#deps.targets.find(dataset);
    if (target === undefined) throw httpError('ingest-dataset-not-found', { name: dataset });
    requireRoom({ party: protocol, all: 0, own: 0 }, this.#deps);
    const reply = await ingest(
      {
        dataset: target,
        // A copy, because it may be transferred to a thread.
        body: new Uint8Array(body),
        formats: [protocol],
        options: { contentType: '', form },
        sender: { token: protocol, signal: new AbortController().signal },
        ...(requestId !== undefined && { idempotencyKey: `${protocol} ${requestId}` }),
      },
      this.#deps,
    );
    const { failed, failures } = reply.status;
    if (failed > 0 && !reply.repeated)
      this.#logger.warn(
        { protocol, dataset, failed, first: failures[0]?.error },
        'events could not be stored, and the protocol has no word for it',
      );
    this.#deps.answered(reply, protocol);
  }

  /** Stores the collected messages. Messages that cannot be stored are lost and logged. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    this.#store();
    await this.#storePromise;
  }

  #store(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storePromise ??= this.#storeAll().finally(() => {
      this.#storePromise = undefined;
    });
  }

  async #storeAll(): Promise<void> {
    while (this.#messages.length > 0) {
      const messages = this.#messages;
      this.#messages = [];
      await this.#untilStored(messages);
      this.#bytes -= messages.reduce((sum, { length }) => sum + length, 0);
      const waiting = this.#waiters;
      this.#waiters = [];
      for (const resolve of waiting) resolve();
    }
  }

  async #untilStored(messages: readonly Buffer[]): Promise<void> {
    const body = Buffer.concat(messages);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.store(body);
      } catch (error) {
        const { protocol, dataset } = this.#target;
        const what = { err: error, protocol, dataset, messages: messages.length };
        if (isFaultOfBody(error)) {
          // A message that can never be stored must not block the others. Bisection finds it in few
          // attempts.
          const half = messages.length >> 1;
          if (half === 0) return this.#logger.error(what, 'a message is lost, because it can never be stored');
          await this.#untilStored(messages.slice(0, half));
          return this.#untilStored(messages.slice(half));
        }
        if (this.#isClosing)
          return this.#logger.error(what, 'messages are lost, because they could not be stored before the stop');
        if (attempt === 1) this.#logger.warn(what, 'messages cannot be stored yet');
        await pause(retryMilliseconds);
      }
    }
  }
}

/** Whether trying again would end in the same error. */
const isFaultOfBody = (error: unknown): boolean =>
  error instanceof HttpError &&
  ['invalid-events', 'events-too-large', 'body-too-large', 'unsupported-encoding', 'key-reused'].includes(error.code);
