import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  queryPostgres,
  openPostgresServer,
  type PostgresServer,
  whyNoPostgres,
} from '@millrace/metadata/testing/postgres';
import { apl, createDataset, send } from './support/apl.ts';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from './support/server-process.ts';

/** A server whose metadata is in PostgreSQL, which is killed while it runs. */
describe.skipIf(whyNoPostgres() !== undefined)('a server whose metadata are in PostgreSQL', () => {
  const directory = temporaryDirectory();
  let postgres: PostgresServer;
  let server: ServerProcess;
  let url: string;
  beforeAll(async () => {
    postgres = await openPostgresServer();
    url = await postgres.place();
    server = await startServer(directory, { MILLRACE_LOG_LEVEL: 'warn' });
    await createDataset(server, 'd');
    await send(server, 'd', '{"id":1}');
    await server.stop();
    // Its file moves.
    server = await startServer(directory, { MILLRACE_LOG_LEVEL: 'warn', MILLRACE_DATABASE_URL: url });
  });
  afterAll(async () => {
    const exitCode = await server.stop();
    await postgres.end();
    removeDirectory(directory);
    expect(exitCode).toBe(0);
  });

  const ids = async (): Promise<readonly unknown[]> =>
    (await apl(server, 'd | project id | sort by id asc')).tables[0]!.columns[0]!;

  it('has what was there before, says while it is gone that it is, and loses nothing', async () => {
    expect((await send(server, 'd', '{"id":2}')).status).toBe(200);
    expect(await ids()).toEqual([1, 2]);
    await postgres.kill();
    const refused = await send(server, 'd', '{"id":3}');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.stringify(refused.body)).toContain('metadata database unavailable');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(503);
    await postgres.start();
    expect((await send(server, 'd', '{"id":4}')).status).toBe(200);
    await createDataset(server, 'later');
    expect(await ids()).toEqual([1, 2, 4]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it('ends a tail whose token is removed from the database', async () => {
    const body = JSON.stringify({ name: 't', datasetCapabilities: { d: { query: ['read'] } } });
    const made = (await request(server, '/v2/tokens', { body })).body as {
      readonly id: string;
      readonly token: string;
    };
    const response = await fetch(`${server.url}/v1/tail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' },
      body: '{"apl":"d"}',
    });
    expect(response.status).toBe(200);
    await queryPostgres(url, `DELETE FROM tokens WHERE id = '${made.id}'`);
    expect((await response.text()).trim().split('\n').at(-1)).toContain('"error"');
  });

  it('refuses a start without the address, which would be one without tokens and datasets', async () => {
    await server.stop();
    await expect(startServer(directory)).rejects.toThrow('are in a PostgreSQL database; give its address');
    server = await startServer(directory, { MILLRACE_DATABASE_URL: url });
    expect(await ids()).toEqual([1, 2, 4]);
  });
});
