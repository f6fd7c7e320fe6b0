import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realEngine } from '../testing/real-engine.js';
import { queryRows } from './query.js';
import { mergePartition, unmergedPartitions } from './parts.js';
import { standardColumn } from './new-column.js';
import { addColumns, createTable } from './table-of-dataset.js';

/** How parts of real tables are compressed, by the age of their events. */

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await realEngine());
  await createTable(engine, 1);
  await addColumns(engine, 1, [
    { ...standardColumn({ field: 'path', type: 'string' }), dictionary: false, squeezed: false },
  ]);
});

afterAll(() => close());

/** More than a megabyte a part. */
const rows = 300_000;

/** Two parts of a day of this age, as the engine writes them. */
async function add(ago: string): Promise<void> {
  for (const seq of [1, 2])
    await engine.execute(
      'INSERT INTO `millrace`.`d1` (_time, _sysTime, _seq, _row, `path#s`) ' +
        `SELECT now64(9) - INTERVAL ${ago} AS t, t, ${seq}, number, concat('/cart/', toString(cityHash64(number) % 5000)) FROM numbers(${rows})`,
    );
}

/** Age in days → codec and bytes of a part of that day. */
const parts = async (): Promise<ReadonlyMap<number, readonly [codec: string, bytes: number]>> =>
  new Map(
    (
      await queryRows<[number, string, number]>(
        engine,
        "SELECT toInt32(dateDiff('day', max_time, now())), default_compression_codec, toInt32(sum(data_compressed_bytes)) " +
          'FROM (SELECT *, parseDateTimeBestEffort(substring(partition_id, 1, 8)) AS max_time FROM system.parts) ' +
          "WHERE active AND table = 'd1' GROUP BY 1, 2",
      )
    ).map(([daysAgo, codec, bytes]) => [daysAgo, [codec, bytes]]),
  );

it('a merge keeps recent events for speed, and compresses those of more than seven days ago for space', async () => {
  for (const ago of ['1 DAY', '20 DAY']) await add(ago);
  const inserted = await parts();
  expect([...inserted.values()].map(([codec]) => codec)).toEqual(['LZ4', 'LZ4']);
  await mergeAll();
  const merged = await parts();
  expect([merged.get(1)?.[0], merged.get(20)?.[0]]).toEqual(['LZ4', 'ZSTD(1)']);
  expect(merged.get(20)![1]).toBeLessThan(0.7 * merged.get(1)![1]);
});

it('a part whose events age after its merge is rewritten once', async () => {
  await add('604797 SECOND');
  await mergeAll();
  await expect.poll(async () => (await mergeAll(), (await parts()).get(7)?.[0])).toBe('ZSTD(1)');
  expect(await unmergedPartitions(engine, 2 ** 40)).toEqual([]);
});

async function mergeAll(): Promise<void> {
  for (const one of await unmergedPartitions(engine, 2 ** 40)) await mergePartition(engine, one);
}
