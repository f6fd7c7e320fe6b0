import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../app/page-table.js';

/**
 * Every page of the table is looked at by `looksGood`: in both themes, wide and narrow, with axe. A
 * page that nobody looks at is missing here.
 */

const source = join(import.meta.dirname, '..');

const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('pictured.test.ts'))
  .map((name) => readFileSync(join(source, name), 'utf8'));
/** The paths that tests hand to `looksGood`; what they fill in stands for anything. */
const looked = texts
  .filter((text) => text.includes('looksGood('))
  .flatMap((text) => [...text.matchAll(/\bpath: (?:\(\) => )?(['`])(.*?)\1/g)])
  .map(([, , path = '']) => path.replaceAll(/\$\{[^}]*\}/g, 'filled-in').replace(/[?#].*$/, ''));

const isOf = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at]);
};

/** What draws a dialog, a sheet or a menu over a page, with what opens it. */
const overlays = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(pages|app)\/.*\.tsx$/.test(name) && !name.startsWith('pages/specimen/'))
  .filter((name) => /<(Dialog|Sheet|FormDialog|Confirm|Menu|MuteMenu)\b/.test(readFileSync(join(source, name), 'utf8')))
  .map((name) => name.replace(/^pages\/|\.tsx$/g, ''));

/** Those that are looked at where a test has more to do with them, or need what is there once. */
const elsewhere: Readonly<Record<string, string>> = {
  'access/secret': 'administration.test.ts: the secret of a token that was made',
  'app/sign-in': 'shell.test.ts',
  'dashboards/editing/add-query': 'from-nothing.test.ts',
  'notifiers/notifier-sheet': 'monitors-look.test.ts: the page of a notifier is the sheet',
  'dashboards/editing/save-dialog': 'from-nothing.test.ts',
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

it.each(overlays.filter((name) => !(name in elsewhere)))('what %s opens is looked at by axe', (name) =>
  expect(texts.some((text) => text.includes(`'${name}'`))).toBe(true),
);
