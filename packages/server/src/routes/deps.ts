import type { Principal } from '@millrace/http/access/authorize';
import type { EventData } from '@millrace/metadata/datasets/event-data';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import type { SourceRunner } from '@millrace/sources/managed/source-runner';
import type { Alerts } from '@millrace/alerts/alerts';
import type { NodeInfo } from '@millrace/metadata/nodes/node';
import type { Metrics } from '@millrace/http/metrics';
import type { Settings } from '@millrace/http/settings/settings';
import type { RefusedIngest } from '@millrace/http/recording/rejected-ingest';
import type { EveryOrg } from '../orgs/people.js';
import type { OrgAdmin } from '../orgs/org-admin.js';
import type { SignIn } from '../sign-in/sign-in.js';
import type { Site } from './console-site.js';

/** Dependencies of the handlers of resource routes. */
export interface Deps {
  readonly metadata: Metadata;
  readonly data: EventData;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly checks: StoredChecks;
  readonly alerts: Alerts;
  readonly sources: Pick<SourceRunner, 'status' | 'reconcile'>;
  readonly settings: Settings;
  readonly node: NodeInfo;
  readonly refused: RefusedIngest;
  /** The other organizations; absent in these, and where a server can have one only. */
  readonly orgs?: OrgAdmin | undefined;
  /** All organizations, this one included. */
  readonly every: EveryOrg;
  readonly signIn: SignIn;
  /** The files of the console. */
  readonly site: Site;
}

/**
 * Compiles views and virtual fields before they are stored, with the rights of the caller, so that
 * errors are reported now and not in later queries.
 */
interface StoredChecks {
  /**
   * Checks the query of a view, which the caller must be able to run. The view counts as stored, so
   * that a recursive one is rejected.
   * @throws HttpError `invalid-query`, `forbidden`
   */
  view(view: { readonly name: string; readonly aplQuery: string }, principal: Principal): Promise<void>;
  /**
   * The expression of a virtual field. Fields it reads need not exist yet.
   * @throws HttpError `invalid-query`, with line and column in the expression
   */
  expression(field: { readonly expression: string; readonly dataset: string }, principal: Principal): Promise<void>;
}
