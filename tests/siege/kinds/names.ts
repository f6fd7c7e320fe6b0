import { attacked, type Attack, type Kind, mayIngest } from '../attack.js';
import { again, ingest, query } from '../lines.js';

const event = (count: number, name: (index: number) => string): string =>
  JSON.stringify([Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), index]))]);

/** Requests that each contain this many new field names. */
const invented = (count: number): Attack => ({
  name: `${count} new names a request`,
  rights: mayIngest,
  run: (attacker) =>
    attacker.flood(
      4,
      (function* () {
        for (let request = 0; ; request++)
          yield {
            path: `/v1/datasets/${attacked}/ingest`,
            body: event(count, (index) => `invented.${request}.name${index}`),
          };
      })(),
    ),
});

const mayList = { orgCapabilities: { datasets: ['read'] } };

/** Field names; the server stores each of them. */
export const names: Kind = {
  attacks: [
    ingest('200,000 names in one event', () => event(200_000, (index) => `name${index}`)),
    invented(50_000),
    query('a page of all of them', () => `${attacked} | take 1000`),
    query('as a schema', () => `${attacked} | getschema`),
    ingest('as many as fit into a small body', () => event(25_000, (index) => `n${index}`)),
    again(4, 'the list of them', mayList, () => ({ path: `/v2/datasets/${attacked}/fields` })),
    again(4, 'the lists of all datasets', mayList, () => ({ path: '/v1/datasets/_fields' })),
    query('as patterns', () => `${attacked} | project name*, *name*, invented*`),
  ],
  relative: (random) => invented(random.between(1000, 200_000)),
};
