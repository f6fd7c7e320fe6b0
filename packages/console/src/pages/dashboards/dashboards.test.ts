import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage, shopEnd } from '../../testing/console-server.js';
import { looksGood, picture, press } from '../../testing/screenshots.js';
import { keep, waitForResults } from './testing/stored-dashboards.js';
import { exportedText } from './testing/exported-dashboard.js';
import { boardOf, brokenBoard, largeDashboard, everyElement, everyTimeSeries } from './testing/example-dashboards.js';
import { isDeep } from '../../../../../tests/support/depth.js';

type Members = Readonly<Record<string, unknown>>;

const uid = 'every-element';

beforeAll(async () => {
  await openConsoleServer();
  await keep(uid, everyElement);
  await keep('broken', brokenBoard);
  await keep('kinds', everyTimeSeries);
  await keep('empty', boardOf('Empty', []));
  const { request } = await openConsoleServer();
  // More series than can be drawn.
  await fill(
    request,
    'crowd',
    Array.from({ length: 50_000 }, (_, n) => ({ _time: new Date(shopEnd - (n % 10) * 60_000), user: `user ${n}`, n })),
  );
  await keep('crowd', largeDashboard);
});

/** Tall enough to show the whole dashboard. */
const heights = [2300, 5200] as const;

looksGood([
  {
    name: 'board',
    path: `dashboards/${uid}`,
    heights,
    ready: async (page) => {
      await waitForResults(page);
      await page.getByRole('figure', { name: /Requests by service: / }).waitFor();
    },
    opens: {
      'dashboards/dashboard-bar': press('Compare'),
      'dashboards/element-frame': press(/^More: /),
      'dashboards/editing/dashboard-drawers': async (page) => {
        await press(/^More$/)(page);
        await page.getByRole('menuitem', { name: 'Edit JSON…' }).click();
      },
    },
  },
  // Axe takes long on these, and each kind of element is on the first.
  ...(isDeep
    ? [
        { name: 'board-broken', path: 'dashboards/broken', heights: [2000, 5200] as const, ready: waitForResults },
        { name: 'board-time-series', path: 'dashboards/kinds', heights: [1300, 3000] as const, ready: waitForResults },
      ]
    : []),
  {
    name: 'board-empty',
    path: 'dashboards/empty',
    ready: (page) => page.getByText('This dashboard is empty'),
  },
]);

it('names of elements show bidirectional control characters as marks', async () => {
  const note = { id: 'one', type: 'Note', name: 'a\u202Eb', text: 'one' };
  const section = { id: 'two', type: 'SectionHeader', name: 'c\u2066d' };
  await keep(
    'marks',
    boardOf('e\u200Ff', [
      [note, [0, 0, 6, 2]],
      [section, [0, 2, 12, 1]],
    ]),
  );
  const page = await reusePage('dashboards/marks');
  await waitForResults(page);
  await page.getByRole('group', { name: 'a⟨RLO⟩b' }).waitFor();
  expect(await page.title()).toBe('e⟨RLM⟩f · Millrace');
  expect(await page.locator('body').innerText()).not.toMatch(/[\u200f\u202a-\u202e\u2066-\u2069]/);
  await closePage(page);
});

it('limits fifty thousand groups in the engine, and each element reports it', async () => {
  const page = await reusePage('dashboards/crowd', { height: 1300 });
  await waitForResults(page);
  await page.getByText('The largest series: there are more').first().waitFor();
  await page.getByText('The first 1,000: there are more').first().waitFor();
  await page.getByRole('figure', { name: /Long: 1 series over 1[78]\d times/ }).waitFor();
  await picture(page, 'board-crowd-dark-1440');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 400, height: 2700 });
  await waitForResults(page);
  await picture(page, 'board-crowd-light-400');
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

