import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LogError } from '../errors.js';
import type { Log } from '../log.js';
import { openLog } from '../open.js';
import { MemoryFileSystem, type Operation } from './memory-file-system.js';
import { seededRandom } from './random.js';

/** A step in the history of a log. */
export type Step =
  | { readonly do: 'append'; readonly sizes: readonly number[] }
  | { readonly do: 'wait' }
  | { readonly do: 'release'; readonly back: number }
  | { readonly do: 'renew' }
  | {
      readonly do: 'fail';
      readonly operations: readonly Operation[];
      readonly skip: number;
      readonly times: number;
      readonly errno: string;
    }
  | { readonly do: 'fill'; readonly room: number }
  | { readonly do: 'mend' }
  | { readonly do: 'tryAgain' }
  | {
      readonly do: 'crash';
      readonly sizes: readonly number[];
      readonly kind: 'power' | 'kill';
      readonly moments: number;
      readonly seed: number;
    };

/** Each kind of call alone, and those whose failures matter only together. */
const failingOperations: readonly (readonly Operation[])[] = [
  ['write'],
  ['sync'],
  ['sync', 'truncate'],
  ['syncDirectory', 'remove'],
  ['rename'],
  ['open'],
  ['write', 'sync', 'truncate', 'open', 'rename', 'syncDirectory', 'remove'],
];

const size = fc.oneof(fc.nat(40), fc.nat(900), fc.noBias(fc.nat(1500)), fc.constantFrom(0, 5000));
const sizes = fc.array(size, { minLength: 1, maxLength: 5 });
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('append' as const), sizes }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('renew' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      operations: fc.constantFrom(...failingOperations),
      skip: fc.noBias(fc.nat(2)),
      times: fc.integer({ min: 1, max: 6 }),
      errno: fc.constantFrom('EIO', 'ENOSPC'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fill' as const), room: fc.nat(3000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mend' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tryAgain' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      sizes,
      kind: fc.constantFrom('power' as const, 'kill' as const),
      moments: fc.noBias(fc.nat(10)),
      seed: fc.nat(),
    }),
  },
);

const random = seededRandom(11);
const noise = Uint8Array.from({ length: 64 * 1024 }, () => random() * 256);

interface SentPayload {
  readonly payload: Uint8Array;
  state: 'waiting' | 'acknowledged' | 'rejected';
}

/** Runs steps on a log and records its guarantees. */
export class History {
  #fileSystem = new MemoryFileSystem();
  #log: Log | undefined;
  #sentPayloads = new Map<bigint, SentPayload>();
  #pendingWork: Promise<unknown>[] = [];
  #releasedPosition = 0n;
  #bytes = seededRandom(7);

  async run(steps: readonly Step[]): Promise<void> {
    await this.#open();
    for (const step of steps) await this.#take(step);
    this.#mend();
    await this.#settle();
    const last = this.#append(10);
    await this.#settle();
    assert.equal(last.state, 'acknowledged', 'the log works again when the faults are gone');
    await this.#crash('power', 1);
    await this.#check();
    await this.#log?.close();
  }

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'append':
        for (const bytes of step.sizes) this.#append(bytes);
        return;
      case 'wait':
        await this.#settle();
        return this.#check();
      case 'release':
        return this.#release(step.back);
      case 'renew':
        return this.#renew();
      case 'fail': {
        let { skip, times } = step;
        this.#fileSystem.fault = ({ operation }) =>
          step.operations.includes(operation) && skip-- <= 0 && times-- > 0 ? step.errno : undefined;
        return;
      }
      case 'fill': {
        const used = [...this.#fileSystem.files().values()].reduce((sum, file) => sum + file.length, 0);
        this.#fileSystem.capacity = used + step.room;
        return;
      }
      case 'mend':
        return this.#mend();
      case 'tryAgain':
        // Not awaited: the next step, be it an append or a crash, happens while it runs.
        this.#pendingWork.push(this.#log!.tryAgain());
        return;
      case 'crash':
        for (const bytes of step.sizes) this.#append(bytes);
        this.#fileSystem.stopAfter(step.moments);
        await Promise.race([this.#fileSystem.stopPromise, this.#settle()]);
        await this.#crash(step.kind, step.seed);
        return this.#check();
    }
  }

  #mend(): void {
    this.#fileSystem.fault = undefined;
    this.#fileSystem.capacity = Infinity;
  }

