import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../testing/axe.js';
import { tabTo } from '../../../testing/press-keys.js';
import { closePage, complaintsOf, openConsoleServer, openPage } from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { writeQuery } from '../../../testing/write-query.js';
import { waitForResults } from '../testing/stored-dashboards.js';

beforeAll(openConsoleServer);

it('creates a dashboard by keyboard alone: elements with data, and a filter that they use', async () => {
  const page = await openPage('dashboards');
  const sheet = page.getByRole('dialog');
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const write = async (field: string, text: string): Promise<void> => {
    await tabTo(page, sheet.getByRole('textbox', { name: field, exact: true }));
    await press('Control+a');
    await page.keyboard.insertText(text);
  };
  await tabTo(page, page.getByRole('button', { name: 'New dashboard' }));
  await press('Enter');
  await page.keyboard.type('From nothing');
  await press('Enter');
  await page.getByText('This dashboard is empty').waitFor();

  // A new element has a query for one of the datasets, ready to be accepted.
  await press('a');
  await tabTo(page, sheet.getByRole('button', { name: /^Top list/ }));
  await press('Enter');
  await expect.poll(() => sheet.locator('.cm-content').innerText()).toMatch(/^\S+\s*\| summarize count\(\) by /);
  await press('Escape');
  await press('a');
  await tabTo(page, sheet.getByRole('button', { name: /^Filter bar/ }));
  await press('Enter');
  await tabTo(page, sheet.getByRole('button', { name: 'Add a filter with a variable' }));
  await press('Enter');
  await write('Title', 'Method');
  await write('Variable name', '_method');
  await write('Options, one per line: label = value', 'All =\nReads = GET\nWrites = POST');
  await picture(page, 'board-filter-editor');
  expect(await accessibilityProblems(page)).toEqual([]);
  await tabTo(page, sheet.getByRole('button', { name: 'Done' }));
  await press('Enter');

  // The list uses it; Escape keeps the typed text, and undo reverts it.
  await tabTo(page, page.getByRole('button', { name: 'More: Top list' }));
  await press('Enter', 'ArrowDown', 'ArrowDown', 'Enter');
  await tabTo(page, sheet.locator('.cm-content'));
  await writeQuery(
    page,
    "declare query_parameters (_method: string = '');\nshop | where isempty(_method) or method == _method | summarize count() by method",
  );
  await press('Control+Enter');
  await sheet.getByRole('listitem').getByText('POST').waitFor();
  await tabTo(page, sheet.getByRole('button', { name: 'Close' }));
  await press('Enter');
  await tabTo(page, page.getByRole('button', { name: /Method/ }));
  await press('Enter');
  await page.getByRole('option', { name: 'Writes' }).waitFor();
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['All', 'Reads', 'Writes']);
  await press('ArrowDown', 'ArrowDown', 'Enter');
  await page.waitForURL(/f\._method=POST/);
  await waitForResults(page);
  const list = page.getByRole('group', { name: 'Top list', exact: true }).getByRole('listitem');
  const methods = async () => [...new Set((await list.allInnerTexts()).map((text) => text.split(/\s/)[0]))];
  await expect.poll(methods).toEqual(['POST']);
  await press('Control+s');
  await sheet.getByRole('group', { name: 'Changes', exact: true }).getByText('Filter bar added').waitFor();
  await press('Enter');
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();

  const { request } = await openConsoleServer();
  const uid = /dashboards\/([0-9a-f-]{36})/.exec(page.url())![1]!;
  const { body } = await request(`/v2/dashboards/uid/${uid}`);
  expect(body).toMatchObject({
    dashboard: {
      name: 'From nothing',
      charts: [
        { type: 'TopK', query: { apl: expect.stringContaining('_method') } },
        {
          type: 'SmartFilter',
          filters: [
            {
              id: '_method',
              name: 'Method',
              options: [
                { key: 'All', value: '', default: true },
                { key: 'Reads', value: 'GET' },
                { key: 'Writes', value: 'POST' },
              ],
            },
          ],
        },
      ],
    },
  });
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