describe('editing a dashboard', () => {
  const small = boardOf('Small', [
    [{ id: 'one', type: 'Note', name: 'One', text: 'one', kept: 'as it is' }, [0, 0, 6, 2]],
    [{ id: 'two', type: 'Statistic', name: 'Two', query: { apl: 'shop | count' } }, [0, 2, 6, 2]],
  ]);
  const storedDashboard = async (uid: string): Promise<{ charts: Members[]; layout: Members[]; version: number }> => {
    const { request } = await openConsoleServer();
    const { body } = await request(`/v2/dashboards/uid/${uid}`);
    const { dashboard, version } = body as { dashboard: { charts: Members[]; layout: Members[] }; version: number };
    return { ...dashboard, version };
  };

  it('by keyboard: moves an element, undoes, redoes, and saves after a look at the changes', async () => {
    await keep('by-key', small);
    const page = await reusePage('dashboards/by-key');
    await waitForResults(page);
    await page.keyboard.press('e');
    await page.getByRole('group', { name: 'One' }).focus();
    for (const key of ['m', 'ArrowRight', 'Shift+ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Save…', disabled: true }).waitFor();
    await page.keyboard.press('Control+Shift+Z');
    await page.keyboard.press('Control+Shift+Z');
    await page.keyboard.press('Control+s');
    const changes = page.getByRole('group', { name: 'Changes', exact: true });
    await changes.getByRole('listitem').first().waitFor();
    expect(await changes.getByRole('listitem').allInnerTexts()).toEqual(['“One” moved and resized', '“Two” moved']);
    await changes.getByText('Changes as JSON').click();
    await changes.getByText('"h": 3').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await picture(page, 'board-changes');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const { charts, layout } = await storedDashboard('by-key');
    expect(layout[0]).toMatchObject({ i: 'one', x: 1, y: 0, w: 6, h: 3, moved: false });
    expect(charts[0]).toMatchObject({ kept: 'as it is' });
    await closePage(page);
  });

  it('by mouse: drags an element, adds one with its query, removes one', async () => {
    await keep('by-mouse', small);
    const page = await reusePage('dashboards/by-mouse');
    await waitForResults(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    const head = page.getByRole('heading', { name: 'One' });
    const box = (await head.boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 8, { steps: 6 });
    await page.mouse.move(box.x + 720, box.y + 8, { steps: 6 });
    await page.mouse.up();
    await page.getByRole('button', { name: 'More: Two' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: /^Top list/ }).click();
    // The placeholder field before the editor loads has another class.
    await page.locator('.cm-content').click();
    await page.keyboard.insertText('shop | summarize count() by service');
    await page.getByRole('button', { name: 'Apply and run' }).click();
    await page.getByRole('dialog').getByText('gateway').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const { charts, layout } = await storedDashboard('by-mouse');
    expect(charts.map(({ id }) => id)).toEqual(['one', 'topk-1']);
    expect(layout.find(({ i }) => i === 'one')).toMatchObject({ x: 6 });
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('shows both versions on a save conflict, and overwrites only on request', async () => {
    await keep('conflict', small);
    const page = await reusePage('dashboards/conflict?edit=on');
    await waitForResults(page);
    await page.getByRole('button', { name: 'More: Two' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await keep('conflict', { ...small, name: 'Theirs' });
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('group', { name: 'Their changes', exact: true }).getByText('Name: Small → Theirs').waitFor();
    await page.getByRole('group', { name: 'Your changes', exact: true }).getByText('“Two (copy)” added').waitFor();
    await page.getByRole('button', { name: 'Overwrite' }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    const { charts, version } = await storedDashboard('conflict');
    expect([charts.length, version]).toEqual([3, 3]);
    await closePage(page);
  });

  it('a query becomes an element of a dashboard, and untouched parts are saved verbatim', async () => {
    const { request } = await openConsoleServer();
    const text = JSON.stringify(small).replace('"refreshTime":60', '"refreshTime":60.0');
    await request('/v2/dashboards', { body: `{"dashboard":${text},"uid":"from-query","overwrite":true}` });
    const page = await reusePage(
      `query?q=${encodeURIComponent('shop | summarize count() by bin_auto(_time), service')}`,
    );
    await page.getByRole('figure', { name: /series over/ }).waitFor();
    await page.keyboard.press('B');
    await page.getByRole('dialog').getByRole('button', { name: 'Small' }).first().waitFor();
    await page.goto(page.url().replace('/dashboards?', '/dashboards/from-query?'));
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('figure', { name: /Time series: .*series/ }).waitFor();
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(new URL(page.url()).searchParams.has('add')).toBe(false);
    const { charts } = await storedDashboard('from-query');
    expect(charts.at(-1)).toMatchObject({ type: 'TimeSeries', query: { apl: expect.stringContaining('bin_auto') } });
    const { url, server } = await openConsoleServer();
    const headers = { authorization: `Bearer ${server.token}` };
    const kept = await (await fetch(`${url}/v2/dashboards/uid/from-query`, { headers })).text();
    expect(kept).toContain('"refreshTime":60.0');
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('a click on a value filters the dashboard, and charts show annotations', async () => {
    const { request } = await openConsoleServer();
    await request('/v2/annotations', {
      body: JSON.stringify({
        datasets: ['shop'],
        type: 'deployment',
        title: 'Release 12',
        time: new Date(shopEnd - 1_800_000),
      }),
    });
    await keep(
      'narrowed',
      boardOf(
        'Narrowed',
        [
          [
            { id: 'top', type: 'TopK', name: 'Services', query: { apl: 'shop | summarize count() by service' } },
            [0, 0, 4, 4],
          ],
          [
            {
              id: 'over',
              type: 'TimeSeries',
              name: 'Over time',
              query: { apl: 'shop | summarize count() by bin(_time, 1m), service' },
            },
            [4, 0, 8, 4],
          ],
          [
            {
              id: 'many',
              type: 'TimeSeries',
              name: 'Many',
              query: { apl: 'shop | summarize count() by bin(_time, 1m), trace_id' },
            },
            [0, 4, 12, 4],
          ],
          [{ id: 'print', type: 'Table', name: 'Of nothing', query: { apl: 'print x = 1' } }, [0, 8, 4, 2]],
        ],
        { timeWindowStart: 'qr-now-2h' },
      ),
    );
    const page = await reusePage('dashboards/narrowed');
    await waitForResults(page);
    await page.getByText('The largest series: there are more').waitFor();
    await page
      .getByText(/: Release 12/)
      .first()
      .waitFor({ state: 'attached' });
    await picture(page, 'board-annotations');
    await page.getByRole('group', { name: 'Services' }).getByRole('button', { name: 'gateway' }).click();
    await page.getByRole('menuitem', { name: 'Filter for value' }).click();
    await page.getByRole('figure', { name: /Over time: 1 series/ }).waitFor();
    await page.getByRole('group', { name: 'Of nothing' }).getByText('not filtered').waitFor();
    await waitForResults(page);
    await picture(page, 'board-narrowed');
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: "Remove service == 'gateway'" }).click();
    await page.getByRole('figure', { name: /Over time: [^1] series/ }).waitFor();
    // A series in the legend: isolate, hide, and with Ctrl filter.
    const legend = page.getByRole('group', { name: 'Over time' }).getByRole('list', { name: 'Series' });
    const drawnSeries = (): Promise<readonly string[]> => legend.locator('button[aria-pressed=true]').allInnerTexts();
    await legend.getByRole('button', { name: 'gateway' }).press('Enter');
    expect(await drawnSeries()).toEqual(['gateway']);
    await legend.getByRole('button', { name: 'gateway' }).press('Enter');
    await legend.getByRole('button', { name: 'gateway' }).press('Shift+Enter');
    expect((await drawnSeries()).toSorted()).toEqual(['catalogue', 'checkout']);
    await legend.getByRole('button', { name: 'checkout' }).click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: "Remove service == 'checkout'" }).waitFor();
    await page.getByRole('figure', { name: /Over time: 1 series/ }).waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('an export of another server is imported, shown, and exported again byte for byte', async () => {
    const page = await reusePage('dashboards');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import' }).click();
    await (
      await chooser
    ).setFiles({ name: 'board.json', mimeType: 'application/json', buffer: Buffer.from(exportedText) });
    await page.waitForURL(/dashboards\/[0-9a-f-]{36}/);
    await waitForResults(page);
    await page.getByText('Requests of the shop').first().waitFor();
    expect(complaintsOf.get(page)).toEqual([]);
    await page.goto(page.url().replace(/dashboards\/.*/, 'dashboards'));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export Requests of the shop' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toBe(exportedText);
    await closePage(page);
  });

  it('an invalid document is rejected with its position, and the page stays', async () => {
    const page = await reusePage('dashboards');
    for (const [text, said] of [
      [JSON.stringify({ ...small, charts: [small.charts[0], small.charts[0]] }), /have the same id 'one'/],
      [
        JSON.stringify({ ...small, layout: [{ i: 'none', x: 0, y: 0, w: 1, h: 1 }] }),
        /'none', which is not among the charts/,
      ],
      [JSON.stringify({ ...small, text: 'x'.repeat(1_100_000) }), /MILLRACE_MAX_DASHBOARD_BYTES/],
      [`{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nesting exceeds/],
      ['{"name":', /is not valid JSON/],
    ] as const) {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Import' }).click();
      await (await chooser).setFiles({ name: 'board.json', mimeType: 'application/json', buffer: Buffer.from(text) });
      await page.getByText(said).first().waitFor();
    }
    await picture(page, 'board-refused');
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });

  it('printing queries everything in the light theme, and restores the page afterwards', async () => {
    const page = await reusePage(`dashboards/${uid}`);
    await waitForResults(page);
    await page.evaluate(() => {
      globalThis.print = () => {
        const asked = document.querySelectorAll('section:not([aria-busy=true]) figure').length;
        Object.assign(globalThis, { printed: { theme: document.documentElement.dataset['theme'], asked } });
      };
    });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: /Print/ }).click();
    const printed = await page.waitForFunction(() => (globalThis as { printed?: object }).printed);
    expect(await printed.jsonValue()).toEqual({ theme: 'light', asked: 6 });
    await page.locator('[data-element]').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBeUndefined();
    expect(complaintsOf.get(page)).toEqual([]);
    await closePage(page);
  });
});
