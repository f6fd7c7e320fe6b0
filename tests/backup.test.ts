import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cell, createDataset, send } from './support/apl.ts';
import { millrace } from './support/command.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/**
 * Backs up a running server during writes; the restored backup contains everything acknowledged
 * before it started.
 */

const root = temporaryDirectory();
const backup = join(root, 'backup');
const env = { MILLRACE_LOG_LEVEL: 'silent', MILLRACE_COLUMN_BUDGET: '16' };
const day = 86_400_000;

/**
 * Shapes as they come from real programs: nested, mixed types, arrays, map fields, odd names, more
 * fields than columns.
 */
function event(id: number): Record<string, unknown> {
  const mixed = [id, `text ${id}`, id % 2 === 0, id + 0.5, [id, 'x'], null, '2026-01-02T03:04:05.123456789Z'];
  return {
    id,
    _time: new Date(Date.parse('2026-11-01T00:00:00Z') - (id % 150) * day + id).toISOString(),
    commit: { operation: id % 3 === 0 ? 'create' : 'delete', record: { langs: ['en', 'de'], text: `“${id}” ✓ \n` } },
    mixed: mixed[id % mixed.length],
    Mixed: `case ${id % 7}`,
    "it's": { 'a.b': 'quoted' },
    attributes: { [`key ${id % 11}`]: id },
    big: BigInt.asIntN(63, 9_007_199_254_740_993n + BigInt(id)),
    [`rare_${id % 40}`]: id % 5 === 0 ? { deep: [1, { x: id }] } : `rare ${id}`,
  };
}

