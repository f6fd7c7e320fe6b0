/** How much is done. The ratios are what counts; they hold from `quick` on, `full` shows that they hold for long. */
export interface Sizes {
  readonly runs: number;
  /** Events of each shape in the ingest suite. */
  readonly ingestEvents: Readonly<Record<string, number>>;
  /** Events of the variations: formats, encodings, batch sizes. */
  readonly variationEvents: number;
  readonly batchSizes: readonly number[];
  readonly clients: readonly number[];
  /** Seconds a measurement with many clients goes on. */
  readonly seconds: number;
  readonly queryEvents: readonly number[];
  readonly queryRuns: number;
  readonly concurrency: readonly number[];
  readonly concurrencyEvents: number;
  readonly growthEvents: readonly number[];
  readonly growthFields: readonly number[];
  readonly growthFieldEvents: number;
  readonly microEvents: number;
}

export const sizes = {
  /** Seconds, for the tests: shows that everything runs and that answers are right. */
  tiny: {
    runs: 1,
    ingestEvents: { logs: 500, traces: 500, security: 200, bluesky: 500 },
    variationEvents: 300,
    batchSizes: [100],
    clients: [2],
    seconds: 0.1,
    queryEvents: [6000],
    queryRuns: 1,
    concurrency: [2],
    concurrencyEvents: 1000,
    growthEvents: [1000],
    growthFields: [2000],
    growthFieldEvents: 1000,
    microEvents: 500,
  },
  quick: {
    runs: 3,
    ingestEvents: { logs: 400_000, traces: 200_000, security: 50_000, bluesky: 250_000 },
    variationEvents: 100_000,
    batchSizes: [1, 100, 1000, 100_000],
    clients: [1, 16, 64],
    seconds: 3,
    queryEvents: [1_000_000],
    queryRuns: 5,
    concurrency: [1, 8, 32],
    concurrencyEvents: 500_000,
    growthEvents: [100_000, 1_000_000],
    growthFields: [10, 1000, 100_000],
    growthFieldEvents: 100_000,
    microEvents: 50_000,
  },
  full: {
    runs: 5,
    ingestEvents: { logs: 2_500_000, traces: 1_500_000, security: 370_000, bluesky: 1_500_000 },
    variationEvents: 500_000,
    batchSizes: [1, 10, 100, 1000, 10_000, 100_000],
    clients: [1, 4, 16, 64],
    seconds: 10,
    queryEvents: [1_000_000, 10_000_000],
    queryRuns: 9,
    concurrency: [1, 2, 4, 8, 16, 32],
    concurrencyEvents: 5_000_000,
    growthEvents: [1_000_000, 10_000_000, 50_000_000],
    growthFields: [10, 100, 1000, 10_000, 100_000],
    growthFieldEvents: 500_000,
    microEvents: 200_000,
  },
} as const satisfies Record<string, Sizes>;

export type SizeName = keyof typeof sizes;
