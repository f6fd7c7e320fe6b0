import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, consoleWorld, reusePage } from '../testing/console-server.js';

/**
 * Upper bounds for the actions that frequent jobs take: a click, a key, or a text typed at once.
 * Longer jobs are in the tests of their pages.
 */

/** A user whose actions are counted. */
interface User {
  readonly page: Page;
  readonly click: (what: Locator, modifiers?: 'Alt' | 'Control') => Promise<void>;
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
}

interface Job {
  readonly title: string;
  readonly path: string;
  readonly atMost: number;
  readonly run: (user: User) => Promise<unknown>;
}

const rows = (page: Page): Locator => page.getByRole('grid').getByRole('row');
const query = (page: Page): string => new URL(page.url()).searchParams.get('q') ?? '';
const param = (page: Page, name: string): string => new URL(page.url()).searchParams.get(name) ?? '';
const table = 'query?q=shop&v=table&c=_time,service,status';
const value = (page: Page): Locator => rows(page).nth(1).getByRole('gridcell').nth(1);

const jobs: readonly Job[] = [
  {
    title: 'find errors by words',
    path: 'query?q=shop',
    atMost: 3,
    run: async ({ page, press, type }) => {
      await press('/');
      await type('500 checkout');
      await page.getByText(/^shop \| search/).waitFor();
      await press('Enter');
      await expect.poll(() => query(page)).toBe("shop\n| search '500' and 'checkout'");
    },
  },
  {
    title: 'include a value',
    path: table,
    atMost: 2,
    run: async ({ page, click }) => {
      await click(value(page));
      await click(page.getByRole('menuitem', { name: 'Include' }));
      await expect.poll(() => query(page)).toContain('where service ==');
    },
  },
  {
    title: 'exclude a value',
    path: table,
    atMost: 1,
    run: async ({ page, click }) => {
      await click(value(page), 'Alt');
      await expect.poll(() => query(page)).toContain('where service !=');
    },
  },
  {
    title: 'chart a percentile by a group',
    path: 'query?q=shop',
    atMost: 3,
    run: async ({ page, click }) => {
      await click(page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: 'duration_ms' }));
      await click(page.getByRole('button', { name: 'p95 by…' }));
      await click(page.getByRole('menuitem', { name: 'route' }));
      await page.getByRole('figure', { name: /The result as a chart/ }).waitFor();
    },
  },
  {
    title: 'choose a range by typing',
    path: 'query?q=shop',
    atMost: 3,
    run: async ({ page, click, press, type }) => {
      await click(page.getByRole('button', { name: /Last hour/ }));
      await type('15m');
      await press('Enter');
      await expect.poll(() => param(page, 'from')).toBe('now-15m');
    },
  },
  {
    title: 'see what surrounds a row',
    path: 'query?q=shop+|+where+status+==+404',
    atMost: 2,
    run: async ({ page, press }) => {
      // Until then the rows of the previous query may be there.
      await page.getByText(', complete').waitFor();
      await press('j', 'c');
      await page.getByRole('list', { name: 'Surrounding events' }).waitFor();
    },
  },
  {
    title: 'open the trace of a row',
    path: 'query?q=shop',
    atMost: 2,
    run: async ({ page, press }) => {
      await press('j', 't');
      await page.waitForURL(/\/console\/trace/);
    },
  },
  {
    title: 'save a query',
    path: 'query?q=shop+|+take+3',
    atMost: 3,
    run: async ({ page, press, type }) => {
      await press('Control+s');
      await page.getByLabel('Name').waitFor();
      await type('saved with little effort');
      await press('Enter');
      await page.getByText('Saved “saved with little effort”').waitFor();
    },
  },
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
];

beforeAll(consoleWorld);

let page: Page | undefined;
afterAll(async () => {
  if (page !== undefined) await closePage(page);
});

it.each(jobs)('$title: actions are at most $atMost', async ({ path, atMost, run }) => {
  page = await reusePage(path);
  const open = page;
  if (path.startsWith('query')) await rows(open).first().waitFor();
  let actions = 0;
  await run({
    page: open,
    click: async (what, modifier) => {
      actions++;
      await what.first().click(modifier === undefined ? {} : { modifiers: [modifier] });
    },
    press: async (...keys) => {
      for (const key of keys) {
        actions++;
        await open.keyboard.press(key);
      }
    },
    type: async (text) => {
      actions++;
      await open.keyboard.type(text);
    },
  });
  expect(actions).toBeLessThanOrEqual(atMost);
  expect(complaintsOf.get(open)).toEqual([]);
});
