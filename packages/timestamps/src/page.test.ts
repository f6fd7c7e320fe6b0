import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { timesPage } from './testing/page.js';

/** The page matches the tables; `npm run docs -w packages/timestamps` brings it up to date. */
test('docs/times.md is current', () =>
  expect(timesPage()).toMatchFileSnapshot(fileURLToPath(new URL('../../../docs/times.md', import.meta.url))));
