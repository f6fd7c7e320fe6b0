import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** The compiler does not know the classes of CSS modules: a renamed one would only look wrong. */

const root = join(import.meta.dirname, '..');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name));

const knownClasses = new Map<string, ReadonlySet<string>>();
function classesOf(file: string): ReadonlySet<string> {
  const found =
    knownClasses.get(file) ??
    new Set(
      [
        ...readFileSync(file, 'utf8')
          .replaceAll(/\/\*[\s\S]*?\*\//g, '')
          .matchAll(/\.([a-z_][\w-]*)/gi),
      ].map(([, name = '']) => name),
    );
  knownClasses.set(file, found);
  return found;
}

test('components use classes that their style sheets have', () => {
  const missing: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.tsx'))) {
    const text = readFileSync(file, 'utf8');
    for (const [, name = '', path = ''] of text.matchAll(/import (\w+) from '(\.[^']*\.module\.css)'/g))
      for (const [, used = ''] of text.matchAll(new RegExp(`\\b${name}\\.(?!module\\b|js\\b)(\\w+)`, 'g')))
        if (!classesOf(join(dirname(file), path)).has(used))
          missing.push(`${file.slice(root.length)}: ${name}.${used}`);
  }
  expect(missing).toEqual([]);
  expect(knownClasses.size).toBeGreaterThan(40);
});
