import type { Life } from './life.js';
import type { Random } from './random.js';
import { strike, strikes } from './strike.js';

/** Definition of a campaign: where the server stores its events, and which faults are injected. */
export interface Scenario {
  /** Settings other than the defaults, as environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  /** The ways in which a life may be struck, and how often each is chosen. */
  readonly strikes: Readonly<Record<string, number>>;
  /**
   * Strikes while the clients are at work; returns whether the server lives on. The clients should
   * end when this resolves.
   */
  readonly strike: (life: Life, how: string, random: Random) => Promise<boolean>;
  /** Whether the server may respond with 503 without a strike. */
  readonly isMoody?: boolean;
  /** While no client is running, checks state that the server does not expose. */
  readonly inspect?: (life: Life) => Promise<void>;
}

/**
 * Small limits that a second of load reaches: the log rotates, fields overflow, ingest is rejected
 * sometimes, and idle days are merged.
 */
export const tightLimits: Readonly<Record<string, string>> = {
  MILLRACE_LOG_SEGMENT_BYTES: '1MiB',
  MILLRACE_MAX_LOG_BYTES: '512MiB',
  MILLRACE_MAX_PENDING_BYTES: '16MiB',
  MILLRACE_COLUMN_BUDGET: '24',
  MILLRACE_MERGE_AFTER: '1s',
};

/** One process with its embedded engine. */
export const oneMachine: Scenario = {
  settings: { ...tightLimits, MILLRACE_ENGINE_MEMORY_BYTES: '2GiB' },
  strikes,
  strike,
};
