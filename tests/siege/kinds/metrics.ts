import { type Attack, attackedMetrics, type Kind, mayIngestMetrics } from '../attack.js';
import { again } from '../lines.js';

/** Remote write of Prometheus to a dataset of metrics: very many series, and very long labels. */

type Bytes = Uint8Array<ArrayBuffer>;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

/** A field of Protocol Buffers with bytes. */
const field = (number: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2]), varint(content.length), content]);

const label = (name: string, value: string): Buffer =>
  field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, Buffer.from(value))]));

/** A sample with the value 0. */
const sample = (time: number): Buffer => field(2, Buffer.concat([Buffer.from([0x10]), varint(time)]));

const series = (labels: readonly Buffer[], time: number): Buffer =>
  field(1, Buffer.concat([label('__name__', 'siege'), ...labels, sample(time)]));

/** A block of Snappy with everything as literals. */
function block(content: Uint8Array): Bytes {
  const parts: Uint8Array[] = [varint(content.length)];
  for (let at = 0; at < content.length; at += 65_536) {
    const part = content.subarray(at, at + 65_536);
    parts.push(Buffer.from([61 << 2, (part.length - 1) & 255, (part.length - 1) >> 8]), part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

const written = (clients: number, name: string, request: (time: number) => Uint8Array): Attack =>
  again(clients, `remote write: ${name}`, mayIngestMetrics, () => ({
    path: `/v1/ingest/${attackedMetrics}/prometheus/api/v1/write`,
    body: block(request(Date.now())),
    headers: {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
    },
  }));

const numbered = (count: number, make: (n: number) => Uint8Array): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, n) => make(n)));

const million = 1_000_000;

export const metrics: Kind = {
  attacks: [
    written(2, 'a million series', (time) => numbered(million, (n) => series([label('n', `${n}`)], time))),
    written(4, 'a series with 100,000 labels', (time) =>
      series(
        Array.from({ length: 100_000 }, (_, n) => label(`l${n}`, 'v')),
        time,
      ),
    ),
    written(4, 'a label of 10 MB', (time) => series([label('long', 'x'.repeat(10 * million))], time)),
    written(4, '1,000 labels of 60 kB', (time) =>
      numbered(1000, (n) => series([label('long', `${n}`.padEnd(60_000, 'x'))], time)),
    ),
    written(4, 'a million samples of a series', (time) =>
      field(1, Buffer.concat([label('__name__', 'siege'), numbered(million, (n) => sample(time - n))])),
    ),
    written(4, 'a million series without labels', () => numbered(million, () => field(1, new Uint8Array(0)))),
  ],
};
