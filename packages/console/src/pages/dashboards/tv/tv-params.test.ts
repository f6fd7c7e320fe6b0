import { expect, it } from 'vitest';
import { nextOf, tvLink } from './tv-params.js';

it.each([
  [['a', 'b', 'c'], 'a', 'b'],
  [['a', 'b', 'c'], 'c', 'a'],
  // A dashboard that is not in its rotation leads into it.
  [['a', 'b'], 'x', 'a'],
  [['a'], 'a', undefined],
  [[], 'a', undefined],
])('a rotation of %s goes on from %s to %s', (rotate, uid, next) => expect(nextOf(rotate, uid)).toBe(next));

it('a link names the dashboards, the seconds and the range', () => {
  expect(tvLink('http://h/console/', ['a'], 30, { from: 'now-6h' })).toBe(
    'http://h/console/dashboards/a?from=now-6h&tv=on',
  );
  expect(tvLink('http://h/console/', ['a', 'b'], 60, {})).toMatch(
    /dashboards\/a\?(?=.*tv=on)(?=.*every=60)(?=.*rotate=a(,|%2C)b)/,
  );
});
