import { type Attack, attackedDataset, type Kind, mayQuery } from '../attack.js';
import { sendRepeatedly, query } from '../lines.js';

const joinList = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(', ');

const long = {
  'percentiles with many levels': (count: number) =>
    `${attackedDataset} | summarize percentiles_array(n, ${joinList(count, (i) => `${(i * 100) / count}`)})`,
  'unknown functions': (count: number) =>
    `${attackedDataset} | extend ${joinList(count, (i) => `x${i} = tolong_${i}(n)`)}`,
  'unknown operators': (count: number) => `${attackedDataset} ${'| sumarize count() '.repeat(count)}`,
  'unknown fields': (count: number) => `${attackedDataset} | project ${joinList(count, (i) => `unknown_${i}`)}`,
  columns: (count: number) => `${attackedDataset} | extend ${joinList(count, (i) => `x${i} = n`)}`,
  'terms of search': (count: number) =>
    `search ${Array.from({ length: count }, (_, i) => `'w${i}'`).join(' or ')} | count`,
  'values of in': (count: number) => `${attackedDataset} | where n in (${joinList(count, (i) => `${i}`)})`,
} as const;

/** A comparison of computed fields, which the engine has been seen not to stop. */
const wideSpotlight = (fields: number): string =>
  `${attackedDataset} | extend ${joinList(fields, (i) => `f${i} = n + ${i}`)} | summarize spotlight(n > 10, ${joinList(fields, (i) => `f${i}`)})`;

const joinedByConstants = (count: number): string =>
  `${attackedDataset} | take 2 ${Array.from({ length: count }, (_, i) => `| extend k = ${i} | lookup (${attackedDataset} | project k = ${i}, x${i} = n | take 2) on k`).join(' ')} | count`;

const repeatText = (text: string, times: number): string => Array.from({ length: times }, () => text).join(',');

/** The same query in JSON: much of it is parsed before its meaning is known. */
const inJson = (name: string, path: string, body: () => string): Attack =>
  sendRepeatedly(4, name, mayQuery, () => ({ path, body: body() }));

/** Statements that are long, so that whatever is done for each of their parts is done often. */
export const statements: Kind = {
  attacks: [
    query('1,000 unknown functions', () => long['unknown functions'](1000)),
    query('percentiles_array with 40,000 levels', () => long['percentiles with many levels'](40_000)),
    query('60,000 unknown functions', () => long['unknown functions'](60_000)),
    sendRepeatedly(3, 'spotlight over 2,000 fields', mayQuery, () => ({
      path: '/v1/datasets/_apl?format=tabular&nocache=true',
      body: JSON.stringify({ apl: wideSpotlight(2000) }),
    })),
    query('50,000 unknown operators', () => long['unknown operators'](50_000)),
    query('5,000 terms of search', () => long['terms of search'](5000)),
    query('joins of joins by what is the same for all rows', () => joinedByConstants(4)),
    query('unknown functions behind a million lines', () => `${'\n'.repeat(900_000)}${long['unknown functions'](60)}`),
    inJson(
      'two million zeros',
      '/v1/datasets/_apl',
      () => `{"apl":"${attackedDataset}","variables":[${repeatText('0', 2_000_000)}]}`,
    ),
    inJson(
      'an object of 90,000 members',
      '/v1/datasets/_apl',
      () => `{"apl":"${attackedDataset}","variables":{${joinList(90_000, (i) => `"v${i}":0`)}}}`,
    ),
    inJson(
      'a number of four million digits',
      '/v1/datasets/_apl',
      () => `{"apl":"${attackedDataset}","x":${'1'.repeat(4_000_000)}}`,
    ),
    inJson('10,000 groups in 10,000 orders', `/v1/datasets/${attackedDataset}/query`, () =>
      JSON.stringify({
        groupBy: Array.from({ length: 10_000 }, (_, i) => `g${i}`),
        order: Array.from({ length: 10_000 }, () => ({ field: 'g9999' })),
      }),
    ),
    inJson('a field of a million parts', `/v1/datasets/${attackedDataset}/query`, () =>
      JSON.stringify({ groupBy: [`a${'.a'.repeat(1_000_000)}`] }),
    ),
    inJson('a virtual field of a megabyte', `/v1/datasets/${attackedDataset}/query`, () =>
      JSON.stringify({ virtualFields: [{ alias: 'v', expr: `n in (${repeatText('1', 500_000)})` }] }),
    ),
    inJson('a tail of a megabyte', '/v1/tail', () => JSON.stringify({ apl: long.columns(100_000) })),
  ],
  relative: (random) => {
    const what = random.pick(Object.keys(long) as (keyof typeof long)[]);
    const count = random.between(100, 60_000);
    return query(`${count} ${what}`, () => long[what](count));
  },
};
