import { type Attack, attackedMetrics, type Kind, mayIngestMetrics } from '../attack.js';
import { block, field, label, remoteWriteHeaders, sample, series } from '../../support/remote-write.js';
import { sendRepeatedly } from '../lines.js';

/** Remote write of Prometheus to a dataset of metrics: very many series, and very long labels. */

const namedSeries = (labels: readonly Buffer[], time: number): Buffer => series('siege', [...labels, sample(time)]);

const remoteWrite = (clients: number, name: string, request: (time: number) => Uint8Array): Attack =>
  sendRepeatedly(clients, `remote write: ${name}`, mayIngestMetrics, () => ({
    path: `/v1/ingest/${attackedMetrics}/prometheus/api/v1/write`,
    body: block(request(Date.now())),
    headers: remoteWriteHeaders,
  }));

const concatNumbered = (count: number, make: (n: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));

const million = 1_000_000;

export const metrics: Kind = {
  attacks: [
    remoteWrite(2, 'a million series', (time) =>
      concatNumbered(million, (n) => namedSeries([label('n', `${n}`)], time)),
    ),
    remoteWrite(4, 'a series with 100,000 labels', (time) =>
      namedSeries(
        Array.from({ length: 100_000 }, (_, n) => label(`l${n}`, 'v')),
        time,
      ),
    ),
    remoteWrite(4, 'a label of 10 MB', (time) => namedSeries([label('long', 'x'.repeat(10 * million))], time)),
    remoteWrite(4, '1,000 labels of 60 kB', (time) =>
      concatNumbered(1000, (n) => namedSeries([label('long', `${n}`.padEnd(60_000, 'x'))], time)),
    ),
    remoteWrite(4, 'a million samples of a series', (time) =>
      series('siege', [concatNumbered(million, (n) => sample(time - n))]),
    ),
    remoteWrite(4, 'a million series without labels', () => concatNumbered(million, () => field(1, new Uint8Array(0)))),
  ],
};
