import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type Metadata, openMetadata } from '@millrace/metadata/metadata';
import { inMemory } from '@millrace/metadata/sqlite';
import type { RequestContext } from '@millrace/http/route';
import type { QueryParts } from '@millrace/query/service';
import { defaultSettings } from '@millrace/http/settings/settings';
import { unusedDependency } from '../testing/every-route.js';
import { backupRoutes } from './backup-routes.js';

describe('the metadata of a backup', () => {
  let directory: string;
  let metadata: Metadata;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'millrace-backup-'));
    metadata = await openMetadata(join(directory, 'metadata.sqlite'));
  });
  afterEach(async () => {
    await metadata.close();
    rmSync(directory, { recursive: true });
  });

  /** All copies, including unlinked open files. */
  const copies = (): readonly string[] => {
    const open = readdirSync('/proc/self/fd').flatMap((number) => {
      try {
        return [readlinkSync(`/proc/self/fd/${number}`)];
      } catch {
        return [];
      }
    });
    return [...readdirSync(directory), ...open.filter((path) => path.startsWith(directory))].filter((path) =>
      /metadata-/.test(path),
    );
  };

  /** The copies that existed when retries of quarantined batches were resumed. */
  let resumedWith: readonly string[] | undefined;

  /** The response to a request. */
  async function ask(abort: AbortController): Promise<AsyncIterable<Uint8Array>> {
    const routes = backupRoutes({
      ...unusedDependency<QueryParts>(),
      metadata,
      settings: defaultSettings({ dataDir: directory }),
      storage: {
        ledger: { retries: { resume: () => (resumedWith = copies()) } },
      } as unknown as QueryParts['storage'],
    });
    const answer = await routes
      .find(({ operation }) => operation === 'backupMetadata')!
      .handle({ abort, query: { pause: 'one' }, require: () => undefined } as unknown as RequestContext);
    if (answer.kind !== 'bytes') throw new Error(`the answer is ${answer.kind}`);
    return answer.content as AsyncIterable<Uint8Array>;
  }

  it('is a separate file that is removed completely', async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of await ask(new AbortController())) pieces.push(piece);
    expect(Buffer.concat(pieces).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(resumedWith).toHaveLength(1);
    await expect.poll(copies).toEqual([]);
  });

  it.each(['while it is copied', 'before it is read'])('leaves nothing where its reader went away %s', async (when) => {
    const abort = new AbortController();
    if (when === 'while it is copied') abort.abort();
    await ask(abort);
    abort.abort();
    await expect.poll(copies).toEqual([]);
  });
});

test('a backup begins when no refused batch is being tried again: one that goes in later would be missing in data and metadata', async () => {
  const steps: string[] = [];
  const ledger = {
    retries: {
      pause: async () => {
        steps.push('pause');
        return 'one';
      },
      resume: (pause: string) => void steps.push(`resume ${pause}`),
    },
    flushAll: () => {
      steps.push('settle');
      throw new Error('far enough');
    },
  };
  const metadata = await openMetadata(inMemory);
  const [begin] = backupRoutes({
    ...unusedDependency<QueryParts>(),
    storage: { ledger } as unknown as QueryParts['storage'],
    metadata,
    settings: defaultSettings(),
  });
  await expect(begin!.handle({ require: () => undefined } as unknown as RequestContext)).rejects.toThrow('far enough');
  // A backup that could not start does not block retries of quarantined batches.
  expect(steps).toEqual(['pause', 'settle', 'resume one']);
  await metadata.close();
});

test('a dataset that is made while a backup waits for its cut is in it', async () => {
  const metadata = await openMetadata(inMemory);
  const ledger = {
    retries: { pause: () => metadata.datasets.create({ name: 'made', who: 'a' }) },
    flushAll: async () => 5n,
    quarantinedPositions: [],
  };
  const [begin] = backupRoutes({
    ...unusedDependency<QueryParts>(),
    engine: { query: async () => ({ body: new Uint8Array() }) } as unknown as QueryParts['engine'],
    storage: { ledger } as unknown as QueryParts['storage'],
    metadata,
    settings: defaultSettings(),
  });
  const answer = await begin!.handle({ require: () => undefined } as unknown as RequestContext);
  expect(answer).toMatchObject({ kind: 'json', value: { position: '5', datasets: [{ id: 1, name: 'made' }] } });
  await metadata.close();
});
