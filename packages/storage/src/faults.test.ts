import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '@millrace/metadata/database';
import type { Operation } from '@millrace/log/testing';
import type { Fault } from './testing/fake-engine.js';
import { append, day, withHarness } from './testing/fake-harness.js';
import type { Storage } from './storage.js';
import { caseCount } from '../../../tests/support/depth.js';

/**
 * Multi-day batches, some rejected by the engine, calls that fail in every way, failures of the
 * log's disk, and servers that are killed or lose power, in any order: in the end everything
 * acknowledged is stored exactly once, trimmed events are gone, and no read ever sees part of a
 * batch.
 */

const codes = ['rejected', 'unknown-column', 'internal', 'memory-limit', 'unavailable'] as const;
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ kind: fc.constantFrom('fails' as const, 'half' as const), code: fc.constantFrom(...codes) }),
  fc.record({
    kind: fc.constant('dies' as const),
    done: fc.constantFrom('nothing' as const, 'half' as const, 'all' as const),
  }),
);
/** Calls of the log to its disk that fail together. */
const failingOperations: readonly (readonly Operation[])[] = [
  ['write'],
  ['sync', 'truncate'],
  ['rename'],
  ['open', 'remove', 'syncDirectory'],
];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      days: fc.constantFrom([1], [1, 20], [1, 2, 20, 21], [20]),
    }),
  },
  /** Batches without a waiting client. */
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      batches: fc.array(fc.constantFrom([1], [1, 20]), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('break' as const),
      operations: fc.constantFrom(...failingOperations),
      skip: fc.nat(2),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('trim' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
  /** From now on the engine rejects these. */
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), every: fc.constantFrom(1, 2, 3), fault }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('heal' as const) }) },
);
/** Faults of calls to the engine, by call number. */
const accidents = fc.dictionary(fc.nat(80).map(String), fault, { maxKeys: 8, noNullPrototype: true });

/** Faults of changes of the metadata, by number. */
const trouble = fc.constantFrom('fails', 'fails when done', 'dies before', 'dies after');
const troubles = fc.dictionary(fc.nat(30).map(String), trouble, { maxKeys: 4, noNullPrototype: true });

interface Server {
  alive(): boolean;
  die(): void;
}

/** The metadata as a single server sees it. A dead server neither changes nor reads anything. */
function seenBy({ alive, die }: Server, database: Database, next: () => string | undefined): Database {
  const later = new WeakMap<object, string>();
  const suffer = (what: string): never => {
    if (what.startsWith('dies')) die();
    throw new Error(`the metadata: ${what}`);
  };
  return database.withPlugin({
    transformQuery: ({ node, queryId }) => {
      if (!alive()) suffer('the server is dead');
      const what = /^(?:Insert|Update|Delete)QueryNode$/.test(node.kind) ? next() : undefined;
      if (what === 'fails' || what === 'dies before') suffer(what);
      if (what !== undefined) later.set(queryId, what);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      const what = later.get(queryId);
      return what === undefined ? result : suffer(what);
    },
  });
}

