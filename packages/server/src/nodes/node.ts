import type { Clock } from '../metadata/clock.js';
import type { NodeRecord } from '../metadata/postgres/nodes.js';

/** This process, among those that share the events; it may be the only one. */
export interface Node {
  /** The same for all that share the events. */
  readonly clock: Clock;
  /** Whether it does what one of them has to do: retention, monitors, merges. */
  onDuty(): boolean;
  /** How many share limits on requests, this one included. */
  live(): number;
  /** All of them, the newest first. @throws MetadataError */
  list(): Promise<readonly NodeRecord[]>;
  /** Says where it listens, and begins to be seen by others. */
  listening(url: string): void;
}
