import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Replaces the text of the editor by keyboard: `fill` sets a selection that the editor may revert.
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

/**
 * Types a text and accepts its completion by Enter. For a moment after the list changes, Enter
 * starts a line instead, to prevent accidental completions: the text is then typed again.
 * @param wanted the text of the editor afterwards
 */
export async function completeQuery(page: Page, typed: string, option: string, wanted: string): Promise<void> {
  const editor = page.locator('.cm-content');
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(typed);
      await page.locator('.cm-tooltip-autocomplete').getByText(option).first().waitFor();
      await page.waitForTimeout(150);
      await page.keyboard.press('Enter');
      return (await editor.locator('.cm-line').allTextContents()).join('\n');
    })
    .toBe(wanted);
}
