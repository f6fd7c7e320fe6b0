import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

interface BackupStart {
  readonly position: string;
  readonly datasets: readonly { readonly id: number; readonly name: string }[];
}

/** The engine removes a table only when it has no readers. */
describe('a dataset that is removed during a read', () => {
  let world: EngineTestServer;
  beforeAll(async () => (world = await openEngineTestServer()));
  afterAll(() => world.close());
  // More than the system buffers for a stopped reader, even compressed.
  const text = (): string => randomBytes(3000).toString('base64');
  beforeEach(async () => {
    await world.dataset('read');
    for (let part = 0; part < 4; part++) {
      await world.ingest(
        'read',
        Array.from({ length: 2500 }, (_, id) => ({ id, text: text() })),
      );
    }
  });

  const slowly = [
    ['the export', 'POST', async () => '/v1/export'],
    [
      'the backup',
      'GET',
      async () => {
        const { body } = await world.send<BackupStart>('POST', '/v1/backup');
        const { id } = body.datasets.find(({ name }) => name === 'read')!;
        return `/v1/backup/datasets/${id}?upTo=${body.position}`;
      },
    ],
  ] as const;
  it.each(slowly)('is removed at once, and %s of it never passes for the whole', async (_, method, path) => {
    const answer = await fetch(`${world.url}${await path()}`, {
      method,
      headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify({ apl: 'read' }) }),
    });
    const reader = answer.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    expect((await world.send('DELETE', '/v2/datasets/read')).status).toBe(204);
    const rest = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow('terminated');
    await expect.poll(async () => (await world.send('GET', '/v1/queries')).body).toEqual([]);
  });

  it('is removed without delay; queries and exports without a row so far report the deletion', async () => {
    // Joins every event with every other: minutes of work.
    const apl =
      'read | extend k = 1 | join kind=inner (read | extend k = 1) on k | summarize dcount(strcat(text, text1, id, id1))';
    const running = [
      world.send('POST', '/v1/datasets/_apl?format=tabular', { apl }),
      world.send('POST', '/v1/export', { apl }),
    ];
    await expect
      .poll(async () =>
        (await world.send<readonly { state: string }[]>('GET', '/v1/queries')).body.map(({ state }) => state),
      )
      .toEqual(['running', 'running']);
    expect((await world.send('DELETE', '/v2/datasets/read')).status).toBe(204);
    const unknown = await world.send('POST', '/v1/datasets/_apl?format=tabular', { apl });
    expect(unknown.text).toContain('read');
    for (const { status, body } of await Promise.all(running))
      expect([status, body]).toEqual([unknown.status, unknown.body]);
  });
});
