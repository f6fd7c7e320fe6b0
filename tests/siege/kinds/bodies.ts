import type { Kind } from '../attack.js';
import { repeatedInGzip } from '../gzip.js';
import { packed, packedByMany } from '../lines.js';

const million = 1_000_000;

/** Bodies that cost much more than their bytes. */
export const bodies: Kind = {
  attacks: [
    packedByMany(2, 'a million commas', () => repeatedInGzip('[', ',', million)),
    packedByMany(8, '250 million commas', () => repeatedInGzip('[', ',', 250 * million)),
    packedByMany(8, '250 MB of empty objects', () => repeatedInGzip('[', '{},', 250 * million, '{}]')),
    packed('a bomb of 2 GB', () => repeatedInGzip('[{"a":"', 'a', 2000 * million, '"}]')),
  ],
  relative: (random) => {
    const unit = random.pick([
      ',',
      '{},',
      '{"a":1},',
      'null,',
      '"a",',
      '1\n',
      '{"a":\n',
      ' ',
      '{"b":"' + 'b'.repeat(500) + '"},',
    ]);
    const clients = random.between(1, 8);
    const bytes = random.between(1, 250) * million;
    return packedByMany(clients, `${bytes / million} MB of ${JSON.stringify(unit.slice(0, 8))}`, () =>
      repeatedInGzip('[', unit, bytes),
    );
  },
};
