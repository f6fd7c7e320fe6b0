import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openMetadata } from '../metadata.js';
import { orgNumberIn } from '../secrets.js';
import { metadataName } from '../sqlite.js';
import { spellingOf } from '../sql-dialect.js';
import { createOrgMetadata } from './new-org.js';
import { idBeforeFirst } from './org-number.js';

const now = (): number => Date.UTC(2026, 10, 30);

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-org-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('a new organization has its number in dataset IDs and tokens', async () => {
  const directory = place();
  const secret = await createOrgMetadata(directory, { id: 'other', number: 5, name: 'Other' }, now);
  expect(orgNumberIn(secret)).toBe(5);
  const metadata = await openMetadata(join(directory, metadataName));
  onTestFinished(() => metadata.close());
  expect(metadata.datasets.orgNumber).toBe(5);
  expect(await metadata.org.get()).toMatchObject({ id: 'other', name: 'Other' });
  expect(await metadata.tokens.findBySecret(secret)).toMatchObject({ kind: 'personal', name: 'Owner' });
  expect((await metadata.datasets.create({ name: 'logs', who: 'me' })).datasetId).toBe(5 * 2 ** 20 + 1);
});

test('a server does not start when its datasets have IDs of several organizations', async () => {
  const path = join(place(), metadataName);
  const metadata = await openMetadata(path);
  await metadata.datasets.create({ name: 'logs', who: 'me' });
  for (const statement of spellingOf(metadata.database).goOnFrom('datasets', 'id', idBeforeFirst(1)))
    await statement.execute(metadata.database);
  await metadata.close();
  await expect(openMetadata(path)).rejects.toThrow("dataset 'logs' has the ID 1");
});
