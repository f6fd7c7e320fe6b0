import { expect, test } from 'vitest';
import { Watermark } from '@millrace/metadata/postgres/watermark';
import { FakeEngine } from '../testing/fake-engine.js';
import { ClusterInsertLedger } from './insert-ledger.js';

/**
 * Each check of PostgreSQL returns the next of these: the highest position, and the inserts in
 * flight.
 */
function accounts(looks: readonly (readonly [bigint, readonly (readonly [number, bigint])[]])[], patience = 10_000) {
  const watermark = new Watermark();
  let at = 0;
  const fake = new FakeEngine();
  const brought = [
    { first: 1n, last: 2n, datasetId: 1, rows: 3 },
    { first: 3n, last: 3n, datasetId: 1, rows: 1 },
    { first: 4n, last: 5n, datasetId: 2, rows: 2 },
    { first: 6n, last: 6n, datasetId: 9, rows: 2 },
  ];
  const row = (seq: bigint, n: number) => ({ seq, row: n, time: 0n });
  fake.tables.set('d1', [row(1n, 0), row(2n, 0), row(2n, 1)]);
  fake.tables.set('d2', [row(4n, 0), row(5n, 0), row(5n, 1)]);
  return new ClusterInsertLedger({
    engine: fake.open(),
    arrivals: { watermark, listStored: async () => brought, isOver: async (position) => position < 7n },
    fieldStore: { checkpoints: async () => new Map([[2, 0n]]) },
    exists: (id) => id !== 9,
    lookForNews: async () => {
      const [last, inFlight] = looks[Math.min(at++, looks.length - 1)]!;
      watermark.note(last, new Map(inFlight));
    },
    patience,
  });
}

test('waiting for in-flight events covers earlier ones only', async () => {
  const looks = [
    [
      10n,
      [
        [1, 4n],
        [2, 9n],
      ],
    ],
    [
      12n,
      [
        [1, 8n],
        [2, 11n],
      ],
    ],
    [13n, [[2, 12n]]],
  ] as const;
  expect(await accounts(looks).flushAll()).toBe(10n);
  // Inserts of other datasets are not waited for.
  expect(await accounts([[10n, [[2, 3n]]]]).flushAll([1])).toBe(10n);
  await expect(accounts([[10n, [[1, 4n]]]], 0).flushAll()).rejects.toMatchObject({ code: 'unavailable' });
});

test('a recount reports missing and duplicate events, and skips deleted datasets', async () => {
  expect(await accounts([[6n, []]]).verify()).toMatchObject({
    batches: 6,
    events: 8,
    skipped: 1,
    wrong: [
      { position: '3', datasetId: 1, events: 1, rows: 0 },
      { position: '4', datasetId: 2, events: 2, rows: 3 },
    ],
  });
});

test('an unassigned or in-flight position has no receipt', async () => {
  const of = accounts([[6n, []]]);
  expect([await of.stateOf(6n), await of.stateOf(7n)]).toEqual(['stored', undefined]);
});