  #append(bytes: number): SentPayload {
    const from = Math.floor(this.#bytes() * (noise.length - bytes));
    const payload = noise.subarray(from, from + bytes);
    const sent: SentPayload = { payload, state: 'waiting' };
    const cut = bytes >>> 1;
    const { position, durable } = this.#log!.append([payload.subarray(0, cut), payload.subarray(cut)]);
    assert(!this.#sentPayloads.has(position), 'a position is handed out once');
    this.#sentPayloads.set(position, sent);
    const recorded = durable.then(
      () => (sent.state = 'acknowledged'),
      (error: unknown) => {
        assert(error instanceof LogError, String(error));
        sent.state = 'rejected';
      },
    );
    this.#pendingWork.push(recorded);
    return sent;
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#pendingWork);
    this.#pendingWork = [];
  }

  #release(back: number): void {
    const upTo = this.#log!.stats().durablePosition - BigInt(back);
    if (upTo > this.#releasedPosition) this.#releasedPosition = upTo;
    // A failed release has to be repeated; here the next release does that.
    this.#pendingWork.push(this.#log!.release(upTo).catch(() => undefined));
  }

  #renew(): void {
    const { durablePosition: upTo, lastPosition } = this.#log!.stats();
    const mark: SentPayload = { payload: noise.subarray(0, 30), state: 'waiting' };
    const renewed = this.#log!.renew(upTo, [mark.payload]);
    const { lastPosition: position } = this.#log!.stats();
    if (position > lastPosition) {
      this.#sentPayloads.set(position, mark);
      if (upTo > this.#releasedPosition) this.#releasedPosition = upTo;
    }
    // If it failed, the mark may or may not exist.
    this.#pendingWork.push(
      renewed.then(
        () => (mark.state = 'acknowledged'),
        () => undefined,
      ),
    );
  }

  async #crash(kind: 'power' | 'kill', seed: number): Promise<void> {
    const random = seededRandom(seed);
    const { fault } = this.#fileSystem;
    this.#fileSystem = kind === 'kill' ? this.#fileSystem.afterKill() : this.#fileSystem.afterPowerCut(random);
    this.#pendingWork = [];
    this.#log = undefined;
    // The power may fail again during recovery.
    while (random() < 0.4) {
      this.#fileSystem.stopAfter(Math.floor(random() * 8));
      const opening = openLog(this.#options());
      const opened = await Promise.race([this.#fileSystem.stopPromise, opening.catch((error: unknown) => error)]);
      if (opened instanceof LogError) throw opened;
      this.#fileSystem = random() < 0.5 ? this.#fileSystem.afterPowerCut(random) : this.#fileSystem.afterKill();
    }
    if (random() < 0.2) this.#fileSystem.fault = fault;
    await this.#open();
    await this.#compare(true);
  }

  #options() {
    return { directory: '/log', fileSystem: this.#fileSystem, limits: { logSegmentBytes: 4096, maxGroupBytes: 2048 } };
  }

  async #open(): Promise<void> {
    try {
      this.#log = await openLog(this.#options());
    } catch (error) {
      assert(error instanceof LogError, String(error));
      assert(error.code === 'io' || error.code === 'disk-full', error.message);
      this.#mend();
      this.#log = await openLog(this.#options());
    }
  }

  #check(): Promise<void> {
    return this.#compare(false);
  }

  async #compare(afterCrash: boolean): Promise<void> {
    const read = new Map<bigint, Uint8Array>();
    let previous = 0n;
    const { fault } = this.#fileSystem;
    this.#fileSystem.fault = undefined;
    for await (const { position, payload } of this.#log!.read()) {
      assert(position > previous, 'in order');
      previous = position;
      read.set(position, payload);
    }
    this.#fileSystem.fault = fault;
    let lastAcknowledged = 0n;
    for (const [position, { state }] of this.#sentPayloads) if (state === 'acknowledged') lastAcknowledged = position;
    for (const [position, { payload, state }] of this.#sentPayloads) {
      const found = read.get(position);
      const needed = state === 'acknowledged' && position > this.#releasedPosition;
      const allowed = state === 'acknowledged' || (afterCrash && position > lastAcknowledged) || state === 'waiting';
      if (found === undefined) assert(!needed, `position ${position} is ${state} and missing`);
      else assert(allowed, `position ${position} is ${state} and there`);
      assert(found === undefined || Buffer.compare(found, payload) === 0, `position ${position} was altered`);
    }
    for (const position of read.keys()) assert(this.#sentPayloads.has(position), 'nothing invented');
    assert(this.#log!.stats().lastPosition >= lastAcknowledged, 'positions go on');
    if (!afterCrash) return;
    this.#sentPayloads = new Map(
      [...read].map(([position, payload]) => [position, { payload, state: 'acknowledged' }]),
    );
  }
}
