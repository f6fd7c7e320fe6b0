import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resolveModule } from './built-modules.ts';
import { root } from './support/root.ts';

const importer = join(root, 'packages/query/src/compile/times.test.ts');
const loadedPath = (id: string, usesBuild: boolean): string | undefined =>
  resolveModule(id, importer, usesBuild)?.slice(root.length + 1);

it.each([
  ['./times.js', 'packages/query/dist/compile/times.js', 'packages/query/src/compile/times.ts'],
  ['@millrace/sql', 'packages/sql/dist/index.js', 'packages/sql/src/index.ts'],
  ['@millrace/http/body/json-body', 'packages/http/dist/body/json-body.js', 'packages/http/src/body/json-body.ts'],
  ['@millrace/testing', 'packages/testing/dist/index.js', 'packages/testing/src/index.ts'],
])('%s is loaded from the build, without one from the source', (id, built, source) => {
  expect(loadedPath(id, true)).toBe(built);
  expect(loadedPath(id, false)).toBe(source);
});

it.each([
  ['./times.test.js', 'packages/query/src/compile/times.test.ts'],
  ['@millrace/log/testing', 'packages/log/src/testing/index.ts'],
  ['@millrace/server/testing/test-server', 'packages/server/src/testing/test-server.ts'],
  ['../../../../tests/support/root.js', 'tests/support/root.ts'],
])('%s is not part of the build', (id, source) => {
  expect(loadedPath(id, true)).toBe(source);
});

it.each(['vitest', 'node:fs', './data.json', '@millrace/none/at-all', './missing.js'])('%s is left to vitest', (id) => {
  expect(loadedPath(id, true)).toBeUndefined();
});
