import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePage, complaintsOf, openPage } from '../testing/console-server.js';
import { openPathProxy, type PathProxy } from '../testing/path-proxy.js';
import { freePort } from '../../../../tests/support/free-port.js';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../tests/support/server-process.js';

/** A console below a path of a proxy, and the links in the messages of its monitors. */

const directory = temporaryDirectory();
interface Message {
  readonly event: { readonly monitorURL: string; readonly respondURL?: string };
}
const messages: Message[] = [];
const receiver = createServer((incoming, outgoing) => {
  let text = '';
  incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
  incoming.on('end', () => {
    messages.push(JSON.parse(text) as Message);
    outgoing.end();
  });
});
let proxy: PathProxy;
let server: ServerProcess;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const port = await freePort();
  proxy = await openPathProxy('/tools/logs', port);
  server = await startServer(directory, {
    MILLRACE_PORT: String(port),
    MILLRACE_CONSOLE_URL: proxy.url,
    MILLRACE_NOTIFY_PRIVATE_ADDRESSES: 'true',
  });
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  removeDirectory(directory);
});

test('links in a message open the incident and the page to acknowledge it', async () => {
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await request(server, path, { body: JSON.stringify(body) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return (answer.body as { readonly id: string }).id;
  };
  await create('/v2/datasets', { name: 'orders' });
  await request(server, '/v1/datasets/orders/ingest', { body: JSON.stringify([{ failed: 7 }]) });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const notifier = await create('/v2/notifiers', { name: 'hook', properties: { webhook: { url } } });
  await create('/v2/monitors', {
    name: 'Failed orders',
    type: 'Threshold',
    aplQuery: "['orders'] | summarize max(failed)",
    operator: 'Above',
    threshold: 5,
    intervalMinutes: 1,
    rangeMinutes: 5,
    notifierIds: [notifier],
  });
  await expect.poll(() => messages.length).toBe(1);
  const { monitorURL, respondURL = '' } = messages[0]!.event;

  // The page of the console signs in, and its cookie is one of its path.
  const page = await openPage('tail?q=orders', { server: { url: proxy.url, token: server.token } });
  await page.getByRole('heading', { name: 'Live' }).waitFor();
  const [cookie] = await page.context().cookies(`${proxy.url}/console/api/`);
  expect(cookie?.path).toBe('/tools/logs/console/api');
  // A worker follows the events.
  await request(server, '/v1/datasets/orders/ingest', { body: JSON.stringify([{ message: 'through the proxy' }]) });
  await page.getByText('through the proxy').first().waitFor();

  await page.goto(monitorURL);
  await page.getByRole('heading', { level: 1, name: 'Failed orders' }).waitFor();
  await page.getByText('Current value of 7 is above the threshold value of 5').first().waitFor();
  await page.getByRole('link', { name: 'Query' }).first().click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/tools/logs/console/query');

  await page.goto(respondURL);
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('Acknowledged. It is not sent again').waitFor();
  await page.getByRole('link', { name: 'Open the incident in the console' }).click();
  await page.getByRole('heading', { level: 1, name: 'Failed orders' }).waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  // The server has checked the address at its start.
  expect(server.output()).not.toContain('links in messages may not open');
  await closePage(page);
});
