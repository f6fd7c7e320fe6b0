import type { Page } from 'playwright-core';
import { openConsoleServer } from '../../../testing/console-server.js';

/** Creates or replaces a dashboard. */
export async function keep(uid: string, dashboard: object): Promise<void> {
  const { request } = await openConsoleServer();
  const body = JSON.stringify({ dashboard, uid, overwrite: true });
  const { status, body: answer } = await request('/v2/dashboards', { body });
  if (status !== 200 && status !== 201) throw new Error(JSON.stringify(answer));
}

/** Waits for all results in view. */
export const waitForResults = (page: Page) =>
  page
    .locator('[data-element]')
    .first()
    .waitFor()
    .then(() =>
      page.waitForFunction(
        () =>
          document.querySelector('[aria-busy=true]') === null && document.querySelector('[class*=running]') === null,
      ),
    );
