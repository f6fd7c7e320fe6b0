import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../../tests/support/server-process.js';
import { closePage, openPage } from '../../testing/console-server.js';

/** A server that is killed and restarted: typed and displayed content stays, and a tail resumes. */

const directory = temporaryDirectory();
let server: ServerProcess;
const start = async (port = '0'): Promise<void> => {
  server = await startServer(directory, { MILLRACE_LOG_LEVEL: 'warn', MILLRACE_PORT: port });
};
const send = async (...events: readonly object[]): Promise<void> => {
  const { status } = await request(server, '/v1/datasets/logs/ingest', { body: JSON.stringify(events) });
  expect(status).toBe(200);
};

beforeAll(async () => {
  await start();
  await request(server, '/v2/datasets', { body: '{"name":"logs"}' });
});
afterAll(async () => {
  await server.stop();
  removeDirectory(directory);
});

it('the tail resumes after the last event, and the failed query runs again on demand', async () => {
  const tail = await openPage('tail?q=logs', { server });
  await tail.getByText(/Complete up to/).waitFor();
  await send({ msg: 'before' });
  await tail.getByText('before', { exact: true }).waitFor();
  const query = await openPage('query?q=logs', { server });
  await query.getByText('before', { exact: true }).waitFor();

  await server.kill();
  await tail.getByText(/^reconnecting, will resume at/).waitFor();
  await query.locator('.cm-content').press('Control+End');
  await query.keyboard.type(" | where msg != 'x'");
  await query.keyboard.press('Control+Enter');
  const failure = query.getByRole('alert').filter({ hasText: 'unreachable' });
  await failure.waitFor();
  expect(await query.locator('.cm-content').innerText()).toBe("logs | where msg != 'x'");
  expect(await query.getByText('before', { exact: true }).count()).toBe(1);

  await start(new URL(server.url).port);
  await send({ msg: 'after' });
  await tail.getByText('after', { exact: true }).waitFor();
  await tail.getByText(/0 missed since/).waitFor();
  expect(await tail.getByText('before', { exact: true }).count()).toBe(1);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await query.getByText('2 rows, complete').waitFor();
  await closePage(query);
  await closePage(tail);
  // The server starts twice.
}, 90_000);
