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
