import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longFiles } from './long-files-first.ts';
import { quickFiles, slowFiles } from './quick-files.ts';

it('the files in the lists exist', () =>
  expect([...longFiles, ...slowFiles].filter((name) => !existsSync(join(import.meta.dirname, '..', name)))).toEqual(
    [],
  ));

it('quick files start nothing, also not through a helper', () => {
  const files = quickFiles();
  expect(files).toContain('packages/console/src/rows/ansi.test.ts');
  expect(files).not.toContain('packages/apl/src/operators/operators.test.ts');
  expect(files).not.toContain('packages/console/src/pages/first-run.test.ts');
});
