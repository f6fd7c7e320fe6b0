import type { Model } from './model.js';
import type { Server } from './server.js';
import type { Tally } from './tally.js';

/** What the actors of one cycle share. */
export interface Life {
  readonly seed: number;
  readonly cycle: number;
  readonly server: Server;
  readonly model: Model;
  readonly tally: Tally;
  /** Nothing new is begun any more. */
  over: boolean;
  /** Something was killed or told to stop: broken connections and answers that say so are no surprise. */
  struck: boolean;
}

/** Answers that ask to come again later. Only these are to be expected, and those of them that speak of the engine only once it was killed. */
export function isLater(life: Life, status: number): boolean {
  return status === 429 || (status === 503 && life.struck);
}
