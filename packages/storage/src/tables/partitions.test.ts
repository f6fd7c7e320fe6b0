import type { Engine } from '@millrace/engine';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOlder, dropOlderPartitions } from './delete-older.js';
import { createTable, tableOf } from './table-of-dataset.js';
import { realEngine } from '../testing/real-engine.js';

let engine: Engine;
let close: () => Promise<void>;
let tables = 0;

beforeAll(async () => {
  ({ engine, close } = await realEngine());
});

afterAll(() => close());

interface Row {
  readonly time: bigint;
  readonly arrival: bigint;
  readonly seq: number;
}

/** Creates a table with the rows; returns its ID and its name. */
async function tableWith(rows: readonly Row[]): Promise<{ readonly id: number; readonly name: string }> {
  const id = ++tables;
  await createTable(engine, id);
  const { database, table } = tableOf(id);
  const name = `${database}.${table}`;
  const instant = (time: bigint): string => `fromUnixTimestamp64Nano(${time}, 'UTC')`;
  const values = rows.map(({ time, arrival, seq }, i) => `(${instant(time)}, ${instant(arrival)}, ${seq}, ${i})`);
  await engine.execute(`INSERT INTO ${name} (_time, _sysTime, _seq, _row) VALUES ${values.join(', ')}`);
  return { id, name };
}

async function column(sql: string): Promise<readonly unknown[]> {
  const { columns } = await engine.query(sql, { format: 'JSONCompactColumns' });
  return JSON.parse(Buffer.from(columns[0]!.values).toString() || '[]') as unknown[];
}

const day = 86_400_000_000_000n;
const nanoseconds = (date: string): bigint => BigInt(Date.parse(date)) * 1_000_000n;
const arrival = nanoseconds('2026-11-20T12:00:00Z');

describe('a row lies in the partition', () => {
  const check = (time: string, partition: string): void =>
    it(`${time} → ${partition}`, async () => {
      const { name } = await tableWith([{ time: nanoseconds(time), arrival, seq: 1 }]);
      expect(await column(`SELECT DISTINCT _partition_id FROM ${name}`)).toEqual([partition]);
    });
  check('2026-11-20T11:59:00Z', '20261120');
  check('2026-11-13T12:00:01Z', '20261113');
  check('2026-11-13T12:00:00Z', '20261100');
  check('2026-11-27T11:59:59Z', '20261127');
  check('2026-12-27T00:00:00Z', '20261200');
  check('2025-10-21T00:00:00Z', '20251000');
  check('2025-10-19T00:00:00Z', '20250000');
  check('1900-01-01T00:00:00Z', '19000000');
  check('2261-12-31T23:59:59Z', '22610000');
});

it('a load of a thousand days makes few partitions', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({ time: arrival - BigInt(i) * day, arrival, seq: 1 }));
  const { name } = await tableWith(rows);
  expect((await column(`SELECT DISTINCT _partition_id FROM ${name}`)).length).toBeLessThan(30);
});

it('older rows go and nothing else, most of them with their partition', async () => {
  const row = fc.record({
    time: fc.bigInt({ min: arrival - 800n * day, max: arrival + 40n * day }),
    arrival: fc.bigInt({ min: arrival - 3n * day, max: arrival }),
    seq: fc.integer({ min: 1, max: 4 }),
  });
  const cut = fc.bigInt({ min: arrival - 500n * day, max: arrival + day });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 30 }),
      cut,
      fc.bigInt({ min: 1n, max: 4n }),
      async (rows, time, upTo) => {
        const { id, name } = await tableWith(rows);
        const stays = (each: Row): boolean => each.time >= time || BigInt(each.seq) > upTo;
        const removed =
          (await dropOlderPartitions(engine, id, time, upTo)) + (await deleteOlder(engine, id, time, upTo));
        expect(removed).toBe(rows.filter((each) => !stays(each)).length);
        expect(await column(`SELECT _row FROM ${name} ORDER BY _row`)).toEqual(
          rows.flatMap((each, i) => (stays(each) ? [i] : [])),
        );
      },
    ),
    { numRuns: 12 },
  );
});
