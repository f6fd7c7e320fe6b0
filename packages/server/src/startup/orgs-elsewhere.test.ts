import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '@millrace/http/settings/settings';
import { openTestMetadata } from '@millrace/metadata/testing/metadata-stores';
import { unlimitedQuota } from '@millrace/metadata/quota';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerParts } from './open-org.js';
import { Orgs } from './orgs.js';

test.each([
  { clickhouseUrl: 'http://127.0.0.1:9' },
  { databaseUrl: 'postgres://127.0.0.1:9/millrace' },
  { nodes: 'shared' },
] as const)('with %o a server creates no organization, and does not start with several', async (elsewhere) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-orgs-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const metadata = await openTestMetadata(Date.now, unlimitedQuota);
  onTestFinished(() => metadata.close());
  const settings = defaultSettings({ dataDir, ...elsewhere });
  // It is refused before anything else is used.
  const load = (): Promise<Orgs> =>
    Orgs.load({ base: { settings, metadata, clock: Date.now } } as unknown as ServerParts);
  const reason = 'several organizations need the embedded engine and metadata in a file';
  await expect((await load()).create('Other', {})).rejects.toThrow(reason);
  const entry = { id: 'millrace-1', number: 1, state: 'active', limits: {} };
  writeFileSync(join(dataDir, 'orgs.json'), JSON.stringify({ last: 1, orgs: [entry] }));
  await expect(load()).rejects.toThrow(reason);
});
