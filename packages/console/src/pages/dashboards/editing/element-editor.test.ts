import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, openPage } from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { boardOf } from '../testing/example-dashboards.js';
import { keep, waitForResults } from '../testing/stored-dashboards.js';

const uid = 'element-editor';

beforeAll(async () => {
  await openConsoleServer();
  const apl = 'shop // all of it\n| where status >= 500\n| summarize count() by service';
  await keep(
    uid,
    boardOf('Editor', [
      [{ id: 'one', type: 'TopK', name: 'One', query: { apl, queryOptions: { editorContent: apl } } }, [0, 0, 6, 4]],
    ]),
  );
});

it('edits the query of an element as on the Query page: chips, completion of values, fixes, columns', async () => {
  const page = await openPage(`dashboards/${uid}?edit=on`);
  await waitForResults(page);
  await page.getByRole('button', { name: 'More: One' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const sheet = page.getByRole('dialog');
  const steps = sheet.getByRole('group', { name: 'Query steps' });
  const editor = sheet.locator('.cm-content');

  // A chip is a range of the text; the comment next to it stays.
  await steps.getByRole('button', { name: 'where status >= 500', exact: true }).click();
  await sheet.getByRole('textbox', { name: 'Step' }).fill('status>=400');
  await page.keyboard.press('Enter');
  await steps.getByRole('button', { name: 'where status >= 400', exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('where status >= 400');
  await expect.poll(() => editor.innerText()).toContain('shop // all of it\n| where status >= 400\n| summarize');
  await sheet.getByText('catalogue').first().waitFor();
  await sheet.getByText(/≈ .* rows/).waitFor();
  await picture(page, 'board-element-editor');
  expect(await accessibilityProblems(page)).toEqual([]);

  // Values of the field, within its quotes.
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText("shop | where service == ''");
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Space');
  await sheet.getByRole('option', { name: 'checkout' }).click();
  await page.keyboard.press('End');
  await page.keyboard.insertText(' | summarise count() by route');
  await sheet.getByRole('button', { name: 'Apply fix and run' }).click();
  await sheet.getByText('/orders').waitFor();

  // A table has the chosen columns in order.
  await sheet.getByRole('tab', { name: 'Options' }).click();
  await sheet.getByRole('button', { name: /Kind/ }).click();
  await page.getByRole('option', { name: 'Table', exact: true }).click();
  for (const column of ['count_', 'route']) {
    await sheet.getByRole('button', { name: /Add a column/ }).click();
    await page.getByRole('option', { name: column, exact: true }).click();
  }
  await sheet.getByRole('button', { name: 'Move route left' }).click();
  await expect.poll(() => sheet.getByRole('columnheader').allInnerTexts()).toEqual(['route', 'count_']);
  await sheet.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  const { request } = await openConsoleServer();
  const { body } = await request(`/v2/dashboards/uid/${uid}`);
  const apl = "shop | where service == 'checkout' | summarize count() by route";
  expect(body).toMatchObject({
    dashboard: {
      charts: [
        {
          type: 'Table',
          query: { apl, queryOptions: { editorContent: apl } },
          tableSettings: { columns: ['route', 'count_'] },
        },
      ],
    },
  });
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
