import { attacked, type Kind } from '../attack.js';
import { query } from '../lines.js';

const listed = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(', ');

const long = {
  'percentiles with many levels': (count: number) =>
    `${attacked} | summarize percentiles_array(n, ${listed(count, (i) => `${(i * 100) / count}`)})`,
  'unknown functions': (count: number) => `${attacked} | extend ${listed(count, (i) => `x${i} = tolong_${i}(n)`)}`,
  'unknown operators': (count: number) => `${attacked} ${'| sumarize count() '.repeat(count)}`,
  'unknown fields': (count: number) => `${attacked} | project ${listed(count, (i) => `unknown_${i}`)}`,
  'values of in': (count: number) => `${attacked} | where n in (${listed(count, (i) => `${i}`)})`,
} as const;

/** Statements that are long, so that whatever is done for each of their parts is done often. */
export const statements: Kind = {
  attacks: [
    query('1,000 unknown functions', () => long['unknown functions'](1000)),
    query('percentiles_array with 40,000 levels', () => long['percentiles with many levels'](40_000)),
    query('60,000 unknown functions', () => long['unknown functions'](60_000)),
    query('50,000 unknown operators', () => long['unknown operators'](50_000)),
  ],
  relative: (random) => {
    const what = random.pick(Object.keys(long) as (keyof typeof long)[]);
    const count = random.between(100, 60_000);
    return query(`${count} ${what}`, () => long[what](count));
  },
};
