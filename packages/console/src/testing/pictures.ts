import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { accessibilityProblems } from './axe.js';
import { closePage, complaintsOf, follow, forget, openPage, quiet } from './console-world.js';

/**
 * Where pictures of the pages go, for people to look through; git ignores it. They are written when
 * somebody asks for them:
 *
 *     PICTURES=take npx vitest run packages/console
 */
const folder = join(import.meta.dirname, '../../pictures');
const isTaken = process.env['PICTURES'] === 'take';

const WIDE = 1440;
const NARROW = 400;

/**
 * Both themes, wide and narrow: neighbours differ in one of the two. Each theme and each width is
 * looked at closely once; the other two looks would find the same again, and are for people.
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
  /**
   * What can be opened over it, a dialog, a sheet or a menu, by the file that draws it: how
   * somebody opens it. Each is looked at on its own, and closed by Escape.
   */
  readonly opens?: Readonly<Record<string, (page: Page) => Promise<unknown>>>;
}

const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

async function openAll(page: Page, { name, ready, opens = {} }: Pictured): Promise<void> {
  await page.setViewportSize({ width: WIDE, height: 900 });
  const found = ready(page);
  await ('waitFor' in found ? found.first().waitFor() : found);
  const over = page.locator(OVER);
  for (const [file, open] of Object.entries(opens)) {
    await open(page);
    await over.first().waitFor();
    await faded(page);
    await picture(page, `${name}-${file.replaceAll('/', '-')}`);
    expect(await accessibilityProblems(page, OVER), file).toEqual([]);
    await page.keyboard.press('Escape');
    await over.first().waitFor({ state: 'detached' });
  }
  // The hint of the button that has the focus again would be there on the next path, too.
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
}

/** Writes `pictures/<name>.png`, when pictures are taken. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!isTaken) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** The page in which a file looks at one path after the other. */
let walked: Page | undefined;

/** No page has this path, so that nothing of the one before is taken for the next. */
const NOWHERE = 'nowhere';

/** Leads to a path as a link does: the console is loaded once for all looks, and axe with it. */
async function walkTo(path: string): Promise<Page> {
  walked ??= await openPage(NOWHERE);
  await follow(walked, NOWHERE);
  await walked.getByText('There is no page at this address').waitFor();
  await forget(walked);
  await follow(walked, path);
  return walked;
}

async function stopWalking(): Promise<void> {
  const page = walked;
  walked = undefined;
  if (page !== undefined) await closePage(page);
}

/**
 * Waits until no colour is on its way to that of another theme: also without motion that takes a
 * frame, and what inherits it begins when it has ended.
 */
const faded = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    do {
      await frame();
      await frame();
    } while (document.getAnimations().some((each) => each instanceof CSSTransition));
  });

/**
 * Writes `pictures/<name>-<look>.png` in every look, and finds nothing wrong with the page: themes
 * and widths change as they do for people.
 */
async function lookAt(page: Page, { name, ready, heights = [900, 860] }: Pictured): Promise<void> {
  const isReady = async (): Promise<void> => {
    const found = ready(page);
    await ('waitFor' in found ? found.first().waitFor() : found);
  };
  for (const [index, { theme, width, isChecked }] of looks.entries()) {
    if (!isChecked && !isTaken) continue;
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: heights[width === WIDE ? 0 : 1] });
    await isReady();
    if (index === 0) await quiet(page);
    await faded(page);
    await picture(page, `${name}-${theme}-${width}`);
    if (isChecked) expect(await accessibilityProblems(page)).toEqual([]);
  }
}

async function goAndLook(
  pictured: Pictured,
  look: (page: Page, pictured: Pictured) => Promise<void>,
): Promise<readonly string[] | undefined> {
  const path = typeof pictured.path === 'string' ? pictured.path : pictured.path();
  const isOutside = pictured.signedOut === true;
  const page = await (isOutside ? openPage(path, { signedOut: true }) : walkTo(path));
  try {
    await look(page, pictured);
    return complaintsOf.get(page);
  } catch (error) {
    // Whatever state the page is in, the next path begins anew.
    if (!isOutside) await stopWalking();
    throw error;
  } finally {
    if (isOutside) await closePage(page);
  }
}

async function lookAtPage(pictured: Pictured): Promise<void> {
  expect(await goAndLook(pictured, lookAt)).toEqual([]);
}

async function lookAtOverlays(pictured: Pictured): Promise<void> {
  expect(await goAndLook(pictured, openAll)).toEqual([]);
}

/** As many looks as there are things to open. */
const OVERLAYS_MILLISECONDS = 120_000;

/** A test for each of the pages, and one for what opens over it. */
export function looksGood(pages: readonly Pictured[]): void {
  afterAll(stopWalking);
  it.each(pages)('$name looks as it should, in both themes, wide and narrow, and can be used by everybody', lookAtPage);
  const opening = pages.filter(({ opens }) => opens !== undefined);
  it.each(opening)('what opens over $name can be used by everybody', lookAtOverlays, OVERLAYS_MILLISECONDS);
}

/** Presses the first button of a name. */
export const press =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click();
