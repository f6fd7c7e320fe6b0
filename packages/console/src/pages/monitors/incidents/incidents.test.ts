import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage } from '../../../testing/console-server.js';
import { looksGood, press } from '../../../testing/screenshots.js';

/** An incident the next morning: why it opened, the events, and who was notified. */

let rejects = 1;
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    response.statusCode = rejects-- > 0 ? 503 : 200;
    response.end(response.statusCode === 503 ? 'busy' : 'thanks');
  });
});
const ids: Record<string, string> = {};
let incident = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { request } = await openConsoleServer();
  const make = async (path: string, body: Readonly<Record<string, unknown>>): Promise<string> => {
    const { status, body: answer } = await request(path, { body: JSON.stringify(body) });
    if (status !== 200) throw new Error(JSON.stringify(answer));
    return (answer as { id: string }).id;
  };
  await fill(
    request,
    'nodes',
    ['n-1', 'n-2', 'n-3'].map((node, index) => ({ node, load: 9 - index, message: `load of ${node}` })),
  );
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const notifier = await make('/v2/notifiers', { name: 'Night shift', properties: { webhook: { url } } });
  ids['load'] = await make('/v2/monitors', {
    name: 'Load of nodes',
    type: 'Threshold',
    operator: 'Above',
    threshold: 7.5,
    intervalMinutes: 1,
    rangeMinutes: 60,
    aplQuery: 'nodes | where load > 1 | summarize max(load) by node',
    notifyByGroup: true,
    notifierIds: [notifier],
  });
  const openedIncidents = async (): Promise<readonly { readonly id: string; readonly name: string }[]> =>
    (await request(`/v2/monitors/_incidents?monitorId=${ids['load']}&startTime=2000-01-01T00:00:00Z`)).body as [];
  const both = await vi.waitUntil(
    async () => ((await openedIncidents()).length === 2 ? openedIncidents() : undefined),
    30_000,
  );
  incident = both.find(({ name }) => name.includes('n-1'))!.id;
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

it('leads from the monitor to the incident, its attempts and the events of that run', async () => {
  const page = await reusePage(`monitors/${ids['load']}`);
  await page.getByRole('link', { name: 'node: n-1' }).click();
  await page.getByRole('heading', { level: 1, name: 'Load of nodes (n-1)' }).waitFor();
  await page.getByText('Current value of 9 is above the threshold value of 7.5').first().waitFor();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByText('Night shift did not take the alert; it is retried').waitFor();
  await timeline.getByText('503: busy').waitFor();
  await timeline.getByText('Night shift received the alert').waitFor({ timeout: 40_000 });
  await timeline.getByText('200 thanks').waitFor();
  await timeline.getByText('Also opened').waitFor();
  // What arrives later is not among the events of the run.
  const { request } = await openConsoleServer();
  await request('/v1/datasets/nodes/ingest', {
    body: JSON.stringify([{ node: 'n-1', load: 99, message: 'too late' }]),
  });
  await page.getByRole('button', { name: 'Show the events' }).click();
  await page.getByText('load of n-1').first().waitFor();
  expect(await page.getByText('too late').count()).toBe(0);
  expect(await page.getByText('load of n-2').count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('asof')).toMatch(/^\d+$/);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('says that an incident does not exist, and leads to the monitor', async () => {
  const page = await reusePage(`monitors/${ids['load']}/incidents/1`);
  await page.getByText("incident '1' not found").waitFor();
  await page.getByRole('link', { name: 'Go to Load of nodes' }).click();
  await page.getByRole('tab', { name: 'Incidents' }).click();
  await page.getByRole('row', { name: /Load of nodes \(n-2\)/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Load of nodes (n-2)' }).waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

looksGood([
  {
    name: 'incident',
    path: () => `monitors/${ids['load']}/incidents/${incident}`,
    ready: (page) => page.getByText('Night shift received the alert'),
    opens: { 'monitors/incidents/incident-page': press('Silence this…') },
  },
  {
    name: 'incidents',
    path: 'monitors/incidents',
    ready: (page) => page.getByRole('row', { name: /Load of nodes/ }),
  },
  {
    name: 'incidents-list',
    path: 'monitors/incidents?view=list',
    ready: (page) => page.getByRole('row', { name: /Load of nodes \(n-1\)/ }),
  },
  {
    name: 'incidents-none',
    path: 'monitors/incidents?q=nothing-is-called-this',
    ready: (page) => page.getByText('No incidents match'),
  },
  {
    name: 'incident-missing',
    path: () => `monitors/${ids['load']}/incidents/1`,
    ready: (page) => page.getByText('Could not load the incident'),
  },
]);
