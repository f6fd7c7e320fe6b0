import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clickHouseLogin } from '../../../packages/engine/src/testing/clickhouse.ts';
import { type HttpFront, openHttpFront } from '../../../packages/engine/src/testing/http-front.ts';
import { openPostgresServer, type PostgresServer } from '@millrace/metadata/testing/postgres';
import { cell, createDataset, send, type Tabular } from '../../support/apl.ts';
import { documentedGrants } from '../../support/clickhouse-rights.ts';
import { removeDirectory, request, type ServerProcess, temporaryDirectory } from '../../support/server-process.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { type Nodes, startNodes } from './places.ts';

/** `npm run crash -- --story full-disk`: two nodes over a ClickHouse whose disk fills up. */

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });
const directory = temporaryDirectory();
const disk = mountSmallDisk(join(directory, 'disk'), 400);
const day = 86_400_000;

describe.skipIf(!disk.mounted)('the disk of ClickHouse is full', () => {
  let front: HttpFront;
  let postgres: PostgresServer;
  let places: Nodes;
  let node: (n: number) => ServerProcess;
  /** Numbers of events that were acknowledged. */
  const acknowledged: number[] = [];
  let id = 0;
  const recentOutput = (n: number): string =>
    [...front.requests.slice(-30).map(({ sql }) => sql.slice(0, 150)), node(n).output().slice(-3000)].join('\n');
  /** Sends incompressible events of several days; returns the status. */
  const sendDays = async (n: number, days: number, newField = ''): Promise<number> => {
    const events = Array.from({ length: days * 10 }, (_, i) => ({
      id: id++,
      _time: new Date(Date.now() - (i % days) * day).toISOString(),
      text: randomBytes(2000).toString('base64'),
      ...(newField !== '' && { [newField]: i }),
    }));
    const answer = await send(node(n), 'logs', JSON.stringify(events));
    if (answer.status === 200) acknowledged.push(...events.map((event) => event.id));
    else
      expect(answer, recentOutput(n)).toMatchObject({
        status: 503,
        body: { code: 503, message: expect.stringMatching(/disk.*full/) },
      });
    if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('1');
    return answer.status;
  };
  /** Every acknowledged event is stored once on each node, and no other event. */
  const compare = async (): Promise<void> => {
    const apl = JSON.stringify({ apl: 'logs | summarize count(), sum(id)' });
    for (const [n, each] of places.nodes.entries()) {
      const { status, body } = await request(each, '/v1/datasets/_apl?format=tabular', { body: apl });
      expect(status, recentOutput(n)).toBe(200);
      const { columns } = (body as Tabular).tables[0]!;
      expect(columns.flat()).toEqual([acknowledged.length, acknowledged.reduce((sum, one) => sum + one, 0)]);
    }
  };
  const reasons = async (n: number): Promise<string> => JSON.stringify(await request(node(n), '/healthz'));

  beforeAll(async () => {
    [front, postgres] = await Promise.all([
      openHttpFront({ within: disk.path, grants: documentedGrants }),
      openPostgresServer(),
    ]);
    const database = await postgres.place();
    places = await startNodes(2, () => ({
      MILLRACE_CLICKHOUSE_URL: front.url,
      MILLRACE_CLICKHOUSE_USER: clickHouseLogin.user,
      MILLRACE_CLICKHOUSE_PASSWORD: clickHouseLogin.password,
      MILLRACE_DATABASE_URL: database,
      MILLRACE_ACCEPT_TIMEOUT: '60s',
    }));
    node = (n) => places.nodes[n]!;
    for (const name of ['logs', 'old', 'new']) await createDataset(node(0), name);
  });
  afterAll(async () => {
    await places?.end();
    await Promise.all([front?.end(), postgres?.end()]);
    disk.end();
    removeDirectory(directory);
  });

  it('events are refused, whole, and queries go on', async () => {
    for (let n = 0; n < 10; n++) expect(await sendDays(n % 2, 1 + (n % 4))).toBe(200);
    expect((await send(node(0), 'old', JSON.stringify([{ id: 1 }, { id: 2 }]))).status).toBe(200);
    await compare();
    disk.fill();
    for (let n = 0; n < 10; n++) expect(await sendDays(n % 2, 1 + (n % 4), n % 3 === 0 ? `new ${n}` : '')).toBe(503);
    await compare();
    expect(await reasons(0)).toContain('the disk of ClickHouse is full');
  });

  it('a dataset can be removed, and old events when there is a little room', async () => {
    const trim = () => request(node(1), '/v2/datasets/logs/trim', { body: JSON.stringify({ maxDuration: '2d' }) });
    // Incomplete tables are removed by writing something first.
    expect((await trim()).status).toBe(503);
    await compare();
    expect((await createDataset(node(1), 'other')).status).toBe(503);
    expect((await request(node(0), '/v2/datasets/old', { method: 'DELETE' })).status).toBe(204);
    disk.makeRoom();
    disk.fillUpTo(24 * 1024 * 1024);
    expect((await trim()).status).toBe(204);
    expect(Number(await cell(node(0), 'logs | count'))).toBeLessThan(acknowledged.length);
  });

  it('all goes on when there is room', async () => {
    disk.makeRoom();
    await expect.poll(() => sendDays(0, 3, 'new 0')).toBe(200);
    await expect.poll(() => sendDays(1, 3, 'new 1')).toBe(200);
    expect(await reasons(0)).not.toContain('full');
  });
});
