import { sampleTraffic, spansOf } from '@millrace/sample-data';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { closePage, complaintsOf, openConsoleServer, fill, reusePage, shopEnd } from '../testing/console-server.js';
import { rows, userOf } from '../testing/effort/job.js';
import { pageJobs } from '../testing/effort/page-jobs.js';
import { queryJobs } from '../testing/effort/query-jobs.js';
import { boardOf } from './dashboards/testing/example-dashboards.js';
import { keep } from './dashboards/testing/stored-dashboards.js';

/** Maximum number of user actions for the tasks of a first day. */

beforeAll(async () => {
  const { request } = await openConsoleServer();
  const traffic = sampleTraffic({ count: 300, end: shopEnd, milliseconds: 1_800_000, seed: 7 });
  await fill(request, 'spans', traffic.flatMap(spansOf));
  await fill(request, 'nested', [{ _time: new Date(shopEnd).toISOString(), order: { customer: { name: 'Ada' } } }]);
  await keep('effort', boardOf('Effort', []));
});

let page: Page;
afterEach(() => closePage(page));

it.each([...queryJobs, ...pageJobs])('$title: actions are at most $atMost', async ({ path, atMost, run }) => {
  page = await reusePage(path);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  if (path.startsWith('query') && !path.includes('summari')) await rows(page).first().waitFor();
  const { user, actions } = userOf(page);
  await run(user);
  expect(actions()).toBeLessThanOrEqual(atMost);
  expect(complaintsOf.get(page)).toEqual([]);
});
