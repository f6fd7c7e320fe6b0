import type { EventData } from '../event-data.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Metrics } from '../metrics.js';
import type { StoredChecks } from '../stored-checks.js';

/** What the handlers of resource routes work with. */
export interface Deps {
  readonly metadata: Metadata;
  readonly data: EventData;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly checks: StoredChecks;
}
