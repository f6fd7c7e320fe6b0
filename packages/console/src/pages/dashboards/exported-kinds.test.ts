import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closePage, complaintsOf, openPage } from '../../testing/console-server.js';
import { exportedBoard, exportedKinds } from './testing/exported-kinds.js';
import { elementTable } from './elements/element-table.js';
import { waitForResults } from './testing/stored-dashboards.js';
import { isDeep } from '../../../../../tests/support/depth.js';

let page: Page;

beforeEach(async () => {
  page = await openPage('dashboards');
});
afterEach(() => closePage(page));

/** Kinds that other servers do not have. */
const ours = ['SLO'];

it('every kind of element has one', () =>
  expect([...exportedKinds.map(({ type }) => type), ...ours].toSorted()).toEqual(Object.keys(elementTable).toSorted()));

/** With a query, with options, with text, without a query; the others only in deep runs. */
const inEveryRun = ['TimeSeries', 'Table', 'Note', 'Gauge', 'SmartFilter'];

it.each(exportedKinds.filter(({ type }) => isDeep || inEveryRun.includes(type)))(
  '$type of another server is imported, drawn, changed and exported with only the change',
  async (kind) => {
    const { type, shows, edit } = kind;
    const text = exportedBoard(kind);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import' }).click(),
    ]);
    await chooser.setFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.waitForURL(/dashboards\/[0-9a-f-]{36}/);
    await waitForResults(page);
    await page.locator('[data-element]').getByText(shows).first().waitFor({ state: 'attached' });
    await page.keyboard.press('e');
    await page.getByRole('button', { name: /^More: / }).click();
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('tab', { name: 'Options' }).click();
    await sheet.getByRole('textbox', { name: edit.field, exact: true }).fill(edit.value);
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Export Exported ${type}`, exact: true }).click(),
    ]);
    expect(text).toContain(edit.from);
    expect(readFileSync(await download.path(), 'utf8')).toBe(text.replace(edit.from, edit.to));
    expect(complaintsOf.get(page)).toEqual([]);
  },
);
