import type { Life } from './life.js';
import type { Random } from './random.js';
import { strike, strikes } from './strike.js';

/** What a campaign is about: where the server keeps its events, and what is done to it. */
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
  /** Whether the server may answer 503 without having been struck. */
  readonly isMoody?: boolean;
  /** Looks, while nobody does anything, at what the server does not show. */
  readonly inspect?: (life: Life) => Promise<void>;
}

/**
 * Limits so small that a second of load reaches them: the log rotates, fields overflow, ingest is
 * refused now and then, and quiet days are merged.
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
