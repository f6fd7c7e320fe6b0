import { type Engine, EngineError } from '@millrace/engine';
import { DEFAULT_LIMITS, encodeJson } from '@millrace/events';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { KeyedMutex } from '@millrace/runtime/async/mutex';
import { StoredDataset } from '../fields/dataset.js';
import { manualLimits } from '../testing/manual-limits.js';
import { day } from '../testing/fake-harness.js';
import { FakeArrivals } from '../testing/fake-positions.js';
import { FakeEngine, type Fault } from '../testing/fake-engine.js';
import { type ArrivalOrder, GroupCommit } from './group-commit.js';
import { reservedAtOnce } from './group.js';
import { GroupedIntake } from './group-writer.js';
import { NotConfirmed } from './not-confirmed.js';

/** A process that shares an engine with others, with its dependencies for ingest. */
interface Sharer {
  send(days: readonly number[]): Promise<{
    readonly outcome: string;
    readonly position?: bigint;
    readonly error?: unknown;
    /** Times of its events, which are unique. */
    readonly times: readonly bigint[];
  }>;
  /** Sends an event of the first day under a reserved position. */
  sendOwn(position: bigint): Promise<bigint>;
  readonly groups: GroupCommit;
}

afterEach(() => void vi.useRealTimers());

const datasetId = 1;
let sends = 0;

function sharer(
  engine: Engine,
  order: ArrivalOrder,
  {
    acceptMilliseconds = 60_000,
    groupMilliseconds = 0,
  }: Partial<Record<'acceptMilliseconds' | 'groupMilliseconds', number>> = {},
): Sharer {
  const dataset = new StoredDataset(datasetId, manualLimits.columns);
  const groups = new GroupCommit({
    engine,
    order,
    epoch: 1n,
    logger: pino({ level: 'silent' }),
    fieldStore: { add: async () => undefined },
    columnTurns: new KeyedMutex(),
    exists: async () => true,
    flushed: () => undefined,
    firstPause: 0,
    limits: { insertBytes: 2000, acceptMilliseconds, groupMilliseconds },
  });
  return {
    groups,
    sendOwn: async (position) => {
      const { block } = encodeJson(Buffer.from(`[{"a":${position}}]`), {
        arrivalTime: day(1),
        mapFields: new Set(),
        placement: dataset.placement,
        limits: DEFAULT_LIMITS,
      });
      return groups.add(
        dataset,
        { arrival: day(1), block, bytes: 500 },
        { position, token: `own-${position}`, repeated: false },
      );
    },
    send: async (days) => {
      sends++;
      const times = days.map((each) => day(each) + BigInt(sends) * 1_000_000n);
      const events = times.map((time) => ({ _time: new Date(Number(time / 1_000_000n)).toISOString(), a: 1 }));
      const arrival = day(Math.max(...days));
      const { block } = encodeJson(Buffer.from(JSON.stringify(events)), {
        arrivalTime: arrival,
        mapFields: new Set(),
        placement: dataset.placement,
        limits: DEFAULT_LIMITS,
      });
      return groups.add(dataset, { arrival, block, bytes: 500 }).then(
        (position) => ({ outcome: 'stored', position, times }),
        (error: unknown) => ({ outcome: error instanceof NotConfirmed ? 'not confirmed' : 'refused', error, times }),
      );
    },
  };
}

const codes = ['internal', 'unavailable', 'overloaded'] as const;
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('fails' as const, 'half' as const, 'forgets' as const),
    code: fc.constantFrom(...codes),
  }),
  fc.record({ kind: fc.constant('late' as const), code: fc.constant('unavailable' as const), calls: fc.nat(1) }),
);

