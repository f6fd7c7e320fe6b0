import { expect, test } from 'vitest';
import type { Change } from '../state/transition.js';
import { netChanges } from './net-changes.js';

/** `+` opens, `-` closes, `*` repeats the notification of an open group. */
function changes(text: string): readonly Change[] {
  return [...text].map((sign, n) => ({
    group: 'g',
    keys: [],
    labels: [],
    action: sign === '-' ? 'Closed' : 'Open',
    why: 'value',
    again: sign === '*',
    value: n,
  }));
}

const formatChange = ({ action, again, value }: Change): string =>
  `${action === 'Closed' ? '-' : again ? '*' : '+'}${value}`;

test.each([
  ['+', '+0'],
  ['-', '-0'],
  ['+-', ''],
  ['-+', ''],
  ['+-+', '+2'],
  ['-+-', '-2'],
  ['**', '*1'],
  ['*-', '-1'],
  ['+**', '+2'],
  ['-+*', '*2'],
  ['*-+', ''],
])('%s is %s', (before, after) => {
  expect(netChanges(changes(before)).map(formatChange).join('')).toBe(after);
});

test('each group has its own', () => {
  const others = changes('+-').map((change) => ({ ...change, group: 'h' }));
  expect(netChanges([...changes('+'), ...others]).map(formatChange)).toEqual(['+0']);
});
