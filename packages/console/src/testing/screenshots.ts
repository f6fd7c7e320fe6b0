import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { accessibilityProblems } from './axe.js';
import { layoutProblems } from './layout.js';
import { closePage, complaintsOf, follow, forget, openPage, quiet } from './console-server.js';

/**
 * Screenshots for review, ignored by git. Written on request:
 *
 * PICTURES=take npx vitest run packages/console
 */
const folder = join(import.meta.dirname, '../../pictures');
const isTaken = process.env['PICTURES'] === 'take';

const WIDE = 1440;
const NARROW = 400;

/**
 * Theme and width vary in pairs: neighbors differ in one of them. axe checks each theme and width
 * once, with all its rules only once, and the layout of each width is checked; the other
 * combinations would repeat the findings.
 */
const looks = [
  { theme: 'dark', width: WIDE, checks: 'all' },
  { theme: 'dark', width: NARROW, checks: undefined },
  { theme: 'light', width: NARROW, checks: 'look' },
  { theme: 'light', width: WIDE, checks: undefined },
] as const;

/** A page, and the condition that it is ready. */
interface PicturedPage {
  readonly name: string;
  /** Below `/console/`; a function if it depends on test data. */
  readonly path: string | (() => string);
  readonly ready: (page: Page) => Locator | Promise<unknown>;
  /** Full-page heights, wide and narrow. */
  readonly heights?: readonly [wide: number, narrow: number];
  readonly signedOut?: true;
  /**
   * Dialogs, drawers and menus, by the file that renders them, with the action that opens each.
   * They are checked separately and closed with Escape.
   */
  readonly opens?: Readonly<Record<string, (page: Page) => Promise<unknown>>>;
}

const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

async function openAll(page: Page, { name, ready, opens = {} }: PicturedPage): Promise<void> {
  await page.setViewportSize({ width: WIDE, height: 900 });
  const found = ready(page);
  await ('waitFor' in found ? found.first().waitFor() : found);
  const over = page.locator(OVER);
  for (const [file, open] of Object.entries(opens)) {
    await open(page);
    await over.first().waitFor();
    await waitForFade(page);
    await picture(page, `${name}-${file.replaceAll('/', '-')}`);
    expect(await accessibilityProblems(page, { within: OVER }), file).toEqual([]);
    expect.soft(await layoutProblems(page, { within: OVER }), file).toEqual([]);
    await page.keyboard.press('Escape');
    await over.first().waitFor({ state: 'detached' });
  }
  // The tooltip of the refocused button would stay on the next path.
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
}

/** Writes `pictures/<name>.png` if requested. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!isTaken) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** The page that visits all paths of a file. */
let sharedPage: Page | undefined;

/** An unknown path, so that content of the previous page cannot match. */
const NOWHERE = 'nowhere';

/** Navigates like a link: console and axe load once. */
async function walkTo(path: string): Promise<Page> {
  sharedPage ??= await openPage(NOWHERE);
  await follow(sharedPage, NOWHERE);
  await sharedPage.getByText('Page not found').waitFor();
  await forget(sharedPage);
  await follow(sharedPage, path);
  return sharedPage;
}

async function stopWalking(): Promise<void> {
  const page = sharedPage;
  sharedPage = undefined;
  if (page !== undefined) await closePage(page);
}

/**
 * Waits until color transitions have ended; even without motion they take a frame, and inherited
 * ones start later.
 */
export const waitForFade = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    do {
      await frame();
      await frame();
    } while (document.getAnimations().some((each) => each instanceof CSSTransition));
  });

/**
 * Writes `pictures/<name>-<look>.png` per combination and expects no violations of axe and no
 * problems of layout. Themes and widths change as for users.
 */
async function lookAt(page: Page, { name, ready, heights = [900, 860] }: PicturedPage): Promise<void> {
  const isReady = async (): Promise<void> => {
    const found = ready(page);
    await ('waitFor' in found ? found.first().waitFor() : found);
  };
  for (const [index, { theme, width, checks }] of looks.entries()) {
    if (checks === undefined && !isTaken) continue;
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: heights[width === WIDE ? 0 : 1] });
    await isReady();
    if (index === 0) await quiet(page);
    await waitForFade(page);
    await picture(page, `${name}-${theme}-${width}`);
    if (checks === undefined) continue;
    expect.soft(await layoutProblems(page), `${width} pixels wide`).toEqual([]);
    expect(await accessibilityProblems(page, { only: checks })).toEqual([]);
  }
}

async function goAndLook(
  pictured: PicturedPage,
  look: (page: Page, pictured: PicturedPage) => Promise<void>,
  milliseconds: number,
): Promise<readonly string[] | undefined> {
  const path = typeof pictured.path === 'string' ? pictured.path : pictured.path();
  const isOutside = pictured.signedOut === true;
  const page = await (isOutside ? openPage(path, { signedOut: true }) : walkTo(path));
  // Closing the page ends a step that would wait forever, such as a script that never returns.
  const tooLong = setTimeout(() => void page.close(), milliseconds);
  try {
    await look(page, pictured);
    return complaintsOf.get(page);
  } catch (error) {
    // The next path starts clean after any failure.
    if (!isOutside) sharedPage = undefined;
    throw error;
  } finally {
    clearTimeout(tooLong);
    if (isOutside) await closePage(page);
    else if (sharedPage === undefined) await page.close();
  }
}

async function lookAtPage(pictured: PicturedPage): Promise<void> {
  expect(await goAndLook(pictured, lookAt, PAGE_MILLISECONDS - CLOSING_MILLISECONDS)).toEqual([]);
}

async function lookAtOverlays(pictured: PicturedPage): Promise<void> {
  expect(await goAndLook(pictured, openAll, OVERLAYS_MILLISECONDS - CLOSING_MILLISECONDS)).toEqual([]);
}

/** Time limits of a page and of its dialogs, and what closing the page may take of them. */
const PAGE_MILLISECONDS = 60_000;
const OVERLAYS_MILLISECONDS = 120_000;
const CLOSING_MILLISECONDS = 5000;

/** One test per page, and one for its dialogs. */
export function looksGood(pages: readonly PicturedPage[]): void {
  afterAll(stopWalking);
  it.each(pages)('$name looks right in both themes, wide and narrow, and is accessible', lookAtPage, PAGE_MILLISECONDS);
  const opening = pages.filter(({ opens }) => opens !== undefined);
  it.each(opening)('dialogs of $name are accessible', lookAtOverlays, OVERLAYS_MILLISECONDS);
}

/** Presses the first button of a name. */
export const press =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click();
