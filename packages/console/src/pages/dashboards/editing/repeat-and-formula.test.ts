import { beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '../../../testing/axe.js';
import {
  closePage,
  complaintsOf,
  openConsoleServer,
  fill,
  reusePage,
  shopEnd,
} from '../../../testing/console-server.js';
import { picture } from '../../../testing/screenshots.js';
import { boardOf } from '../testing/example-dashboards.js';
import { keep, waitForResults } from '../testing/stored-dashboards.js';

const list = 'declare query_parameters (_zone: dynamic = dynamic([]));\n';
beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(
    request,
    'zoned',
    Array.from({ length: 120 }, (_, n) => ({
      _time: new Date(shopEnd - n * 20_000).toISOString(),
      zone: ['north', 'south', 'west'][n % 3],
      status: n % 6 === 0 ? 500 : 200,
    })),
  );
  await keep(
    'zones',
    boardOf('Zones', [
      [
        {
          id: 'bar',
          type: 'SmartFilter',
          filters: [
            {
              id: '_zone',
              name: 'Zone',
              type: 'select',
              multiple: true,
              query: { apl: 'zoned | distinct key = zone, value = zone | sort by value asc' },
            },
          ],
        },
        [0, 0, 12, 1],
      ],
      [
        {
          id: 'rate',
          type: 'TimeSeries',
          name: 'Rate',
          query: {
            apl: `${list}zoned | where array_length(_zone) == 0 or zone in (_zone) | summarize count() by bin(_time, 5m)`,
          },
        },
        [0, 1, 12, 5],
      ],
      [
        {
          id: 'plain',
          type: 'TimeSeries',
          name: 'Plain',
          query: { apl: 'zoned | summarize count() by bin(_time, 5m)' },
        },
        [0, 6, 12, 4],
      ],
    ]),
  );
});

it('an element repeats for each value that is chosen, and its query receives a list', async () => {
  const page = await reusePage('dashboards/zones?edit=on', { height: 1100 });
  await waitForResults(page);
  await page.getByRole('button', { name: 'More: Rate' }).click();
  await page.getByRole('menuitem', { name: /^Edit/ }).click();
  const editor = page.getByRole('dialog');
  await editor.getByRole('tab', { name: 'Options' }).click();
  await editor.getByRole('button', { name: /Repeat for each value of/ }).click();
  const asked = page.waitForRequest((request) => request.postData()?.includes('"_zone":["north"]') === true);
  await page.getByRole('option', { name: 'Zone' }).click();
  await asked;
  await editor.getByRole('list', { name: 'For each value of Zone' }).getByText('west').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await editor.getByRole('button', { name: 'Done' }).click();
  const frame = page.getByRole('group', { name: 'Rate', exact: true });
  await frame.getByRole('figure', { name: /Rate: south/ }).waitFor();
  expect(await frame.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['north', 'south', 'west']);
  await picture(page, 'board-repeated');
  await page.getByRole('button', { name: /^(All )?Zone/ }).click();
  await page.getByRole('option', { name: 'north' }).click();
  await page.getByRole('option', { name: 'west' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => frame.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['north', 'west']);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

it('a chart combines two queries with a formula and saves them as one query', async () => {
  const page = await reusePage('dashboards/zones?edit=on', { height: 1100 });
  await waitForResults(page);
  await page.getByRole('button', { name: 'More: Plain' }).click();
  await page.getByRole('menuitem', { name: /^Edit/ }).click();
  const editor = page.getByRole('dialog');
  await editor.getByRole('button', { name: 'Combine with a second query' }).click();
  const first = editor.getByRole('group', { name: 'Query A' }).locator('.cm-content');
  await first.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('zoned | where status >= 500 | summarize count() by bin(_time, 5m)');
  const asked = page.waitForRequest(
    (request) => request.postData()?.includes('where status >= 500 | summarize A') === true,
  );
  await editor.getByRole('button', { name: 'Apply and run' }).click();
  await asked;
  await editor.getByRole('figure', { name: /Plain: 1 series/ }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, 'board-formula');
  await editor.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  const { request } = await openConsoleServer();
  const { body } = await request('/v2/dashboards/uid/zones');
  const { charts } = (body as { readonly dashboard: { readonly charts: readonly SavedChart[] } }).dashboard;
  const { query, formula } = charts.find(({ id }) => id === 'plain')!;
  expect(formula?.text).toBe('A / B * 100');
  const answer = await request('/v1/datasets/_apl?format=tabular', {
    body: JSON.stringify({ apl: query.apl, startTime: '2000-01-01', endTime: 'now' }),
  });
  const { tables } = answer.body as {
    readonly tables: readonly { readonly columns: readonly (readonly number[])[] }[];
  };
  // Each sixth of the events failed; the first and last bins have few.
  const percents = tables[0]!.columns.at(-1)!.slice(1, -1);
  expect(percents.length).toBeGreaterThan(5);
  expect(percents.every((percent) => percent > 10 && percent < 25)).toBe(true);
  expect(complaintsOf.get(page)).toEqual([]);
  await closePage(page);
});

interface SavedChart {
  readonly id: string;
  readonly query: { readonly apl: string };
  readonly formula?: { readonly text: string };
}
