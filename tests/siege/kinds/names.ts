import { attackedDataset, type Attack, type Kind, mayIngest } from '../attack.js';
import { sendRepeatedly, ingest, query } from '../lines.js';

const event = (count: number, name: (index: number) => string): string =>
  JSON.stringify([Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), index]))]);

/** Requests that each contain this many new field names. */
const inventNames = (count: number): Attack => ({
  name: `${count} new names a request`,
  rights: mayIngest,
  run: (attacker) =>
    attacker.flood(
      4,
      (function* () {
        for (let request = 0; ; request++)
          yield {
            path: `/v1/datasets/${attackedDataset}/ingest`,
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
    inventNames(50_000),
    query('a page of all of them', () => `${attackedDataset} | take 1000`),
    query('as a schema', () => `${attackedDataset} | getschema`),
    ingest('as many as fit into a small body', () => event(25_000, (index) => `n${index}`)),
    sendRepeatedly(4, 'the list of them', mayList, () => ({ path: `/v2/datasets/${attackedDataset}/fields` })),
    sendRepeatedly(4, 'the lists of all datasets', mayList, () => ({ path: '/v1/datasets/_fields' })),
    query('as patterns', () => `${attackedDataset} | project name*, *name*, invented*`),
  ],
  relative: (random) => inventNames(random.between(1000, 200_000)),
};
