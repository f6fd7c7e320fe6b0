import type { Suite } from '../world.js';
import { acksSuite } from './acks.js';
import { concurrencySuite } from './concurrency.js';
import { diskSuite } from './disk.js';
import { growthSuite } from './growth.js';
import { ingestSuite } from './ingest.js';
import { microSuite } from './micro.js';
import { querySuite } from './query.js';

/** What can be chosen for a suite on the command line, besides the size. */
export type Choice = 'shape' | 'events';

/** The suites, in the order in which they run. */
export const suites: Readonly<Record<string, { readonly run: Suite; readonly choices: readonly Choice[] }>> = {
  ingest: { run: ingestSuite, choices: ['shape'] },
  acks: { run: acksSuite, choices: [] },
  disk: { run: diskSuite, choices: ['shape'] },
  query: { run: querySuite, choices: ['shape', 'events'] },
  concurrency: { run: concurrencySuite, choices: [] },
  growth: { run: growthSuite, choices: ['events'] },
  micro: { run: microSuite, choices: ['shape'] },
};
