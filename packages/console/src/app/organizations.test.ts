import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestProvider, type TestProvider } from '@millrace/server/testing/sign-in-provider';
import { closePage, complaintsOf, openPage } from '../testing/console-server.js';
import { freePort } from '../../../../tests/support/free-port.js';
import {
  removeDirectory,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../tests/support/server-process.js';

/** A person in two organizations: the built server, console and a browser. */

const directory = temporaryDirectory();
let provider: TestProvider;
let server: ServerProcess;

async function send<Body>(token: string, path: string, body?: unknown, method = 'POST'): Promise<Body> {
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

let otherToken: string;
let otherUser: string;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await openTestProvider({
    clientId: 'millrace',
    clientSecret: 'hush',
    redirectUri: `${url}/sign-in/test/callback`,
  });
  const config = join(directory, 'config');
  mkdirSync(config);
  writeFileSync(join(config, 'secret'), 'hush\n');
  const entry = {
    id: 'test',
    name: 'Continue with Test',
    issuer: provider.issuer,
    clientId: 'millrace',
    clientSecretFile: 'secret',
    createUsers: true,
    roles: [{ claim: 'department', equals: 'it', role: 'admin' }],
  };
  writeFileSync(join(config, 'sign-in.json'), JSON.stringify({ providers: [entry] }));
  server = await startServer(join(directory, 'data'), {
    MILLRACE_PORT: String(port),
    MILLRACE_CONSOLE_URL: url,
    MILLRACE_SIGN_IN_FILE: join(config, 'sign-in.json'),
  });
  const other = await send<{ readonly ownerToken: string }>(server.token, '/v2/orgs', { name: 'Other Ltd' });
  otherToken = other.ownerToken;
  for (const [token, name] of [
    [server.token, 'alpha-logs'],
    [otherToken, 'beta-logs'],
  ] as const) {
    await send(token, '/v2/datasets', { name });
    await send(token, `/v1/datasets/${name}/ingest`, [{ text: `from ${name}` }]);
  }
  const email = 'ada@example.com';
  otherUser = (await send<{ readonly id: string }>(otherToken, '/v2/users', { name: 'Ada', email, role: 'admin' })).id;
  await send(otherToken, `/v2/users/${otherUser}/identities`, { provider: 'test' });
  provider.account = { sub: 'ada', claims: { email, email_verified: true, name: 'Ada', department: 'it' } };
});
afterAll(async () => {
  await server.stop();
  await provider.close();
  removeDirectory(directory);
});

const contentOf = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.outerHTML);

async function chooseOrganization(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('a person switches organizations, and nothing of the one before is shown', async () => {
  const page = await openPage('datasets', { signedOut: true, server, width: 1280 });
  await page.getByRole('button', { name: 'Continue with Test' }).click();
  await page.getByText('alpha-logs').first().waitFor();
  await page.goto(`${server.url}/console/query?q=${encodeURIComponent("['alpha-logs'] | take 5")}`);
  await page.getByText('from alpha-logs').first().waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${server.url}/console/datasets`);
  await tab.getByText('alpha-logs').first().waitFor();

  await chooseOrganization(page, 'Other Ltd');
  await page.waitForURL((url) => !url.search.includes('alpha'));
  await page.goto(`${server.url}/console/datasets`);
  await page.getByText('beta-logs').first().waitFor();
  expect(await contentOf(page)).not.toContain('alpha-logs');
  await page.goto(`${server.url}/console/query?q=${encodeURIComponent("['beta-logs'] | take 5")}`);
  await page.getByText('from beta-logs').first().waitFor();
  expect(await contentOf(page)).not.toContain('alpha-logs');

  // The other tab shows what it showed, also after a new load.
  await tab.reload();
  await tab.getByText('alpha-logs').first().waitFor();
  expect(await contentOf(tab)).not.toContain('beta-logs');

  // A removed member is led back.
  await send(otherToken, `/v2/users/${otherUser}`, undefined, 'DELETE');
  await page.goto(`${server.url}/console/datasets`);
  await page.getByText('alpha-logs').first().waitFor();
  expect(await contentOf(page)).not.toContain('beta-logs');
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Other Ltd' }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Continue with Test' }).waitFor();
  expect(complaintsOf.get(page)?.filter((each) => !each.includes('403'))).toEqual([]);
  await closePage(page);
});
