import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realEngine } from '../testing/real-engine.js';
import { partitionRows } from './partition-rows.js';
import { createTable, quotedTable } from './table-of-dataset.js';

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(() => close());

const at = (time: string): bigint => BigInt(Date.parse(time)) * 1_000_000n;

it('the partitions of a dataset lie where their rows do, whatever their length', async () => {
  await createTable(engine, 1);
  const rows = [
    ['2026-12-31 10:00:00', '2026-12-31 10:00:00'],
    ['2026-12-31 23:59:59', '2026-12-31 23:59:59'],
    ['2026-12-30 00:00:00', '2026-12-31 10:00:00'],
    ['2026-12-01 10:00:00', '2026-12-31 10:00:00'],
    ['2020-02-01 10:00:00', '2026-12-31 10:00:00'],
  ];
  const values = rows.map(([time, arrival], i) => `('${time}', '${arrival}', ${i}, 0)`).join(', ');
  await engine.execute(`INSERT INTO ${quotedTable(1)} (_time, _sysTime, _seq, _row) VALUES ${values}`);
  expect(await partitionRows(engine, 1)).toEqual([
    { start: at('2026-12-31T00:00:00Z'), end: at('2027-01-01T00:00:00Z'), rows: 2 },
    { start: at('2026-12-30T00:00:00Z'), end: at('2026-12-31T00:00:00Z'), rows: 1 },
    { start: at('2026-12-01T00:00:00Z'), end: at('2027-01-01T00:00:00Z'), rows: 1 },
    { start: at('2020-01-01T00:00:00Z'), end: at('2021-01-01T00:00:00Z'), rows: 1 },
  ]);
  expect(await partitionRows(engine, 2)).toEqual([]);
});
