import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, openPage, quiet } from '../testing/console-server.js';
import { looksGood } from '../testing/screenshots.js';

beforeAll(openConsoleServer);

describe('sign-in', () => {
  looksGood([{ name: 'sign-in', path: '', signedOut: true, ready: (page) => page.getByLabel('Token') }]);

  it('accepts a token by keyboard alone, and explains an invalid one', async () => {
    const { server } = await openConsoleServer();
    const page = await openPage('', { signedOut: true });
    const token = page.getByLabel('Token');
    await token.fill('xapt-00000000-0000-4000-8000-00000000dead');
    await page.keyboard.press('Enter');
    await page.getByText('token').nth(1).waitFor();
    // Now the browser knows that it is signed out: a page asks for nothing that would be rejected.
    const rejected: string[] = [];
    page.on('response', (response) => void (response.status() === 401 && rejected.push(response.url())));
    await page.reload();
    await token.waitFor();
    await quiet(page);
    expect(rejected).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    await token.fill(server.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Query' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Query' }).waitFor();
    expect(rejected).toEqual([]);
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});
