import type { Exporters } from './metrics/exporters.js';
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
  /** Where the campaign includes metrics. */
  readonly exporters: Exporters | undefined;
  /** Whether clients must start no new work. */
  over: boolean;
  /**
   * Whether something was killed or stopped: from then on broken connections, and responses that
   * report it, are expected.
   */
  struck: boolean;
}

/**
 * Whether a response asks the client to retry later. Other errors are unexpected, and a 503 is
 * expected only after a strike.
 */
export function isLater(life: Life, status: number): boolean {
  return status === 429 || (status === 503 && life.struck);
}
