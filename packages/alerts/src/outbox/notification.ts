import type { Severity } from './severity.js';
import type { Label } from '../evaluate/result-table.js';

/**
 * Content of a notification, for any channel. Stored when it is decided: renaming the monitor later
 * does not change it.
 */
export interface Notification {
  readonly monitorId: string;
  readonly title: string;
  readonly description: string;
  readonly action: 'Open' | 'Closed';
  /** Human-readable description of the event. */
  readonly body: string;
  /** RFC 3339. */
  readonly queryStartTime: string;
  readonly queryEndTime: string;
  readonly timestamp: string;
  readonly value: number;
  readonly matchedEvent: Readonly<Record<string, unknown>> | null;
  readonly groupKeys: readonly string[] | null;
  readonly groupValues: readonly Label[] | null;
  /** Equal for the opening and the closing of an incident, so that receivers can correlate them. */
  readonly incident: string;
  readonly severity: Severity;
  /** The body is of a template, so it replaces the fields of an event. */
  readonly hasOwnBody?: true;
}