it('each event is stored once, whatever the engine rejects and wherever a server is killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 30 }),
      accidents,
      troubles,
      fc.constantFrom(1, 1 << 30),
      // Without pauses the engine is probed at once.
      fc.constantFrom(0, 1),
      // How server runs end, in turn.
      fc.array(fc.constantFrom('kill', 'power'), { minLength: 1, maxLength: 4 }),
      fc.nat(),
      async (steps, accidents, troubles, flushBytes, retryMilliseconds, ends, seed) => {
        await withHarness(async (world) => {
          const { fake, metadata, open } = world;
          const days = new Map<bigint, readonly number[]>();
          let trimmedUpTo = 0n;
          let maybeTrimmedUpTo = 0n;
          let trimming = false;
          const trimOver = (): void => {
            maybeTrimmedUpTo = world.log.stats().lastPosition;
            trimming = false;
          };
          let refuse: { every: number; fault: Fault } | undefined;
          let changes = 0;
          let lives = 0;
          let healed = false;
          let running: Server = { alive: () => false, die: () => undefined };
          let signalDeath: () => void = () => undefined;
          let dead = new Promise<void>((resolve) => (signalDeath = resolve));
          fake.fault = ({ kind, positions }, nth) => {
            const accident = accidents[String(nth - 4)];
            const bad =
              refuse !== undefined &&
              kind === 'insert' &&
              positions.some((at) => at > 0n && at % BigInt(refuse!.every) === 0n);
            const found = accident ?? (bad ? refuse!.fault : undefined);
            if (found?.kind === 'dies') setImmediate(running.die);
            return found;
          };
          fake.before = async () => void (await sleep(0));
          const start = async (): Promise<Storage> => {
            for (;;) {
              running.die();
              if (trimming) trimOver();
              await world.crash(ends[lives++ % ends.length]!, seed + lives);
              let alive = true;
              const engine = fake.open();
              running = {
                alive: () => alive,
                die: () => {
                  if (!alive) return;
                  alive = false;
                  // The engine returns no more results to it either.
                  fake.open();
                  setImmediate(signalDeath);
                },
              };
              dead = new Promise<void>((resolve) => (signalDeath = resolve));
              const database = seenBy(running, metadata.database, () =>
                healed ? undefined : troubles[String(changes++ - 2)],
              );
              const opened = open([1], { retryMilliseconds, flushBytes }, engine, database).catch(() => undefined);
              const storage = await Promise.race([opened, dead]);
              if (storage !== undefined) return storage;
              if (refuse?.fault.kind === 'dies') refuse = undefined;
            }
          };
          const look = async (storage: Storage): Promise<void> => {
            await storage.reads.run([1], async (settings) => {
              const filter = String(settings['additional_table_filters'] ?? '');
              const below = /_seq < (\d+)/.exec(filter)?.[1];
              const hidden = /NOT IN \(([\d, ]+)\)/.exec(filter)?.[1]?.split(', ') ?? [];
              const seen = new Map<bigint, number>();
              for (const row of fake.rows(1)) {
                const position = row.split('.')[0]!;
                if (hidden.includes(position) || (below !== undefined && BigInt(position) >= BigInt(below))) continue;
                seen.set(BigInt(position), (seen.get(BigInt(position)) ?? 0) + 1);
              }
              for (const [position, rows] of seen)
                if (!trimming && position > maybeTrimmedUpTo)
                  expect(rows, `part of batch ${position} is seen: ${filter}`).toBe(days.get(position)?.length ?? rows);
            });
          };
          let storage = await start();
          /** Acknowledgments after the server's end are lost. */
          const send = async (list: readonly number[]): Promise<void> => {
            const by = running;
            const { position } = await append(storage, 1, list);
            if (by.alive()) days.set(position, list);
          };
          for (const each of steps) {
            const work = async (): Promise<void> => {
              if (each.do === 'append') await send(each.days);
              else if (each.do === 'send') for (const list of each.batches) send(list).catch(() => undefined);
              else if (each.do === 'break') {
                let { skip, times } = each;
                world.files.fault = ({ operation }) =>
                  each.operations.includes(operation) && skip-- <= 0 && times-- > 0 ? 'EIO' : undefined;
              } else if (each.do === 'flush') {
                const flushed = storage.flush([1]);
                await look(storage);
                await flushed;
              } else if (each.do === 'trim') {
                const upTo = [...days.keys()].at(-1) ?? 0n;
                const by = running;
                trimming = true;
                await storage.deletions
                  .trim({ datasetId: 1, name: 'd' }, day(10))
                  .finally(() => by.alive() && trimOver());
                if (by.alive()) trimmedUpTo = upTo;
              } else if (each.do === 'pause') await sleep(3);
              else if (each.do === 'refuse') refuse = each;
              else if (each.do === 'heal') refuse = undefined;
            };
            const outcome =
              each.do === 'restart'
                ? 'dead'
                : await Promise.race([
                    work().then(
                      () => 'ok',
                      (error: unknown) => error,
                    ),
                    dead.then(() => 'dead'),
                  ]);
            if (outcome instanceof Error && outcome.name === 'AssertionError') throw outcome;
            if (outcome === 'dead') storage = await start();
            await look(storage);
          }
          refuse = undefined;
          fake.fault = () => undefined;
          healed = true;
          world.files.fault = undefined;
          const last = await start();
          await last.flush([1]);
          await last.retries.over;
          expect(last.quarantinedPositions).toEqual([]);
          const rows = fake.rows(1);
          expect(new Set(rows).size, 'an event is there twice').toBe(rows.length);
          const all = [...days].flatMap(([position, list]) =>
            list.map((at, row) => ({ position, at, id: `${position}.${row}` })),
          );
          for (const { position, at, id } of all) {
            if (at < 10 && position <= trimmedUpTo) expect(rows, 'a trimmed event is back').not.toContain(id);
            else if (at >= 10 || position > maybeTrimmedUpTo) expect(rows, 'an event is lost').toContain(id);
          }
          await look(last);
          last.stop();
        });
      },
    ),
    { numRuns: caseCount(20, 1000) },
  );
}, 600_000);
