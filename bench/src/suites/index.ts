import type { Suite } from '../world.js';
import { acksSuite } from './acks.js';
import { concurrencySuite } from './concurrency.js';
import { diskSuite } from './disk.js';
import { growthSuite } from './growth.js';
import { ingestSuite } from './ingest.js';
import { microSuite } from './micro.js';
import { querySuite } from './query.js';

/** In the order they run. */
export const suites: Readonly<Record<string, Suite>> = {
  ingest: ingestSuite,
  acks: acksSuite,
  disk: diskSuite,
  query: querySuite,
  concurrency: concurrencySuite,
  growth: growthSuite,
  micro: microSuite,
};
