import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../app/page-table.js';

/**
 * Every page of the table is looked at by `looksGood`: in both themes, wide and narrow, with axe. A
 * page that nobody looks at is missing here.
 */

const source = join(import.meta.dirname, '..');

/** The paths that tests hand to `looksGood`; what they fill in stands for anything. */
const looked = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(source, name), 'utf8'))
  .filter((text) => text.includes('looksGood('))
  .flatMap((text) => [...text.matchAll(/\bpath: (?:\(\) => )?(['`])(.*?)\1/g)])
  .map(([, , path = '']) => path.replaceAll(/\$\{[^}]*\}/g, 'filled-in').replace(/[?#].*$/, ''));

const isOf = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at]);
};
/** `monitors/new` is no id. */
const isPlain = (path: string): boolean => pages.some(({ paths }) => paths.includes(path));

it.each(pages.flatMap(({ id, paths }) => paths.map((path) => [path, id] as const)))(
  '%s of the page %s is looked at in both themes, wide and narrow, and by axe',
  (pattern) =>
    expect(
      looked.filter((path) => isOf(pattern, path) && (pattern === path || !isPlain(path))),
      looked.join('\n'),
    ).not.toEqual([]),
);
