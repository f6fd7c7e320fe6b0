import { expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openPage } from '../../testing/console-server.js';

it('a narrow window shows the fields in a drawer', async () => {
  const page = await openPage('query?q=shop');
  await page.setViewportSize({ width: 900, height: 800 });
  await page.getByRole('grid').getByRole('row').first().waitFor();
  await page.getByRole('main').focus();
  await page.keyboard.press('[');
  await page.getByRole('dialog').getByText('status').first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
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
