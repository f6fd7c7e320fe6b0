import { array, assert, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from './line-diff.js';

it('shows changes with three lines of context', () =>
  expect(
    lineDiff('1\n2\n3\n4\n5\n6\n7\n8', '1\n2\n3\n4\n5\nsix\n7\n8').map(({ kind, text }) => `${kind[0]} ${text}`),
  ).toEqual(['s … 2 lines', 's 3', 's 4', 's 5', 'r 6', 'a six', 's 7', 's 8']));

it('equal texts have no changes', () =>
  expect(lineDiff('a\nb', 'a\nb')).toEqual([{ kind: 'skipped', text: '… 2 lines' }]));

it('contains both texts', () => {
  const lines = array(constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 });
  assert(
    property(lines, lines, (before, after) => {
      const diff = lineDiff(before.join('\n'), after.join('\n'));
      /** A side of the diff, with the skipped lines as they are in its text. */
      const sideOf = (text: readonly string[], other: 'added' | 'removed'): readonly string[] => {
        const side: string[] = [];
        for (const line of diff) {
          if (line.kind === other) continue;
          const skipped = Number(/\d+/.exec(line.text)?.[0]);
          if (line.kind === 'skipped') side.push(...text.slice(side.length, side.length + skipped));
          else side.push(line.text);
        }
        return side;
      };
      expect(sideOf(before, 'added')).toEqual(before);
      expect(sideOf(after, 'removed')).toEqual(after);
    }),
  );
});
