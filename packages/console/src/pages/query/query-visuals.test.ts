import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { openConsoleServer } from '../../testing/console-server.js';
import { looksGood, press } from '../../testing/screenshots.js';

beforeAll(openConsoleServer);

const pages: readonly {
  readonly name: string;
  readonly path: string;
  readonly ready: 'row' | 'figure' | 'button' | 'alert';
}[] = [
  { name: 'query-log', path: 'query?q=shop', ready: 'row' },
  { name: 'query-table', path: 'query?q=shop&v=table', ready: 'row' },
  { name: 'query-detail', path: 'query?q=shop%0A|+where+status+>=+500&row=0', ready: 'row' },
  { name: 'query-groups', path: 'query?q=shop+|+summarize+count(),+avg(duration_ms)+by+route', ready: 'row' },
  { name: 'query-chart', path: 'query?q=shop+|+summarize+count()+by+bin(_time,+1m),+service', ready: 'figure' },
  { name: 'query-spotlight', path: 'query?q=shop&v=spotlight&sel=status+>=+500', ready: 'figure' },
  { name: 'query-landing', path: 'query', ready: 'row' },
  { name: 'query-none', path: 'query?q=shop+|+where+status+==+7', ready: 'button' },
  { name: 'query-wrong', path: 'query?q=shop+|+summarise+count()', ready: 'alert' },
];

/** By keyboard, from the first row of the log. */
const keys =
  (...pressed: readonly string[]) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('grid', { name: 'Events' }).focus();
    for (const each of pressed) await page.keyboard.press(each);
  };

const opens = {
  'query/bar/query-bar': press(/^Dataset: /),
  'query/bar/query-menus': press('Share'),
  'query/drawers/query-drawers': keys('Control+s'),
  'query/detail/row-diff': keys('Home', ' ', 'ArrowDown', ' ', 'd'),
  'query/result/copy-menu': press(/^Copy 2 rows/),
  'query/fields/field-details': async (page: Page) => {
    await page.getByRole('region', { name: 'Fields' }).getByText('duration_ms').click();
    await press('p95 by…')(page);
  },
  'query/result/annotate': async (page: Page) => {
    await page.getByRole('application').first().focus();
    for (const each of ['ArrowLeft', 'a']) await page.keyboard.press(each);
  },
  'app/palette': keys('Control+k'),
  'app/shortcuts-drawer': keys('?'),
  'app/sidebar': (page: Page) => page.getByRole('navigation').getByRole('button').last().click(),
};

looksGood(
  pages.map(({ ready, ...page }) => ({
    ...page,
    ready: (opened) => opened.getByRole(ready),
    ...(page.name === 'query-log' && { opens }),
  })),
);
