import { expect } from 'vitest';
import { button, clipboard, type Job, menuItem, param, query, rows } from './job.js';
import type { Locator, Page } from 'playwright-core';

const table = 'query?q=shop&v=table&c=_time,service,status';
const value = (page: Page): Locator => rows(page).nth(1).getByRole('gridcell').nth(1);

/** Jobs of the Query page. */
export const queryJobs: readonly Job[] = [
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
    title: 'find a saved query',
    path: 'query?q=shop',
    atMost: 3,
    run: async ({ page, click }) => {
      await click(button(page, 'More'));
      await click(menuItem(page, 'Saved queries'));
      await click(button(page, /^saved with little effort/));
      await expect.poll(() => query(page)).toBe('shop | take 3');
    },
  },
  {
    title: 'add a second condition',
    path: 'query?q=shop+|+where+status+>=+400',
    atMost: 3,
    run: async ({ page, click, press, type }) => {
      await click(button(page, 'Filter'));
      await type('-service:gateway');
      await press('Enter');
      await expect.poll(() => query(page)).toMatch(/status >= 400.*service.*gateway/s);
    },
  },
  {
    title: 'zoom to a part of the range',
    path: 'query?q=shop',
    atMost: 2,
    run: async ({ page, drag, press }) => {
      const bars = page.getByRole('application', { name: /Events over time/ });
      await bars.waitFor();
      await drag(bars, 0.5, 0.6);
      await page.getByRole('toolbar', { name: 'Time range actions' }).waitFor();
      await press('Enter');
      await expect.poll(() => param(page, 'from')).toMatch(/^\d{4}-.*Z$/);
    },
  },
  {
    title: 'compare a part of the range with the rest',
    path: 'query?q=shop&from=now-2h',
    atMost: 2,
    run: async ({ page, drag, press }) => {
      const bars = page.getByRole('application', { name: /Events over time/ });
      await bars.waitFor();
      await drag(bars, 0.78, 0.84);
      await press('x');
      await page.getByRole('list', { name: 'Fields that differ' }).getByRole('button').first().waitFor();
    },
  },
  {
    title: 'read nested JSON',
    path: 'query?q=nested',
    atMost: 2,
    run: async ({ page, press }) => {
      await press('j', ']');
      const detail = page.getByRole('complementary', { name: 'Row details' });
      await detail.getByText('order.customer.name').or(detail.getByText('Ada')).first().waitFor();
    },
  },
  {
    title: 'copy a row',
    path: 'query?q=nested',
    atMost: 4,
    run: async ({ page, press, click }) => {
      await press('j', 'Space');
      await click(button(page, 'Copy 1 row'));
      await click(menuItem(page, 'NDJSON'));
      await expect.poll(() => clipboard(page)).toContain('"Ada"');
    },
  },
  {
    title: 'add a column',
    path: 'query?q=shop&v=table&c=_time,service',
    atMost: 2,
    run: async ({ page, click }) => {
      await click(page.getByRole('region', { name: 'Fields' }).getByRole('button', { name: 'route' }));
      await click(button(page, 'Add column'));
      await page.getByRole('columnheader', { name: /route/ }).waitFor();
    },
  },
  {
    title: 'sort',
    path: 'query?q=shop+|+take+50&v=table&c=_time,duration_ms',
    atMost: 1,
    run: async ({ page, click }) => {
      await click(page.getByRole('columnheader', { name: /duration_ms/ }).getByRole('button'));
      await expect.poll(() => param(page, 's')).toBe('-duration_ms');
    },
  },
  {
    title: 'share the current view',
    path: 'query?q=shop',
    atMost: 1,
    run: async ({ page, press }) => {
      await page.getByText(/500 of/).waitFor();
      await press('y');
      await page.getByText('Pinned link copied').waitFor();
      expect(await clipboard(page)).toContain('asof=');
    },
  },
  {
    title: 'download the rows as CSV',
    path: 'query?q=shop+|+take+3',
    atMost: 3,
    run: async ({ page, click }) => {
      const download = page.waitForEvent('download');
      await click(button(page, 'More'));
      await click(menuItem(page, /^Export/));
      await click(button(page, 'Export visible rows'));
      expect((await download).suggestedFilename()).toBe('rows.csv');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  },
  {
    title: 'complete a value',
    path: 'query?q=shop',
    atMost: 4,
    run: async ({ page, press, type }) => {
      await press('/', 'Control+End');
      await type(' | where level == ');
      await page.locator('.cm-tooltip-autocomplete').getByText('error').waitFor();
      // Right after a list appears, Enter does not accept.
      await page.waitForTimeout(150);
      await press('Enter');
      await expect.poll(() => page.locator('.cm-content').innerText()).toMatch(/level == '\w+'$/);
    },
  },
  {
    title: 'correct a misspelled operator',
    path: 'query?q=shop+|+summarise+count()',
    atMost: 1,
    run: async ({ page, click }) => {
      await click(button(page, 'Apply fix and run'));
      await expect.poll(() => query(page)).toBe('shop | summarize count()');
    },
  },
];
