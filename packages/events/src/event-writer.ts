import { Batch } from './batch.js';
import { GrowingBytes } from './columns/bytes.js';
import { type EncodeOptions, LabelsError } from './encode.js';
import { EventTime } from './event-time.js';
import { Failures } from './failures.js';
import { EventReader } from './json/event.js';
import type { KeyNode } from './json/keys.js';
import { Source, skipSpace } from './json/source.js';

/** The frame of every event, whatever it is written in: labels, its time, and its end as a row or as a failure. */
export class EventWriter {
  readonly batch: Batch;
  readonly time: EventTime;
  readonly reader: EventReader;
  readonly failures: Failures;
  readonly scratch: GrowingBytes;
  readonly #arrivalTime: bigint;
  readonly #labels: Source | undefined;
  readonly #labelsRoot: KeyNode;
  /** Events so far, stored or not. */
  #index = 0;

  /** Throws LabelsError. */
  constructor(options: EncodeOptions) {
    this.batch = new Batch(options);
    this.time = new EventTime(options);
    this.reader = new EventReader(this.batch, this.time, options);
    this.failures = new Failures(options.limits.maxFailures);
    this.scratch = new GrowingBytes(this.batch.arena);
    this.#arrivalTime = options.arrivalTime;
    this.#labels = options.labels === undefined ? undefined : this.#checkLabels(options.labels);
    this.#labelsRoot = this.reader.root();
  }

  /** An event begins. Labels come first, so that its own keys win as later ones. */
  begin(): void {
    this.time.reset();
    if (this.#labels !== undefined) this.reader.readEvent(this.#labels, this.#labelsRoot, 1);
  }

  /** The event was read: it becomes a row, unless its time is none. `where` and `offset` tell a failure's place. */
  end(offset: number, where: (offset: number) => string): void {
    const value = this.time.get();
    if (value === undefined) {
      this.reject(offset, () => `${where(offset)}: ${this.time.problem()}`);
    } else {
      this.batch.commit(value);
      this.#index++;
    }
  }

  /** The event cannot be stored. */
  reject(offset: number, why: () => string): void {
    this.batch.rollback();
    const index = this.#index++;
    const time = this.time.get() ?? this.#arrivalTime;
    this.failures.add(index, offset, time, () => `event ${index}, ${why()}`);
  }

  #checkLabels(labels: Uint8Array): Source {
    const start = skipSpace(labels, 0);
    const source = new Source(labels.subarray(start));
    let next = labels[start] === 0x7b ? this.reader.skip(source, 0) : source.fail(0, 'an object');
    if (next >= 0) {
      next = skipSpace(source.buffer, next);
      if (next < source.end) next = source.fail(next, 'the end');
    }
    if (next >= 0) return source;
    const at = source.failedAt;
    throw new LabelsError(`event labels, byte ${start + at}: expected ${source.expected}, found ${source.found(at)}`);
  }
}