it('accepted events are stored exactly once and rejected ones never, whatever fails', async () => {
  const batch = fc.record({ node: fc.nat(1), days: fc.constantFrom([1], [1, 20], [1, 2, 20, 21], [20]) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(batch, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
      fc.dictionary(fc.nat(40).map(String), fault, { maxKeys: 10, noNullPrototype: true }),
      // The engine never accepts one of every n batches of a node.
      fc.constantFrom(1n, 3n, 1000n),
      async (rounds, faults, bad) => {
        const fake = new FakeEngine();
        const engine = fake.open();
        fake.tables.set(`d${datasetId}`, []);
        fake.fault = ({ positions }, nth) =>
          positions.some((position) => position % bad === bad - 1n) ? { kind: 'fails', code: 'rejected' } : faults[nth];
        const arrivals = new FakeArrivals();
        const nodes = [sharer(engine, arrivals.of(1n)), sharer(engine, arrivals.of(2n))] as const;
        for (const round of rounds) {
          const idempotencyStore = await Promise.all(round.map(({ node, days }) => nodes[node]!.send(days)));
          // Visible immediately, and exactly once.
          for (const { position, outcome, times } of idempotencyStore) {
            const found = fake.tables.get(`d${datasetId}`)!.filter(({ time }) => times.includes(time));
            expect(new Set(found.map(({ time }) => time)).size).toBe(found.length);
            if (position !== undefined) expect(new Set(found.map(({ seq }) => seq))).toEqual(new Set([position]));
            if (outcome !== 'not confirmed')
              expect([outcome, found.length]).toEqual(outcome === 'stored' ? ['stored', times.length] : ['refused', 0]);
          }
        }
        expect(arrivals.watermark()).toBe(arrivals.last);
        for (const { groups } of nodes) {
          await groups.close();
          expect(groups.bytes).toBe(0);
        }
      },
    ),
    { numRuns: 150 },
  );
});

it('a rejected batch fails alone', async () => {
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  const node = sharer(fake.open(), new FakeArrivals().of(1n));
  const bad = 3n;
  fake.fault = ({ kind, positions }) =>
    kind === 'insert' && positions.includes(bad) ? { kind: 'fails', code: 'rejected' } : undefined;
  const idempotencyStore = await Promise.all([1, 1, 1, 1, 1, 1].map((each) => node.send([each])));
  expect(idempotencyStore.map(({ outcome }) => outcome)).toEqual([
    'stored',
    'stored',
    'refused',
    'stored',
    'stored',
    'stored',
  ]);
  expect(fake.rows(datasetId)).toHaveLength(5);
});

it('while the engine is unavailable, requests get responses in time, and abandoned ones are not sent later', async () => {
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  let away = true;
  const open = fake.open();
  const engine: Engine = {
    ...open,
    insert: (insert) => {
      // Like a rejected connection.
      if (away) throw new EngineError('unavailable', 'ECONNREFUSED', 'elsewhere');
      return open.insert(insert);
    },
  };
  const node = sharer(engine, new FakeArrivals().of(1n), { acceptMilliseconds: 30 });
  const idempotencyStore = await Promise.all([1, 1, 2].map((each) => node.send([each])));
  expect(new Set(idempotencyStore.map(({ outcome }) => outcome))).toEqual(new Set(['not confirmed']));
  await expect.poll(() => node.groups.bytes).toBe(0);
  away = false;
  expect((await node.send([1])).outcome).toBe('stored');
  await node.groups.close();
  expect(fake.rows(datasetId)).toHaveLength(1);
});

it('while replicas have no Keeper, what was never sent is refused after a second, and the rest then at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  const open = fake.open();
  let hasKeeper = false;
  let inserts = 0;
  const engine: Engine = {
    ...open,
    insert: async (insert) => {
      inserts++;
      vi.advanceTimersByTime(400);
      if (!hasKeeper) throw new EngineError('unavailable', 'Code: 242. Table is in readonly mode', 'elsewhere');
      return open.insert(insert);
    },
  };
  const node = sharer(engine, new FakeArrivals().of(1n));
  const refused = { outcome: 'refused', error: { code: 'unavailable' } };
  const [first, second] = await Promise.all([node.send([1]), node.send([2])]);
  expect([first, second]).toMatchObject([refused, refused]);
  const before = inserts;
  expect(await node.send([1])).toMatchObject(refused);
  expect(inserts).toBe(before);
  hasKeeper = true;
  vi.advanceTimersByTime(2000);
  expect((await node.send([1])).outcome).toBe('stored');
  expect((await node.send([2])).outcome).toBe('stored');
  await node.groups.close();
  expect(fake.rows(datasetId)).toHaveLength(2);
});

it('a request that is not confirmed knows the only position where its events may be', async () => {
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  let resume: () => void = () => undefined;
  const paused = new Promise<void>((resolve) => (resume = resolve));
  fake.before = ({ kind }) => (kind === 'insert' ? paused : Promise.resolve());
  const arrivals = new FakeArrivals();
  let allocates: () => void = () => undefined;
  const allocating = new Promise<void>((resolve) => (allocates = resolve));
  const order = arrivals.of(1n);
  const node = sharer(fake.open(), order, { acceptMilliseconds: 20 });
  const sent = await node.send([1]);
  expect(sent.error).toMatchObject({ position: 1n });
  resume();
  await node.groups.close();
  expect(fake.rows(datasetId)).toEqual(['1.0']);
  // A request answered before its position is known is not inserted there.
  const slow = { ...order, allocate: (...given: Parameters<typeof order.allocate>) => allocating.then(() => order.allocate(...given)) }; // prettier-ignore
  const late = sharer(fake.open(), slow, { acceptMilliseconds: 20 });
  const early = await late.send([2]);
  expect(early.error).toEqual(new NotConfirmed());
  allocates();
  await late.groups.close();
  expect(fake.rows(datasetId)).toHaveLength(1);
  expect(arrivals.watermark()).toBe(arrivals.last);
});

it('a batch with unknown outcome is stored once or not at all', async () => {
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  fake.before = ({ kind }) => (kind === 'insert' ? released : Promise.resolve());
  const node = sharer(fake.open(), new FakeArrivals().of(1n), { acceptMilliseconds: 20 });
  expect((await node.send([1])).outcome).toBe('not confirmed');
  letGo();
  await node.groups.close();
  expect(fake.rows(datasetId)).toHaveLength(1);
});

