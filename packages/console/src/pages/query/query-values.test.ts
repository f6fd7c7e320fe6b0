import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../../testing/axe.js';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage, shopEnd } from '../../testing/console-server.js';
import { writeQuery } from '../../testing/write-query.js';

/**
 * Values that break consoles: each is shown exactly, executes nothing, and does not fill the page.
 */

const at = (nanoseconds: string): string => `${new Date(shopEnd - 60_000).toISOString().slice(0, 19)}.${nanoseconds}Z`;
const SCRIPT = '<img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';
const LONG = 1_000_000;
const HUGE = 19_000_000;
const MANY_FIELDS = 50_000;

beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'odd', [
    { _time: at('000000003'), n: 1, msg: 'third', v: 1 },
    { _time: at('000000002'), n: 2, msg: 'second', v: 'text' },
    { _time: at('000000002'), n: 3, msg: '', v: true },
    { _time: at('000000001'), n: 4, msg: 'null', v: [1, { deep: 12345678901234567890n.toString() }] },
    { _time: at('000000000'), n: 5, msg: SCRIPT, [SCRIPT]: SCRIPT },
    { _time: at('000000000'), n: 6, msg: '\u001b[31mred\u001b[0m \u001b]0;title\u0007 after' },
    { _time: at('000000000'), n: 7, msg: 'שלום \u202Egnirts\u202C e\u0301 😀' },
  ]);
  // As text: JavaScript cannot represent these integers.
  await request('/v1/datasets/odd/ingest', {
    body: `[{"_time":"${at('000000000')}","n":8,"big":9223372036854775807,"lines":"one\\r\\ntwo\\nthree"},{"_time":"${at('000000000')}","n":9,"big":-9223372036854775808}]`,
  });
  await fill(request, 'long', [{ _time: at('0'), msg: 'x'.repeat(LONG), other: 'short' }]);
  const wide = Object.fromEntries(Array.from({ length: MANY_FIELDS }, (_, index) => [`field_${index}`, index]));
  await fill(request, 'wide', [{ _time: at('0'), msg: 'wide', ...wide }]);
  await fill(
    request,
    'many',
    Array.from({ length: 6000 }, (_, n) => ({ _time: at(String(n).padStart(9, '0')), n, msg: `line ${n}` })),
  );
});

// Otherwise every page's catalog would have its fields.
afterAll(async () => {
  const { request } = await openConsoleServer();
  await request('/v2/datasets/wide', { method: 'DELETE' });
});

let page: Page;
afterEach(async () => {
  expect(complaintsOf.get(page)).toEqual([]);
  expect(await page.title()).not.toBe('broken');
  await closePage(page);
});

const cells = (): Promise<readonly string[]> => page.getByRole('gridcell').allInnerTexts();
const nodes = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);

