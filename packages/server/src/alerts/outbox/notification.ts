import type { Label } from '../evaluate/result-table.js';

/**
 * What is told, whatever the channel. It is kept as it was decided: a monitor that is renamed
 * meanwhile changes nothing in it.
 */
export interface Notification {
  readonly monitorId: string;
  readonly title: string;
  readonly description: string;
  readonly action: 'Open' | 'Closed';
  /** What happened, in words. */
  readonly body: string;
  /** RFC 3339. */
  readonly queryStartTime: string;
  readonly queryEndTime: string;
  readonly timestamp: string;
  readonly value: number;
  readonly matchedEvent: Readonly<Record<string, unknown>> | null;
  readonly groupKeys: readonly string[] | null;
  readonly groupValues: readonly Label[] | null;
  /**
   * The same for the opening and the closing of the same thing: receivers that know incidents join
   * them by it.
   */
  readonly incident: string;
  readonly severity: 'error' | 'warning';
}
