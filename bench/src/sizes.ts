import { shapes } from './data/shapes.js';

/**
 * How much is measured. The ratios matter most: `quick` shows them with some variance, `medium` is
 * published, `full` shows that they hold over long runs.
 */
export interface Sizes {
  readonly runs: number;
  /** Names of the shapes to measure. */
  readonly shapes: readonly string[];
  /**
   * Events of each shape in the ingest suite. Half a GB of each in the published sizes: after the
   * last response it takes 0.1 to 0.5 s until a query sees all events, which should not dominate.
   */
  readonly ingestEvents: Readonly<Record<string, number>>;
  /** Events of the variations: formats, encodings, batch sizes. */
  readonly variationEvents: number;
  readonly batchSizes: readonly number[];
  readonly clients: readonly number[];
  /** Duration of a measurement with many clients, in seconds. */
  readonly seconds: number;
  readonly queryEvents: readonly number[];
  /**
   * Minimum runs of each query. Queries that take milliseconds run up to five times as often, until
   * our runs have taken `querySeconds`.
   */
  readonly queryRuns: number;
  readonly querySeconds: number;
  /** Rounds of all queries over a hundred events that warm up the code before anything is timed. */
  readonly warmingRounds: number;
  /** Rounds of queries on freshly started systems whose files are not in memory. */
  readonly coldRuns: number;
  /** Maximum queries per set in those rounds. */
  readonly coldQuestions: number;
  readonly concurrency: readonly number[];
  readonly concurrencyEvents: number;
  readonly growthEvents: readonly number[];
  /** Restarts at each number of events. */
  readonly restarts: number;
  readonly growthFields: readonly number[];
  readonly growthFieldEvents: number;
  /**
   * Idle seconds before the server's memory at rest is measured; it takes half a minute to release
   * memory.
   */
  readonly restSeconds: number;
  /** Stored events of an idle server. */
  readonly idleEvents: readonly number[];
  /** Seconds without work before an idle server is measured, and of each measurement. */
  readonly idleRestSeconds: number;
  readonly idleSeconds: number;
  /** Seconds a store is left alone before its bytes at rest are counted. */
  readonly peerRestSeconds: number;
  /** Programs that are scraped for metrics, 40 series each, and for how many minutes. */
  readonly metricsTargets: number;
  readonly metricsMinutes: number;
  /** Seconds a store of metrics is left alone before its bytes at rest are counted. */
  readonly metricsRestSeconds: number;
  readonly microEvents: number;
  /**
   * Minimum seconds for which single parts are measured, and then profiled: one pass takes
   * milliseconds.
   */
  readonly microSeconds: number;
}

/** Ten hours: the rate of a metric then reads 1.9 of at most 2 million points. */
const longestMetrics = 600;

/** The numbers of events at which growth is measured. */
const growthSteps: readonly number[] = [100_000, 1_000_000, 10_000_000, 50_000_000];

const shapeNames: readonly string[] = shapes.map(({ name }) => name);

