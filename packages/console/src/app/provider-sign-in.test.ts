import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestProvider, type TestProvider } from '@millrace/server/testing/sign-in-provider';
import { accessibilityProblems } from '../testing/axe.js';
import { closePage, complaintsOf, openPage } from '../testing/console-server.js';
import { freePort } from '../../../../tests/support/free-port.js';
import {
  removeDirectory,
  type ServerProcess,
  startServer,
  temporaryDirectory,
} from '../../../../tests/support/server-process.js';

/** The whole sign-in with a real provider: the built server, console and a browser. */

const directory = temporaryDirectory();
let provider: TestProvider;
let server: ServerProcess;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const redirectUri = `${url}/sign-in/test/callback`;
  provider = await openTestProvider({ clientId: 'millrace', clientSecret: 'hush', redirectUri });
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
    roles: [{ claim: 'department', equals: 'it', role: 'user' }],
    require: { department: 'it' },
  };
  writeFileSync(join(config, 'sign-in.json'), JSON.stringify({ providers: [entry] }));
  server = await startServer(join(directory, 'data'), {
    MILLRACE_PORT: String(port),
    MILLRACE_CONSOLE_URL: url,
    MILLRACE_SIGN_IN_FILE: join(config, 'sign-in.json'),
  });
});
afterAll(async () => {
  await server.stop();
  await provider.close();
  removeDirectory(directory);
});

test('a browser signs in with a provider, allows a program, and signs out', async () => {
  const page = await openPage('device', { signedOut: true, server, width: 360, theme: 'light' });
  const button = page.getByRole('button', { name: 'Continue with Test' });
  await button.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);

  provider.account = { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true, department: 'sales' } };
  await button.click();
  await page.getByText('Your account at the provider may not sign in here').waitFor();
  expect(new URL(page.url()).hash).toBe('');

  // The provider remembers the account, which is in another department now.
  provider.account = { sub: 'ada', claims: { name: 'Ada', email: 'ada@example.com', department: 'it' } };
  await page.goto(`${server.url}/console/device`);
  await button.click();
  await page.getByRole('heading', { name: 'Allow a program' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/device');

  const started = await fetch(`${server.url}/v2/device-codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'millrace on laptop' }),
  });
  const { deviceCode, userCode } = (await started.json()) as { readonly deviceCode: string; readonly userCode: string };
  await page.getByRole('textbox', { name: 'Code' }).fill(userCode);
  await page.keyboard.press('Enter');
  await page.getByText('millrace on laptop').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Program allowed').waitFor();
  const given = await fetch(`${server.url}/v2/device-codes/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ deviceCode }),
  });
  const { token } = (await given.json()) as { readonly token: string };
  const user = await fetch(`${server.url}/v2/user`, { headers: { authorization: `Bearer ${token}` } });
  expect(await user.json()).toMatchObject({ name: 'Ada', role: { id: 'user' } });

  await page.getByRole('button', { name: 'More pages' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await button.waitFor();
  expect(complaintsOf.get(page)).toEqual([]);
  expect(server.output()).not.toMatch(/hush|eyJ|code=/);
  await closePage(page);
});
