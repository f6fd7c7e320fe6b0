import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEngineIn } from '@millrace/server/testing/remote-engine';
import { cityHash64, longestHashed } from './city-hash.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-hash-'));
let engine: Engine;
beforeAll(async () => {
  engine = await openEngineIn(directory);
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true, force: true });
});

it("is the engine's, for every length", async () => {
  const texts = Array.from({ length: 8 * (longestHashed + 1) }, (_, i) =>
    Array.from({ length: i % (longestHashed + 1) }, (_, at) =>
      String.fromCharCode(97 + ((i * 7919 + at * at * 104_729 + at * 31) % 26)),
    ).join(''),
  );
  const { body } = await engine.query(
    `SELECT toString(arrayJoin(arrayMap(text -> cityHash64(text), [${texts.map(quoteString).join(', ')}])))`,
    { format: 'TabSeparated' },
  );
  const hashes = Buffer.from(body).toString().trim().split('\n');
  expect(texts.map((text) => String(cityHash64(Buffer.from(text))))).toEqual(hashes);
});
