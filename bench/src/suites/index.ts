import type { Suite } from '../world.js';
import { acksSuite } from './acks.js';
import { concurrencySuite } from './concurrency.js';
import { diskSuite } from './disk.js';
import { growthSuite } from './growth.js';
import { idleSuite } from './idle.js';
import { ingestSuite } from './ingest.js';
import { metricsSuite } from './metrics.js';
import { microSuite } from './micro.js';
import { peersSuite } from './peers.js';
import { querySuite } from './query.js';

/** Choices for a suite on the command line, in addition to the size. */
export type Choice = 'shape' | 'events';

export interface SuiteEntry {
  readonly run: Suite;
  readonly choices: readonly Choice[];
  /** Runs only if selected: it needs more than a clone has. */
  readonly onRequest?: boolean;
}

/** The suites, in the order in which they run. */
export const suites: Readonly<Record<string, SuiteEntry>> = {
  ingest: { run: ingestSuite, choices: ['shape'] },
  acks: { run: acksSuite, choices: [] },
  disk: { run: diskSuite, choices: ['shape'] },
  query: { run: querySuite, choices: ['shape', 'events'] },
  concurrency: { run: concurrencySuite, choices: [] },
  growth: { run: growthSuite, choices: ['events'] },
  idle: { run: idleSuite, choices: [] },
  micro: { run: microSuite, choices: ['shape'] },
  peers: { run: peersSuite, choices: ['shape', 'events'], onRequest: true },
  metrics: { run: metricsSuite, choices: [], onRequest: true },
};

/** The suites with these names; without names, all suites that run by default. */
export const suitesNamed = (names: readonly string[]): readonly (readonly [name: string, SuiteEntry])[] =>
  Object.entries(suites).filter(([name, { onRequest }]) =>
    names.length === 0 ? onRequest !== true : names.includes(name),
  );
