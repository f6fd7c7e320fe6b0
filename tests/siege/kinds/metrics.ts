import { type Attack, attackedMetrics, type Kind, mayIngestMetrics } from '../attack.js';
import { block, field, label, remoteWriteHeaders, sample, series } from '../../support/remote-write.js';
import { again } from '../lines.js';

/** Remote write of Prometheus to a dataset of metrics: very many series, and very long labels. */

const named = (labels: readonly Buffer[], time: number): Buffer => series('siege', [...labels, sample(time)]);

const written = (clients: number, name: string, request: (time: number) => Uint8Array): Attack =>
  again(clients, `remote write: ${name}`, mayIngestMetrics, () => ({
    path: `/v1/ingest/${attackedMetrics}/prometheus/api/v1/write`,
    body: block(request(Date.now())),
    headers: remoteWriteHeaders,
  }));

const numbered = (count: number, make: (n: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));

const million = 1_000_000;

export const metrics: Kind = {
  attacks: [
    written(2, 'a million series', (time) => numbered(million, (n) => named([label('n', `${n}`)], time))),
    written(4, 'a series with 100,000 labels', (time) =>
      named(
        Array.from({ length: 100_000 }, (_, n) => label(`l${n}`, 'v')),
        time,
      ),
    ),
    written(4, 'a label of 10 MB', (time) => named([label('long', 'x'.repeat(10 * million))], time)),
    written(4, '1,000 labels of 60 kB', (time) =>
      numbered(1000, (n) => named([label('long', `${n}`.padEnd(60_000, 'x'))], time)),
    ),
    written(4, 'a million samples of a series', (time) =>
      series('siege', [numbered(million, (n) => sample(time - n))]),
    ),
    written(4, 'a million series without labels', () => numbered(million, () => field(1, new Uint8Array(0)))),
  ],
};
