import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../run.js';
import { memoryIo } from '../../testing/memory-io.js';
import { commands } from '../every-command.js';

let directory: string;
/** The command changes the umask of the process. */
let umask: number;
beforeAll(() => {
  umask = process.umask(0o022);
  directory = mkdtempSync(join(tmpdir(), 'millrace-test-'));
});
afterAll(() => {
  process.umask(umask);
  rmSync(directory, { recursive: true, force: true });
});

const forget = async (name: string, dataDir: string) => {
  const io = memoryIo({ env: {} });
  return [await run(['dataset', 'forget-fields', name, '--data-dir', dataDir], commands, io), io.written];
};

test('deletes the names of rare fields in a directory that is not in use', async () => {
  const { FieldStore, openMetadata } = await import('@millrace/server/startup/offline');
  const metadata = await openMetadata(join(directory, 'metadata.sqlite'));
  const { datasetId } = await metadata.datasets.create({ name: 'logs', who: 'me' });
  const field = (where: 'column' | 'overflow') => ({ field: where, type: 'string' as const, where });
  await new FieldStore(metadata.database).add(datasetId, [field('column'), field('overflow')]);
  await metadata.close();
  expect(await forget('logs', directory)).toMatchObject([0, { out: '1 name forgotten\n' }]);
  expect(await forget('logs', directory)).toMatchObject([0, { out: '0 names forgotten\n' }]);
});

test('reports missing rights', async () => {
  expect(await forget('nope', directory)).toMatchObject([
    3,
    { err: expect.stringContaining('there is no dataset nope') },
  ]);
  expect(await forget('logs', join(directory, 'nowhere'))).toMatchObject([
    3,
    { err: expect.stringContaining('is no data directory of a server') },
  ]);
});
