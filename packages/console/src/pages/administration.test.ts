import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, openPage, reusePage } from '../testing/console-server.js';
import { looksGood, press } from '../testing/screenshots.js';

/** The Access, Server, Settings and Sources pages, with one server and one browser. */

let sendOnly = '';

beforeAll(async () => {
  const { request } = await openConsoleServer();
  const made = (await request('/v2/tokens', {
    body: JSON.stringify({ name: 'shipper', datasetCapabilities: { shop: { ingest: ['create'] } } }),
  })) as { body: { token: string } };
  sendOnly = made.body.token;
  const rights = { '*': { query: ['read'], starredQueries: ['create', 'read'] } };
  const role = { name: 'on-call', description: 'Looks and saves', datasetCapabilities: rights };
  await request('/v2/rbac/roles', { body: JSON.stringify(role) });
  await request('/v2/users', { body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', role: 'user' }) });
  // Private addresses are blocked, so it fails at once.
  const bucket = { bucket: 'example-logs', prefix: 'AWSLogs/', endpoint: 'http://127.0.0.1:1' };
  const trails = { name: 'trails', dataset: 'shop', properties: { bucket } };
  await request('/v2/sources', { body: JSON.stringify(trails) });
});

looksGood([
  {
    name: 'settings',
    path: 'settings',
    ready: (page) => page.getByText('current', { exact: true }),
    opens: { 'settings/other-device': press('Sign in another browser') },
  },
  { name: 'device', path: 'device', ready: (page) => page.getByRole('button', { name: 'Continue' }) },
  { name: 'server', path: 'server', ready: (page) => page.getByText(/\d\/s$/) },
  {
    name: 'access-tokens',
    path: 'access/tokens',
    ready: (page) => page.getByText('Ingest only · shop'),
    opens: {
      'access/create-token': press('New token'),
      'access/regenerate-token': press(/^Regenerate/),
      'access/tokens': press(/^Delete shipper/),
      'access/personal-tokens': press('New personal token'),
    },
  },
  {
    name: 'access-new',
    path: 'access/tokens?new=token',
    ready: (page) => page.getByText('Ingest only · all datasets'),
  },
  {
    name: 'access-users',
    path: 'access/users',
    ready: (page) => page.getByText('ada@example.com'),
    opens: { 'access/users': press('New user') },
  },
  {
    name: 'access-roles',
    path: 'access/roles',
    ready: (page) => page.getByText('Saved queries: create'),
    opens: { 'access/roles': press('New role') },
  },
  {
    name: 'access-groups',
    path: 'access/groups',
    ready: (page) => page.getByText('No groups yet'),
    opens: { 'access/groups': press('New group') },
  },
  {
    name: 'sources',
    path: 'sources',
    ready: (page) => page.getByRole('row', { name: 'trails' }).getByText('failing'),
    opens: {
      'sources/source-drawer': (page) => page.getByRole('row', { name: 'trails' }).click(),
      'sources/kind-form': press('New source'),
    },
  },
  { name: 'access-sessions', path: 'access/sessions', ready: (page) => page.getByText('current', { exact: true }) },
]);

describe('a token', () => {
  it('is created by keyboard alone, shown once, tested and deleted', async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'collected', [{ a: 0 }]);
    const page = await openPage('access/tokens');
    await page.getByRole('button', { name: 'New token' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('collector');
    await page.keyboard.press('Enter');
    const secret = page.getByRole('dialog', { name: 'Secret of collector' });
    await secret.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const token = (await secret.getByText(/^xaat-/).textContent()) ?? '';
    await secret.getByRole('button', { name: 'Test' }).press('Enter');
    await secret.getByText('Valid').waitFor();
    const { server } = await openConsoleServer();
    const send = (): Promise<Response> =>
      fetch(`${server.url}/v1/datasets/collected/ingest`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: '[{"a":1}]',
      });
    expect((await send()).status).toBe(200);
    await secret.getByRole('button', { name: 'I saved it' }).press('Enter');
    await secret.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'collector' }).waitFor();
    expect(await page.content()).not.toContain(token);
    // In a table, arrow keys move from the row to its cells and their controls.
    await page.getByRole('row', { name: 'collector' }).focus();
    const deletes = page.getByRole('button', { name: 'Delete collector' });
    while (!(await deletes.evaluate((element) => element === document.activeElement)))
      await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete token' }).press('Enter');
    await page.getByRole('row', { name: 'collector' }).waitFor({ state: 'detached' });
    expect((await send()).status).toBe(403);
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('has the selected permissions', async () => {
    const page = await openPage('access/tokens?new=token');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('trimmer');
    await dialog.getByRole('radio', { name: 'Custom' }).click();
    await dialog.getByText('All datasets, including future ones').click();
    await dialog.getByText('shop', { exact: true }).click();
    await dialog.getByText('All datasets, including future ones').waitFor();
    await dialog.getByRole('checkbox', { name: 'Trim: update' }).press('Space');
    await dialog.getByRole('checkbox', { name: 'Users: read' }).press('Space');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog', { name: 'Secret of trimmer' }).waitFor();
    const { request } = await openConsoleServer();
    const { body } = (await request('/v2/tokens')) as { body: readonly { name: string }[] };
    expect(body.find(({ name }) => name === 'trimmer')).toMatchObject({
      datasetCapabilities: { shop: { ingest: ['create'], trim: ['update'] } },
      orgCapabilities: { users: ['read'] },
    });
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});

describe('a source', () => {
  it('is created by keyboard, paused, resumed, renamed and deleted', async () => {
    const { request } = await openConsoleServer();
    const storedSource = async () => {
      const { body } = (await request('/v2/sources')) as { body: readonly { name: string }[] };
      return body.find(({ name }) => name.startsWith('orders'));
    };
    const page = await reusePage('sources');
    await page.getByRole('button', { name: 'New source' }).press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.waitFor();
    await page.keyboard.type('orders');
    await drawer.getByRole('button', { name: 'Create source' }).press('Enter');
    await drawer.getByText('Brokers is required').waitFor();
    await drawer.getByLabel('Brokers').fill('127.0.0.1:1');
    await drawer.getByLabel('Topics').fill('orders, refunds');
    await drawer.getByRole('button', { name: 'Create source' }).press('Enter');
    await page.getByRole('row', { name: 'orders' }).press('Enter');
    expect(await storedSource()).toMatchObject({
      properties: { kafka: { brokers: ['127.0.0.1:1'], topics: ['orders', 'refunds'] } },
    });
    await drawer.getByRole('button', { name: 'Pause' }).press('Enter');
    await drawer.getByText('paused', { exact: true }).waitFor();
    expect(await storedSource()).toMatchObject({ paused: true });
    await drawer.getByRole('button', { name: 'Resume' }).press('Enter');
    await drawer.getByRole('button', { name: 'Pause' }).waitFor();
    await drawer.getByLabel('Name', { exact: true }).fill('orders 2');
    await drawer.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('row', { name: 'orders 2' }).press('Enter');
    await drawer.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('button', { name: 'Delete the source' }).press('Enter');
    await page.getByRole('row', { name: 'orders 2' }).waitFor({ state: 'detached' });
    expect(await storedSource()).toBeUndefined();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});

describe('users', () => {
  it('get a role, and a group gives its members another', async () => {
    const page = await reusePage('access/groups');
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('night shift');
    await dialog.getByText('Ada').click();
    await dialog.getByText('on-call').click();
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('row', { name: 'night shift' }).getByText('on-call').waitFor();
    await page.getByRole('tab', { name: 'Users' }).click();
    await page.getByRole('row', { name: /Ada/ }).getByText('night shift').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/access/users');
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});

describe('a user without permission', () => {
  it('causes no refused request by opening pages and the palette', async () => {
    const { request } = await openConsoleServer();
    const { body } = await request('/v2/tokens', {
      body: JSON.stringify({ name: 'reader', datasetCapabilities: { shop: { query: ['read'] } }, orgCapabilities: {} }),
    });
    const { token } = body as { readonly token: string };
    expect(token).toMatch(/^xaat-/);
    const page = await openPage('query?q=shop', { token });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const origin = new URL(page.url()).origin;
    for (const path of ['query', 'datasets', 'datasets/shop/settings', 'server']) {
      await page.goto(`${origin}/console/${path}`);
      await page.waitForLoadState('networkidle');
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(refused).toEqual([]);
    await closePage(page);
  });

  it('sees the permission that each part needs; everything else works', async () => {
    const page = await openPage('access/tokens', { token: sendOnly });
    const button = page.getByRole('button', { name: 'New token' });
    await button.waitFor();
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await page.getByText(/Requires permission apiTokens:read/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});

describe('settings', () => {
  it('of this browser apply at once and persist', async () => {
    const page = await reusePage('settings');
    await page.getByRole('radio', { name: 'Light' }).click();
    await page.getByRole('radio', { name: 'Another' }).click();
    await page.getByLabel('Name of the zone').fill('Asia/Kathmandu');
    await page.getByText(/in Asia\/Kathmandu/).waitFor();
    await page.reload();
    await page.getByText(/in Asia\/Kathmandu/).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('end another session, which is then signed out', async () => {
    const other = await openPage('settings', { token: sendOnly });
    await other.getByText('current', { exact: true }).waitFor();
    const page = await openPage('access/sessions');
    await page.getByRole('row').filter({ hasText: 'shipper' }).getByRole('button').first().click();
    await page.getByText(/is signed out/).waitFor();
    await other.getByRole('button', { name: 'Sign in another browser' }).click();
    await other.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
    await closePage(other);
  });
});

describe('the server', () => {
  it('has rates from its second scrape on, and its queries open in Query', async () => {
    const { request } = await openConsoleServer();
    await request('/v1/datasets/_apl?format=tabular&saveAsKind=apl', { body: JSON.stringify({ apl: 'shop | count' }) });
    const page = await reusePage('server');
    await page
      .getByText(/\d\/s$/)
      .first()
      .waitFor();
    await page.getByRole('row', { name: 'shop | count' }).click();
    await page.waitForURL(/\/query\?q=shop/);
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});
