import type { Goal } from '../result.js';
import { call, apl, type Server } from '../server.js';
import type { Runs } from '../statistics.js';
import type { Context } from '../world.js';

/** Measurements with one amount of data: name with its unit → runs. */
export interface Point {
  readonly label: string;
  /** The amount of data: events or fields. */
  readonly amount: number;
  readonly values: Readonly<Record<string, Runs>>;
}

/**
 * A limit in the unit of the metric, or on its ratio to the metric with the least data; `times` is
 * the growth of the data.
 */
type Limit = number | ((times: number) => Omit<Goal, 'yardstick'>);

/** The most a figure may grow, and why. Steeper growth is a defect. */
const limits: Readonly<Record<string, Limit>> = {
  // A batch is inserted without reading existing data; only merging grows, logarithmically.
  'ingest events/s': () => ({ atLeast: 0.8 }),
  // Reads a column of every row.
  'filter and count ms': (times) => ({ atMost: times }),
  // Reads one index entry per few thousand rows.
  'one trace ms': (times) => ({ atMost: times }),
  // Reads the end of each part, and the number of parts grows with the logarithm.
  'newest 100 ms': () => ({ atMost: 2 }),
  // More rows compress no worse; indexes and marks are per row.
  'disk bytes/event': () => ({ atMost: 1.1 }),
  // Reads the same columns, whatever the number of other columns.
  'common field ms': () => ({ atMost: 2 }),
  // Beyond 128 names a rare value is in a map, together with the four other rare values of its
  // event.
  'rare field ms': () => ({ atMost: 5 }),
  // A hundred events have up to five hundred names, and the result a column for each.
  'newest 100, all fields ms': (times) => ({ atMost: Math.min(times, 50) }),
  // A name takes one or two kilobytes.
  'memory MiB': () => ({ atMost: 1.5 }),
  'restart s': 2,
  'restart to first answer s': 2,
  'memory at rest MiB': 500,
  'memory at rest after a restart MiB': 500,
};

/**
 * Collects the points of one growth measurement, smallest amount of data first, and reports each
 * metric relative to the smallest amount.
 */
export function growthReport({ report }: Context): (point: Point) => void {
  let first: Point | undefined;
  return (point) => {
    first ??= point;
    const start = `at ${first.label}`;
    for (const [name, ours] of Object.entries(point.values)) {
      const unit = name.split(' ').at(-1)!;
      const limit = limits[name];
      report({
        suite: 'growth',
        name: `${name.slice(0, -unit.length - 1)}, ${point.label}`,
        unit,
        better: unit === 'events/s' ? 'higher' : 'lower',
        ours,
        against: [{ name: start, runs: first.values[name] ?? [] }],
        ...(typeof limit === 'number' && { goals: [{ atMost: limit }] }),
        ...(typeof limit === 'function' &&
          point !== first && { goals: [{ yardstick: start, ...limit(point.amount / first.amount) }] }),
      });
    }
  };
}

/** Durations of a warm query, in milliseconds. */
export async function millisecondsOf(server: Server, query: string, runs: number): Promise<Runs> {
  const times: number[] = [];
  await apl(server, query);
  for (let i = 0; i < Math.max(3, runs); i++) {
    const started = performance.now();
    await apl(server, query);
    times.push(performance.now() - started);
  }
  return times;
}

export const diskBytesOf = async (server: Server): Promise<number> =>
  (JSON.parse(await call(server, '/v1/datasets/logs/info')) as { compressedBytes: number }).compressedBytes;
