import { array, assert, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from './line-diff.js';

it('shows what changed with three lines around it', () =>
  expect(
    lineDiff('1\n2\n3\n4\n5\n6\n7\n8', '1\n2\n3\n4\n5\nsix\n7\n8').map(({ kind, text }) => `${kind[0]} ${text}`),
  ).toEqual(['s … 2 lines', 's 3', 's 4', 's 5', 'r 6', 'a six', 's 7', 's 8']));

it('the same text has no changes', () =>
  expect(lineDiff('a\nb', 'a\nb')).toEqual([{ kind: 'skipped', text: '… 2 lines' }]));

it('both texts can be read from it', () => {
  const text = array(constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));
  assert(
    property(text, text, (before, after) => {
      const lines = lineDiff(before, after).filter(({ kind }) => kind !== 'skipped');
      if (before === after) return;
      const side = (left: string) => lines.filter(({ kind }) => kind !== left).map(({ text }) => text);
      expect(before.endsWith(side('added').at(-1)!)).toBe(true);
      expect(after.endsWith(side('removed').at(-1)!)).toBe(true);
      expect(before.split('\n').length - side('added').length).toBe(after.split('\n').length - side('removed').length);
    }),
  );
});
