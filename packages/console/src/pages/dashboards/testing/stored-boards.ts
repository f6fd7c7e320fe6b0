import type { Page } from 'playwright-core';
import { consoleWorld } from '../../../testing/console-world.js';

/** Keeps a dashboard under a uid, whatever is there. */
export async function keep(uid: string, dashboard: object): Promise<void> {
  const { request } = await consoleWorld();
  const body = JSON.stringify({ dashboard, uid, overwrite: true });
  const { status, body: answer } = await request('/v2/dashboards', { body });
  if (status !== 200 && status !== 201) throw new Error(JSON.stringify(answer));
}

/** Waits until everything in view has been answered. */
export const ready = (page: Page) =>
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
