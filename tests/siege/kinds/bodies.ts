import { gzipSync } from 'node:zlib';
import { attackedDataset, type Kind, mayIngest } from '../attack.js';
import { repeatedInGzip } from '../gzip.js';
import { sendRepeatedly, sendPacked, packedByMany } from '../lines.js';

const million = 1_000_000;

/** Ordinary events, but endless. */
const ordinary = (count: number): string =>
  Array.from({ length: count }, (_, n) => `${JSON.stringify({ n, path: `/${n % 100}`, text: `took ${n} ms` })}\n`).join(
    '',
  );
const lines = { path: `/v1/datasets/${attackedDataset}/ingest`, headers: { 'content-type': 'application/x-ndjson' } };

/** Bodies that cost much more than their size, or are sent as fast as they are read. */
export const bodies: Kind = {
  attacks: [
    packedByMany(2, 'a million commas', () => repeatedInGzip('[', ',', million)),
    packedByMany(8, '250 million commas', () => repeatedInGzip('[', ',', 250 * million)),
    packedByMany(8, '250 MB of empty objects', () => repeatedInGzip('[', '{},', 250 * million, '{}]')),
    sendRepeatedly(8, 'ordinary events as fast as they are taken', mayIngest, () => ({
      ...lines,
      body: ordinary(10_000),
    })),
    sendRepeatedly(16, 'the same in gzip', mayIngest, () => ({
      ...lines,
      headers: { ...lines.headers, 'content-encoding': 'gzip' },
      body: new Uint8Array(gzipSync(ordinary(100_000))),
    })),
    sendPacked('a bomb of 2 GB', () => repeatedInGzip('[{"a":"', 'a', 2000 * million, '"}]')),
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
