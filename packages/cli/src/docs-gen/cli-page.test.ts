import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../commands/every-command.js';
import { cliPage } from './cli-page.js';

/** `npm run docs -w packages/cli` regenerates the page. */
test('docs/cli.md is current', () =>
  expect(cliPage(commands)).toMatchFileSnapshot(fileURLToPath(new URL('../../../../docs/cli.md', import.meta.url))));
