import type { Logger } from 'pino';
import type { HttpError } from '@millrace/api/errors';
import type { Principal } from '@millrace/http/access/authorize';
import type { Metrics } from '@millrace/http/metrics';
import type { Settings } from '@millrace/http/settings/settings';
import type { Clock } from '@millrace/metadata/clock';
import type { Metadata } from '@millrace/metadata/metadata';
import type { NodeInfo } from '@millrace/metadata/nodes/node';
import type { MonitorDraft } from './monitor.js';
import type { Sender } from './outbox/sender.js';
import type { Source } from './source.js';

/** What monitors and notifiers need of the server. */

export interface AlertsOptions {
  readonly metadata: Metadata;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly source: Source;
  readonly sender: Sender;
  /** Checks the query of a monitor. @throws HttpError */
  readonly checkQuery: (draft: MonitorDraft, principal: Principal) => Promise<void>;
  /** Maps an error of a query to the error that a client may see. */
  readonly translate: (error: unknown) => HttpError | undefined;
  /** Problems of the server itself; empty by default. */
  readonly health?: () => readonly string[];
  /** Tells whether this process is the leader, if several share the monitors. */
  readonly node?: Pick<NodeInfo, 'isLeader'>;
  /** Maximum delay of outcomes until they are written in a common transaction, milliseconds. */
  readonly commitEvery?: number;
}