export const sizes = {
  /** Seconds, for the tests: checks that everything runs and that results are correct. */
  tiny: {
    runs: 1,
    shapes: shapeNames,
    ingestEvents: { logs: 500, traces: 500, security: 200, bluesky: 500 },
    variationEvents: 300,
    batchSizes: [100],
    clients: [2],
    seconds: 0.1,
    queryEvents: [6000],
    queryRuns: 1,
    querySeconds: 0,
    warmingRounds: 1,
    coldRuns: 1,
    coldQuestions: 2,
    concurrency: [2],
    concurrencyEvents: 1000,
    growthEvents: [1000],
    restarts: 1,
    growthFields: [2000],
    growthFieldEvents: 1000,
    restSeconds: 0,
    idleEvents: [0],
    idleRestSeconds: 8,
    idleSeconds: 5,
    peerRestSeconds: 0,
    metricsTargets: 3,
    metricsMinutes: 3,
    metricsRestSeconds: 0,
    microEvents: 500,
    microSeconds: 0,
  },
  /** Ten minutes. */
  quick: {
    runs: 3,
    shapes: shapeNames,
    ingestEvents: { logs: 400_000, traces: 300_000, security: 60_000, bluesky: 300_000 },
    variationEvents: 20_000,
    batchSizes: [100, 10_000],
    clients: [64],
    seconds: 2,
    queryEvents: [250_000],
    queryRuns: 5,
    querySeconds: 0.5,
    warmingRounds: 40,
    coldRuns: 1,
    coldQuestions: 5,
    concurrency: [32],
    concurrencyEvents: 100_000,
    growthEvents: growthSteps.slice(0, 1),
    restarts: 3,
    growthFields: [10, 1000],
    growthFieldEvents: 50_000,
    restSeconds: 35,
    idleEvents: [0, 100_000],
    idleRestSeconds: 60,
    idleSeconds: 60,
    peerRestSeconds: 240,
    metricsTargets: 50,
    metricsMinutes: 60,
    metricsRestSeconds: 60,
    microEvents: 20_000,
    microSeconds: 0.3,
  },
  /** Half an hour: the sizes of lab/performance/results.md. */
  medium: {
    runs: 5,
    shapes: shapeNames,
    ingestEvents: { logs: 1_250_000, traces: 1_000_000, security: 350_000, bluesky: 1_000_000 },
    variationEvents: 100_000,
    batchSizes: [1, 100, 1000, 10_000, 100_000],
    clients: [1, 16, 64],
    seconds: 3,
    queryEvents: [1_000_000],
    queryRuns: 7,
    querySeconds: 1.5,
    warmingRounds: 40,
    coldRuns: 3,
    coldQuestions: 20,
    concurrency: [1, 8, 32],
    concurrencyEvents: 500_000,
    growthEvents: growthSteps.slice(0, 2),
    restarts: 3,
    growthFields: [10, 1000, 100_000],
    growthFieldEvents: 100_000,
    restSeconds: 60,
    idleEvents: [0, 1_000_000],
    idleRestSeconds: 120,
    idleSeconds: 120,
    peerRestSeconds: 300,
    metricsTargets: 50,
    metricsMinutes: longestMetrics,
    metricsRestSeconds: 120,
    microEvents: 50_000,
    microSeconds: 0.5,
  },
  /** Hours. */
  full: {
    runs: 5,
    shapes: shapeNames,
    ingestEvents: { logs: 2_500_000, traces: 1_500_000, security: 370_000, bluesky: 1_500_000 },
    variationEvents: 500_000,
    batchSizes: [1, 10, 100, 1000, 10_000, 100_000],
    clients: [1, 4, 16, 64],
    seconds: 10,
    queryEvents: [1_000_000, 10_000_000],
    queryRuns: 9,
    querySeconds: 2,
    warmingRounds: 40,
    coldRuns: 3,
    coldQuestions: 20,
    concurrency: [1, 2, 4, 8, 16, 32],
    concurrencyEvents: 5_000_000,
    growthEvents: growthSteps.slice(1),
    restarts: 3,
    growthFields: [10, 100, 1000, 10_000, 100_000],
    growthFieldEvents: 500_000,
    restSeconds: 60,
    idleEvents: [0, 1_000_000, 50_000_000],
    idleRestSeconds: 300,
    idleSeconds: 300,
    peerRestSeconds: 600,
    metricsTargets: 50,
    metricsMinutes: longestMetrics,
    metricsRestSeconds: 300,
    microEvents: 200_000,
    microSeconds: 1,
  },
} as const satisfies Record<string, Sizes>;

export type SizeName = keyof typeof sizes;

export interface Selection {
  /** Names of shapes; empty means all. */
  readonly shapes: readonly string[];
  /** Number of events for queries, and maximum for growth measurements. */
  readonly events: number | undefined;
}

/** The sizes, reduced to the selected part. */
export const selectSizes = (all: Sizes, { shapes: names, events }: Selection): Sizes => ({
  ...all,
  ...(names.length > 0 && { shapes: names }),
  ...(events !== undefined && {
    queryEvents: [events],
    growthEvents: [...growthSteps.filter((some) => some >= Math.min(...all.growthEvents) && some < events), events],
  }),
});
