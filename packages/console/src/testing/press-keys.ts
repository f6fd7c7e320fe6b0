import type { Locator, Page } from 'playwright-core';

/** Maximum Tab stops before important content. */
const MAX_STOPS = 150;

/** Moves the focus to an element with Tab alone, which proves keyboard access. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${MAX_STOPS} presses of Tab do not lead to ${String(target)}`);
}

/** Moves the focus into a table: Tab to the table, arrow keys between rows and cells. */
export async function arrowTo(page: Page, table: Locator, target: Locator): Promise<void> {
  await target.waitFor();
  const holds = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => element.contains(document.activeElement));
  for (let stop = 0; stop < MAX_STOPS && !(await holds(table)); stop++) await page.keyboard.press('Tab');
  const row = page.getByRole('row').filter({ has: target });
  for (let step = 0; step < MAX_STOPS && !(await holds(row)); step++) await page.keyboard.press('ArrowDown');
  for (let step = 0; step < MAX_STOPS && !(await holds(target)); step++) await page.keyboard.press('ArrowRight');
}
