import type { ReferenceData } from '@millrace/apl';
import type { Logger } from 'pino';
import type { AlertsOptions } from '@millrace/alerts/alerts-options';
import type { EventData } from '@millrace/metadata/datasets/event-data';
import type { StoredSource } from '@millrace/api/schemas/source';
import type { Sink } from '@millrace/sources/run/batch';
import type { AuditSink } from '@millrace/http/recording/audit';
import type { ErrorTranslator } from '@millrace/http/errors/error-responses';
import type { Route } from '@millrace/http/route';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import type { OpenedMetadata } from '@millrace/metadata/open-metadata';
import type { Metrics } from '@millrace/http/metrics';
import type { NodeInfo } from '@millrace/metadata/nodes/node';
import type { Deps } from '../routes/deps.js';
import type { SharedParts } from './shared-parts.js';
import type { Settings } from '@millrace/http/settings/settings';
import type { OrgLimits } from '@millrace/api/schemas/org';
import type { OrgUsage } from '../orgs/org-usage.js';

/**
 * Types that the steps of startup pass on: the locked directory, the opened storage, and the
 * running server.
 */

/** Resources owned by this process: a data directory, or its part of a shared deployment. */
export interface LockedDirectory {
  /** With up-to-date tables. */
  readonly metadata: OpenedMetadata;
  readonly node: NodeInfo;
  /** Opens the event storage; call it once. */
  openEvents(base: Base): Promise<EventParts>;
  /** Releases the directory, after everything opened over it was closed. */
  release(): Promise<void>;
}

/** State that all parts of the server share. */
export interface Base {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For deletions by age. */
  readonly retentionClock: Clock;
  readonly node: NodeInfo;
  /** Limits and usage of a further organization; the first has none but the settings. */
  readonly limits?: { readonly usage: OrgUsage; readonly limitsOf: () => OrgLimits };
  /** From the file that the settings name, read before anything is opened. */
  readonly modelPrices?: ReferenceData['modelPrices'] | undefined;
}

/** The part that stores events and runs queries. */
export interface EventParts {
  readonly data: EventData;
  /** For further organizations. */
  readonly shared: SharedParts;
  /** Routes that take events and queries. */
  readonly routes: readonly Route[];
  readonly checks: Deps['checks'];
  /** Query interface of monitors. */
  readonly monitored: Pick<AlertsOptions, 'source' | 'checkQuery' | 'translate'>;
  readonly translate: ErrorTranslator;
  readonly audit: AuditSink;
  /** Stores batches of a source, with the rights of the user who wrote it. */
  readonly sinkOf: (source: StoredSource) => Sink;
  /** Stores the server's own metrics; see `selfMetrics`. */
  readonly writeMetrics: (dataset: string, instance: string) => () => Promise<void>;
  /** Stores pending data and releases everything it opened over the directory. */
  close(): Promise<void>;
}

export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Port of the OTLP/gRPC listener, if it is on. */
  readonly otlpGrpcPort?: number;
  /** Creates a one-time link that signs a browser in as the owner; undefined without a console. */
  signInLink(): Promise<string | undefined>;
  /** Finishes running requests, stores everything, and releases the data directory. */
  stop(): Promise<void>;
}
