import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openPage, quiet } from '../../testing/console-server.js';
import { layoutProblems } from '../../testing/layout.js';
import { waitForFade } from '../../testing/screenshots.js';
import { writeQuery } from '../../testing/write-query.js';

it('a narrow window is legible, and shows the fields in a drawer', async () => {
  const page = await openPage('query?q=shop');
  await page.setViewportSize({ width: 900, height: 800 });
  await page.getByRole('grid').getByRole('row').first().waitFor();
  await quiet(page);
  await waitForFade(page);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await layoutProblems(page)).toEqual([]);
  await page.getByRole('main').focus();
  await page.keyboard.press('[');
  await page.getByRole('dialog').getByText('status').first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('the previous result stays legible while the next one is on its way', async () => {
  const page = await openPage('query?q=shop', { width: 900, height: 800 });
  await page.getByRole('grid').getByRole('row').first().waitFor();
  await quiet(page);
  // No response.
  await page.route(/\/v[12]\//, () => {});
  await writeQuery(page, 'shop | where status >= 500');
  await page.keyboard.press('Control+Enter');
  await page.locator('[aria-busy="true"]').getByRole('row').first().waitFor();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await waitForFade(page);
    expect(await accessibilityProblems(page, { only: 'look' }), colorScheme).toEqual([]);
  }
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('a phone reaches fields, time and every page, and its rows lead with the message', async () => {
  const page = await openPage('query?q=shop', { width: 400, height: 860 });
  const row = page.getByRole('grid').getByRole('row').first();
  await row.waitFor();
  // The time of the day alone: the date would fill half of the row.
  expect(await row.innerText()).not.toMatch(/^\d{4}-/);
  await page.getByRole('button', { name: 'More pages' }).click();
  await page.getByRole('menuitem', { name: 'Datasets' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Datasets' }).click();
  await page.waitForURL('**/console/datasets*');
  await page.getByRole('navigation', { name: 'Pages' }).getByText('Query').click();
  await page.waitForURL('**/console/query*');
  await row.waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page
    .getByRole('menuitem', { name: /fields/i })
    .first()
    .click();
  await page.getByRole('dialog').getByText('status').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Last hour/ }).click();
  await page.getByRole('textbox', { name: /range/i }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});
