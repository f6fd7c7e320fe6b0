import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import {
  closePage,
  complaintsOf,
  openConsoleServer,
  fill,
  openPage,
  reusePage,
  shopEnd,
} from '../../testing/console-server.js';
import { picture } from '../../testing/screenshots.js';
import { completeQuery, writeQuery } from '../../testing/write-query.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const events = [
  { level: 'error', msg: 'payment timed out', status: 504, service: 'checkout', trace_id: traceId },
  { level: 'error', msg: 'timed out', status: 500, service: 'health' },
  { level: 'info', msg: 'out of time', status: 200, service: 'checkout' },
].map((event, n) => ({ _time: new Date(shopEnd - n * 1000).toISOString(), ...event }));

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'words', events);
});

let page: Page;
afterEach(async () => {
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const query = (): string => new URL(page.url()).searchParams.get('q') ?? '';
const editor = () => page.locator('.cm-content');
const editorText = async (): Promise<string> => (await editor().locator('.cm-line').allTextContents()).join('\n');
const offer = () => page.getByRole('button', { name: /^Search words/ });

/** Pictures in both themes at three widths, the last one wide and without findings of axe. */
async function picturesOf(name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const)
    for (const width of [390, 1024, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await picture(page, `${name}-${colorScheme}-${width}`);
    }
  expect(await accessibilityProblems(page)).toEqual([]);
}

it('runs words by Enter as a search over the dataset, in APL; Undo returns the words', async () => {
  page = await reusePage('query?q=words');
  await page.getByText('3 rows, complete').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('timed out');
  await offer().waitFor();
  await page.getByText("words | search 'timed' and 'out'").waitFor();
  await picturesOf('query-search');
  await page.keyboard.press('Enter');
  await expect.poll(query).toBe("words\n| search 'timed' and 'out'");
  await page.getByText('2 rows, complete').waitFor();
  expect(await editorText()).toBe("words\n| search 'timed' and 'out'");
  await page.keyboard.press('Control+z');
  expect(await editorText()).toBe('timed out');
});

it('says what it makes of a query in another language, and where it cannot', async () => {
  page = await reusePage('query?q=words');
  await page.getByText('3 rows, complete').waitFor();
  await writeQuery(page, 'select service, count(*) n from logs group by service order by n desc');
  const run = page.getByRole('button', { name: /^Run SQL as APL/ });
  await run.waitFor();
  await page.getByText('No dataset “logs”: reads words').waitFor();
  await picturesOf('query-sql');
  await page.keyboard.press('Enter');
  await page.getByText('2 rows, complete').waitFor();
  expect(query()).toBe('words\n| summarize n = count() by service\n| sort by n desc');
  await writeQuery(page, 'select * from words join other on words.id = other.id');
  await page.getByText('Could not translate this part of the SQL. Write it in APL:').waitFor();
  await page.getByText('join other on words.id = other.id', { exact: true }).waitFor();
  await picturesOf('query-untranslated');
  await page.keyboard.press('Control+Enter');
  expect(query()).toContain('summarize n = count()');
});

it('searches the dataset of the picker, which the next visit remembers', async () => {
  page = await openPage('query?q=shop');
  await page.getByRole('row').first().waitFor();
  await writeQuery(page, '"out of time"');
  await page.getByRole('button', { name: /^Search shop/ }).waitFor();
  await page.getByRole('button', { name: 'Dataset: shop' }).click();
  await page.getByRole('menuitem', { name: 'words' }).click();
  await offer().click();
  await page.getByText('1 row, complete').waitFor();
  await page.goto(page.url().replace(/\/query.*/, '/'));
  await page.getByText('3 rows, complete').waitFor();
  expect(query()).toBe('words');
  expect(await editorText()).toBe('words');
});

it('shows problems once a word is finished, and the page below stays where it is', async () => {
  page = await reusePage('query?q=words');
  const grid = page.getByRole('grid', { name: 'Events' });
  await page.getByText('3 rows, complete').waitFor();
  await page.getByRole('application', { name: /Events over time/ }).waitFor();
  const top = async (): Promise<number> => (await grid.boundingBox())!.y;
  const before = await top();
  await page.keyboard.press('/');
  await page.keyboard.press('End');
  await page.keyboard.type(' | wh', { delay: 50 });
  const problems = page.getByRole('list', { name: 'Problems' });
  expect(await problems.count()).toBe(0);
  await page.keyboard.press('Escape');
  await problems.waitFor();
  await picture(page, 'query-problem');
  expect(await top()).toBe(before);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('some words');
  await offer().waitFor();
  expect(await problems.count()).toBe(0);
  expect(await top()).toBe(before);
});

it('a completed value ends after its quote', async () => {
  page = await reusePage('query?q=words');
  await page.getByText('3 rows, complete').waitFor();
  await page.keyboard.press('/');
  const typed = "words | where service == 'check";
  await completeQuery(page, typed, 'checkout', "words | where service == 'checkout'");
  await page.keyboard.type(' and status > 1');
  expect(await editorText()).toBe("words | where service == 'checkout' and status > 1");
});

it('values are offered before a quote is typed', async () => {
  page = await reusePage('query?q=words');
  await page.getByText('3 rows, complete').waitFor();
  await page.keyboard.press('/');
  await completeQuery(page, 'words | where service == che', 'checkout', "words | where service == 'checkout'");
  expect(await editorText()).toBe("words | where service == 'checkout'");
});

it('the sidebar names its pages, and the choice is remembered', async () => {
  page = await reusePage('query?q=words');
  const name = page.getByRole('navigation').getByText('Dashboards', { exact: true });
  await name.waitFor();
  await page.setViewportSize({ width: 1000, height: 900 });
  await name.waitFor({ state: 'hidden' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await name.waitFor();
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await name.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('button', { name: 'Expand sidebar' }).waitFor();
  expect(await name.isVisible()).toBe(false);
});
