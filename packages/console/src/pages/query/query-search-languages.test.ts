import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  closePage,
  complaintsOf,
  openConsoleServer,
  fill,
  follow,
  openPage,
  shopEnd,
} from '../../testing/console-server.js';
import { writeQuery } from '../../testing/write-query.js';

/**
 * Each way to write a search finds its events. They share a page: loading costs more than a query.
 */

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const events = [
  { level: 'error', msg: 'payment timed out', status: 504, service: 'checkout', trace_id: traceId },
  { level: 'error', msg: 'timed out', status: 500, service: 'health' },
  { level: 'info', msg: 'out of time', status: 200, service: 'checkout' },
].map((event, n) => ({ _time: new Date(shopEnd - n * 1000).toISOString(), ...event }));

let page: Page;
beforeAll(async () => {
  const { request } = await openConsoleServer();
  await fill(request, 'words', events);
  page = await openPage('query?q=words');
});
afterAll(() => closePage(page));

beforeEach(async () => {
  await follow(page, 'query?q=words');
  await page.getByText('3 rows, complete').waitFor();
});
afterEach(() => expect(complaintsOf.get(page)).toEqual([]));

it.each([
  ['"timed out" checkout', 1],
  ['status:500 -health', 0],
  ['status>=500 -health', 1],
  ['level=error', 2],
  [traceId, 1],
  [JSON.stringify(events[0]), 1],
  ['2026-11-29T00:00:00Z [error] checkout: payment timed out', 1],
  ['status:200 OR health', 2],
  ['words status:200', 1],
  ["SELECT * FROM words WHERE status >= 500 AND msg LIKE '%timed%'", 2],
  ['{service="checkout"} |= "out"', 2],
  ['index=words level=ERROR | head 1', 1],
  ['status:[500 TO 504] AND NOT service:health', 1],
])('%j finds %i', async (text, rows) => {
  await writeQuery(page, text);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await (
    rows === 0
      ? page.getByText('No events match the filters').or(page.getByText('No rows'))
      : page.getByText(new RegExp(`^${rows} rows?, complete`))
  ).waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toMatch(/^words\n\| (where|search) /);
});
