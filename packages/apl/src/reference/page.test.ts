import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referencePage } from './page.js';

/** The page is what the function writes; `npm run docs -w packages/apl` brings the file up to date. */
test('docs/apl.md is current', () =>
  expect(referencePage()).toMatchFileSnapshot(fileURLToPath(new URL('../../../../docs/apl.md', import.meta.url))));
