import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '@millrace/engine';
import { FakeEngine } from '../testing/fake-engine.js';
import { realEngine } from '../testing/real-engine.js';
import { presentTables } from '../tables/all-tables.js';
import { createTable } from '../tables/table-of-dataset.js';
import { probeInsert } from './probe.js';

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(() => close());

test('an engine that works takes the row, and the table is gone afterwards, also one that a crash has left', async () => {
  await createTable(engine, 1);
  expect(await probeInsert(engine)).toBe(true);
  await createTable(engine, 0);
  expect(await probeInsert(engine)).toBe(true);
  expect([...(await presentTables(engine))]).toEqual([1]);
});

test.each(['execute', 'insert'] as const)('an engine that fails with every %s does not take it', async (kind) => {
  const fake = new FakeEngine();
  fake.fault = (call) => (call.kind === kind ? { kind: 'fails', code: 'internal' } : undefined);
  expect(await probeInsert(fake.open())).toBe(false);
});
