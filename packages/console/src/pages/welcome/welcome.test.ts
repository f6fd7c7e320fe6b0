import { beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, consoleWorld, openPage } from '../../testing/console-world.js';
import { looksGood } from '../../testing/pictures.js';

beforeAll(consoleWorld);

looksGood([{ name: 'welcome', path: 'welcome', ready: (page) => page.getByText(/ingest/) }]);

it('the command that it shows sends an event, which arrives with its receipt', async () => {
  const page = await openPage('welcome');
  await page.getByRole('button', { name: /^Create logs and a token/ }).click();
  const shown = page.getByText(/Bearer xaat-\w/);
  await shown.waitFor();
  const [, token = ''] = /Bearer (xaat-[\w-]+)/.exec((await shown.textContent()) ?? '') ?? [];
  const { server } = await consoleWorld();
  const refusedAt = async (secret: string): Promise<number> =>
    (
      await fetch(`${server.url}/v1/datasets/logs/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: '[{}]',
      })
    ).status;
  // What people get wrong is said where they look.
  expect(await refusedAt('xaat-00000000-0000-4000-8000-00000000dead')).toBe(403);
  await page
    .getByRole('list', { name: 'Refused in the last minutes' })
    .getByText(/ingest: .*token is unknown/)
    .waitFor();
  const sent = await fetch(`${server.url}/v1/datasets/logs/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '[{"level":"info","msg":"hello","status":200}]',
  });
  expect(sent.status).toBe(200);
  await page.getByText('stored', { exact: true }).waitFor();
  await page.getByText('status: integer').waitFor();
  // The token may send there, and nothing else.
  const refused = await fetch(`${server.url}/v2/datasets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"x"}',
  });
  expect(refused.status).toBe(403);
  await page.getByRole('button', { name: 'Open in Query' }).click();
  await page.getByRole('row', { name: /hello/ }).waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
