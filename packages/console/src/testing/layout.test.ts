import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedBrowser } from './chromium.js';
import { layoutProblems } from './layout.js';

let page: Page;
beforeAll(async () => {
  page = await (await sharedBrowser()).newPage({ viewport: { width: 400, height: 300 } });
});
afterAll(() => page.context().close());

const words = 'many words that need more space than there is';
const cut = 'width: 100px; overflow: hidden; white-space: nowrap';
const ellipsis = `${cut}; text-overflow: ellipsis`;
const over = 'position: absolute; left: 0; top: 0; width: 100px; height: 50px; background: red';
const bar = 'position: fixed; left: 0; bottom: 0; width: 100%; height: 100px; background: red';

it.each([
  ['a page wider than its window', `<main style="width: 500px">wide</main>`, /500 pixels wide, of 400/],
  ['text cut without a mark', `<p style="${cut}">${words}</p>`, /^text “many words.*is cut by/],
  ['an ellipsis of a flex container', `<p style="${ellipsis}; display: flex">${words}</p>`, /is cut by/],
  ['an ellipsis for text in a block inside', `<div style="${ellipsis}"><p>${words}</p></div>`, /is cut by/],
  ['half a line', `<p style="height: 28px; line-height: 20px; overflow: hidden">${words.repeat(3)}</p>`, /is cut by/],
  ['a covered button', `<button>Press</button><div style="${over}"></div>`, /<button>.*is covered by <div/],
  ['a button under a bar for good', `<button style="${bar}">Press</button><p style="${bar}"></p>`, /is covered by/],
])('finds %s', async (_, html, problem) => {
  await page.setContent(`<!doctype html><body style="margin: 0">${html}`);
  expect(await layoutProblems(page)).toEqual([expect.stringMatching(problem)]);
});

it.each([
  ['an ellipsis', `<p style="${ellipsis}">${words}</p>`],
  ['an ellipsis for inline text inside', `<p style="${ellipsis}"><bdi>${words}</bdi></p>`],
  ['cut text with a title', `<p style="${cut}" title="${words}"><b>${words}</b></p>`],
  ['text that scrolls', `<p style="${cut}; overflow: auto">${words}</p>`],
  ['visually hidden text', `<p style="${cut}; position: absolute; width: 1px; height: 1px">${words}</p>`],
  [
    'a button under something that lets clicks pass',
    `<button>Press</button><div style="${over}; pointer-events: none">`,
  ],
  ['a checkbox under its label', `<label><input type="checkbox"><i style="${over}"></i></label>`],
  [
    'a button that can be scrolled from under a bar',
    `<div style="height: 260px"></div><button>Press</button><div style="height: 500px"></div><p style="${bar}"></p>`,
  ],
])('accepts %s', async (_, html) => {
  await page.setContent(`<!doctype html><body style="margin: 0">${html}`);
  expect(await layoutProblems(page)).toEqual([]);
});
