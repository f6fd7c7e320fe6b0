import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, openPage } from '../../testing/console-server.js';

/** Tabs with the same query share one connection and its events. */

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'shared', []);
});

const pages: Page[] = [];
const open = async (path: string): Promise<Page> => {
  const page = await openPage(path);
  pages.push(page);
  return page;
};
afterEach(async () => {
  for (const page of pages.splice(0)) {
    if (page.isClosed()) continue;
    expect(complaintsOf.get(page) ?? []).toEqual([]);
    await closePage(page);
  }
});

const send = async (...messages: readonly string[]): Promise<void> => {
  const { request } = await openConsoleServer();
  const body = JSON.stringify(messages.map((msg) => ({ msg })));
  expect((await request('/v1/datasets/shared/ingest', { body })).status).toBe(200);
};

/** Number of this test's tails on the server. */
const tails = async (): Promise<number> => {
  const { request } = await openConsoleServer();
  const { body } = await request('/v1/queries');
  return JSON.stringify(body).split('"kind":"tail"').length - 1;
};

it('two tabs share one tail; the later one sees earlier events, and it ends with the last of them', async () => {
  await expect.poll(tails).toBe(0);
  const first = await open('tail?q=shared');
  await first.getByText(/Complete up to/).waitFor();
  await send('before the second tab');
  await first.getByText('before the second tab').waitFor();
  const second = await open('tail?q=shared');
  await second.getByText('before the second tab').waitFor();
  await send('for both');
  await first.getByText('for both').waitFor();
  await second.getByText('for both').waitFor();
  expect(await tails()).toBe(1);
  // Without a message, like a crashed tab.
  await first.close();
  await send('for the one that is left');
  await second.getByText('for the one that is left').waitFor();
  expect(await tails()).toBe(1);
  await closePage(second);
  await expect.poll(tails).toBe(0);
});

it('a later tab can scroll through the events of an earlier one, with as many nodes', async () => {
  const first = await open('tail?q=shared+|+where+msg+startswith+"line"');
  await first.getByText(/Complete up to/).waitFor();
  await send(...Array.from({ length: 3000 }, (_, n) => `line ${n}`));
  await first.getByText('line 2999').waitFor();
  const second = await open('tail?q=shared+|+where+msg+startswith+"line"');
  await second.getByText('3,000 new events', { exact: true }).waitFor();
  await second.getByRole('grid').press('Home');
  await second.getByText('line 0', { exact: true }).waitFor();
  expect(await second.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1500);
  // Pauses this view only.
  await second.getByText(/^Paused at/).waitFor();
  expect(await first.getByText(/^Paused at/).count()).toBe(0);
});

it('without shared workers each tab has its own tail', async () => {
  const context = (await open('settings')).context();
  const alone = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
    pages.push(page);
    const { server } = await openConsoleServer();
    await page.goto(`${server.url}/console/tail?q=shared`);
    await page.getByText(/Complete up to/).waitFor();
    return page;
  };
  const [first, second] = [await alone(), await alone()];
  await expect.poll(tails).toBe(2);
  await send('for each');
  await first.getByText('for each').waitFor();
  await second.getByText('for each').waitFor();
});

it('keeps its rows when the session ends, and resumes after the next sign-in', async () => {
  const { request, server } = await openConsoleServer();
  const made = (await request('/v2/tokens', {
    body: JSON.stringify({ name: 'tail-of-an-hour', datasetCapabilities: { shared: { query: ['read'] } } }),
  })) as { readonly body: { readonly id: string; readonly token: string } };
  const page = await openPage('tail?q=shared', { token: made.body.token });
  pages.push(page);
  await page.getByText(/Complete up to/).waitFor();
  await send('while signed in');
  await page.getByText('while signed in').waitFor();
  await request(`/v2/tokens/${made.body.id}`, { method: 'DELETE' });
  const token = page.getByLabel('Token');
  await token.waitFor();
  await send('while nobody is');
  await token.fill(server.token);
  await page.keyboard.press('Enter');
  await page.getByText('while nobody is').waitFor();
  expect(await page.getByText('while signed in').count()).toBe(1);
});
