import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../testing/axe.js';
import { closePage, complaintsOf, reusePage } from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { boardOf } from '../testing/example-dashboards.js';
import { keep, waitForResults } from '../testing/stored-dashboards.js';

beforeAll(async () => {
  const note = (text: string) => [{ id: 'note', type: 'Note', text }, [0, 0, 6, 2]] as const;
  await keep('tv-one', boardOf('Zebra wall', [note('first text')]));
  await keep('tv-two', boardOf('Yak wall', [note('second text')]));
});

it('a link for a TV shows title and clock without controls, and rotates', async () => {
  const page = await reusePage('dashboards/tv-one?from=now-6h');
  await waitForResults(page);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'TV link…' }).click();
  const dialog = page.getByRole('dialog', { name: 'TV link' });
  await dialog.getByText('Yak wall').click();
  await dialog.getByRole('button', { name: /Time for each/ }).click();
  await page.getByRole('option', { name: '5 min' }).click();
  await dialog.getByText(/tv=on/).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'board-tv-dialog');
  await page.clock.install();
  await dialog.getByRole('button', { name: 'Open' }).click();
  await page.getByText('1 of 2').waitFor();
  await page.getByText('first text').waitFor();
  expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'board-tv');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'light' });
  await picture(page, 'board-tv-light-390');
  await page.clock.fastForward(301_000);
  await page.getByText('second text').waitFor();
  expect(page.url()).toMatch(/dashboards\/tv-two\?(?=.*from=now-6h)/);
  await page.clock.fastForward(301_000);
  await page.getByText('first text').waitFor();
  await page.getByRole('button', { name: 'Leave TV view' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  expect(page.url()).not.toMatch(/tv=|rotate=/);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('full screen shows title and clock, which leave with it', async () => {
  const page = await reusePage('dashboards/tv-one');
  await waitForResults(page);
  const header = page.locator(':fullscreen header', { hasText: 'Zebra wall' });
  await page.keyboard.press('F');
  await header.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).waitFor();
  await picture(page, 'board-full');
  await page.keyboard.press('F');
  await header.waitFor({ state: 'detached' });
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('a starred dashboard is listed first, also after a reload', async () => {
  const page = await reusePage('dashboards');
  const first = page.getByRole('row').nth(1);
  await page.getByRole('button', { name: 'Star Zebra wall' }).click();
  await first.getByText('Zebra wall').waitFor();
  await page.reload();
  await first.getByText('Zebra wall').waitFor();
  await picture(page, 'board-starred');
  await page.getByRole('button', { name: 'Unstar Zebra wall' }).click();
  await page.getByRole('button', { name: 'Star Zebra wall' }).waitFor();
  await expect.poll(() => first.innerText()).not.toContain('Zebra wall');
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('a new element is chosen from pictures, and the gallery fits a phone', async () => {
  const page = await reusePage('dashboards/tv-one?edit=on');
  await waitForResults(page);
  await page.keyboard.press('a');
  const gallery = page.getByRole('dialog').getByRole('list', { name: 'Kinds of elements' });
  await gallery.getByRole('button', { name: 'Pie Shares of a whole, by group.' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'board-gallery');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1024, height: 768 });
  await picture(page, 'board-gallery-light-1024');
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, 'board-gallery-light-390');
  expect(await accessibilityProblems(page)).toEqual([]);
  await closePage(page);
});
