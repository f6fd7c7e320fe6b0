import { printQuery } from '@millrace/sql';
import { expect, test } from 'vitest';
import { compileOrThrow } from '../testing/compile-text.js';

const unions = (text: string): number => printQuery(compileOrThrow(text).query).split('UNION ALL').length - 1;
const depth = (text: string): number => {
  let open = 0;
  let max = 0;
  for (const sign of printQuery(compileOrThrow(text).query).replaceAll(/'[^']*'|`[^`]*`/g, '')) {
    open += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    max = Math.max(max, open);
  }
  return max;
};

test('unions of unions are one union', () => {
  const levels = (count: number): string =>
    `let t0 = print a = 1; ${Array.from({ length: count }, (_, i) => `let t${i + 1} = union t${i}, t${i};`).join(' ')} t${count}`;
  expect(unions(levels(5))).toBe(31);
  expect(depth(levels(5))).toBe(depth(levels(1)));
});
