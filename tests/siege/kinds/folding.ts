import { attackedDataset, type Kind } from '../attack.js';
import { queries, query } from '../lines.js';

/** Each step doubles the result of the previous one. */
const doublingQuery = (steps: number, call: (name: string) => string, first: string): string =>
  [
    `let x0 = ${first};`,
    ...Array.from({ length: steps }, (_, step) => `let x${step + 1} = ${call(`x${step}`)};`),
    `${attackedDataset} | extend y = x${steps} | take 1`,
  ].join('\n');

/** Constants that grow while they are computed. */
export const folding: Kind = {
  attacks: [
    query('ten strcat(a, a)', () => doublingQuery(10, (name) => `strcat(${name}, ${name})`, "'aaaaaaaa'")),
    query('forty strcat(a, a)', () => doublingQuery(40, (name) => `strcat(${name}, ${name})`, "'aaaaaaaa'")),
    query('thirty array_concat(a, a)', () =>
      doublingQuery(30, (name) => `array_concat(${name}, ${name})`, 'dynamic([1, 2, 3])'),
    ),
    queries(4, 'a page of repeated texts', () => `${attackedDataset} | extend x = repeat('a', 100000) | take 1000`),
  ],
  relative: (random) => {
    const steps = random.between(10, 60);
    const call = random.pick(['strcat(@, @)', 'strcat(@, "b", @)', 'replace_string(@, "a", "aa")', 'pack_array(@, @)']);
    return query(`${steps} times ${call}`, () => doublingQuery(steps, (name) => call.replaceAll('@', name), "'aaaa'"));
  },
};
