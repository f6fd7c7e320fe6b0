import * as stable from '@opentelemetry/semantic-conventions';
import * as all from '@opentelemetry/semantic-conventions/incubating';
import { expect, test } from 'vitest';
import { isConvention, knownNamespaces } from './conventions.js';

/**
 * Every attribute that the package names, of all versions of the conventions; some names consist of
 * a prefix and a key.
 */
const publishedNames = [...Object.entries(stable), ...Object.entries(all)]
  .filter(([constant]) => /^(ATTR|SEMATTRS|SEMRESATTRS)_/.test(constant))
  .map(([, name]) => (typeof name === 'function' ? (name as (key: string) => string)('key') : String(name)));

test('the package has names', () => expect(publishedNames.length).toBeGreaterThan(1000));

test('every published attribute is known', () =>
  expect(publishedNames.filter((name) => !isConvention(name))).toEqual([]));

test('every known namespace is published', () => {
  const spaces = new Set(publishedNames.map((name) => name.split('.')[0]));
  expect(knownNamespaces().filter((space) => !spaces.has(space))).toEqual([]);
});

test.each(['cart.items', 'custom', '', '.http', 'HTTP.route', 'https.x', 'constructor', '__proto__.x'])(
  '%j belongs to the sender',
  (name) => expect(isConvention(name)).toBe(false),
);
