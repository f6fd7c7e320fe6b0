import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage, shopEnd } from '../../testing/console-server.js';

/** Comparisons: part of a range and the rest, two values, two rows. */

beforeAll(openConsoleServer);

let page: Page;
afterEach(async () => {
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

const state = (name: string): string | null => new URL(page.url()).searchParams.get(name);
const rows = () => page.getByRole('grid').getByRole('row');
const cards = () => page.getByRole('list', { name: 'Fields that differ' });

describe('an error rate has jumped', () => {
  it('a drag, a key and a click lead to the failing version', async () => {
    page = await reusePage('query?q=shop&from=now-2h');
    const bars = page.getByRole('application', { name: /Events over time/ });
    await bars.waitFor();
    const { x, y, width } = (await bars.boundingBox())!;
    // The fault is in the middle of the hour before the last event.
    await page.mouse.move(x + width * 0.78, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.84, y + 20, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.press('x');
    await expect.poll(() => state('v')).toBe('spotlight');
    expect(state('sel')).toMatch(/^_time between \(datetime\(.+\) \.\. datetime\(.+\)\)$/);
    const version = cards().getByRole('listitem').filter({ hasText: 'version' }).first();
    await version.getByRole('button', { name: /1\.5\.0/ }).click();
    await page.getByRole('menuitem', { name: /^Include/ }).click();
    await expect.poll(() => state('q')).toBe("shop\n| where version == '1.5.0'");
  });

  it('by keyboard alone: arrows select bars, x compares them', async () => {
    page = await reusePage('query?q=shop');
    const bars = page.getByRole('application', { name: /Events over time/ });
    await bars.waitFor();
    await bars.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('x');
    await page.getByText(/selected against/).waitFor();
    const [, from, to] = /datetime\((.+?)\) \.\. datetime\((.+?)\)/.exec(state('sel')!)!;
    // Four one-minute bars; the range may cut the first.
    expect(Date.parse(to!) - Date.parse(from!)).toBeGreaterThan(3 * 60_000 - 1);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

it('a value is compared with the rest, and with another value, by its menu', async () => {
  page = await reusePage('query?q=shop+|+where+isnotnull(service)&v=table&c=service,version');
  await rows().nth(1).getByRole('gridcell').first().click();
  await page.getByRole('menuitem', { name: /^Compare with other events/ }).click();
  await page.getByText(/selected against/).waitFor();
  expect(state('sel')).toMatch(/^service == '\w+'$/);
  // The service is the selection, so it is not a finding.
  await page.getByText(/explained by the selection/).waitFor();
  await cards().getByRole('button').first().click();
  await page.getByRole('menuitem', { name: 'Compare the selection with it' }).click();
  await expect.poll(() => state('base')).toMatch(/^[\w.]+ == /);
  await page.goBack();
  await expect.poll(() => state('base')).toBeNull();
});

it('two selected rows are compared field by field', async () => {
  const { request } = await openConsoleServer();
  const _time = new Date(shopEnd).toISOString();
  await fill(request, 'pair', [
    { _time, a: 1, b: 'same', c: 'left' },
    { _time, a: 2, b: 'same', d: true },
  ]);
  page = await reusePage('query?q=pair');
  await rows().first().waitFor();
  for (const key of ['j', 'Space', 'j', 'Space', 'd']) await page.keyboard.press(key);
  await page.getByText(/^3 of \d fields differ/).waitFor();
  expect(await page.locator('tr[data-differs=true] th').allInnerTexts()).toEqual(['a', 'c', 'd']);
});

describe('the bars', () => {
  it('show late events and annotations', async () => {
    const { request } = await openConsoleServer();
    const now = Date.now();
    const events = Array.from({ length: 30 }, (_, n) => ({ _time: new Date(now - 1000 * n).toISOString(), n }));
    await fill(request, 'lateness', [...events, { _time: new Date(now - 1_200_000).toISOString(), n: 99 }]);
    page = await reusePage('query?q=lateness');
    await page.getByText('1 arrived more than 1 minute late').waitFor();
    const bars = page.getByRole('application', { name: /Events over time/ });
    await bars.focus();
    for (const key of ['ArrowLeft', 'Shift+ArrowLeft', 'a']) await page.keyboard.press(key);
    await page.getByLabel('Title').fill('went wrong here');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('img', { name: 'note: went wrong here' }).count()).toBe(1);
  });
});

it('refreshes periodically while its range is relative', async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'again', [{ _time: new Date().toISOString(), n: 1 }]);
  page = await reusePage('query?q=again&every=5s');
  await page.getByText('1 row, complete').waitFor();
  await request('/v1/datasets/again/ingest', { body: JSON.stringify([{ n: 2 }]) });
  await expect.poll(() => page.getByText('2 rows, complete').count()).toBe(1);
});
