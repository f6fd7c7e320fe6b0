import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { databaseOver } from '@millrace/metadata/database';
import { openSqlite } from '@millrace/metadata/sqlite';
import { openEngineTestServer } from '../testing/engine-test-server.js';
import { copyMetadata } from './metadata-copy.js';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'millrace-copy-'))));
afterEach(() => rmSync(root, { recursive: true }));

test('a copy that a kill left behind is removed at the next start, and nothing else', async () => {
  const [scratch, dataDir] = [join(root, 'scratch'), join(root, 'data')];
  for (const directory of [scratch, dataDir]) mkdirSync(directory);
  // A kill would leave the files that exist right after the copy statement.
  const simulateKill = (): void => {
    for (const name of readdirSync(scratch)) copyFileSync(join(scratch, name), join(dataDir, name));
  };
  const database = databaseOver(openSqlite(join(root, 'metadata.sqlite')), simulateKill);
  await (await copyMetadata(database, scratch)).close();
  await database.destroy();
  expect(readdirSync(dataDir)).toEqual([expect.stringMatching(/^metadata-/)]);

  writeFileSync(join(dataDir, 'metadata-mine.sqlite'), '');
  await (await openEngineTestServer({ dataDir })).close();
  expect(
    readdirSync(dataDir)
      .filter((name) => name.startsWith('metadata'))
      .sort(),
  ).toEqual(['metadata-mine.sqlite', 'metadata.sqlite']);
});
