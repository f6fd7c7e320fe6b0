import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../app/pages.js';

/**
 * Checks that `looksGood` covers every page of the table: both themes, wide and narrow, with axe.
 */

const source = join(import.meta.dirname, '..');

const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('pictured.test.ts'))
  .map((name) => readFileSync(join(source, name), 'utf8'));
/** Paths that tests pass to `looksGood`; interpolations match anything. */
const picturedPaths = texts
  .filter((text) => text.includes('looksGood('))
  .flatMap((text) => [...text.matchAll(/\bpath: (?:\(\) => )?(['`])(.*?)\1/g)])
  .map(([, , path = '']) => path.replaceAll(/\$\{[^}]*\}/g, 'filled-in').replace(/[?#].*$/, ''));

const isOf = (pattern: string, path: string): boolean => {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at]);
};

/** Files that render a dialog, drawer or menu, and what opens it. */
const overlays = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(pages|app)\/.*\.tsx$/.test(name) && !name.startsWith('pages/component-gallery/'))
  .filter((name) =>
    /<(Dialog|Drawer|FormDialog|Confirm|Menu|MuteMenu)\b/.test(readFileSync(join(source, name), 'utf8')),
  )
  .map((name) => name.replace(/^pages\/|\.tsx$/g, ''));

/** Covered by other tests, which need more steps or one-time content. */
const elsewhere: Readonly<Record<string, string>> = {
  'access/secret': 'administration.test.ts: the secret of a token that was made',
  'app/phone-navigation': 'query-narrow.test.ts: more pages',
  'app/sign-in': 'shell.test.ts',
  'dashboards/editing/add-query': 'from-nothing.test.ts',
  'dashboards/grafana/grafana-dialog': 'grafana-dialog.test.ts: the dialog with a file',
  'dashboards/tv/tv-dialog': 'tv.test.ts',
  'notifiers/notifier-drawer': 'monitors-visuals.test.ts: the page of a notifier is the drawer',
  'dashboards/editing/save-dialog': 'from-nothing.test.ts',
  'query/page': 'query-narrow.test.ts: the fields',
};

/** `monitors/new` is not an ID. */
const isPlain = (path: string): boolean => pages.some(({ paths }) => paths.includes(path));

it.each(pages.flatMap(({ id, paths }) => paths.map((path) => [path, id] as const)))(
  '%s of the page %s is checked in both themes, wide and narrow, and by axe',
  (pattern) =>
    expect(
      picturedPaths.filter((path) => isOf(pattern, path) && (pattern === path || !isPlain(path))),
      picturedPaths.join('\n'),
    ).not.toEqual([]),
);

it.each(overlays.filter((name) => !(name in elsewhere)))('what %s opens is checked by axe', (name) =>
  expect(texts.some((text) => text.includes(`'${name}'`))).toBe(true),
);
