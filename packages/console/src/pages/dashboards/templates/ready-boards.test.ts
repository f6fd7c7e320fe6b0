import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { closePage, complaintsOf, openConsoleServer, openPage } from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { arrivingData } from '../testing/arriving-data.js';
import { fillServerMetrics } from '../testing/server-metrics.js';
import { waitForResults } from '../testing/stored-dashboards.js';
import serverDocument from './millrace-server.json' with { type: 'json' };

let page: Page;

beforeAll(async () => {
  const { url, server, request } = await openConsoleServer();
  for (const { dataset, kind, path, bodyOf } of arrivingData) {
    await request('/v2/datasets', { body: JSON.stringify({ name: dataset, ...(kind !== undefined && { kind }) }) });
    const sent = await fetch(`${url}${path(dataset)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        'x-axiom-dataset': dataset,
      },
      body: JSON.stringify(bodyOf(Date.now())),
    });
    expect(sent.status, await sent.text()).toBe(200);
  }
  page = await openPage('dashboards', { height: 1600 });
});
afterAll(() => closePage(page));

it.each(arrivingData)('offers a dashboard for $name, and all its elements have data', async ({ dataset, title }) => {
  await page.goto(page.url().replace(/dashboards.*/, 'dashboards'));
  // One template per dataset: HTTP spans are not an access log.
  await page.getByRole('button', { name: `Add ${title}` }).waitFor();
  expect(await page.getByRole('button', { name: new RegExp(`^Add .*: ${dataset}$`) }).count()).toBe(1);
  await page.getByRole('button', { name: `Add ${title}` }).click();
  await page.waitForURL(/dashboards\/[0-9a-f-]{36}/);
  await waitForResults(page);
  const elements = page.locator('[data-element]');
  const empty = elements.filter({ hasText: /No data for this range|query failed|Cannot display|has no query/ });
  expect(await empty.allInnerTexts()).toEqual([]);
  // A statistic, list, table or a non-zero number.
  for (const element of await elements.all()) {
    const shown = element.locator('figure, ol li, [role=row], [class*=value], [role=group][aria-label=Filters]');
    await shown.first().waitFor({ state: 'attached' });
    expect(
      await element
        .locator('[class*=value]')
        .filter({ hasText: /^(–|0|0 %)$/ })
        .allInnerTexts(),
    ).toEqual([]);
  }
  // Its filters have values from the data.
  await page.getByRole('group', { name: 'Filters' }).getByRole('button').first().click();
  expect(await page.getByRole('option').count()).toBeGreaterThan(2);
  await page.keyboard.press('Escape');
  await picture(page, `board-ready-${dataset}`);
  expect(complaintsOf.get(page)).toEqual([]);
});

it('offers a dashboard for metrics of Millrace, and all its queries succeed', async () => {
  const { request } = await openConsoleServer();
  await fillServerMetrics(request, 'own-metrics', Date.now());
  await page.goto(page.url().replace(/dashboards.*/, 'dashboards'));
  await page.getByRole('button', { name: 'Add Millrace server: own-metrics' }).click();
  await page.waitForURL(/dashboards\/[0-9a-f-]{36}/);
  await waitForResults(page);
  const elements = page.locator('[data-element]');
  expect(await elements.count()).toBe(serverDocument.charts.length);
  const empty = elements.filter({ hasText: /No data for this range|query failed|Cannot display|has no query/ });
  expect(await empty.allInnerTexts()).toEqual([]);
  await picture(page, 'board-ready-own-metrics');
  expect(complaintsOf.get(page)).toEqual([]);
});
