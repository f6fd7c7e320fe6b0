import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../testing/axe.js';
import {
  closePage,
  complaintsOf,
  openConsoleServer,
  fill,
  follow,
  openPage,
  quiet,
} from '../testing/console-server.js';
import { looksGood, press } from '../testing/screenshots.js';

/** The Datasets, Live and Audit pages, with one server and one browser. */

const day = 86_400_000;
/** One event per day of the last days. */
const dailyEvents = (days: number) =>
  Array.from({ length: days }, (_, age) => ({ _time: new Date(Date.now() - age * day).toISOString(), age }));

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'mixed', [...dailyEvents(40), { v: 1 }, { v: 'one' }, { v: [1] }]);
  await request('/v2/datasets', { body: JSON.stringify({ name: 'empty', description: 'Nothing has come yet' }) });
  await request('/v2/tokens', { body: JSON.stringify({ name: 'made before' }) });
  await request('/v2/views', { body: JSON.stringify({ name: 'old ones', aplQuery: 'mixed | where age > 7' }) });
  await request('/v2/vfields', {
    body: JSON.stringify({
      dataset: 'shop',
      name: 'failed',
      expression: 'status >= 500',
      description: 'The fault of the server',
    }),
  });
});

looksGood([
  {
    name: 'datasets',
    path: 'datasets',
    ready: (page) => page.getByRole('row', { name: /shop/ }).getByText(/^\d+(\.\d)? k$/),
    opens: { 'datasets/create-dataset': press('New dataset') },
  },
  { name: 'sources-none', path: 'sources', ready: (page) => page.getByText('No sources yet') },
  { name: 'datasets-none', path: 'datasets?qs=zzz', ready: (page) => page.getByText('No datasets match zzz') },
  {
    name: 'dataset-gone',
    path: 'datasets/nothing',
    ready: (page) => page.getByText('Dataset nothing not found'),
  },
  {
    name: 'dataset-fields',
    path: 'datasets/shop/fields?coverage=on',
    ready: (page) => page.getByText('100%'),
    opens: {
      'datasets/edit-field': (page) =>
        page
          .getByRole('row', { name: /status/ })
          .first()
          .click(),
      'datasets/lock-schema': press(/Lock schema/),
    },
  },
  {
    name: 'dataset-fields-empty',
    path: 'datasets/empty',
    ready: (page) => page.getByText('No fields yet'),
  },
  {
    name: 'dataset-virtual',
    path: 'datasets/shop/virtual',
    ready: (page) => page.getByText('status >= 500'),
    opens: { 'datasets/virtual-fields': press('Edit failed') },
  },
  { name: 'dataset-ingest', path: 'datasets/shop/ingest', ready: (page) => page.getByText('1 event as JSON.') },
  { name: 'live', path: 'tail', ready: (page) => page.getByText(/Complete up to/) },
  {
    name: 'audit',
    path: 'audit',
    ready: (page) => page.getByText('createDataset'),
    opens: { 'audit/entry-drawer': (page) => page.getByRole('row').nth(1).click() },
  },
  { name: 'audit-none', path: 'audit?show=data', ready: (page) => page.getByText('No entries match') },
  // After the audit log test, whose log contains the count of a deletion.
  {
    name: 'dataset-settings',
    path: 'datasets/mixed/settings',
    ready: (page) => page.getByText('The last 40 days stay.'),
    opens: {
      'datasets/delete-dataset': press(/^Delete dataset/),
      'datasets/retention': async (page) => {
        await page.getByRole('radio', { name: 'Number of days' }).click();
        await page.getByLabel('Days', { exact: true }).fill('30');
        await press('Save retention')(page);
      },
      'datasets/trim': async (page) => {
        await page.getByLabel('Days to keep').press('End');
        await press(/^Trim/)(page);
      },
      'datasets/delete-by-query': async (page) => {
        await page.getByLabel('Delete events where').fill('age > 30');
        await press('Count')(page);
        await press(/^Delete…$/)(page);
      },
    },
  },
]);

