import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longFiles } from './long-files-first.ts';

it('the files that begin first are there', () =>
  expect(longFiles.filter((name) => !existsSync(join(import.meta.dirname, '..', name)))).toEqual([]));
