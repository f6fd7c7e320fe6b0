import { beforeAll, expect, it } from 'vitest';
import {
  closePage,
  complaintsOf,
  openConsoleServer,
  fill,
  openPage,
  reusePage,
} from '../../../testing/console-server.js';
import { looksGood, press } from '../../../testing/screenshots.js';

/** Silences, from a firing group to the end, and how the page looks with many. */

const ids: Record<string, string> = {};

beforeAll(async () => {
  const { request } = await openConsoleServer();
  const make = async (path: string, body: Readonly<Record<string, unknown>>): Promise<string> => {
    const { status, body: answer } = await request(path, { body: JSON.stringify(body) });
    if (status !== 200) throw new Error(JSON.stringify(answer));
    return (answer as { id: string }).id;
  };
  await fill(request, 'hosts', [
    { host: 'db-1', load: 9 },
    { host: 'db-2', load: 8 },
  ]);
  const base = { type: 'Threshold', operator: 'Above', threshold: 5, intervalMinutes: 1, rangeMinutes: 60 };
  ids['load'] = await make('/v2/monitors', {
    ...base,
    name: 'Load of hosts',
    aplQuery: 'hosts | summarize max(load) by host',
    notifyByGroup: true,
    labels: { team: 'databases' },
  });
  await make('/v2/monitors', { ...base, name: 'Hosts', aplQuery: 'hosts | count', labels: { team: 'search' } });
});

it('silences a firing group from its monitor, and ends the silence', async () => {
  const page = await reusePage(`monitors/${ids['load']}`);
  await page.getByRole('button', { name: 'Silence host: db-1' }).click({ timeout: 30_000 });
  const form = page.getByRole('dialog', { name: 'New silence' });
  await form.getByText('Silences groups with host=db-1 of 1 monitor: Load of hosts').waitFor();
  await form.getByRole('button', { name: 'Create silence' }).click();
  await form.getByText('Enter a reason').waitFor();
  await form.getByLabel('Reason').fill('db-1 is being replaced');
  await form.getByRole('button', { name: '8 hours' }).click();
  await form.getByRole('button', { name: 'Create silence' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Monitors' }).first().click();
  await page.getByRole('link', { name: 'Silences 1' }).click();
  const row = page.getByRole('row', { name: /db-1 is being replaced/ });
  await row.getByText('groups host=db-1 of Load of hosts').waitFor();
  await row.getByText('Active').waitFor();
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'End now' }).click();
  await row.getByText('Ended').waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('makes a weekly window by label, edits it, and shows it at the monitor', async () => {
  const page = await reusePage('monitors/silences');
  await page.getByRole('button', { name: 'New silence' }).click();
  const form = page.getByRole('dialog', { name: 'New silence' });
  await form.getByLabel('Reason').fill('Backups');
  await form.getByRole('button', { name: 'team=databases' }).click();
  await form.getByRole('radio', { name: 'Weekly' }).click();
  await form.getByText('Sun', { exact: true }).click();
  await form.getByLabel('Start time').fill('25:00');
  await form.getByRole('button', { name: 'Create silence' }).click();
  await form.getByText('Use the format 22:00').waitFor();
  await form.getByLabel('Start time').fill('03:00');
  await form.getByLabel('Time zone').fill('Europe/Berlin');
  await form.getByRole('button', { name: 'Create silence' }).click();
  const row = page.getByRole('row', { name: /Backups/ });
  await row.getByText('Sat, Sun at 03:00 Europe/Berlin for 2 h').waitFor();
  await row.getByText('Backups').click();
  const edit = page.getByRole('dialog', { name: 'Edit silence' });
  await edit.getByRole('radio', { name: 'Cron' }).click();
  // The server explains what it rejects.
  await edit.getByLabel('Cron expression').fill('0 99 * * *');
  await edit.getByRole('button', { name: 'Save' }).click();
  await edit.getByText("'99' cannot be the hour").waitFor();
  await edit.getByLabel('Cron expression').fill('* * * * *');
  await edit.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Active').waitFor();
  await page.getByRole('link', { name: 'Monitors', exact: true }).last().click();
  await page
    .getByRole('row', { name: /Load of hosts/ })
    .getByText(/^Silenced/)
    .waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('is readable without the right to update monitors', async () => {
  const { request } = await openConsoleServer();
  const { body } = await request('/v2/tokens', {
    body: JSON.stringify({ name: 'reader', orgCapabilities: { monitors: ['read'] } }),
  });
  const page = await openPage('monitors/silences', { token: (body as { token: string }).token });
  await page.getByRole('row', { name: /Backups/ }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'New silence' }).getAttribute('aria-disabled')).toBe('true');
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('shows that silences cannot be loaded, and loads them again', async () => {
  const page = await reusePage('datasets');
  await page.route('**/v2/silences', (route) => route.fulfill({ status: 500, body: '{"message":"broken"}' }));
  await page.goto(page.url().replace('datasets', 'monitors/silences'));
  await page.getByText('Could not load silences').waitFor({ timeout: 30_000 });
  await page.unroute('**/v2/silences');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: /Backups/ }).waitFor();
  expect(await page.getByText('Could not load silences').count()).toBe(0);
  await closePage(page);
});

const many = async (): Promise<void> => {
  const { request } = await openConsoleServer();
  const hour = 3_600_000;
  for (let index = 0; index < 24; index++)
    await request('/v2/silences', {
      body: JSON.stringify({
        reason: index === 3 ? 'A reason that is much longer than others. '.repeat(6) : `Upgrade of shard ${index}`,
        ...(index % 3 === 0 ? { groups: { host: `shard-${index}` } } : { labels: { team: 'databases' } }),
        startTime: new Date(Date.now() + (index - 8) * hour).toISOString(),
        endTime: new Date(Date.now() + (index - 6) * hour).toISOString(),
      }),
    });
};

looksGood([
  {
    name: 'silences-none',
    path: 'monitors/silences?q=nothing-is-called-this',
    ready: (page) => page.getByText('No silences match'),
  },
  {
    name: 'silences',
    path: 'monitors/silences',
    ready: async (page) => {
      if ((await page.getByText('Upgrade of shard 23').count()) === 0) {
        await many();
        await page.reload();
      }
      await page.getByText('Upgrade of shard 23').waitFor();
    },
    opens: {
      'monitors/silences/silence-drawer': press('New silence'),
      'monitors/silences/silence-actions': press(/^Actions/),
    },
  },
  {
    name: 'silence-edit',
    path: 'monitors/silences?id=new',
    ready: (page) => page.getByText('Takes effect with the next run'),
  },
]);
