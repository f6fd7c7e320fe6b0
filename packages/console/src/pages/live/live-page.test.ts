import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, follow, reusePage } from '../../testing/console-server.js';
import { writeQuery } from '../../testing/write-query.js';

beforeAll(openConsoleServer);

describe('live', () => {
  it('offers to send events when the server has only internal datasets', async () => {
    const { request } = await openConsoleServer();
    const catalog = (await request('/v2/catalogue')).body as { readonly datasets: readonly object[] };
    const datasets = [{ ...catalog.datasets[0], name: 'millrace-audit' }];
    const page = await reusePage('nowhere');
    await page.route('**/v2/catalogue', (route) => route.fulfill({ json: { ...catalog, datasets } }));
    await page.reload();
    await page.getByText('Page not found').waitFor();
    await follow(page, 'tail');
    await page.getByText('No datasets yet').waitFor();
    expect(await page.getByRole('button', { name: 'millrace-audit' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Send events' }).click();
    await page.waitForURL('**/welcome*');
    await page.unrouteAll();
    await closePage(page);
  });

  it('shows events as they arrive, pauses and resumes', async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'arriving', []);
    const send = (...events: readonly object[]) =>
      request('/v1/datasets/arriving/ingest', { body: JSON.stringify(events) });
    const page = await reusePage('tail?q=arriving');
    await page.getByText('No events yet').waitFor();
    // The watermark settles before the first event, so the tail starts before it.
    await page.getByText(/Complete up to/).waitFor();
    await send({ msg: 'first', n: '9007199254740993' }, { msg: 'dated earlier', _time: '2020-01-01T00:00:00Z' });
    await page.getByText('dated earlier').waitFor();
    await page.getByRole('textbox', { name: 'Highlight' }).fill('EARLIER');
    await page.keyboard.press('Enter');
    expect(await page.locator('mark').innerText()).toBe('earlier');
    await page.getByRole('textbox', { name: 'Fields' }).fill('msg');
    await page.keyboard.press('Enter');
    await page.getByText('n=', { exact: true }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?q=arriving&mark=EARLIER&c=msg');
    await page.getByText(/Complete up to/).click();
    await page.getByText(/0 missed since/).waitFor();
    await page.keyboard.press('Space');
    await send({ msg: 'while paused' });
    await page.getByText('1 newer').waitFor();
    expect(await page.getByText('while paused').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Space');
    await page.getByText('while paused').waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('opens with the newest 100 events above the line now, each event once', async () => {
    const { request } = await openConsoleServer();
    const old = Array.from({ length: 150 }, (_, n) => ({ msg: `old ${n}`, _time: 1_700_000_000_000 + n, kind: n % 2 }));
    await fill(request, 'before', old);
    const page = await reusePage('tail?q=before');
    const grid = page.getByRole('grid', { name: 'Events' });
    /** What the last rows in view say, without their times. */
    const newest = (count: number) => (): Promise<readonly string[]> =>
      grid
        .getByRole('row')
        .evaluateAll((rows, last) => rows.slice(-last).map((row) => row.ariaLabel?.replace(/^.*, /, '') ?? ''), count);
    await expect.poll(newest(3)).toEqual(['old 148', 'old 149', 'Now']);
    expect(await grid.getAttribute('aria-rowcount')).toBe('101');
    await page.getByText('0 new events').waitFor();
    await request('/v1/datasets/before/ingest', {
      body: JSON.stringify([{ msg: 'new but dated 2020', _time: '2020-01-01T00:00:00Z', kind: 1 }]),
    });
    await expect.poll(newest(3)).toEqual(['old 149', 'Now', 'new but dated 2020']);
    await page.getByText('1 new event', { exact: true }).waitFor();

    // A paused view scrolls through both; the newest may be at the top.
    await grid.press('Home');
    await page.getByText(/^Paused at/).waitFor();
    await page.getByText('old 50', { exact: true }).waitFor();
    await page.keyboard.press('r');
    await expect.poll(async () => (await newest(100)()).slice(0, 3)).toEqual(['new but dated 2020', 'Now', 'old 149']);
    await page.keyboard.press('r');

    // Another filter keeps the line where it is.
    await writeQuery(page, 'before | where kind == 1');
    await page.getByRole('button', { name: 'Follow' }).click();
    await expect.poll(newest(4)).toEqual(['old 147', 'old 149', 'Now', 'new but dated 2020']);
    expect(await grid.getAttribute('aria-rowcount')).toBe('77');

    // A position in the address begins there.
    await page.getByRole('button', { name: 'Copy link to this position' }).waitFor();
    const after = /since batch ([\d ]+)/
      .exec(await page.getByText(/0 missed since/).innerText())![1]!
      .replaceAll(' ', '');
    await follow(page, `tail?q=before&after=${after}`);
    await expect.poll(newest(2)).toEqual(['new but dated 2020']);
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('explains why a query cannot be tailed', async () => {
    const page = await reusePage('tail?q=shop+|+summarize+count()');
    await page.getByText(/needs more than one event at a time/).waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});