it('the pattern of an empty message is quoted, so that its row has a name', async () => {
  page = await reusePage('query?q=odd&v=patterns');
  await page.getByRole('rowheader', { name: '""', exact: true }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

describe('values are shown exactly', () => {
  it('64-bit integers, and a multi-line text in one line', async () => {
    page = await reusePage('query?q=odd+|+where+n+>=+8+|+sort+by+n+asc&v=table&c=big,lines');
    await page.getByRole('gridcell').nth(3).waitFor();
    expect(await cells()).toEqual(['9223372036854775807', 'one ⏎ two ⏎ three', '-9223372036854775808', 'null']);
  });

  it('equal timestamps keep the order of the server, with nanoseconds', async () => {
    page = await reusePage('query?q=odd+|+where+n+<+4&v=table&c=n,_time');
    await page.getByRole('gridcell').nth(5).waitFor();
    const { request } = await openConsoleServer();
    const answer = await request('/v1/query/_apl?format=tabular', {
      // The order of cursors, as the page needs it to continue after its last row.
      body: JSON.stringify({ apl: 'odd | where n < 4 | project n', startTime: 'now-1h', includeCursorField: true }),
    });
    const [expected] = (answer.body as { tables: { columns: number[][] }[] }).tables[0]!.columns;
    const shown = await cells();
    expect([shown[0], shown[2], shown[4]].map(Number)).toEqual(expected);
    expect(await page.getByRole('gridcell').nth(1).locator('time').getAttribute('datetime')).toBe(at('000000003'));
  });

  it('null, an empty string and the word look different; mixed types are marked', async () => {
    page = await reusePage('query?q=odd+|+where+n+<+5+|+sort+by+n+asc&v=table&c=msg,v,big');
    await page.getByRole('gridcell').nth(11).waitFor();
    const shown = await cells();
    expect(shown[6]).toBe('""');
    expect(shown[9]).toBe('null');
    expect(shown[2]).toBe('null');
    const italic = (index: number): Promise<string> =>
      page
        .getByRole('gridcell')
        .nth(index)
        .locator('span,bdi')
        .first()
        .evaluate((element) => getComputedStyle(element).fontStyle);
    expect([await italic(2), await italic(9)]).toEqual(['italic', 'normal']);
    expect([shown[1], shown[4], shown[7]].map((each) => each!.replace(/\s/g, ''))).toEqual(['1n', 'texts', 'trueb']);
  });
});

describe('texts are inert', () => {
  it.each(['log', 'table', 'json'])('markup, escapes and directions in the %s view', async (view) => {
    page = await reusePage(`query?q=odd+|+where+n+>=+5+and+n+<+8&v=${view}&row=0`);
    await page.getByText('<img src=x').first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  it('shows terminal colors, but no other escapes', async () => {
    page = await reusePage('query?q=odd+|+where+n+==+6');
    const red = page.getByText('red', { exact: true });
    await red.waitFor();
    expect(await red.getAttribute('style')).toContain('--red');
    expect(await page.getByRole('row').first().innerText()).not.toContain('title');
  });
});

describe('large values are truncated before they reach the page', () => {
  it('a value of a million characters', async () => {
    page = await reusePage('query?q=long&row=0');
    await page.getByRole('button', { name: /Show all \(1.0 M characters\)/ }).waitFor();
    const shown = await page.evaluate(() => document.body.textContent?.length ?? 0);
    expect(shown).toBeLessThan(20_000);
    await page.getByRole('button', { name: /Show all/ }).click();
    await page.getByText(/part 1 of 245/).waitFor();
    expect(await page.evaluate(() => document.body.textContent?.length ?? 0)).toBeLessThan(30_000);
  });

  it('a computed value of 19 MB', async () => {
    page = await reusePage('query?q=many');
    await page.getByRole('row').first().waitFor();
    const text = JSON.stringify('y'.repeat(HUGE));
    const head = '"sources":[],"fields":[{"name":"blob","type":"string"}],"order":[],"groups":[]';
    const range = '"range":{"field":"_time","start":"2026-01-01T00:00:00Z","end":"2026-01-02T00:00:00Z"}';
    const status = '"status":{"rowsMatched":1,"rowsExamined":1,"elapsedTime":1,"messages":[]}';
    const body = `{"format":"tabular",${status},"tables":[{"name":"0",${head},${range},"columns":[[${text}]]}]}`;
    await page.route('**/_apl*', (route) => route.fulfill({ contentType: 'application/json', body }));
    await writeQuery(page, 'print blob = 1');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/19.0 M characters/).waitFor();
    expect(await page.evaluate(() => document.body.textContent?.length ?? 0)).toBeLessThan(20_000);
  });

  it('fifty thousand fields, in the row, in its detail and as JSON', async () => {
    page = await reusePage('query?q=wide&row=0');
    const detail = page.getByRole('complementary', { name: 'Row details' });
    await detail.getByText('field_0', { exact: true }).waitFor();
    expect(await nodes()).toBeLessThan(4000);
    await detail.getByRole('searchbox').fill('field_4999');
    await detail.getByText('field_49999', { exact: true }).waitFor();
    await detail.getByRole('tab', { name: 'JSON' }).click();
    await detail.getByRole('button', { name: /more$/ }).waitFor();
    expect(await nodes()).toBeLessThan(4000);
  });

  it('six thousand rows: visible ones are rendered, others load by scrolling', async () => {
    page = await reusePage('query?q=many');
    await page.getByRole('row').first().waitFor();
    const before = await nodes();
    expect(before).toBeLessThan(2000);
    const grid = page.getByRole('grid');
    await expect
      .poll(async () => {
        await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return page.getByText('6,000 rows, complete').count();
      })
      .toBe(1);
    await grid.press('End');
    await page.getByText('line 0', { exact: true }).waitFor();
    expect(await nodes()).toBeLessThan(2000);
  });
});
