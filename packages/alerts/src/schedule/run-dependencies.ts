import type { Notifier } from '@millrace/api/schemas/notifier';
import type { StoredAcknowledgment, StoredMonitor } from '@millrace/api/schemas/monitor';
import type { NotificationRoute } from '@millrace/api/schemas/notification-route';
import type { Silence } from '@millrace/api/schemas/silence';
import type { Annotation } from '@millrace/api/schemas/query-resources';
import type { MatchLimits } from '../evaluate/match.js';
import type { Source } from '../source.js';
import type { MissedRunBudget } from './missed-runs.js';

/** What runs of monitors need. */

export interface RunDependencies {
  readonly source: Source;
  readonly signal: AbortSignal;
  /** Timeout of a query, milliseconds. */
  readonly timeout: number;
  readonly maxGroups: number;
  /** Failed runs in a row after which notifiers learn that the monitor cannot run. */
  readonly maxFailures: number;
  /** How long a group without data is remembered by default, milliseconds. */
  readonly groupMemory: number;
  readonly matchLimits: MatchLimits;
  /** Maximum missed runs to make up. */
  readonly maxMissed: number;
  readonly missedBudget: MissedRunBudget;
  /** When this process began to run monitors, milliseconds since the epoch. */
  readonly since: number;
  /** When the monitor was last seen to be disabled, milliseconds since the epoch; 0 for never. */
  readonly disabledUntil: number;
  /** All notifiers. */
  readonly notifiers: readonly Notifier[];
  /** The table of routes. */
  readonly routes: readonly NotificationRoute[];
  readonly acknowledgments: readonly StoredAcknowledgment[];
  /** Whether a monitor is open, by ID. */
  readonly isOpen: (monitorId: string) => boolean;
  /** All silences. */
  readonly silences: readonly Silence[];
  /** Annotations that the monitor may have open; 0 if openings are not annotated. */
  readonly maxAnnotations: number;
  /** URL of the console, without a slash at the end. */
  readonly consoleUrl: string | undefined;
  /** Describes an error without internal details. */
  readonly explain: (error: unknown) => string;
  readonly annotation: (id: string) => Promise<Annotation | undefined>;
}

/** ID of a run: if a crash undoes a run, its repetition gets the same ID. */
export const runId = ({ id }: StoredMonitor, runs: number): string => `${id}-${runs}`;
