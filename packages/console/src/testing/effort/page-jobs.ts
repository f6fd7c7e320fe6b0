import { expect } from 'vitest';
import { button, clipboard, type Job, menuItem } from './job.js';

/** Jobs of the other pages. */
export const pageJobs: readonly Job[] = [
  {
    title: 'follow the dataset live',
    path: 'query?q=shop',
    atMost: 1,
    run: async ({ page, click }) => {
      await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Live' }));
      await page.getByText(/Complete up to/).waitFor();
    },
  },
  {
    title: 'go to a dataset by its name',
    path: 'settings',
    atMost: 3,
    run: async ({ page, press, type }) => {
      await press('Control+k');
      await page.getByRole('combobox').waitFor();
      await type('shop');
      await page.getByRole('option', { name: /shop/, selected: true }).waitFor();
      await press('Enter');
      await page.waitForURL(/shop/);
    },
  },
  {
    title: 'pause the tail',
    path: 'tail?q=shop',
    atMost: 1,
    run: async ({ page, click }) => {
      await page.getByText(/Complete up to/).waitFor();
      await click(button(page, 'Pause'));
      await button(page, 'Resume').waitFor();
    },
  },
  {
    title: 'see the slow operations of a service',
    path: 'services',
    atMost: 2,
    run: async ({ page, click }) => {
      await click(page.getByRole('grid', { name: 'Services' }).getByRole('row', { name: /checkout/ }));
      const operations = page.getByRole('grid', { name: 'Operations of checkout' });
      await click(operations.getByRole('columnheader', { name: 'p95' }));
      await operations.getByRole('columnheader', { name: 'p95' }).and(page.locator('[aria-sort=descending]')).waitFor();
    },
  },
  {
    title: 'send the first event from Welcome',
    path: 'welcome',
    atMost: 3,
    run: async ({ page, click, act }) => {
      await click(button(page, /^Create .* (and a|a) token|^Create a token/));
      await page.getByText(/Bearer xaat-\w/).waitFor();
      await click(button(page, 'Copy curl'));
      const command = await clipboard(page);
      await act(() => curl(command));
      await page.getByText('stored', { exact: true }).waitFor();
    },
  },
  {
    title: 'create a webhook notifier',
    path: 'notifiers',
    atMost: 7,
    run: async ({ page, click, type }) => {
      await click(button(page, 'New notifier'));
      await page.getByRole('dialog', { name: 'New notifier' }).waitFor();
      await type('on call');
      await click(button(page, /^Slack/));
      await click(page.getByRole('option', { name: 'Custom webhook' }));
      await click(page.getByLabel('Address'));
      await type('http://127.0.0.1:9/webhook');
      await click(page.getByRole('button', { name: 'Create notifier' }));
      await page.getByRole('dialog', { name: 'on call' }).waitFor();
    },
  },
  {
    title: 'create a monitor of a query that notifies',
    path: `query?q=${encodeURIComponent('shop | summarize count() by bin(_time, 1m)')}`,
    atMost: 6,
    run: async ({ page, click, press, type }) => {
      await page.getByRole('figure', { name: /The result as a chart/ }).waitFor();
      await click(button(page, 'Share'));
      await click(menuItem(page, 'Create a monitor…'));
      await click(page.getByRole('textbox', { name: 'Name' }));
      await type('Many requests');
      await click(page.getByText('on call'));
      await press('Control+s');
      await page.getByRole('heading', { level: 1, name: 'Many requests' }).waitFor();
    },
  },
  {
    title: 'add an element to a dashboard',
    path: 'dashboards/effort?edit=on',
    atMost: 5,
    run: async ({ page, click, press }) => {
      await click(button(page, 'Add'));
      const drawer = page.getByRole('dialog');
      await click(drawer.getByRole('button', { name: /^Top list/ }));
      await click(drawer.getByRole('button', { name: 'Done' }));
      await press('Control+s');
      await drawer.getByText('Top list added').waitFor();
      await press('Enter');
      await button(page, 'Edit').waitFor();
    },
  },
  {
    title: 'show a dashboard on a TV',
    path: 'dashboards/effort',
    atMost: 3,
    run: async ({ page, click }) => {
      await click(button(page, 'More'));
      await click(menuItem(page, 'TV link…'));
      await click(page.getByRole('dialog', { name: 'TV link' }).getByRole('button', { name: 'Open' }));
      await button(page, 'Leave TV view').waitFor();
    },
  },
  {
    title: 'create a token that may only send events',
    path: 'access/tokens',
    atMost: 3,
    run: async ({ page, click, press, type }) => {
      await click(button(page, 'New token'));
      await page.getByRole('dialog').waitFor();
      await type('shipper');
      await press('Enter');
      await page.getByRole('dialog', { name: 'Secret of shipper' }).waitFor();
    },
  },
];

/** Runs a curl command like a shell. */
async function curl(command: string): Promise<void> {
  const [, url = '', header = '', body = ''] = /^curl (\S+) .*-H '([^']+)' .*-d '(.+)'$/s.exec(command) ?? [];
  const [, authorization = ''] = /^Authorization: (.+)$/.exec(header) ?? [];
  expect((await fetch(url, { method: 'POST', headers: { authorization }, body })).status).toBe(200);
}
