import type { ReferenceData } from '@millrace/apl';
import type { Logger } from 'pino';
import type { AlertsOptions } from '../alerts/alerts.js';
import type { EventData } from '../datasets/event-data.js';
import type { AuditSink } from '../http/recording/audit.js';
import type { ErrorTranslator } from '../http/errors/error-answers.js';
import type { Route } from '../http/route.js';
import type { Clock } from '../metadata/clock.js';
import type { Metadata } from '../metadata/metadata.js';
import type { OpenedMetadata } from '../metadata/open-metadata.js';
import type { Metrics } from '../metrics.js';
import type { Node } from '../nodes/node.js';
import type { Deps } from '../routes/deps.js';
import type { Settings } from '../settings/settings.js';

/**
 * What the steps of a start hand on to one another: a directory that is held, what is opened over
 * it, and a server that runs.
 */

/**
 * What is this process's: a data directory that is its alone, or a part in what several processes
 * share.
 */
export interface HeldDirectory {
  /** Their tables are up to date. */
  readonly metadata: OpenedMetadata;
  readonly node: Node;
  /** Opens what holds the events; to be called once. */
  openEvents(base: Base): Promise<EventParts>;
  /** Lets go of the directory, when what was opened over it has been closed. */
  release(): Promise<void>;
}

/** What every part of the server shares. */
export interface Base {
  readonly settings: Settings;
  readonly metadata: Metadata;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** For what is removed because of its age. */
  readonly aging: Clock;
  readonly node: Node;
  /** Of the file the settings name; it is read before anything is opened. */
  readonly modelPrices?: ReferenceData['modelPrices'] | undefined;
}

/** The part that holds the events and answers queries. */
export interface EventParts {
  readonly data: EventData;
  /** Routes that take events and queries. */
  readonly routes: readonly Route[];
  readonly checks: Deps['checks'];
  /** What monitors ask. */
  readonly monitored: Pick<AlertsOptions, 'source' | 'checkQuery' | 'translate'>;
  readonly translate: ErrorTranslator;
  readonly audit: AuditSink;
  /** Stores what is not stored yet and lets go of everything it opened over the directory. */
  close(): Promise<void>;
}

export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Makes a link that signs one browser in as the owner; undefined without a console. */
  signInLink(): Promise<string | undefined>;
  /** Finishes running requests, stores everything, and lets go of the data directory. */
  stop(): Promise<void>;
}
