import { readFileSync } from 'node:fs';
import { access, mkdir, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messageOf, problemOf } from './system-errors.js';

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

const missingPath = join(tmpdir(), 'there', 'is', 'none');
const here = import.meta.filename;

it.each<readonly [string, () => Promise<unknown>, string, string]>([
  ['a file that is missing', () => readFile(missingPath), missingPath, 'there is no such file or directory'],
  ['a place that is missing', () => mkdir(missingPath), missingPath, 'there is no such file or directory'],
  ['a directory', async () => readFileSync(tmpdir()), '', 'it is a directory'],
  ['what is there', () => mkdir(here), here, 'something else is there already'],
  ['a file taken for a directory', () => readdir(here), here, 'a part of the path is no directory'],
  ['a name that is too long', () => access('x'.repeat(5000)), 'x'.repeat(5000), 'the name is too long'],
])('%s', async (_, work, path, words) => {
  const error = await thrown(work());
  expect(problemOf(error)).toBe(words);
  expect(messageOf(error)).toBe(path === '' ? words : `${path}: ${words}`);
});

it('an error wrapped by another package', async () => {
  const cause = await thrown(readdir(missingPath));
  const error = new Error(`the log failed: ${(cause as Error).message}`, { cause });
  expect(messageOf(error)).toBe(`the log failed: ${missingPath}: there is no such file or directory`);
});

it('other errors stay unchanged', () => {
  const strange = Object.assign(new Error('ESTRANGE: odd'), { syscall: 'open', code: 'ESTRANGE', path: '/x' });
  expect([messageOf(strange), problemOf(strange), messageOf(new Error('no')), messageOf('why')]).toEqual([
    'ESTRANGE: odd',
    'ESTRANGE: odd',
    'no',
    'why',
  ]);
});
