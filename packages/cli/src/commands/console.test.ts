import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMetadata } from '@millrace/server/startup/offline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../run.js';
import { commands } from './every-command.js';
import { memoryIo } from '../testing/memory-io.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'console-command-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const open = () => openMetadata(join(directory, 'metadata.sqlite'));

it('prints a sign-in link for the owner of a data directory', async () => {
  const metadata = await open();
  const { id } = await metadata.users.owner();
  await metadata.tokens.setOwnerToken(id, 'xapt-00000000-0000-4000-8000-000000000000');
  const io = memoryIo({ env: { MILLRACE_URL: 'https://logs.example.com' } });
  expect(await run(['console', '--data-dir', directory], commands, io)).toBe(0);
  const [, code] = /^https:\/\/logs\.example\.com\/console\/#code=(xotc-\S+)\n$/.exec(io.written.out)!;
  expect(await metadata.sessions.tokenOfCode(code!)).toBe('owner');
  await metadata.close();
});

it('reports missing rights when the token has no owner rights', async () => {
  await (await open()).close();
  const io = memoryIo();
  expect(await run(['console', '--data-dir', directory], commands, io)).toBe(1);
  expect(io.written.err).toContain('millrace token create owner --personal --data-dir');
});
