import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Writes a query in place of what the editor has, as somebody with a keyboard does: `fill` sets a
 * selection that the editor may take back.
 */
export async function writeQuery(page: Page, text: string): Promise<void> {
  const editor = page.locator('.cm-content');
  await expect
    .poll(async () => {
      await editor.focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
      return (await editor.locator('.cm-line').allTextContents()).join('\n');
    })
    .toBe(text);
}