it('what only one replica shows does not count: it is sent again, under the same token', async () => {
  for (const [shown, inserts] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const fake = new FakeEngine();
    fake.isReplicated = true;
    fake.copies = 2;
    fake.visibleCopies = shown;
    fake.tables.set(`d${datasetId}`, []);
    const node = sharer(fake.open(), new FakeArrivals().of(1n));
    // The rows are there, but may not stay.
    let sent = 0;
    fake.fault = ({ kind }) => {
      if (kind !== 'insert' || ++sent > 1) return undefined;
      return { kind: 'half', code: 'unavailable' };
    };
    // When it was confirmed, most replicas have it.
    fake.before = async ({ kind }) => void (kind === 'insert' && sent > 1 && (fake.visibleCopies = 2));
    expect((await node.send([1])).outcome).toBe('stored');
    expect([shown, sent]).toEqual([shown, inserts]);
    expect(fake.rows(datasetId)).toHaveLength(1);
  }
});

it('what comes within the time of a group goes in with one insert, and what has no room with the next', async () => {
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  const node = sharer(fake.open(), new FakeArrivals().of(1n), { groupMilliseconds: 1 });
  await Promise.all([1, 1, 1, 1, 1].map((each) => node.send([each])));
  const groups = fake.calls.filter(({ kind }) => kind === 'insert').map(({ positions }) => positions.length);
  // 500 bytes each, with a limit of 2000 per insert.
  expect(groups).toEqual([4, 1]);
});

it.each([
  ['overloaded', 'Code: 252. DB::Exception: Too many parts'],
  ['disk-full', 'Code: 243. DB::Exception: Cannot reserve'],
] as const)('an engine without room (%s) is retried a few times, and senders get the reason', async (code, detail) => {
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  let inserts = 0;
  let isFull = true;
  fake.fault = ({ kind }) =>
    kind === 'insert' && isFull && ++inserts > 0 ? { kind: 'fails', code, detail } : undefined;
  const arrivals = new FakeArrivals();
  const node = sharer(fake.open(), arrivals.of(1n));
  const [{ outcome, error }] = await Promise.all([node.send([1]), node.send([1, 20])]);
  expect([outcome, error]).toEqual(['refused', expect.objectContaining({ code })]);
  expect(inserts).toBeLessThanOrEqual(6);
  expect([node.groups.full, fake.rows(datasetId), arrivals.watermark()]).toEqual([code, [], arrivals.last]);
  isFull = false;
  expect((await node.send([1, 20])).outcome).toBe('stored');
  expect(node.groups.full).toBeUndefined();
});

it('what an engine without room may have is not refused before that is known', async () => {
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  let inserts = 0;
  // The first breaks off and arrives much later.
  fake.fault = ({ kind }) => {
    if (kind !== 'insert') return undefined;
    if (++inserts === 1) return { kind: 'late', code: 'unavailable', calls: 20 };
    return inserts < 12
      ? { kind: 'fails', code: 'overloaded', detail: 'Code: 252. DB::Exception: Too many parts' }
      : undefined;
  };
  const node = sharer(fake.open(), new FakeArrivals().of(1n));
  expect((await node.send([1])).outcome).toBe('stored');
  expect(fake.rows(datasetId)).toHaveLength(1);
});

it('while some tables have no home, events for others are taken', async () => {
  const refuses = expect.objectContaining({ code: 'unavailable' });
  const over = (fake: FakeEngine) => {
    const engine = fake.open();
    const node = sharer(engine, new FakeArrivals().of(1n));
    const keys = { storeOnce: () => Promise.reject(new Error()), answer: async () => undefined };
    const unconfirmed = { add: async () => undefined, storedPosition: async () => undefined };
    const logger = pino({ level: 'silent' });
    const shared = { engine, logger, unconfirmed, keys };
    const parts = { ...shared, groups: node.groups, limits: { maxPendingBytes: 1000 }, isKnown: () => true };
    return { ...node, intake: new GroupedIntake(parts) };
  };
  const fake = new FakeEngine();
  fake.tables.set(`d${datasetId}`, []);
  fake.state = 'restarting';
  // A single server then rejects events.
  expect(() => over(fake).intake.checkRoom()).toThrow(refuses);
  fake.isReplicated = true;
  const { intake, send } = over(fake);
  intake.checkRoom();
  expect((await send([1])).outcome).toBe('stored');
  fake.state = 'down';
  expect(() => intake.checkRoom()).toThrow(refuses);
});

it('batches with reserved positions do not wait for one another', async () => {
  const fake = new FakeEngine();
  const engine = fake.open();
  fake.tables.set(`d${datasetId}`, []);
  let running = 0;
  let atOnce = 0;
  const inserted = engine.insert.bind(engine);
  const insert = vi.spyOn(engine, 'insert').mockImplementation(async (each) => {
    atOnce = Math.max(atOnce, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    return inserted(each);
  });
  const { sendOwn, groups } = sharer(engine, new FakeArrivals().of(1n));
  const positions = Array.from({ length: 20 }, (_, n) => BigInt(n + 1));
  expect(await Promise.all(positions.map(sendOwn))).toEqual(positions);
  expect(fake.rows(datasetId)).toHaveLength(20);
  expect(atOnce).toBe(reservedAtOnce);
  await groups.close();
  insert.mockRestore();
});