describe('a dataset', () => {
  it('is created by keyboard alone, accepts an event from the text box, and shows the result', async () => {
    const page = await openPage('datasets');
    await page.getByRole('button', { name: 'New dataset' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('made-here');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/datasets\/made-here\/ingest/);
    const box = page.getByLabel('Events: JSON, one object a line, or CSV');
    await box.fill('{"a":1}\n{"a":"two"}\n{"a":');
    const preview = page.getByRole('status', { name: 'Preview' });
    await preview.getByText('integer | string').waitFor();
    await preview.getByText(/^Line 3, byte 25/).waitFor();
    await box.press('Control+Enter');
    const receipt = page.getByRole('status', { name: 'Receipt' });
    await receipt.getByText(/stored \d+ ms later/).waitFor();
    await receipt.getByText('2 events accepted').waitFor();
    await receipt.getByText(/1 rejected/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Open in Query' }).last().press('Enter');
    await page.getByRole('grid').getByText('two').first().waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('has snippets with a token that may only ingest there', async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'snippets', [{ level: 'info' }]);
    const page = await openPage('datasets/snippets/ingest');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const shown = page.getByText(/Bearer xaat-\w/);
    await shown.waitFor();
    const [, token = ''] = /Bearer (xaat-[\w-]+)/.exec((await shown.textContent()) ?? '') ?? [];
    const { server } = await openConsoleServer();
    const send = (dataset: string): Promise<Response> =>
      fetch(`${server.url}/v1/datasets/${dataset}/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: '[{"level":"info"}]',
      });
    expect((await send('snippets')).status).toBe(200);
    expect((await send('mixed')).status).toBe(403);
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText(`token="${token}"`).waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('previews what a new retention would delete', async () => {
    const page = await openPage('datasets/mixed/settings');
    await page.getByRole('radio', { name: 'Number of days' }).click();
    await page.getByLabel('Days', { exact: true }).fill('30');
    await page.getByText(/Would delete 10 events/).waitFor();
    await page.getByRole('button', { name: 'Save retention' }).click();
    await page
      .getByRole('dialog')
      .getByText(/deletes 10 events/)
      .waitFor();
    await page.keyboard.press('Escape');
    const { request } = await openConsoleServer();
    expect((await request('/v2/datasets/mixed')) as unknown).toMatchObject({ body: { useRetentionPeriod: false } });
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('is trimmed by the slider', async () => {
    const page = await openPage('datasets/mixed/settings');
    const slider = page.getByRole('slider', { name: 'Days to keep' });
    await slider.waitFor();
    for (let day = 0; day < 20; day++) await slider.press('ArrowRight');
    await page.getByText(/The last 20 days stay. Removed: 20 events/).waitFor();
    await page.getByRole('button', { name: 'Trim…' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Trim' }).press('Enter');
    await page.getByText('20 events removed').waitFor();
    await page.getByText(/The last 20 days stay. Removed: no event/).waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('deletes events by filter, after a count and typing the name', async () => {
    const page = await openPage('datasets/mixed/settings');
    const filter = page.getByLabel('Delete events where');
    await filter.fill('age ==');
    await filter.press('Enter');
    await page.getByRole('alert').waitFor();
    await filter.fill('age == 3');
    await filter.press('Enter');
    await page.getByText(/^1 event match/).waitFor();
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Type mixed/).fill('mixed');
    await page.getByRole('button', { name: 'Delete events' }).click();
    await page.getByText('1 event deleted').waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('is deleted after typing its name, with a list of its dependents', async () => {
    const page = await openPage('datasets/mixed/settings');
    await page.getByRole('button', { name: 'Delete dataset…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('old ones').waitFor();
    const button = dialog.getByRole('button', { name: 'Delete dataset' });
    await dialog.getByLabel(/^Type mixed/).fill('mixe');
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type mixed/).fill('mixed');
    await button.click();
    await page.waitForURL(/\/datasets$/);
    await page.getByRole('row', { name: /shop/ }).waitFor();
    expect(await page.getByRole('row', { name: /mixed/ }).count()).toBe(0);
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});

describe('fields', () => {
  it('have a unit and a description from users', async () => {
    const page = await openPage('datasets/shop/fields');
    await page.getByRole('row', { name: 'duration_ms' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Unit').fill('ms');
    await dialog.getByLabel('Description').fill('Until the last byte');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: 'duration_ms' }).getByText('Until the last byte').waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('may be named like the columns of the table', async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'namesakes', [{ name: 'GET /', type: 'server', unit: 'ms', description: 'first' }]);
    const page = await openPage('datasets/namesakes/fields');
    for (const name of ['name', 'type', 'unit', 'description'])
      await page.getByRole('row', { name, exact: true }).waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('are locked and unlocked', async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'locks', [{ a: 1, b: 'x' }]);
    const page = await openPage('datasets/locks/fields');
    await page.getByRole('button', { name: 'Lock schema' }).click();
    await page.getByRole('dialog').getByText('b', { exact: true }).click();
    await page.getByText(/1 field would be dropped: b/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Lock schema' }).click();
    await page.getByRole('button', { name: 'Schema is locked' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock schema' }).click();
    await page.getByRole('button', { name: 'Lock schema' }).waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});

describe('the audit log', () => {
  it('shows the actor, action and a shareable link', async () => {
    const page = await openPage('audit');
    await page.getByRole('radio', { name: 'Access management' }).click();
    await page.getByRole('row', { name: 'createToken' }).first().click();
    await page
      .getByRole('dialog')
      .getByText(/^POST .*\/v2\/tokens$/)
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(new URL(page.url()).searchParams.get('show')).toBe('access');
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('names the missing permission', async () => {
    const { request } = await openConsoleServer();
    const made = (await request('/v2/tokens', {
      body: JSON.stringify({ name: 'reader', datasetCapabilities: { shop: { query: ['read'] } } }),
    })) as { body: { token: string } };
    const page = await openPage('audit', { token: made.body.token });
    await page.getByText('No access to the audit log').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(page.url().replace('/audit', '/datasets/shop/settings'));
    const button = page.getByRole('button', { name: 'Delete dataset…' });
    await button.waitFor();
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});

describe('without permission', () => {
  const rejected: string[] = [];
  let page: Page;
  beforeAll(async () => {
    const { request } = await openConsoleServer();
    const made = (await request('/v2/tokens', {
      body: JSON.stringify({ name: 'reader', datasetCapabilities: { shop: { query: ['read'] } } }),
    })) as { body: { token: string } };
    page = await openPage('query?q=shop', { token: made.body.token });
    page.on('response', (response) => void (response.status() === 403 && rejected.push(response.url())));
    await page.reload();
  });
  afterAll(() => closePage(page));

  it.each(['monitors', 'dashboards', 'notifiers', 'sources', 'access/tokens', 'access/users'])(
    '%s says how to get it and sends no rejected request',
    async (path) => {
      // Another page between, so that the text of the previous one cannot match.
      await follow(page, 'nowhere');
      await page.getByText('Page not found').waitFor();
      await follow(page, path);
      await page
        .getByText(/^Requires permission \w+:read. Ask an owner to grant it.$/)
        .first()
        .waitFor();
      await quiet(page);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      expect(rejected).toEqual([]);
      expect(complaintsOf.get(page)).toEqual([]);
    },
  );
});