const ndjson = (ids: readonly number[]): string =>
  ids
    .map((id) =>
      JSON.stringify(event(id), (_, value: unknown) =>
        typeof value === 'bigint' ? `\u0000${value}` : value,
      ).replaceAll(/"\\u0000(-?\d+)"/g, '$1'),
    )
    .join('\n');

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** All events with ids in a range, exactly as a query returns them. */
async function rows(server: ServerProcess, from: number, to: number): Promise<readonly string[]> {
  const apl = `events | where id >= ${from} and id < ${to} | sort by id asc | limit 50000`;
  const { code, out, err } = await millrace(['query', apl, '--format', 'ndjson'], { server });
  expect(code, err).toBe(0);
  return out.trimEnd().split('\n');
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

const post = (server: ServerProcess, path: string, body: object) =>
  request(server, path, { body: JSON.stringify(body) });

describe('backup and restore', () => {
  const before = 3000;
  const batchSize = 10;
  /** Batches of the writer that were acknowledged; each has its key. */
  const written: number[] = [];
  let original: ServerProcess;
  let restored: ServerProcess | undefined;
  let expected: readonly string[];
  let apiToken = '';

  const write = (server: ServerProcess, batch: number) =>
    send(server, 'events', ndjson(range(before + batch * batchSize, before + (batch + 1) * batchSize)), {
      'idempotency-key': `batch-${batch}`,
    });

  beforeAll(async () => {
    original = await startServer(join(root, 'original'), env);
    await createDataset(original, 'events');
    await createDataset(original, 'empty');
    await createDataset(original, 'doomed');
    await send(original, 'doomed', '{"a":1}');
    expect((await post(original, '/v2/datasets/events/mapfields', { name: 'attributes' })).status).toBe(200);
    for (const [from, to] of [
      [0, 1],
      [1, 40],
      [40, 2500],
      [2500, before],
    ] as const)
      expect((await send(original, 'events', ndjson(range(from, to)))).body).toMatchObject({
        ingested: to - from,
        failed: 0,
      });
    const { body } = await post(original, '/v2/tokens', {
      name: 'reader',
      datasetCapabilities: { events: { query: ['read'] } },
    });
    apiToken = (body as { token: string }).token;
    const made = [
      await post(original, '/v2/vfields', { dataset: 'events', name: 'doubled', expression: 'id * 2' }),
      await post(original, '/v2/views', {
        name: 'first',
        aplQuery: "['events'] | where id < 10",
        datasets: ['events'],
      }),
      await request(original, '/v2/datasets/events/fields/id', {
        method: 'PUT',
        body: '{"unit":"none","description":"Number"}',
      }),
    ];
    for (const { status, body } of made) expect(status, JSON.stringify(body)).toBe(200);
    expected = await rows(original, 0, before);
    expect(expected).toHaveLength(before);

    let going = true;
    const writer = (async () => {
      for (let batch = 0; going; batch++) {
        expect((await write(original, batch)).status).toBe(200);
        written.push(batch);
        await sleep(20);
      }
    })();
    await until(() => written.length > 3);
    const acknowledged = written.length;
    const ran = await millrace(['backup', backup, '--json'], { server: original });
    await until(() => written.length > acknowledged + 3);
    going = false;
    await writer;
    expect(ran.code, ran.err).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ refused: [] });
    // Events acknowledged before must be restored as well.
    expected = [...expected, ...(await rows(original, before, before + acknowledged * batchSize))];

    const done = await millrace(['restore', backup, '--data-dir', join(root, 'restored')]);
    expect(done.code, done.err).toBe(0);
    restored = await startServer(join(root, 'restored'), env);
  }, 120_000);

  afterAll(async () => {
    await original.stop();
    await restored?.stop();
    removeDirectory(root);
  });

  const target = (): ServerProcess => {
    expect(restored).toBeDefined();
    return restored!;
  };

  const writtenIds = async (server: ServerProcess): Promise<readonly number[]> =>
    (await rows(server, before, 100_000)).map((row) => (JSON.parse(row) as { id: number }).id);

  it('gives back every event acknowledged before it began, once, value for value', async () => {
    expect(await rows(target(), 0, expected.length)).toEqual(expected);
    expect(await cell(target(), 'empty | count')).toBe(0);
    expect(await cell(target(), 'doomed | count')).toBe(1);
  });

  it('has later batches wholly or not at all', async () => {
    const counts = new Map<number, number>();
    for (const id of await writtenIds(target())) {
      const batch = Math.floor((id - before) / batchSize);
      counts.set(batch, (counts.get(batch) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(0);
    expect([...counts].filter(([, count]) => count !== batchSize)).toEqual([]);
  });

  it('gives back tokens, virtual fields, views, map fields and descriptions', async () => {
    const reader = { ...target(), token: apiToken };
    expect(await cell(reader, 'events | where id == 21 | project doubled')).toBe(42);
    expect(await cell(reader, "events | where id == 21 | project ['attributes']['key 10']")).toBe(21);
    expect((await post(reader, '/v2/datasets', { name: 'no' })).status).toBe(403);
    expect((await request(target(), '/v2/views')).body).toMatchObject([{ name: 'first' }]);
    expect((await request(target(), '/v2/datasets/events/fields/id')).body).toMatchObject({ description: 'Number' });
    expect((await request(target(), '/v2/datasets/events/mapfields')).body).toEqual(['attributes']);
  });

  it('takes the retries of clients that do not know what the backup has, each batch once', async () => {
    await Promise.all(written.map(async (batch) => expect((await write(target(), batch)).status).toBe(200)));
    expect(await writtenIds(target())).toEqual(range(before, before + written.length * batchSize));
  });

  it('takes events that survive a kill, and recounts right', async () => {
    const ids = range(100_000, 100_200);
    expect((await send(target(), 'events', ndjson(ids))).status).toBe(200);
    await target().kill();
    restored = await startServer(join(root, 'restored'), env);
    expect(await cell(target(), 'events | where id >= 100000 | summarize count(), dcount(id) | project count_')).toBe(
      200,
    );
    expect(await cell(target(), 'events | count')).toBe(before + written.length * batchSize + 200);
    const { code, out } = await millrace(['verify', '--json'], { server: target() });
    expect(JSON.parse(out)).toMatchObject({ wrong: [] });
    expect(code).toBe(0);
  }, 60_000);

  it('names every file with its hash, the manifest last', () => {
    const { files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as {
      files: { name: string; bytes: number; sha256: string; datasetId?: number }[];
    };
    expect(files.at(-1)?.name).toBe('metadata.sqlite');
    for (const { name, bytes, sha256 } of files) {
      const content = readFileSync(join(backup, name));
      expect([content.byteLength, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
    }
  });

  it.each([
    ['a damaged file', 'metadata.sqlite', (content: Buffer) => content.fill(7, 100, 101), /is damaged/],
    ['a file that is cut short', 'metadata.sqlite', (content: Buffer) => content.subarray(0, -1), /is damaged/],
    ['half a manifest', 'manifest.json', (content: Buffer) => content.subarray(0, 100), /is not a manifest/],
  ])('rejects %s and leaves no files behind', async (_, name, damage, message) => {
    const copy = temporaryDirectory();
    try {
      const { files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as {
        files: { name: string }[];
      };
      for (const file of [...files.map((entry) => entry.name), 'manifest.json']) {
        const content = readFileSync(join(backup, file));
        writeFileSync(join(copy, file), file === name ? damage(content) : content);
      }
      const { code, err } = await millrace(['restore', copy, '--data-dir', join(copy, 'data')]);
      expect([code, err]).toEqual([1, expect.stringMatching(message)]);
      expect(existsSync(join(copy, 'data'))).toBe(false);
    } finally {
      removeDirectory(copy);
    }
  });

  it('overwrites nothing', async () => {
    const again = await millrace(['backup', backup], { server: original });
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/is not empty/)]);
    const over = await millrace(['restore', backup, '--data-dir', join(root, 'restored')]);
    expect([over.code, over.err]).toEqual([1, expect.stringMatching(/is not empty/)]);
    const incomplete = join(root, 'incomplete');
    mkdirSync(incomplete);
    const none = await millrace(['restore', incomplete, '--data-dir', join(root, 'elsewhere')]);
    expect([none.code, none.err]).toEqual([1, expect.stringMatching(/no complete backup/)]);
  });
});
