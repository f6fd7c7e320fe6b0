import { attackedDataset, type Kind } from '../attack.js';
import { queries, query } from '../lines.js';

/** A thousand rows with this many columns of a kilobyte: as many megabytes. */
const wide = (megabytes: number): string =>
  `${attackedDataset} | extend ${Array.from({ length: megabytes }, (_, i) => `x${i} = strcat(text, strrep('a', 1000))`).join(', ')}`;

/** Everything in one cell. */
const oneCell = (megabytes: number): string =>
  `${attackedDataset} | extend x = strrep('a', 1000) | mv-expand range(1, ${megabytes}, 1) | summarize make_list(x, 1000000)`;

/** Responses that are much longer than their request. */
export const answers: Kind = {
  attacks: [
    query('200 MB', () => wide(200)),
    queries(10, '200 MB', () => wide(200)),
    queries(4, '100 MB in one cell', () => oneCell(100)),
    queries(
      4,
      '200,000 groups',
      () => `range x from 1 to 200000 step 1 | summarize count() by x, y = strcat('group ', x)`,
    ),
  ],
  relative: (random) => {
    const megabytes = random.between(1, 250);
    const clients = random.between(1, 10);
    return random.pick([
      queries(clients, `${megabytes} MB`, () => wide(megabytes)),
      queries(clients, `${megabytes} MB in one cell`, () => oneCell(megabytes)),
      queries(
        clients,
        `${megabytes},000 rows of JSON`,
        () =>
          `range x from 1 to ${megabytes}000 step 1 | project bag = bag_pack('x', x, 'list', pack_array(x, 'a', x))`,
      ),
    ]);
  },
};
