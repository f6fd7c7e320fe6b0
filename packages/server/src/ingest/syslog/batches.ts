import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { httpError } from '../../errors.js';
import { ingest } from '../ingest.js';
import type { IngestRouteDependencies } from '../routes.js';
import { batched } from './protocol.js';

/** A batch is stored when it is so old or so large, whichever is first. */
const batchMilliseconds = 1000;
const batchBytes = 1024 * 1024;
/** With so much waiting, senders wait as well, or messages are dropped. */
const mostWaiting = 8 * batchBytes;
/** Between two attempts to store a batch. */
const retryMilliseconds = 1000;

/**
 * Collects the messages of a listener and stores them. Nobody is told of a message that is stored, and a batch that cannot be stored is tried until it can:
 * meanwhile no more is taken.
 */
export class SyslogBatches {
  readonly #dataset: string;
  readonly #zone: number;
  readonly #deps: IngestRouteDependencies;
  readonly #logger: Logger;
  #messages: Buffer[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | undefined;
  #closing = false;
  readonly #roomAgain = new Set<() => void>();

  constructor(dataset: string, zone: number, deps: IngestRouteDependencies, logger: Logger) {
    this.#dataset = dataset;
    this.#zone = zone;
    this.#deps = deps;
    this.#logger = logger;
  }

  get hasRoom(): boolean {
    return this.#bytes < mostWaiting;
  }

  /** Calls back once, when there is room again. */
  onceThereIsRoom(callback: () => void): void {
    this.#roomAgain.add(callback);
  }

  add(from: string, message: Buffer): void {
    const entry = batched(from, message);
    this.#messages.push(entry);
    this.#bytes += entry.length;
    if (this.#bytes >= batchBytes) this.#store();
    else this.#timer ??= setTimeout(() => this.#store(), batchMilliseconds);
  }

  /** Stores what is there. What cannot be stored is lost, which is logged. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#timer);
    this.#store();
    await this.#storing;
  }

  #store(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = undefined;
    });
  }

  async #storeAll(): Promise<void> {
    while (this.#messages.length > 0) {
      const messages = this.#messages;
      this.#messages = [];
      const body = Buffer.concat(messages);
      await this.#untilStored(body, messages.length);
      this.#bytes -= body.length;
      const waiting = [...this.#roomAgain];
      this.#roomAgain.clear();
      for (const callback of waiting) callback();
    }
  }

  async #untilStored(body: Buffer, messages: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const dataset = await this.#deps.targets.find(this.#dataset);
        if (dataset === undefined) throw httpError('ingest-dataset-not-found', { name: this.#dataset });
        this.#deps.storage.intake.checkRoom(this.#deps.encoders.pendingBytes);
        const options = { contentType: '', form: String(this.#zone) };
        const sender = { token: 'syslog', signal: new AbortController().signal };
        // A copy, because it may be given away to a thread.
        const reply = await ingest(
          { dataset, body: new Uint8Array(body), formats: ['syslog'], options, sender },
          this.#deps,
        );
        return this.#deps.answered(reply, 'syslog');
      } catch (error) {
        const what = { err: error, dataset: this.#dataset, messages };
        if (this.#closing)
          return this.#logger.error(
            what,
            'messages of syslog are lost, because they could not be stored before the stop',
          );
        if (attempt === 1) this.#logger.warn(what, 'messages of syslog cannot be stored yet');
        await pause(retryMilliseconds);
      }
    }
  }
}
