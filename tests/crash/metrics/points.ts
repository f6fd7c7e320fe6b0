import { block, label, remoteWriteHeaders, sample, series } from '../../support/remote-write.js';
import { noon } from '../events.js';
import { Random } from '../random.js';

/** Points of a batch derive only from its ID, so that they can be made again. */

export const metricsDataset = 'measures';
export const metric = 'crash_points';

export type Protocol = 'OTLP' | 'remote write';

export interface PointSeries {
  readonly batch: number;
  readonly n: number;
  /** Milliseconds and values. */
  readonly points: readonly (readonly [number, number])[];
}

export const protocolOf = (seed: number, id: number): Protocol =>
  new Random(seed, 'protocol', id).chance(0.5) ? 'OTLP' : 'remote write';

export function seriesOf(seed: number, id: number): readonly PointSeries[] {
  const random = new Random(seed, 'points', id);
  // Of three days: a batch of several is stored in several partitions.
  const days = random.chance(0.3) ? [1, 2, 3] : [random.between(1, 3)];
  return Array.from({ length: random.between(1, 5) }, (_, n) => ({
    batch: id,
    n,
    points: days
      .flatMap((day) => {
        const start = noon(day) + 1000 * random.between(0, 3600);
        return Array.from({ length: random.between(1, 12) }, (_, i) => start + 15_000 * i);
      })
      .toSorted((a, b) => a - b)
      .map((time) => [time, random.between(1, 1_000_000)] as const),
  }));
}

export const countOf = (all: readonly PointSeries[]): number => all.reduce((sum, { points }) => sum + points.length, 0);

interface PointsRequest {
  readonly path: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** The status of success. */
  readonly status: number;
}

/** The request of a batch: the same bytes whenever it is made. */
export function requestOf(all: readonly PointSeries[], protocol: Protocol): PointsRequest {
  if (protocol === 'remote write')
    return {
      path: `/v1/ingest/${metricsDataset}/prometheus/api/v1/write`,
      headers: remoteWriteHeaders,
      status: 204,
      body: block(
        Buffer.concat(
          all.map(({ batch, n, points }) =>
            series(metric, [
              label('batch', String(batch)),
              label('n', String(n)),
              ...points.map(([time, value]) => sample(time, value)),
            ]),
          ),
        ),
      ),
    };
  const text = (key: string, value: number) => ({ key, value: { stringValue: String(value) } });
  const dataPoints = all.flatMap(({ batch, n, points }) =>
    points.map(([time, asDouble]) => ({
      attributes: [text('batch', batch), text('n', n)],
      timeUnixNano: `${time}000000`,
      asDouble,
    })),
  );
  return {
    path: '/v1/metrics',
    headers: { 'content-type': 'application/json', 'x-axiom-metrics-dataset': metricsDataset },
    status: 200,
    body: JSON.stringify({
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: metric, gauge: { dataPoints } }] }] }],
    }),
  };
}
