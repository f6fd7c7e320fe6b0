import type { Principal } from '../access/allowed.js';
import type { EventData } from '../event-data.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Metrics } from '../metrics.js';

/** What the handlers of resource routes work with. */
export interface Deps {
  readonly metadata: Metadata;
  readonly data: EventData;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /**
   * Compiles a query with the rights of the caller, who must be able to run what becomes a view.
   * @throws HttpError `invalid-query`, `forbidden`
   */
  checkQuery(apl: string, principal: Principal): Promise<void>;
}
