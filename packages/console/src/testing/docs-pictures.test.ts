import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sampleTraffic, spansOf } from '@millrace/sample-data';
import { describe, expect, it } from 'vitest';
import { closePage, openConsoleServer, fill, openPage, shopEnd } from './console-server.js';

/**
 * Screenshots in the documentation, from a running server with sample data. Retake them with
 *
 * DOCS_PICTURES=take npx vitest run packages/console/src/testing/docs-pictures.test.ts
 */
const root = join(import.meta.dirname, '../../../..');
const folder = join(root, 'docs/pictures');
/** Images should not dominate the load time of a page. */
const MAX_BYTES = 260_000;

const events = sampleTraffic({ count: 5000, end: shopEnd, milliseconds: 3_600_000, seed: 7 });
const failedEvent = events.find(({ error }) => error !== undefined)!;

const pictures = [
  {
    name: 'console-query',
    path: 'query?q=logs%0A|+where+status+>=+500&row=0&c=service,version,route,duration_ms',
    ready: 'Filter fields and values',
  },
  { name: 'console-spotlight', path: 'query?q=logs&v=spotlight&sel=status+>=+500', ready: 'payment failed' },
  { name: 'console-trace', path: `trace/traces/${failedEvent.trace_id}?span=`, ready: 'POST payments:9000/charge' },
] as const;

describe.runIf(process.env['DOCS_PICTURES'] === 'take')('taking them', () => {
  it('of a server with sample data', async () => {
    const { request } = await openConsoleServer();
    await fill(request, 'logs', events);
    await fill(request, 'traces', events.flatMap(spansOf));
    for (const { name, path, ready } of pictures) {
      const page = await openPage(path, { width: 1280, height: 760 });
      await page.getByText(ready).or(page.getByPlaceholder(ready)).first().waitFor();
      if (name === 'console-trace') await page.keyboard.press('e');
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
      await closePage(page);
    }
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(pictures.map(({ name }) => `${name}.png`)));
  }, 120_000);
});

it('referenced images exist and are small, and no others exist', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const shown = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(((?:docs\/)?pictures\/[\w-]+\.png)\)/g)].map(([, path]) =>
      path!.replace(/^docs\//, ''),
    ),
  );
  const there = existsSync(folder) ? readdirSync(folder).map((name) => `pictures/${name}`) : [];
  expect([...new Set(shown)].toSorted()).toEqual(there.toSorted());
  expect(there.filter((path) => statSync(join(root, 'docs', path)).size > MAX_BYTES)).toEqual([]);
});
