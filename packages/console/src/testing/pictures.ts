import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pageIn, sharedContext } from './console-world.js';

/** Where pictures of the pages go, for people to look through; git ignores it. */
const folder = join(import.meta.dirname, '../../pictures');

/** Both themes, wide and narrow. */
export const looks = (['dark', 'light'] as const).flatMap((theme) =>
  [1440, 400].map((width) => ({
    theme,
    width,
    height: width === 400 ? 860 : 900,
    name: `${theme}-${width}`,
    // Each theme and each width is looked at closely once; the other two looks would find the same again.
    isChecked: (theme === 'dark') === (width === 1440),
  })),
);

type Look = (typeof looks)[number];

/** Writes `pictures/<name>-<look>.png`. */
export async function picture(page: Page, name: string, look: Look): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}-${look.name}.png`), animations: 'disabled' });
}

/** Opens a page in a look, waits until it is as it should be, takes its picture, and gives it to `check` in two of the looks. */
export async function inLook(
  path: string,
  name: string,
  look: Look,
  ready: (page: Page) => Promise<unknown>,
  check: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await pageIn(await sharedContext(look.name, look), path);
  try {
    await ready(page);
    await picture(page, name, look);
    if (look.isChecked) await check(page);
  } finally {
    await page.close();
  }
}
