import type { Model } from './model.js';
import type { Server } from './server.js';
import type { Tally } from './tally.js';

/** State that the actors of one cycle share. */
export interface Life {
  readonly seed: number;
  readonly cycle: number;
  readonly server: Server;
  readonly model: Model;
  readonly tally: Tally;
  /** Whether actors must begin nothing new. */
  over: boolean;
  /**
   * Whether something was killed or told to stop: from then on broken connections, and answers that
   * say so, are expected.
   */
  struck: boolean;
}

/**
 * Whether an answer asks the client to try later. No other error is expected, and a 503 only after
 * a strike.
 */
export function isLater(life: Life, status: number): boolean {
  return status === 429 || (status === 503 && life.struck);
}
