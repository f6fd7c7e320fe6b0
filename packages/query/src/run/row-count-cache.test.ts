import type { EngineResult } from '@millrace/engine';
import { item, literal, select } from '@millrace/sql';
import { expect, it } from 'vitest';
import { RowCountCache } from './row-count-cache.js';

const answer = {
  body: new Uint8Array(),
  columns: [],
  rows: 1,
  statistics: { elapsedNanoseconds: 1, rowsRead: 1, bytesRead: 1 },
} satisfies EngineResult;

/** Whether the engine was queried. */
async function asks(examined: RowCountCache, text: string, version: string | undefined = '1'): Promise<boolean> {
  let wasCalled = false;
  await examined.get(select({ columns: [item(literal(text))] }), version, async () => {
    wasCalled = true;
    return answer;
  });
  return wasCalled;
}

it('asks the engine once for a version of the data', async () => {
  const examined = new RowCountCache();
  expect(await asks(examined, 'count')).toBe(true);
  expect(await asks(examined, 'count')).toBe(false);
  expect(await asks(examined, 'count', '2')).toBe(true);
  expect(await asks(examined, 'count', undefined)).toBe(true);
});

it('remembers questions for as many bytes as it has room for, however long each is', async () => {
  const examined = new RowCountCache();
  for (let i = 0; i < 30; i++) await asks(examined, `${i} ${'x'.repeat(400_000)}`);
  expect(examined.bytes).toBeLessThanOrEqual(4 * 2 ** 20);
  expect(await asks(examined, `29 ${'x'.repeat(400_000)}`)).toBe(false);
  expect(await asks(examined, `0 ${'x'.repeat(400_000)}`)).toBe(true);
  for (let i = 0; i < 1000; i++) await asks(examined, `SELECT ${i}`);
  expect(await asks(examined, 'SELECT 0')).toBe(false);
});
