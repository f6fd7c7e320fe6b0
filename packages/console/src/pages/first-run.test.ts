import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  removeDirectory,
  request,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../tests/support/server-process.js';
import { sharedBrowser } from '../testing/chromium.js';
import { writeQuery } from '../testing/write-query.js';

/**
 * A new user with a new server and the link it prints: first event, query, chart, saved query,
 * shared link, dashboard and monitor. One test, because each step starts where the previous one
 * ends.
 */

const directory = temporaryDirectory();
let server: ServerProcess;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  server = await startServer(directory, { MILLRACE_LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  for (const context of contexts) await context.close();
  await server.stop();
  removeDirectory(directory);
});

/** A fresh browser at the link that a start or `millrace console` prints. */
async function stranger(): Promise<Page> {
  const { body } = await request(server, '/v2/sign-in-codes', { body: '{}' });
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1440, height: 900 } });
  contexts.push(context);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(server.url + (body as { readonly path: string }).path);
  return page;
}

const copiedText = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Runs a curl command like a shell. */
async function runs(command: string): Promise<void> {
  const [, url = '', header = '', body = ''] = /^curl (\S+) .*-H '([^']+)' .*-d '(.+)'$/s.exec(command) ?? [];
  const [, authorization = ''] = /^Authorization: (.+)$/.exec(header) ?? [];
  expect((await fetch(url, { method: 'POST', headers: { authorization }, body })).status).toBe(200);
}

it('from the printed link to the first event, a query, a chart, a saved query, a pinned link, a dashboard and a monitor', async () => {
  const page = await stranger();
  await page.getByRole('button', { name: /^Create logs and a token/ }).click();
  await page.getByText(/Bearer xaat-\w/).waitFor();
  await page.getByRole('button', { name: 'Copy curl' }).click();
  const command = await copiedText(page);
  for (let sent = 0; sent < 3; sent++) await runs(command);
  await page.getByText('stored', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Open in Query' }).click();
  await page.getByText('3 rows, complete').waitFor();

  // A query, and the same over time.
  await writeQuery(page, 'logs | summarize count() by level');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('gridcell', { name: 'info' }).waitFor();
  await writeQuery(page, 'logs | summarize count() by bin_auto(_time), level');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('figure', { name: /The result as a chart/ }).waitFor();

  await page.keyboard.press('Control+s');
  await page.keyboard.type('Events by level');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved “Events by level”').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // For another user, who sees three events even after a fourth has arrived.
  await writeQuery(page, 'logs');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('3 rows, complete').waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: /^Pinned/ }).click();
  await page.getByText('Pinned link copied').waitFor();
  const link = await copiedText(page);
  await runs(command);
  const colleague = await stranger();
  await colleague.getByRole('heading', { level: 1, name: 'Query' }).waitFor();
  await colleague.goto(link);
  await colleague.getByText('3 rows, complete').waitFor();
  await colleague.getByRole('button', { name: 'Dataset: logs' }).waitFor();

  // The saved query is available to a dashboard and a monitor.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Saved queries' }).click();
  await page.getByRole('button', { name: /^Events by level/ }).click();
  await page.getByRole('figure', { name: /The result as a chart/ }).waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Add to a dashboard…' }).click();
  await page.getByLabel('Or create a new dashboard').fill('My board');
  await page.getByRole('button', { name: 'Create and add' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.getByRole('figure', { name: /Time series/ }).waitFor();

  await page.goBack();
  await page.goto(`${server.url}/console/query?q=logs+|+summarize+count()+by+bin(_time,+1m)`);
  await page.getByRole('figure', { name: /The result as a chart/ }).waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Create a monitor…' }).click();
  await page.getByText(/^Would (have|not have) fired/).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Too many events');
  await page.getByRole('textbox', { name: 'Threshold' }).fill('100');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 1, name: 'Too many events' }).waitFor();
  const { body } = await request(server, '/v2/monitors');
  expect((body as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual(['Too many events']);
  // The steps of a first day.
}, 180_000);
