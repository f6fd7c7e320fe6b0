import type { Locator, Page } from 'playwright-core';

/** A user whose actions are counted: a click, a drag, a key, or a text typed or pasted at once. */
interface User {
  readonly page: Page;
  readonly click: (what: Locator, modifiers?: 'Alt' | 'Control') => Promise<void>;
  readonly drag: (what: Locator, from: number, to: number) => Promise<void>;
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** An action outside the page, such as in a terminal. */
  readonly act: (what: () => Promise<unknown>) => Promise<void>;
}

export interface Job {
  readonly title: string;
  readonly path: string;
  readonly atMost: number;
  readonly run: (user: User) => Promise<unknown>;
}

/** @returns the user, and the number of actions so far */
export function userOf(page: Page): { readonly user: User; readonly actions: () => number } {
  let actions = 0;
  const user: User = {
    page,
    click: async (what, modifier) => {
      actions++;
      await what.first().click(modifier === undefined ? {} : { modifiers: [modifier] });
    },
    drag: async (what, from, to) => {
      actions++;
      const { x, y, width } = (await what.boundingBox())!;
      await page.mouse.move(x + width * from, y + 20);
      await page.mouse.down();
      await page.mouse.move(x + width * to, y + 20, { steps: 3 });
      await page.mouse.up();
    },
    press: async (...keys) => {
      for (const key of keys) {
        actions++;
        await page.keyboard.press(key);
      }
    },
    type: async (text) => {
      actions++;
      await page.keyboard.type(text);
    },
    act: async (what) => {
      actions++;
      await what();
    },
  };
  return { user, actions: () => actions };
}

export const rows = (page: Page): Locator => page.getByRole('grid').getByRole('row');
export const query = (page: Page): string => param(page, 'q');
export const param = (page: Page, name: string): string => new URL(page.url()).searchParams.get(name) ?? '';
export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
export const menuItem = (page: Page, name: string | RegExp): Locator => page.getByRole('menuitem', { name });
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
