import type { Locator, Page } from 'playwright-core';

/** More stops than a page should have before something that matters. */
const MOST_STOPS = 150;

/**
 * Moves the focus with Tab alone until it is on an element, which proves that somebody without a
 * mouse gets there.
 */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${MOST_STOPS} presses of Tab do not lead to ${String(target)}`);
}

/**
 * Moves the focus to something in a table: Tab leads to the table, and arrows lead from row to row
 * and from cell to cell.
 */
export async function arrowTo(page: Page, table: Locator, target: Locator): Promise<void> {
  await target.waitFor();
  const holds = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => element.contains(document.activeElement));
  for (let stop = 0; stop < MOST_STOPS && !(await holds(table)); stop++) await page.keyboard.press('Tab');
  const row = page.getByRole('row').filter({ has: target });
  for (let step = 0; step < MOST_STOPS && !(await holds(row)); step++) await page.keyboard.press('ArrowDown');
  for (let step = 0; step < MOST_STOPS && !(await holds(target)); step++) await page.keyboard.press('ArrowRight');
}
