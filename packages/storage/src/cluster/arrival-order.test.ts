import type { Engine } from '@millrace/engine';
import { DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { KeyedMutex } from '@millrace/runtime/async/mutex';
import { StoredDataset } from '../fields/dataset.js';
import { manualLimits } from '../testing/manual-limits.js';
import { FakeArrivals } from '../testing/fake-positions.js';
import { FakeEngine, type Fault } from '../testing/fake-engine.js';
import { day } from '../testing/fake-harness.js';
import { fenceStaleInserts } from './fence-stale-inserts.js';
import { type ArrivalOrder, GroupCommit } from './group-commit.js';

/*
 * Random histories of nodes that insert batches into one engine while readers follow the ingest
 * order. Nodes are killed, or stopped for so long that the others consider them dead.
 */

const datasetId = 1;
const logger = pino({ level: 'silent' });

/** A process that can be stopped between any two steps, and may resume. */
class Process {
  readonly epoch: bigint;
  readonly #groups: GroupCommit;
  readonly #dataset = new StoredDataset(datasetId, manualLimits.columns);
  #goesOn: Promise<void> = Promise.resolve();
  #letGo: () => void = () => undefined;
  isGone = false;

  constructor(engine: Engine, order: ArrivalOrder, epoch: bigint) {
    this.epoch = epoch;
    const delayAnswer = async <T>(work: () => Promise<T>): Promise<T> => {
      await this.#goesOn;
      const answer = await work().then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      await this.#goesOn;
      return answer();
    };
    this.#groups = new GroupCommit({
      engine: {
        ...engine,
        insert: (insert) => delayAnswer(() => engine.insert(insert)),
        query: (...args) => delayAnswer(() => engine.query(...args)),
        execute: (...args) => delayAnswer(() => engine.execute(...args)),
      },
      order: {
        allocate: (...args) => delayAnswer(() => order.allocate(...args)),
        recordStored: (...args) => delayAnswer(() => order.recordStored(...args)),
      },
      epoch,
      logger,
      fieldStore: { add: async () => undefined },
      columnTurns: new KeyedMutex(),
      exists: async () => true,
      flushed: () => undefined,
      firstPause: 0,
      limits: { insertBytes: 2000, acceptMilliseconds: 10_000, groupMilliseconds: 0 },
    });
  }

  /** Stops it, permanently unless it is resumed. */
  stop(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#goesOn = new Promise((resolve) => (this.#letGo = resolve));
  }

  goOn(): void {
    this.isGone = false;
    this.#letGo();
  }

  /** @param n makes its events distinguishable */
  send(n: number, days: readonly number[]): Promise<bigint> {
    const events = days.map((each) => ({ _time: new Date(Number(day(each) / 1_000_000n) + n).toISOString(), a: 1 }));
    const arrival = day(Math.max(...days));
    const { block } = encodeJson(Buffer.from(JSON.stringify(events)), {
      arrivalTime: arrival,
      mapFields: new Set(),
      placement: this.#dataset.placement,
      limits: DEFAULT_LIMITS,
    });
    return this.#groups.add(this.#dataset, { arrival, block, bytes: 500 });
  }
}

const process = fc.nat(2);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      process,
      days: fc.constantFrom([1], [1, 20], [1, 2, 20, 21], [20]),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('stop' as const, 'go-on' as const, 'kill' as const), process }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give-up' as const) }) },
);
const codes = ['internal', 'unavailable', 'overloaded'] as const;
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('fails' as const, 'half' as const, 'forgets' as const),
    code: fc.constantFrom(...codes),
  }),
  fc.record({ kind: fc.constant('late' as const), code: fc.constant('unavailable' as const), calls: fc.nat(4) }),
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
/** A process that was fenced with its insert half done, and resumed. */
const halfIn: [Step[], Record<string, Fault>] = [
  [
    { kind: 'send', process: 0, days: [1] },
    { kind: 'send', process: 2, days: [1, 20] },
    { kind: 'stop', process: 2 },
    { kind: 'give-up' },
    { kind: 'read' },
    { kind: 'read' },
  ],
  { 4: { kind: 'half', code: 'internal' } },
];

const soon = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it('a follower in arrival order sees each event exactly once, despite crashes and hangs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.dictionary(fc.nat(60).map(String), fault, { maxKeys: 8, noNullPrototype: true }),
      async (steps, faults) => {
        const fake = new FakeEngine();
        const engine = fake.open();
        fake.tables.set(`d${datasetId}`, []);
        fake.fault = ({ kind }, nth) => (kind === 'insert' ? faults[nth] : undefined);
        const arrivals = new FakeArrivals();
        let epochs = 0n;
        const start = (): Process => new Process(engine, arrivals.of(++epochs), epochs);
        const processes = [start(), start(), start()];
        const gone = new Set<bigint>();
        const sent: { readonly by: Process; readonly rows: number; readonly answer: Promise<bigint | undefined> }[] =
          [];
        const followed: string[] = [];
        let upTo = 0n;
        const read = (): void => {
          const watermark = arrivals.watermark();
          expect(watermark).toBeGreaterThanOrEqual(upTo);
          const rows = fake.tables.get(`d${datasetId}`)!.filter(({ seq }) => seq > upTo && seq <= watermark);
          followed.push(...rows.toSorted((a, b) => Number(a.seq - b.seq) || a.row - b.row).map(nameOf));
          upTo = watermark;
        };
        const giveUp = async (): Promise<void> => {
          const away = processes.filter(({ isGone }) => isGone).map(({ epoch }) => epoch);
          await fenceStaleInserts({ engine, logger, arrivals: arrivals.leftBy(new Set([...gone, ...away])) });
        };
        for (const [n, each] of steps.entries()) {
          if (each.kind === 'send') {
            const by = processes[each.process]!;
            const answer = by.send(n, each.days).catch(() => undefined);
            sent.push({ by, rows: each.days.length, answer });
          } else if (each.kind === 'stop') processes[each.process]!.stop();
          else if (each.kind === 'go-on') processes[each.process]!.goOn();
          else if (each.kind === 'read') read();
          else if (each.kind === 'give-up') await giveUp();
          else {
            const dead = processes[each.process]!;
            dead.stop();
            gone.add(dead.epoch);
            processes[each.process] = start();
          }
          if (n % 3 > 0) await soon();
        }
        for (const each of processes) each.goOn();
        const known = await Promise.all(
          sent.filter(({ by }) => !gone.has(by.epoch)).map(async ({ rows, answer }) => ({ rows, at: await answer })),
        );
        await giveUp();
        read();
        const there = fake.tables.get(`d${datasetId}`)!;
        expect(followed.toSorted()).toEqual(there.map(nameOf).toSorted());
        expect(new Set(followed).size).toBe(followed.length);
        // Each event has a unique time, so an event stored at two positions shows.
        expect(new Set(there.map(({ time }) => time)).size).toBe(there.length);
        for (const { rows, at } of known)
          expect(there.filter(({ seq }) => seq === at)).toHaveLength(at === undefined ? 0 : rows);
      },
    ),
    { numRuns: 300, examples: [halfIn] },
  );
});

const nameOf = ({ seq, row }: { readonly seq: bigint; readonly row: number }): string => `${seq}.${row}`;
