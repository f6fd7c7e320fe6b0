import type { Principal } from '../access/allowed.js';
import type { EventData } from '../datasets/event-data.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { Alerts } from '../alerts/alerts.js';
import type { Node } from '../nodes/node.js';
import type { Metrics } from '../metrics.js';
import type { Settings } from '../settings/settings.js';
import type { RefusedIngest } from '../http/recording/refused-ingest.js';
import type { Site } from './console-site.js';

/** What the handlers of resource routes work with. */
export interface Deps {
  readonly metadata: Metadata;
  readonly data: EventData;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly checks: StoredChecks;
  readonly alerts: Alerts;
  readonly settings: Settings;
  readonly node: Node;
  readonly refused: RefusedIngest;
  /** The files of the console. */
  readonly site: Site;
}

/**
 * Compile views and virtual fields that are about to be stored, with the rights of the caller, so
 * that mistakes are reported now and not in later queries.
 */
interface StoredChecks {
  /**
   * The query of a view, which the caller must be able to run. It is checked as if the view were
   * stored already, so a view that uses itself is refused.
   * @throws HttpError `invalid-query`, `forbidden`
   */
  view(view: { readonly name: string; readonly aplQuery: string }, principal: Principal): Promise<void>;
  /**
   * The expression of a virtual field. Fields it reads need not exist yet.
   * @throws HttpError `invalid-query`, with line and column in the expression
   */
  expression(field: { readonly expression: string; readonly dataset: string }, principal: Principal): Promise<void>;
}
