import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessibilityProblems } from './axe.js';
import { complaintsOf, openPage, closePage } from './console-world.js';

/** Where pictures of the pages go, for people to look through; git ignores it. */
const folder = join(import.meta.dirname, '../../pictures');

const WIDE = 1440;
const NARROW = 400;

/**
 * Both themes, wide and narrow: neighbours differ in one of the two. Each theme and each width is
 * looked at closely once; the other two looks would find the same again.
 */
const looks = [
  { theme: 'dark', width: WIDE, isChecked: true },
  { theme: 'dark', width: NARROW, isChecked: false },
  { theme: 'light', width: NARROW, isChecked: true },
  { theme: 'light', width: WIDE, isChecked: false },
] as const;

/** A page, and how one knows that it is as it should be. */
interface Pictured {
  readonly name: string;
  /** Below `/console/`; a function, if it is known only when the data are there. */
  readonly path: string | (() => string);
  readonly ready: (page: Page) => Locator | Promise<unknown>;
  /** For pages that are to be seen whole: how tall they are wide and narrow. */
  readonly heights?: readonly [wide: number, narrow: number];
  readonly signedOut?: true;
}

/** Writes `pictures/<name>.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/**
 * Writes `pictures/<name>-<look>.png` in every look, and finds nothing wrong with the page. It is
 * loaded once: themes and widths change as they do for people.
 */
async function lookAt({ name, path, ready, heights = [900, 860], signedOut }: Pictured): Promise<void> {
  const page = await openPage(typeof path === 'string' ? path : path(), {
    height: heights[0],
    ...(signedOut === true && { signedOut }),
  });
  const isReady = async (): Promise<void> => {
    const found = ready(page);
    await ('waitFor' in found ? found.first().waitFor() : found);
  };
  try {
    await isReady();
    await page.waitForLoadState('networkidle');
    for (const { theme, width, isChecked } of looks) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: heights[width === WIDE ? 0 : 1] });
      await isReady();
      await picture(page, `${name}-${theme}-${width}`);
      if (isChecked) expect(await accessibilityProblems(page)).toEqual([]);
    }
    expect(complaintsOf.get(page)).toEqual([]);
  } finally {
    await closePage(page);
  }
}

/** A test for each of the pages. */
export const looksGood = (pages: readonly Pictured[]): void =>
  it.each(pages)('$name looks as it should, in both themes, wide and narrow, and can be used by everybody', lookAt);
