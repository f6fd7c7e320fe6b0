import { beforeAll, expect, it } from 'vitest';
import { tabTo } from '../../testing/press-keys.js';
import { closePage, complaintsOf, openConsoleServer, openPage } from '../../testing/console-server.js';
import { looksGood } from '../../testing/screenshots.js';

beforeAll(openConsoleServer);

looksGood([{ name: 'welcome', path: 'welcome', ready: (page) => page.getByText(/ingest/) }]);

it('by keyboard alone: copies the command, which sends an event that arrives with its receipt', async () => {
  const page = await openPage('welcome');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tabTo(page, page.getByRole('button', { name: /^Create logs and a token/ }));
  await page.keyboard.press('Enter');
  await page.getByText(/Bearer xaat-\w/).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Copy curl' }));
  await page.keyboard.press('Enter');
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const [, token = ''] = /Bearer (xaat-[\w-]+)/.exec(command) ?? [];
  const { server } = await openConsoleServer();
  const refusedAt = async (secret: string): Promise<number> =>
    (
      await fetch(`${server.url}/v1/datasets/logs/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: '[{}]',
      })
    ).status;
  // Common mistakes are reported in view.
  expect(await refusedAt('xaat-00000000-0000-4000-8000-00000000dead')).toBe(403);
  await page
    .getByRole('list', { name: 'Recently rejected' })
    .getByText(/ingest: .*unknown token/)
    .waitFor();
  const broken = await fetch(`${server.url}/v1/datasets/logs/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '{"a":1}\n{"a":',
  });
  expect(broken.status).toBe(200);
  await page.getByText(/1 of 2 events could not be stored/).waitFor();
  // Sends what curl would.
  const [, url = '', body = ''] = /^curl (\S+) .* -d '(.+)'$/s.exec(command)!;
  const sent = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body });
  expect(sent.status).toBe(200);
  await page.getByText('stored', { exact: true }).waitFor();
  await page
    .getByText(/: (integer|string)$/)
    .first()
    .waitFor();
  // The token may only ingest there.
  const refused = await fetch(`${server.url}/v2/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"x"}',
  });
  expect(refused.status).toBe(403);
  await page.getByText(/^\{"level": "info", "msg": "hello", "status": 200\}$/).waitFor();
  // Sample data for users without events.
  await page.getByRole('button', { name: 'Load 5,000 sample events' }).press('Enter');
  await page.getByText('service: string').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await tabTo(page, page.getByRole('button', { name: 'Open in Query' }));
  await page.keyboard.press('Enter');
  await page.getByRole('grid').getByRole('row').first().waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
