import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, openConsoleServer, openPage } from '../../testing/console-server.js';
import { looksGood } from '../../testing/screenshots.js';

beforeAll(openConsoleServer);

looksGood([{ name: 'specimen', path: 'specimen', ready: (page) => page.getByRole('row', { name: /logs/ }) }]);

describe('every widget', () => {
  it('a dialog, a drawer and a menu open and close by keyboard and restore the focus', async () => {
    const page = await openPage('specimen');
    for (const [name, role] of [
      ['Dialog', 'dialog'],
      ['Sheet', 'dialog'],
      ['More', 'menu'],
    ] as const) {
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole(role).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole(role).waitFor({ state: 'detached' });
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await closePage(page);
  });

  it('a disabled button can be focused and names the missing permission', async () => {
    const page = await openPage('specimen');
    const barred = page.getByRole('button', { name: 'Barred', disabled: true });
    await barred.focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await page.getByRole('tooltip').textContent()).toMatch(/billing:create/);
    await closePage(page);
  });

  it('a table shows its first rows, then more; its sort order is in the address, and Back leaves the page', async () => {
    const page = await openPage('query');
    await page.goto(page.url().replace(/\/query.*/, '/specimen?tab=long'));
    const rows = page.getByRole('grid', { name: 'Datasets' }).getByRole('row');
    await page.getByRole('button', { name: 'Show 102 more' }).waitFor();
    // Including the header row.
    expect(await rows.count()).toBe(201);
    await page.getByRole('button', { name: 'Show 102 more' }).click();
    await page.getByRole('button', { name: 'Show 102 more' }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(303);
    await page.getByRole('columnheader', { name: 'Events' }).click();
    await page
      .getByRole('row', { name: /traces/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-events');
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/console/query');
    await closePage(page);
  });
});
