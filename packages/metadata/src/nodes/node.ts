import type { Clock } from '../clock.js';
import type { NodeRecord } from '../postgres/nodes.js';

/** This process among the nodes that share the events; it may be the only one. */
export interface NodeInfo {
  /** The clock shared by all nodes. */
  readonly clock: Clock;
  /** Whether this node is the leader, which runs retention, monitors and merges. */
  isLeader(): boolean;
  /** How many nodes share request limits, including this one. */
  live(): number;
  /** All nodes, newest first. @throws MetadataError */
  list(): Promise<readonly NodeRecord[]>;
  /** Publishes the address where it listens, and starts the heartbeat. */
  recordAddress(url: string): void;
}
